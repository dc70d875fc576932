/** Bodies and soft vertices by name, and names of the unknowns of a term. */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import { findIndex } from '../state/inputs.ts';

const AXES = ['x', 'y', 'z'];

/** Number of a body, by name or number; `world` is body 0. */
export function findBody(model: Model, body: string | number): number {
  if (body === 'world') return 0;
  return findIndex(model.body.name, body, 'body');
}

/** Number of a vertex of a soft body among the vertices of all soft bodies. */
export function findSoftVertex(model: Model, softBody: string | number, vertex: number): number {
  const n = findIndex(model.soft.name, softBody, 'soft body');
  const { vertexStart } = model.soft;
  const count = vertexStart[n + 1] - vertexStart[n];
  if (!Number.isInteger(vertex) || vertex < 0 || vertex >= count) {
    throw new NexdynError('invalid-argument', `soft body ${JSON.stringify(softBody)} has no vertex ${vertex}`, {
      hint: `its vertices are 0 to ${count - 1}`,
    });
  }
  return vertexStart[n] + vertex;
}

/** What an unknown is called, as in `body "crate" rotation y`; six per body, then three per soft vertex. */
export function nameUnknown(model: Model, index: number): string {
  const { size, body, soft } = model;
  if (index < 6 * size.body) {
    const b = Math.floor(index / 6);
    const k = index % 6;
    const label = b === 0 ? 'world' : body.name[b] === '' ? `body ${b}` : `body "${body.name[b]}"`;
    return `${label} ${k < 3 ? 'translation' : 'rotation'} ${AXES[k % 3]}`;
  }
  const v = Math.floor((index - 6 * size.body) / 3);
  let n = 0;
  while (n + 1 < size.softBody && soft.vertexStart[n + 1] <= v) n++;
  const label = soft.name[n] === '' ? `soft body ${n}` : `soft body "${soft.name[n]}"`;
  return `${label} vertex ${v - soft.vertexStart[n]} ${AXES[(index - 6 * size.body) % 3]}`;
}
