/**
 * `discardvisual`: shapes that touch nothing and that nothing names are left out, with appearances, textures and the meshes that only
 * they had. Bodies keep their mass: those that lose shapes get it as numbers.
 */
import type { Body, Scene, Shape } from '@nexdyn/engine';
import { measureInertia } from './compiled-inertia.ts';
import { listReferences } from './references.ts';

export function discardVisuals(scene: Scene): void {
  const named = listNamed(scene);
  const isVisual = ({ collisionGroups, collisionMask, fluid, name }: Shape): boolean =>
    collisionGroups === 0 && collisionMask === 0 && !fluid && !(name !== undefined && named.has(name));
  const losing: Body[] = [];
  const visit = (body: Body): void => {
    if (body.shapes?.some(isVisual)) losing.push(body);
    body.bodies?.forEach(visit);
  };
  scene.bodies?.forEach(visit);
  const measured = losing.some(({ inertia }) => !inertia) ? measureInertia(scene) : undefined;
  for (const body of losing) {
    if (!body.inertia) body.inertia = measured!.get(body)!;
    dropFrom(body, 'shapes', isVisual);
  }
  dropFrom(scene, 'shapes', isVisual);
  delete scene.appearances;
  delete scene.textures;
  const used = new Set<string>();
  forgetLooks(scene, used);
  if (scene.meshes) scene.meshes = scene.meshes.filter(({ name }) => used.has(name));
  if (scene.meshes?.length === 0) delete scene.meshes;
}

/** Shapes that something refers to. */
function listNamed({ contactPairs = [], tendons = [], sensors = [] }: Scene): Set<string> {
  const referring = [...contactPairs, ...tendons, ...sensors];
  const references = referring.flatMap(listReferences).filter(({ space }) => space === 'shape');
  return new Set(references.map(({ name }) => name));
}

function dropFrom(owner: Body | Scene, key: 'shapes', isDropped: (shape: Shape) => boolean): void {
  const kept = owner[key]?.filter((shape) => !isDropped(shape));
  if (kept?.length) owner[key] = kept;
  else delete owner[key];
}

function forgetLooks(owner: Body | Scene, used: Set<string>): void {
  for (const shape of owner.shapes ?? []) {
    delete shape.appearance;
    if ('mesh' in shape) used.add(shape.mesh);
  }
  for (const site of owner.sites ?? []) delete site.appearance;
  if ('skins' in owner) for (const skin of owner.skins ?? []) delete skin.appearance;
  for (const body of owner.bodies ?? []) forgetLooks(body, used);
}
