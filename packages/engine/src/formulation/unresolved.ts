import { isFluidShape } from '../dynamics/fluid-shape.ts';
import { isRungeKutta } from '../dynamics/runge-kutta.ts';
import type { Model } from '../model/model.ts';

/** What a model asks for and no formulation resolves yet, or only `mujoco` does, in words. */
export function listUnresolved(model: Model): string[] {
  const { shape } = model;
  const { formulation, requestedIntegrator, integrator } = model.options;
  const parts: string[] = [];
  if (shape.kind.some((_, s) => shape.fluid.subarray(5 * s, 5 * s + 5).some(Boolean) && !isFluidShape(model, s)))
    parts.push('fluid forces on single fields and unbounded shapes');
  // the other integrators of MuJoCo are of the order of what takes their place
  if (integrator !== requestedIntegrator && isRungeKutta(requestedIntegrator)) {
    const what = model.size.softBody > 0 ? 'of soft bodies' : `of ${formulation}`;
    parts.push(`integrator ${requestedIntegrator}: steps ${what} are implicit`);
  }
  if (integrator === 'midpoint' && model.size.constraintJoint > 0) {
    parts.push(
      'integrator midpoint: joints of body coordinates are those of the start of the step, so it is of order one',
    );
  }
  return parts;
}
