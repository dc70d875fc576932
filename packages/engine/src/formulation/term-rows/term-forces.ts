/** Gradients of terms as generalised forces: f += sign Jᵀ g, with J the Jacobian of the origin of each body. */
import type { Workspace } from '../../dynamics/workspace.ts';
import { addWrench } from '../../dynamics/wrench.ts';
import type { Model } from '../../model/model.ts';
import type { TermGradient } from '../../term/term-gradient.ts';

/** Adds sign Jᵀ g of bodies to forces in joint coordinates. */
export function addForces(
  out: Float64Array,
  model: Model,
  work: Workspace,
  { body: g }: TermGradient,
  sign: number,
): void {
  const { bodyPosition: x } = work;
  for (let b = 1; b < model.size.body; b++) {
    const i = 6 * b;
    if (model.body.lastDof[b] < 0) continue;
    if (g[i] === 0 && g[i + 1] === 0 && g[i + 2] === 0 && g[i + 3] === 0 && g[i + 4] === 0 && g[i + 5] === 0) continue;
    const p = 3 * b;
    addWrench(
      out,
      0,
      model,
      work,
      b,
      x[p],
      x[p + 1],
      x[p + 2],
      sign * g[i],
      sign * g[i + 1],
      sign * g[i + 2],
      sign * g[i + 3],
      sign * g[i + 4],
      sign * g[i + 5],
    );
  }
}
