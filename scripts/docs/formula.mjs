// Mathematics in the pages: blocks with formulas, and symbols with subscripts such as R_n.

/** One letter, with accents, primes and powers, or the end of a bracket; then what stands below the line. */
const SUBSCRIPT =
  /((?<![\p{L}\p{N}\p{M}_])\p{L}\p{M}*['′]*[⁺⁻²³]*|[|)\]][²³]?)_([\p{Ll}\p{Lu}\p{Nd}]{1,4})(?![\p{Ll}\p{Lu}\p{Nd}_])/gu;

/** Size of a subscript over that of its line, as in style.css. */
const SMALL = 0.8;

/** Whether a block is mathematics: not what a program prints, nor its help. */
export function isFormula(text) {
  return !text.startsWith('Usage:') && /[=≤<]|minimise|argmin/.test(text) && /[½²ᵀΣΨ⁻⁺₀γφμβ∂]/u.test(text);
}

/** Subscripts in running text. */
export function formatSymbols(html) {
  return html.replace(SUBSCRIPT, '$1<sub>$2</sub>');
}

/** Subscripts in a block. What they are narrower than their text is given back in the next wide gap, so that columns stay below each other. */
export function formatFormula(html) {
  return html.split('\n').map(formatLine).join('\n');
}

function formatLine(line) {
  let lost = 0;
  return line
    .split(/( {2,})/)
    .map((part) => {
      if (!/^ {2,}$/.test(part)) {
        return part.replace(SUBSCRIPT, (_, symbol, below) => {
          lost += below.length + 1 - SMALL * below.length;
          return `${symbol}<sub>${below}</sub>`;
        });
      }
      const spacer = lost > 0 ? `<span class="spacer" style="width:${lost.toFixed(2)}ch"></span>` : '';
      lost = 0;
      return part + spacer;
    })
    .join('');
}
