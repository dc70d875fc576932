// Colours for code: comments, strings, numbers and words of the language, as spans; names can be made links.

const KEYWORDS = new Set(
  `abstract any as async await boolean break case catch class const constructor continue declare default do else enum export
  extends false finally for from function get if implements import in infer instanceof interface keyof let never new null number
  of readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while`
    .split(/\s+/)
    .filter(Boolean),
);

const TOKENS = {
  ts: /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(\b\d[\w.]*)|([A-Za-z_$][\w$]*)/g,
  sh: /(#[^\n]*)|('[^']*'|"[^"]*")|(\B--?[a-z][\w-]*)|(\b(?:npm|npx|node|nexdyn)\b)/g,
  json: /(\/\/[^\n]*)|("(?:[^"\\\n]|\\.)*")|(-?\b\d[\w.+-]*)|(\b(?:true|false|null)\b)/g,
};
const LANGUAGES = { ts: 'ts', js: 'ts', typescript: 'ts', sh: 'sh', bash: 'sh', console: 'sh', json: 'json' };

export function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Code as HTML. `linkOf` may give the address of a name. */
export function highlight(code, language, linkOf = () => undefined) {
  const kind = LANGUAGES[language];
  if (!kind) return escapeHtml(code);
  let html = '';
  let end = 0;
  for (const match of code.matchAll(TOKENS[kind])) {
    html += escapeHtml(code.slice(end, match.index));
    end = match.index + match[0].length;
    html += mark(match, kind, linkOf);
  }
  return html + escapeHtml(code.slice(end));
}

function mark([text, comment, string, number], kind, linkOf) {
  const span = (name) => `<span class="${name}">${escapeHtml(text)}</span>`;
  if (comment !== undefined) return span('comment');
  if (string !== undefined) return span('string');
  if (number !== undefined) return span('number');
  if (kind !== 'ts' || KEYWORDS.has(text)) return span('keyword');
  const link = linkOf(text);
  return link ? `<a href="${link}">${escapeHtml(text)}</a>` : escapeHtml(text);
}
