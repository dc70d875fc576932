/** Stored frictional contact problems with their solutions, from the folder `reference/fclib` beside the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredProgram } from '@nexdyn/engine/solvers';
import { type ContactProblem, createContactProgram, readContactProblem } from '@nexdyn/formats';
import { REFERENCE } from '../oracle/shared-data.ts';

const FOLDER = join(REFERENCE, 'fclib');

export const hasProblems: boolean = existsSync(join(FOLDER, 'FC3D_Example1.json'));

/** Iterations that the reference needed to reach a residual; null where it did not. */
export type Baseline = Record<string, number | null>;

export interface ReferenceProblem {
  name: string;
  problem: ContactProblem;
  program: StoredProgram;
  /** |q|. */
  norm: number;
  /** Minimum over the cones. */
  minimum: { objective: number; u: number[]; r: number[] };
  /** A solution under Coulomb's law. */
  coulomb?: { u: number[]; r: number[]; scaled_residual: number; outer_iterations: number };
  baseline?: Record<'apgd' | 'spg_bb' | 'pgs_safe', Baseline>;
}

/** What the files hold besides the problem. */
interface Notes {
  ccp: ReferenceProblem['minimum'];
  ncp?: NonNullable<ReferenceProblem['coulomb']>;
  baseline_iterations_to_scaled_residual?: NonNullable<ReferenceProblem['baseline']>;
}

export function loadProblems(): ReferenceProblem[] {
  if (!hasProblems) return [];
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file): ReferenceProblem => {
      const problem = readContactProblem(readFileSync(join(FOLDER, file), 'utf8'), file);
      const notes = problem.notes as unknown as Notes;
      const { ccp, ncp, baseline_iterations_to_scaled_residual: baseline } = notes;
      return {
        name: problem.name,
        problem,
        program: createContactProgram(problem),
        norm: Math.hypot(...problem.linear),
        minimum: ccp,
        ...(ncp && { coulomb: ncp }),
        ...(baseline && { baseline }),
      };
    });
}
