/** Inputs of the user to soft bodies between steps: forces on vertices, held vertices. */
import { NexdynError } from '../error.ts';
import { includeMiddles } from '../model/middle-vertices.ts';
import type { Model } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import { findIndex } from './inputs.ts';
import type { State } from './state.ts';

/** The part of an array over all soft vertices, three numbers each, that belongs to one body. */
export function viewSoft({ soft }: Model, all: Float64Array, body: string | number): Float64Array {
  const n = findIndex(soft.name, body, 'soft body');
  const first = soft.vertexStart[n];
  return all.subarray(3 * first, 3 * (first + soft.pointCount[n]));
}

/** Adds a force that acts on a vertex in every step until cleared. */
export function addSoftForce(model: Model, state: State, body: string | number, vertex: number, force: Vec3): void {
  const v = findVertex(model, body, vertex);
  if (!force.every(Number.isFinite)) {
    throw new NexdynError('invalid-argument', `a force must be finite, but is ${force.join(' ')}`, {
      hint: 'the state is unchanged: check what computes it',
    });
  }
  for (let k = 0; k < 3; k++) state.softForce[3 * v + k] += force[k];
}

/** Holds vertices (1) or lets them go (0). A vertex that is held has no velocity until its path gives it one. */
export function setHeld(
  model: Model,
  state: State,
  body: string | number,
  vertices: ArrayLike<number>,
  held: 0 | 1,
): void {
  const { soft } = model;
  const n = findIndex(soft.name, body, 'soft body');
  const start = soft.vertexStart[n];
  const given = Array.from(vertices, (vertex) => findVertex(model, body, vertex) - start);
  // the vertex in the middle of an edge is held where both its ends are
  const ends = soft.middleEnds[n];
  const firstMiddle = soft.vertexStart[n + 1] - start - ends.length / 2;
  const numbers = includeMiddles(given, ends, firstMiddle, held === 1 ? 2 : 1);
  for (const number of numbers) {
    const v = start + number;
    if (held === 1 && state.softHeld[v] === 0) state.softVelocity.fill(0, 3 * v, 3 * v + 3);
    state.softHeld[v] = held;
  }
  holdAngles(model, state, body);
}

// an edge of a rod between two held points does not turn
function holdAngles({ soft }: Model, { softHeld }: State, body: string | number): void {
  const n = findIndex(soft.name, body, 'soft body');
  const angles = soft.vertexStart[n] + soft.pointCount[n] - soft.edgeStart[n];
  for (let e = soft.edgeStart[n]; e < soft.edgeStart[n + 1]; e++) {
    const isHeld = softHeld[soft.edge[2 * e]] === 1 && softHeld[soft.edge[2 * e + 1]] === 1;
    softHeld[angles + e] = isHeld ? 1 : 0;
  }
}

function findVertex({ soft }: Model, body: string | number, vertex: number): number {
  const n = findIndex(soft.name, body, 'soft body');
  const count = soft.pointCount[n];
  if (Number.isInteger(vertex) && vertex >= 0 && vertex < count) return soft.vertexStart[n] + vertex;
  throw new NexdynError('invalid-argument', `no vertex ${vertex} in a soft body of ${count} vertices`, {
    hint: `vertices are numbered from 0 to ${count - 1}`,
  });
}
