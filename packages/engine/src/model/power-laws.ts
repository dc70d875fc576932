/**
 * Springs and dampers that are no straight lines: over the stretch or speed x of a joint, a dof or a tendon
 *   f = −(c + p₁ s + p₂ s²) x      −∂f/∂x = c + 2 p₁ s + 3 p₂ s²      energy ½ c x² + p₁ s³/3 + p₂ s⁴/4
 * s = x for springs of hinges, slides and tendons, |x| for springs of free and ball joints, whose x is a vector, and for dampers, of which each
 * dof has its own. The functions give what p₁ and p₂ add to the linear coefficient c, N/m, N s/m, N m/rad or N m s/rad.
 * Source: MuJoCo 4.0, polynomial `stiffness` and `damping`.
 */

/** Stretch at which the bounds of vibrations take a spring that stiffens, m or rad. */
const USUAL_STRETCH = 0.1;

/** p₁ s + p₂ s². */
export function powerSecant(powers: Float64Array, n: number, size: number): number {
  return (powers[2 * n] + powers[2 * n + 1] * size) * size;
}

/** 2 p₁ s + 3 p₂ s². */
export function powerTangent(powers: Float64Array, n: number, size: number): number {
  return (2 * powers[2 * n] + 3 * powers[2 * n + 1] * size) * size;
}

/** p₁ s³/3 + p₂ s⁴/4. */
export function powerEnergy(powers: Float64Array, n: number, size: number): number {
  return (powers[2 * n] / 3 + (powers[2 * n + 1] / 4) * size) * size * size * size;
}

/** Whether anything of a list has such a law. */
export function hasPowers(powers: Float64Array): boolean {
  return powers.some((power) => power !== 0);
}

/** Stiffness of spring n for the bounds of vibrations: at a usual stretch. */
export function usualStiffness(stiffness: Float64Array, powers: Float64Array, n: number): number {
  return stiffness[n] + Math.max(0, powerTangent(powers, n, USUAL_STRETCH));
}

/** How many times stiffer spring n is than there, at least 1. */
export function springGrowth(stiffness: Float64Array, powers: Float64Array, n: number, size: number): number {
  if (powers[2 * n] === 0 && powers[2 * n + 1] === 0) return 1;
  const usual = usualStiffness(stiffness, powers, n);
  return usual > 0 ? Math.max(1, (stiffness[n] + powerTangent(powers, n, size)) / usual) : 1;
}
