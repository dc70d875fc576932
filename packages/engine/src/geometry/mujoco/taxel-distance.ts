/**
 * Signed distances as MuJoCo 4.0's tactile sensors take them, x in the frame of the shape, half sizes e. They are exact on the surface only:
 *   ellipsoid     k₀ (k₀ − 1)/k₁,  k₀ = |x/e|,  k₁ = |x/e²|
 *   box, inside   −min_k a_k/u_k,  a = e − |x|,  u = (e/a)/|e/a|: the way out turns from radial to the normal of the nearest face
 */

/** A signed distance, m. */
export type TaxelDistance = (x: number, y: number, z: number) => number;

export function measureEllipsoid(size: ArrayLike<number>): TaxelDistance {
  return (x, y, z) => {
    const u = x / size[0];
    const v = y / size[1];
    const w = z / size[2];
    const k0 = Math.sqrt(u * u + v * v + w * w);
    const k1 = Math.sqrt((u / size[0]) ** 2 + (v / size[1]) ** 2 + (w / size[2]) ** 2);
    return k1 > 0 ? (k0 * (k0 - 1)) / k1 : -Math.min(size[0], size[1], size[2]);
  };
}

export function measureBox(size: ArrayLike<number>): TaxelDistance {
  const gap = new Float64Array(3);
  return (x, y, z) => {
    gap[0] = size[0] - Math.abs(x);
    gap[1] = size[1] - Math.abs(y);
    gap[2] = size[2] - Math.abs(z);
    // outside nothing is felt
    const least = Math.min(gap[0], gap[1], gap[2]);
    if (!(least > 0)) return -least;
    const length = Math.sqrt((size[0] / gap[0]) ** 2 + (size[1] / gap[1]) ** 2 + (size[2] / gap[2]) ** 2);
    let way = Infinity;
    for (let k = 0; k < 3; k++) way = Math.min(way, (gap[k] * gap[k] * length) / size[k]);
    return -way;
  };
}
