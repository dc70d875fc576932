/** Which parts of the engine beyond its core a scene runs on, for pages that load them one by one. */
import type { Body } from '../scene/body.ts';
import { chooseContactPoints } from '../scene/contact-points.ts';
import { DEFAULT_FORMULATION, findFormulation } from '../scene/formulation-table.ts';
import type { FormulationId } from '../scene/options.ts';
import { hasPictures } from '../scene/picture-access.ts';
import { isRegisteredShape } from '../scene/registered-shapes.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';

/** Each is a module of the package: '@nexdyn/engine/ccp' and so on. */
export type EnginePart =
  | 'compiled'
  | 'compliance'
  | 'fields'
  | 'fluid'
  | 'lessons'
  | 'meshes'
  | 'mujoco-points'
  | 'parameters'
  | 'pictures'
  | 'sensors'
  | 'sleeping'
  | 'sparse'
  | 'tendons'
  | 'terms'
  | FormulationId;

/** Unknowns of an island up to which a dense factor of several trees is faster than a sparse one. */
export const DENSE_SIZE = 48;

/** Parts for a scene under a formulation, its own where none is given. */
export function listEngineParts(scene: Scene, formulation?: FormulationId): EnginePart[] {
  const chosen = formulation ?? scene.options?.formulation ?? DEFAULT_FORMULATION;
  const parts: EnginePart[] = hasCompliance(scene) ? ['compliance'] : [];
  if (hasContact(scene)) parts.unshift('compiled');
  if (scene.signedDistanceFields?.length || hasShape(scene, isRegisteredShape)) parts.push('fields');
  if (scene.options?.medium) parts.push('fluid');
  if (scene.lesson) parts.push('lessons');
  if (scene.meshes?.length || scene.heightFields?.length) parts.push('meshes');
  if (hasContact(scene) && chooseContactPoints(scene.options, chosen) !== 'spread') parts.push('mujoco-points');
  if (hasPictures(scene)) parts.push('pictures');
  if (scene.sensors?.length) parts.push('sensors');
  if (scene.options?.sleep) parts.push('sleeping');
  if (findFormulation(chosen).isLoadedLater) parts.push(chosen);
  if (mayBeSparse(scene, chosen)) parts.push('sparse');
  if (scene.tendons?.length) parts.push('tendons');
  if (scene.terms?.length) parts.push('terms');
  return parts;
}

/** Whether the options let anything touch. */
function hasContact({ options }: Scene): boolean {
  return !options?.disable?.some((what) => what === 'contact' || what === 'constraint');
}

/** Options of formulations that choose a solver and its matrices. */
interface SolverOptions {
  solver?: string;
  noslipIterations?: number;
  jacobian?: string;
  matrix?: string;
}

/** Whether islands may grow beyond what is solved densely, or options ask for another solver than Newton's with dense matrices. */
function mayBeSparse(scene: Scene, formulation: FormulationId): boolean {
  const options: SolverOptions = (scene.options as Record<string, SolverOptions> | undefined)?.[formulation] ?? {};
  const { solver = 'auto', noslipIterations = 0, jacobian, matrix } = options;
  if (solver !== 'auto' && solver !== 'newton') return true;
  if (noslipIterations > 0 || jacobian === 'sparse' || matrix === 'sparse') return true;
  let unknowns = 0;
  visitBodies(scene, ({ joints = [] }) => {
    const ofJoints = joints.reduce((sum, { kind }) => sum + (kind === 'free' ? 6 : kind === 'ball' ? 3 : 1), 0);
    // in body coordinates each has six
    unknowns += Math.max(6, ofJoints);
    return false;
  });
  return unknowns > DENSE_SIZE;
}

/** Whether a scene has compliant bodies: soft bodies or hydroelastic shapes. */
export function hasCompliance({ softBodies, shapes, bodies, options }: Scene): boolean {
  if (softBodies?.length) return true;
  if (Object.values(options?.contactKinds ?? {}).includes('hydroelastic')) return true;
  return hasShape({ shapes, bodies }, ({ contact }) => contact === 'hydroelastic');
}

function hasShape(
  { shapes, bodies }: { shapes?: Shape[] | undefined; bodies?: Body[] | undefined },
  isWanted: (shape: Shape) => boolean,
): boolean {
  return (shapes?.some(isWanted) ?? false) || visitBodies({ bodies }, (body) => body.shapes?.some(isWanted) ?? false);
}

// visits bodies until one says that it is enough; whether one has
function visitBodies({ bodies }: { bodies?: Body[] | undefined }, visit: (body: Body) => boolean): boolean {
  const waiting = (bodies ?? []).slice();
  for (let body = waiting.pop(); body; body = waiting.pop()) {
    if (visit(body)) return true;
    // not by spreading: an argument list has a largest length
    for (const child of body.bodies ?? []) waiting.push(child);
  }
  return false;
}
