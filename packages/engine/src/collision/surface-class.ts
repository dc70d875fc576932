/**
 * Shapes with the same surface get the same number, so that the parameters of a pair are mixed once for all contacts between
 * two kinds of surface and not for every pair of shapes.
 */
import type { Model } from '../model/model.ts';

export interface SurfaceClasses {
  /** Per shape: number of its surface. */
  readonly number: Int32Array;
  /** Per shape, from its material: N/m (0: open), s (negative: open), 1. */
  readonly stiffness: Float64Array;
  readonly dissipation: Float64Array;
  readonly restitution: Float64Array;
}

export function classifySurfaces(model: Model): SurfaceClasses {
  const { shape, scene, size } = model;
  const known = new Map<string, number>();
  const number = new Int32Array(size.shape);
  const stiffness = new Float64Array(size.shape);
  const dissipation = new Float64Array(size.shape);
  const restitution = new Float64Array(size.shape);
  for (let s = 0; s < size.shape; s++) {
    const material = scene.materials?.[shape.material[s]];
    stiffness[s] = material?.stiffness ?? 0;
    dissipation[s] = material?.dissipation ?? -1;
    restitution[s] = material?.restitution ?? 0;
    const key = [
      shape.margin[s],
      shape.gap[s],
      shape.condim[s],
      shape.priority[s],
      shape.solmix[s],
      shape.adhesion[s],
      ...shape.friction.subarray(3 * s, 3 * s + 3),
      ...shape.solref.subarray(2 * s, 2 * s + 2),
      ...shape.solimp.subarray(5 * s, 5 * s + 5),
      stiffness[s],
      dissipation[s],
      restitution[s],
    ].join();
    if (!known.has(key)) known.set(key, known.size);
    number[s] = known.get(key)!;
  }
  return { number, stiffness, dissipation, restitution };
}
