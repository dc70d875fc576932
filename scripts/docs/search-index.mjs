// What the search box looks through: every stretch of a page under a heading, as plain text.
import { replaceFormulas } from './formula.mjs';

/** Stretches of a page: [address, title of the page, heading, text]. */
export function listStretches({ title, html, target }) {
  const stretches = [];
  // what stands between two headings belongs to the first; in the reference every export is one
  const pieces = html.split(/(?=<h[1-4][^>]* id="|<section class="symbol" id=")/);
  for (const piece of pieces) {
    const heading =
      /^<h[1-4][^>]* id="([^"]*)"[^>]*>([\s\S]*?)<\/h[1-4]>/.exec(piece) ??
      /^<section class="symbol" id="([^"]*)">\s*<h3><code>([\s\S]*?)<\/code>.*<\/h3>/.exec(piece);
    const text = readText(heading ? piece.slice(heading[0].length) : piece);
    const name = heading ? readText(heading[2]).replace(/ ?#$/, '') : title;
    if (!heading && text === '') continue;
    stretches.push([heading ? `${target}#${heading[1]}` : target, title, name, text]);
    // members of classes and interfaces by their own names
    for (const [, id, about] of piece.matchAll(/<dt id="([^"]*)">[\s\S]*?<\/dt><dd>([\s\S]*?)<\/dd>/g)) {
      stretches.push([`${target}#${id}`, title, id, readText(about)]);
    }
  }
  return stretches;
}

function readText(html) {
  return replaceFormulas(html)
    .replace(/<\/?(?:a|b|code|em|i|span|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
