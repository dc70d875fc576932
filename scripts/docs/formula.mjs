// Mathematics in the pages: formulas between dollar signs, set by KaTeX while the site is built, and symbols in plain text such as R_n.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import katex from 'katex';
import { escapeHtml } from './highlight.mjs';

/** $...$ in a line: no space inside the dollar signs, no digit after them, no code between, so that a single dollar sign stays one. */
const INLINE = /^\$(?![\s$])((?:\\[^\n]|[^$\\\n`]|\n(?!\n))+?)(?<!\s)\$(?![\d$])/;
/** $$...$$ on lines of its own. */
const BLOCK = /^\$\$\n([\s\S]+?)\n\$\$(?:\n+|$)/;

/** Marks around a formula in the HTML; the search index reads the words of the first and skips the rest. */
const MARKED = /<!--formula ([^>]*)-->[\s\S]*?<!--\/formula-->/g;

/** Extensions of the Markdown reader. */
export const FORMULAS = [
  {
    name: 'formula',
    level: 'inline',
    start: (source) => source.indexOf('$'),
    tokenizer(source) {
      const match = INLINE.exec(source);
      return match ? { type: 'formula', raw: match[0], tex: match[1] } : undefined;
    },
    renderer: ({ tex }) => renderFormula(tex, false),
  },
  {
    name: 'formulaBlock',
    level: 'block',
    start: (source) => source.indexOf('$$\n'),
    tokenizer(source) {
      const match = BLOCK.exec(source);
      return match ? { type: 'formulaBlock', raw: match[0], tex: match[1] } : undefined;
    },
    renderer: ({ tex }) => `<div class="formula" tabindex="0">${renderFormula(tex, true)}</div>\n`,
  },
];

/** HTML with MathML beside it for screen readers. A formula that KaTeX does not read is an error that shows it. */
export function renderFormula(tex, isBlock) {
  const html = katex.renderToString(tex, { displayMode: isBlock, strict: 'error', output: 'htmlAndMathml' });
  return `<!--formula ${escapeHtml(formatPlain(tex)).replaceAll('--', '−−')}-->${html}<!--/formula-->`;
}

/** The page with each formula as one line of text. */
export function replaceFormulas(html) {
  return html.replace(MARKED, '$1');
}

/** Style sheet and fonts of KaTeX, so that pages need no network. */
export function copyFormulaStyle(folder) {
  const source = dirname(createRequire(import.meta.url).resolve('katex/dist/katex.min.css'));
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  // every browser of today reads woff2; the older formats stay out
  const css = readFileSync(join(source, 'katex.min.css'), 'utf8');
  writeFileSync(join(folder, 'katex.css'), css.replace(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, ''));
  for (const name of readdirSync(join(source, 'fonts')).filter((file) => file.endsWith('.woff2')))
    copyFileSync(join(source, 'fonts', name), join(folder, 'fonts', name));
}

const SYMBOLS = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  varepsilon: 'ε',
  zeta: 'ζ',
  kappa: 'κ',
  lambda: 'λ',
  mu: 'μ',
  nu: 'ν',
  xi: 'ξ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  varphi: 'φ',
  phi: 'φ',
  psi: 'ψ',
  omega: 'ω',
  theta: 'θ',
  Psi: 'Ψ',
  Pi: 'Π',
  Delta: 'Δ',
  Phi: 'Φ',
  Omega: 'Ω',
  sum: 'Σ',
  ast: '*',
  partial: '∂',
  nabla: '∇',
  infty: '∞',
  cdot: '·',
  times: '×',
  pm: '±',
  le: '≤',
  ge: '≥',
  ne: '≠',
  ll: '≪',
  gg: '≫',
  approx: '≈',
  in: '∈',
  perp: '⊥',
  to: '→',
  top: 'ᵀ',
  prime: '′',
  rvert: '|',
  rVert: '‖',
  sqrt: '√',
  circ: '°',
  ldots: '…',
  cdots: '…',
  mid: '|',
  otimes: '⊗',
  oplus: '⊕',
  quad: ' ',
  qquad: ' ',
  dots: '…',
  ell: 'ℓ',
  mathcal: '',
};
const ACCENTS = { hat: '\u0302', tilde: '\u0303', bar: '\u0304', dot: '\u0307', widehat: '\u0302', ddot: '\u0308' };

/** A formula as plain text, roughly as one would type it: for searching, and to compare with the words of the code. */
export function formatPlain(tex) {
  let text = tex;
  // \frac{a}{b}, from the inside out
  for (let last = ''; last !== text; ) {
    last = text;
    text = text
      .replace(/\\(?:text|mathrm|mathbf|mathit|operatorname\*?)\{([^{}]*)\}/g, '$1')
      .replace(
        /\\(hat|tilde|bar|dot|widehat|ddot)\s*(?:\{([^{}])\}|([A-Za-z])|\{?\\([a-z]+)\}?)/g,
        (_, accent, a, b, name) => `${a ?? b ?? SYMBOLS[name] ?? name}${ACCENTS[accent]}`,
      )
      .replace(/\\tfrac12/g, '½')
      .replace(/\\[td]?frac\{([^{}]*)\}\{([^{}]*)\}/g, (_, a, b) => `${group(a)}/${group(b)}`)
      .replace(/\\sqrt\{([^{}]*)\}/g, (_, a) => `√${group(a)}`)
      .replace(/_\{([^{}\\]*)\}/g, '_$1')
      .replace(/\^\{?\\top\}?/g, 'ᵀ')
      .replace(/\^\{-1\}/g, '⁻¹')
      .replace(/\^\{([^{}\\]*)\}/g, (_, power) => (power.length > 1 ? `^(${power})` : `^${power}`));
  }
  return text
    .replace(/\\(?:begin|end)\{[^}]*\}(?:\{[^}]*\})?/g, ' ')
    .replace(/\\(?:left|right|bigl|bigr|Bigl|Bigr|big|Big|displaystyle|limits)(?![A-Za-z])\.?/g, '')
    .replace(/\\\\/g, ' ')
    .replace(/\\l([vV])ert\s*/g, (_, bar) => (bar === 'v' ? '|' : '‖'))
    .replace(/\\([A-Za-z]+)/g, (_, name) => SYMBOLS[name] ?? name)
    .replace(/\\[,;:! ]/g, ' ')
    .replace(/\^2(?!\d)/g, '²')
    .replace(/\^3(?!\d)/g, '³')
    .replace(/\^\+/g, '⁺')
    .replace(/_\+/g, '₊')
    .replace(/_0(?!\d)/g, '₀')
    .replace(/_1(?!\d)/g, '₁')
    .replace(/_2(?!\d)/g, '₂')
    .replace(/[{}&~]/g, '')
    .replace(/-/g, '−')
    .replace(/\s+/g, ' ')
    .normalize('NFC')
    .trim();
}

function group(text) {
  return /^[\w\\ ]*$/.test(text) && !text.trim().includes(' ') ? text : `(${text})`;
}

/** One letter, with accents, primes and powers, or the end of a bracket; then what stands below the line. */
const SUBSCRIPT =
  /((?<![\p{L}\p{N}\p{M}_])\p{L}\p{M}*['′]*[⁺⁻²³]*|[|)\]][²³]?)_([\p{Ll}\p{Lu}\p{Nd}]{1,4})(?![\p{Ll}\p{Lu}\p{Nd}_])/gu;

/** Subscripts in running text. */
export function formatSymbols(html) {
  return html.replace(SUBSCRIPT, '$1<sub>$2</sub>');
}
