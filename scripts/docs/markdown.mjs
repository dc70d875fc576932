// Markdown to HTML: headings with the anchors that hosts of Markdown make, formulas, coloured code, tables that scroll, links by a rule.
import { Marked } from 'marked';
import { FORMULAS, formatSymbols } from './formula.mjs';
import { escapeHtml, highlight } from './highlight.mjs';

/** Anchor of a heading. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Renders a page: { html, title, headings: [{ level, text, anchor }] }. `moveLink` turns links of the text into links of the site. */
export function renderMarkdown(text, moveLink) {
  const headings = [];
  const marked = new Marked({
    extensions: FORMULAS,
    renderer: {
      heading({ tokens, depth, text: source }) {
        const plain = source.replace(/`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
        const anchor = anchorOf(source);
        headings.push({ level: depth, text: plain, anchor });
        const mark = depth > 1 ? ` <a class="anchor" href="#${anchor}" aria-label="Link to this heading">#</a>` : '';
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${mark}</h${depth}>\n`;
      },
      code({ text: code, lang }) {
        return `<pre class="code" tabindex="0"><code>${highlight(code, lang)}</code></pre>\n`;
      },
      table(token) {
        const cells = (row, heading) => {
          const side = (i) => (token.align[i] === 'right' ? ' class="right"' : '');
          const show = (cell, i) => {
            const words = this.parser.parseInline(cell.tokens);
            // an empty corner heads nothing
            const [tag, scope] = heading && words !== '' ? ['th', ' scope="col"'] : ['td', ''];
            return `<${tag}${scope}${side(i)}>${words}</${tag}>`;
          };
          return `<tr>${row.map(show).join('')}</tr>`;
        };
        const rows = token.rows.map((row) => cells(row, false)).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${cells(token.header, true)}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        // names of files stay in one line
        const kind = /^[\w./-]+$/.test(words) ? ' class="file"' : '';
        return `<a${kind} href="${escapeHtml(moveLink(href))}">${words}</a>`;
      },
      text(token) {
        return token.tokens ? this.parser.parseInline(token.tokens) : formatSymbols(escapeText(token.text));
      },
      image({ href, text: alt }) {
        return `<img src="${escapeHtml(moveLink(href))}" alt="${escapeHtml(alt)}" loading="lazy">`;
      },
    },
  });
  const html = marked.parse(text);
  return { html, headings, title: headings.find(({ level }) => level === 1)?.text ?? '' };
}

/** Text of the page: entities that are written as such stay. */
function escapeText(text) {
  return escapeHtml(text).replace(/&amp;(#?\w+;)/g, '&$1');
}
