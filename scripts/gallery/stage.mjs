// What the scenes of the gallery share: the builder, colours, floors.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../generated-file.mjs';

const { module } = await runnerImport(join(root, 'packages/engine/src/scene/builder.ts'));
export const { axisAngle, degrees, euler, scene } = module;

export const steel = '#7b8798';
export const silver = '#c3cad5';
export const floor = '#dfe4ea';
export const blue = '#2f6fde';
export const orange = '#f08a24';
export const teal = '#1f9e8f';
export const red = '#d9434e';
export const violet = '#7a5fd0';
export const sand = '#d8b27a';

/** A scene on a floor in which nothing touches. */
export function stage(name, description) {
  const stage = scene(name)
    .description(description)
    .options({ timestep: 0.002, disable: ['contact'] });
  return stage.plane('floor', { color: floor });
}

/** A scene on a floor with contacts, whose friction does not creep; `options` are those of the scene. */
export function ground(name, description, { friction = 0.6, ...options } = {}) {
  return contactScene(name, description, options).plane('floor', { friction, color: floor });
}

/** A scene with contacts and without a floor. */
export function contactScene(name, description, { mujoco, ...options } = {}) {
  return scene(name)
    .description(description)
    .options({ timestep: 0.002, mujoco: { cone: 'elliptic', impedanceRatio: 10, ...mujoco }, ...options });
}

/** A colour between two, `mix` from 0 to 1. */
export function blend(from, to, mix) {
  const read = (hex, i) => Number.parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16) / 255;
  const parts = [0, 1, 2].map((i) => (1 - mix) * read(from, i) + mix * read(to, i));
  return [...parts.map((part) => Number(part.toFixed(3))), 1];
}
