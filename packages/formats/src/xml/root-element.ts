/** The name of the root element of an XML text, found by looking at each character once. */

/** Past these come the next mark or element: declaration, comment, document type. */
const SKIPPED: readonly (readonly [open: string, close: string])[] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!', '>'],
];

/** Name of the root element; where the text is not XML, its first character, and '' where there is none. */
export function findRootElement(text: string): string {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at++;
    const skipped = SKIPPED.find(([open]) => text.startsWith(open, at));
    if (!skipped) break;
    const [open, close] = skipped;
    const end = text.indexOf(close, at + open.length);
    if (end < 0) return '';
    at = end + close.length;
  }
  const name = /[\w:.-]+/y;
  name.lastIndex = at + 1;
  return (text[at] === '<' ? name.exec(text)?.[0] : undefined) ?? text.slice(at, at + 1);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
