/** Distributions of parameters by their quantile function: the value below which a share u of all values lies. */

/** How a parameter is distributed. */
export type Distribution =
  | { distribution: 'uniform'; from: number; to: number }
  /** Its logarithm is uniform; both ends above 0. */
  | { distribution: 'logUniform'; from: number; to: number }
  | { distribution: 'normal'; mean: number; deviation: number }
  /** Its logarithm is normal; `median` above 0, `deviation` of the natural logarithm. */
  | { distribution: 'logNormal'; median: number; deviation: number }
  | { distribution: 'triangular'; from: number; mode: number; to: number }
  /** One of a list, each as likely. */
  | { distribution: 'choice'; values: readonly unknown[] };

/** The value of a distribution at u, from 0 to below 1. */
export function readQuantile(distribution: Distribution, u: number): unknown {
  switch (distribution.distribution) {
    case 'uniform':
      return distribution.from + u * (distribution.to - distribution.from);
    case 'logUniform':
      return distribution.from * (distribution.to / distribution.from) ** u;
    case 'normal':
      return distribution.mean + distribution.deviation * readNormalQuantile(u);
    case 'logNormal':
      return distribution.median * Math.exp(distribution.deviation * readNormalQuantile(u));
    case 'triangular': {
      const { from, mode, to } = distribution;
      const split = (mode - from) / (to - from);
      if (u < split) return from + Math.sqrt(u * (to - from) * (mode - from));
      return to - Math.sqrt((1 - u) * (to - from) * (to - mode));
    }
    case 'choice':
      return distribution.values[Math.min(Math.floor(u * distribution.values.length), distribution.values.length - 1)];
  }
}

const CENTRAL = [
  [2.50662823884, -18.61500062529, 41.39119773534, -25.44106049637],
  [-8.4735109309, 23.08336743743, -21.06224101826, 3.13082909833],
] as const;
const TAIL = [
  0.3374754822726147, 0.9761690190917186, 0.1607979714918209, 0.0276438810333863, 0.0038405729373609,
  0.0003951896511919, 0.0000321767881768, 0.0000002888167364, 0.0000003960315187,
] as const;
/** Half a unit of the last place: a random number may be 0. */
const SMALLEST = 2 ** -54;

/**
 * Quantile of the standard normal distribution: B. Moro, The Full Monte, Risk 8 (1995), with an error below 3e-9.
 */
export function readNormalQuantile(u: number): number {
  const p = Math.min(Math.max(u, SMALLEST), 1 - 2 ** -53);
  const y = p - 0.5;
  if (Math.abs(y) < 0.42) {
    const r = y * y;
    const [a, b] = CENTRAL;
    const top = ((a[3] * r + a[2]) * r + a[1]) * r + a[0];
    return (y * top) / ((((b[3] * r + b[2]) * r + b[1]) * r + b[0]) * r + 1);
  }
  const s = Math.log(-Math.log(y > 0 ? 1 - p : p));
  const x = TAIL.reduceRight((sum, c) => sum * s + c, 0);
  return y > 0 ? x : -x;
}
