/**
 * Order of the test files. Files that share a process follow each other: a process ends when the next file is not for it, and a new
 * one loads all sources again. The many small files come last, so that all processes end at about the same time.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects in their order; what is not named comes first. */
const PROJECTS = ['browser', 'isolated', 'compiled', 'oracle', 'sources'];

export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project }: TestSpecification): number => PROJECTS.indexOf(project.name);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
