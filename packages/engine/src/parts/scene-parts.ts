/** Which parts of the engine beyond its core a scene runs on, for pages that load them one by one. */
import type { Body } from '../scene/body.ts';
import { DEFAULT_FORMULATION, findFormulation } from '../scene/formulation-table.ts';
import type { FormulationId } from '../scene/options.ts';
import { isRegisteredShape } from '../scene/registered-shapes.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';

/** Each is a module of the package: '@nexdyn/engine/ccp' and so on. */
export type EnginePart = 'compliance' | 'fields' | FormulationId;

/** Parts for a scene under a formulation, its own where none is given. */
export function listEngineParts(scene: Scene, formulation?: FormulationId): EnginePart[] {
  const chosen = formulation ?? scene.options?.formulation ?? DEFAULT_FORMULATION;
  const parts: EnginePart[] = hasCompliance(scene) ? ['compliance'] : [];
  if (scene.signedDistanceFields?.length || hasShape(scene, isRegisteredShape)) parts.push('fields');
  if (findFormulation(chosen).isLoadedLater) parts.push(chosen);
  return parts;
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
  const waiting: { shapes?: Shape[]; bodies?: Body[] }[] = [{ shapes: shapes ?? [], bodies: bodies ?? [] }];
  for (let body = waiting.pop(); body; body = waiting.pop()) {
    if (body.shapes?.some(isWanted)) return true;
    waiting.push(...(body.bodies ?? []));
  }
  return false;
}
