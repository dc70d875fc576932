import type { JSX } from 'preact';

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|\b(true|false|null)\b|(-?\d[\d.eE+-]*)/g;
/** Longer lines stay in one colour: they would be slow. */
const LONGEST = 4000;

/** A line of JSON in colours, a span per word. */
export function JsonColors({ line }: { line: string }): JSX.Element {
  if (line.length > LONGEST) return <>{line}</>;
  const parts: (JSX.Element | string)[] = [];
  let done = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [whole, string, colon, word] = match;
    if (match.index > done) parts.push(line.slice(done, match.index));
    const kind =
      string === undefined ? (word === undefined ? 'number' : 'word') : colon === undefined ? 'string' : 'key';
    parts.push(<span class={`json-${kind}`}>{string ?? whole}</span>);
    if (colon !== undefined) parts.push(colon);
    done = match.index + whole.length;
  }
  parts.push(line.slice(done));
  return <>{parts}</>;
}
