import type { JSX } from 'preact';

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|\b(true|false|null)\b|(-?\d[\d.eE+-]*)/g;
/** Longer texts stay in one colour: they would be slow. */
const LONGEST = 60_000;

/** JSON in colours, a span per word. */
export function JsonColors({ text }: { text: string }): JSX.Element {
  if (text.length > LONGEST) return <>{text}</>;
  const parts: (JSX.Element | string)[] = [];
  let done = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word] = match;
    if (match.index > done) parts.push(text.slice(done, match.index));
    const kind =
      string === undefined ? (word === undefined ? 'number' : 'word') : colon === undefined ? 'string' : 'key';
    parts.push(<span class={`json-${kind}`}>{string ?? whole}</span>);
    if (colon !== undefined) parts.push(colon);
    done = match.index + whole.length;
  }
  parts.push(text.slice(done));
  return <>{parts}</>;
}
