/** MathML as it reads best in browsers. */

/** Browsers set the names of functions close to their neighbours, as in mgsinα: a thin space before, and after unless a bracket follows. */
export function spaceFunctions(mathml: string): string {
  const space = '<mspace width="0.17em"></mspace>';
  return mathml
    .replace(/(<\/m(?:i|n|sup|sub|row|frac)>)(<mi>[a-z]{2,}<\/mi><mo>\u2061<\/mo>)/g, `$1${space}$2`)
    .replace(/(<mi>[a-z]{2,}<\/mi><mo>\u2061<\/mo>)(?!<mo )/g, `$1${space}`);
}
