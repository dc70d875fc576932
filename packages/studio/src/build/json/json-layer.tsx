import type { JSX } from 'preact';
import { JsonColors } from './json-colors.tsx';
import { findWord, LINE, PADDING, type TextPlace, widthBefore } from './text-place.ts';

/** How far the text is scrolled, and how much of it is seen, pixels. */
export interface Scrolled {
  top: number;
  left: number;
  height: number;
}

interface JsonLayerProps {
  lines: readonly string[];
  scrolled: Scrolled;
  /** Number of a line with an error, from 1. */
  wrong: number | undefined;
  /** A word that is looked for, and the place of it that was gone to. */
  word: string;
  found: TextPlace | undefined;
}

/** Lines beyond those that are seen. */
const BEYOND = 20;

/** What is seen of the text, behind the transparent one that is edited: numbers of lines, colours, errors and words that were found. */
export function JsonLayer({ lines, scrolled, wrong, word, found }: JsonLayerProps): JSX.Element {
  const first = Math.max(0, Math.floor((scrolled.top - PADDING) / LINE) - BEYOND);
  const last = Math.min(lines.length, first + Math.ceil(scrolled.height / LINE) + 2 * BEYOND + 1);
  const seen = lines.slice(first, last);
  const down = PADDING + LINE * first - scrolled.top;
  return (
    <div class="json-back" aria-hidden="true">
      <div class="json-rows" style={{ transform: `translate(${-scrolled.left}px, ${down}px)` }}>
        {seen.map((line, i) => (
          <div key={first + i} class={wrong === first + i + 1 ? 'wrong' : ''}>
            {findWord(line, word).map((column) => {
              const isFound = found?.line === first + i && found.column === column;
              const left = widthBefore(line, column);
              const width = widthBefore(line, column + word.length) - left;
              return (
                <mark key={column} class={isFound ? 'found' : ''} style={{ left: `${left}ch`, width: `${width}ch` }} />
              );
            })}
            <JsonColors line={line} />
          </div>
        ))}
      </div>
      <div class="json-lines">
        <ol style={{ transform: `translateY(${down}px)` }}>
          {seen.map((_, i) => (
            <li key={first + i} class={wrong === first + i + 1 ? 'wrong' : ''}>
              {first + i + 1}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
