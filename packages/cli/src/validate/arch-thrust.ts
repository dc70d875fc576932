/**
 * Limits of the horizontal thrust of a half-circle of n equal blocks on the ground: stones do not pull, so the force between
 * two of them passes through their joint (Heyman, The Stone Skeleton, 1995). Seen from the crown, half of the arch above the
 * joint at the angle θ (from the ground) bears the thrust H at the height z_c and its own weight V at x_V:
 *
 *   about the end P of the joint, inside (r) or outside (R):   m(P) = H (z_c − z_P) − V (x_P − x_V)
 *   m(inside) ≥ 0 ≥ m(outside)
 *
 * with unknowns H and H z_c: a polygon, whose corners have the least and the largest H. Symbols: H, V N; lengths m.
 * A middle block lies across the crown with half of its weight on each side.
 */

export interface Arch {
  blocks: number;
  /** Inner and outer radius, m. */
  inner: number;
  outer: number;
  /** Of the whole arch, N. */
  weight: number;
}

/** Least and largest thrust, N; infinite the wrong way round where no thrust holds it. */
export function findThrust({ blocks, inner, outer, weight }: Arch): [number, number] {
  const width = Math.PI / blocks;
  const each = weight / blocks;
  // a wedge with straight sides: a triangle of the outer radius less one of the inner
  const center = ((2 / 3) * Math.cos(width / 2) * (outer ** 3 - inner ** 3)) / (outer ** 2 - inner ** 2);
  // rows a H + b (H z_c) ≥ c
  const rows: [number, number, number][] = [];
  for (let joint = 0; joint <= Math.floor((blocks - 1) / 2); joint++) {
    const angle = joint * width;
    let load = 0;
    let moment = 0;
    for (let block = joint; block < blocks / 2; block++) {
      const isHalf = block + 0.5 === blocks / 2;
      const part = isHalf ? each / 2 : each;
      // half of the middle block has its centre half way to its side
      const x = isHalf ? 0.5 * center * Math.tan(width / 2) : center * Math.cos((block + 0.5) * width);
      load += part;
      moment += part * x;
    }
    const add = (radius: number, sign: number): void => {
      const [x, z] = [radius * Math.cos(angle), radius * Math.sin(angle)];
      rows.push([-sign * z, sign, sign * (load * x - moment)]);
    };
    add(inner, 1);
    add(outer, -1);
  }
  return findRange(rows);
}

/** Least and largest first unknown over a polygon of half-planes: at its corners. */
function findRange(rows: readonly (readonly [number, number, number])[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [i, [a, b, c]] of rows.entries()) {
    for (const [d, e, f] of rows.slice(i + 1)) {
      const determinant = a * e - b * d;
      if (Math.abs(determinant) < 1e-12) continue;
      const x = (c * e - b * f) / determinant;
      const y = (a * f - c * d) / determinant;
      if (!rows.every(([p, q, r]) => p * x + q * y >= r - 1e-9 * (1 + Math.abs(r)))) continue;
      least = Math.min(least, x);
      most = Math.max(most, x);
    }
  }
  return [least, most];
}
