/** The mass of a body of a scene as one number: where it changes, its inertia changes in proportion. */
import type { Model } from '../model/model.ts';
import type { Body } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';

/** Mass of a body, kg; `n` its place among the bodies of the scene, the world left out. */
export function readMass({ inertia, shapes = [] }: Body, { body }: Model, n: number): number {
  if (inertia) return inertia.mass;
  const own = shapes.map(({ mass }) => mass);
  if (own.length > 0 && own.every((mass) => mass !== undefined)) return own.reduce((sum, mass) => sum + mass, 0);
  return body.mass[n + 1];
}

/** Multiplies mass and inertia of a body; its shapes may take their mass from a density or a material. */
export function scaleMass(body: Body, ratio: number, scene: Scene): void {
  const { inertia } = body;
  if (inertia) {
    inertia.mass *= ratio;
    if (inertia.kind === 'principal') for (let k = 0; k < 3; k++) inertia.moments[k] *= ratio;
    else for (let k = 0; k < 6; k++) inertia.tensor[k] *= ratio;
    return;
  }
  for (const shape of body.shapes ?? []) {
    if (shape.mass !== undefined) shape.mass *= ratio;
    else shape.density = ratio * readDensity(shape, scene);
  }
}

function readDensity({ density, material }: Shape, { materials = [] }: Scene): number {
  return density ?? materials.find(({ name }) => name === material)?.density ?? 1000;
}
