/**
 * The step without constraints: a = argmin ½ |a − a₀|²_M = a₀. All four formulations agree on it; it stands in for each of
 * them until its constraints are built, and says what it leaves out.
 */
import { solveAcceleration } from '../dynamics/integrate.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import type { Model } from '../model/model.ts';
import type { Feature } from '../scene/options.ts';
import type { Formulation } from './formulation.ts';
import { listUnresolved } from './unresolved.ts';

export function createFreeMotion(model: Model): Formulation {
  return {
    id: model.options.formulation,
    usesContacts: false,
    unresolved: listConstraints(model),
    solve(_model, state, work, _contacts, h, report) {
      work.constraintForce.fill(0);
      solveAcceleration(model, state, work, h);
      work.solution.set(work.acceleration);
      report.status = 'converged';
      report.iterations = 0;
      report.residual = 0;
    },
  };
}

function listConstraints(model: Model): string[] {
  const { joint, dof, tendon, options, size } = model;
  const acts = (feature: Feature): boolean => !options.disabled.has('constraint') && !options.disabled.has(feature);
  const parts: string[] = [];
  if (acts('contact') && hasContactPairs(model)) parts.push('contacts');
  if (acts('limit') && joint.limited.some(Boolean)) parts.push('joint limits');
  if (acts('limit') && tendon.limited.some(Boolean)) parts.push('tendon limits');
  if (acts('frictionLoss') && [...dof.frictionLoss, ...tendon.frictionLoss].some(Boolean)) parts.push('dry friction');
  if (acts('equality') && size.equality > 0) parts.push('equalities');
  return [...parts, ...listUnresolved(model)];
}

/** Whether any two shapes of different bodies may touch. */
function hasContactPairs(model: Model): boolean {
  const { shape, body, contactFilter } = model;
  if (contactFilter.pairShapes.length > 0) return true;
  const active: number[] = [];
  for (let s = 0; s < model.size.shape; s++) if (shape.groups[s] !== 0 || shape.mask[s] !== 0) active.push(s);
  for (const a of active) {
    for (const b of active) {
      if (a >= b || body.weld[shape.body[a]] === body.weld[shape.body[b]]) continue;
      const isMoving = body.lastDof[shape.body[a]] >= 0 || body.lastDof[shape.body[b]] >= 0;
      const isAllowed = (shape.groups[a] & shape.mask[b]) !== 0 || (shape.groups[b] & shape.mask[a]) !== 0;
      const isSolid = shape.kind[a] !== SHAPE.plane || shape.kind[b] !== SHAPE.plane;
      if (isMoving && isAllowed && isSolid) return true;
    }
  }
  return false;
}
