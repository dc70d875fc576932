/** Programs in the pages: blocks of TypeScript, and what they print, where a block of text follows. */
import { listFiles, readText } from './source-files.ts';

export interface Snippet {
  page: string;
  /** Line of the page where the code begins, from 1. */
  line: number;
  code: string;
  /** What it must print; undefined where the page does not say. */
  output: string | undefined;
}

/** All programs of the pages that users read. */
export function listSnippets(): Snippet[] {
  return listFiles(/^(docs\/.*|README)\.md$/).flatMap((page) => {
    const text = readText(page);
    return [...text.matchAll(/^```ts\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm)].map((match) => ({
      page,
      line: text.slice(0, match.index).split('\n').length + 1,
      code: match[1]!,
      output: match[2],
    }));
  });
}
