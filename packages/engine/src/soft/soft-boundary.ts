/** Boundary conditions of a soft body: prescribed positions (pinned or driven) and springs to points. */
import { NexdynError } from '../error.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { SoftHolds } from '../model/model.ts';
import type { DrivenVertices, SoftSpring } from '../scene/soft-body.ts';

export interface SoftBoundary {
  /** Per vertex: 1 where its position is prescribed: that of `target` at the end of the step. */
  readonly isPrescribed: Int32Array;
  /** m; of prescribed vertices and of those with springs. */
  readonly target: Float64Array;
  /** Springs to the target: N/m and N s/m; zero where there is none. */
  readonly springStiffness: Float64Array;
  readonly springDamping: Float64Array;
}

/** A free body. */
export function createSoftBoundary(vertexCount: number, memory: Memory): SoftBoundary {
  return {
    isPrescribed: memory.i32(vertexCount),
    target: memory.f64(3 * vertexCount),
    springStiffness: memory.f64(vertexCount),
    springDamping: memory.f64(vertexCount),
  };
}

/** Pins, paths and springs of a scene's soft body whose vertices start at x. `path` is its place in the scene. */
export function applyBoundary(
  boundary: SoftBoundary,
  body: Partial<SoftHolds>,
  x: Float64Array,
  path: string = 'softBody',
): void {
  pinVertices(boundary, body.pinned ?? [], x, `${path}.pinned`);
  (body.driven ?? []).forEach((driven, n) => {
    checkPath(driven, `${path}.driven[${n}]`);
    pinVertices(boundary, driven.vertices, x, `${path}.driven[${n}].vertices`);
  });
  (body.springs ?? []).forEach((spring, n) => {
    addSprings(boundary, spring, x, `${path}.springs[${n}]`);
  });
}

/** These vertices stay where they are in x. */
export function pinVertices(
  boundary: SoftBoundary,
  vertices: ArrayLike<number>,
  x: Float64Array,
  path: string = 'pinned',
): void {
  checkVertices(vertices, boundary.isPrescribed.length, path);
  for (let k = 0; k < vertices.length; k++) {
    const i = vertices[k];
    boundary.isPrescribed[i] = 1;
    for (let c = 3 * i; c < 3 * i + 3; c++) boundary.target[c] = x[c];
  }
}

/** These vertices move as forces have it again. */
export function releaseVertices(boundary: SoftBoundary, vertices: ArrayLike<number>): void {
  checkVertices(vertices, boundary.isPrescribed.length, 'released');
  for (let k = 0; k < vertices.length; k++) boundary.isPrescribed[vertices[k]] = 0;
}

function addSprings(boundary: SoftBoundary, spring: SoftSpring, x: Float64Array, path: string): void {
  const damping = spring.damping ?? 0;
  checkVertices(spring.vertices, boundary.isPrescribed.length, `${path}.vertices`);
  if (!(spring.stiffness >= 0 && damping >= 0)) {
    throw new NexdynError('invalid-value', `Stiffness ${spring.stiffness} N/m and damping ${damping} N s/m`, {
      path,
      hint: 'Neither may be negative.',
    });
  }
  for (const i of spring.vertices) {
    boundary.springStiffness[i] += spring.stiffness;
    boundary.springDamping[i] += damping;
    if (boundary.isPrescribed[i] === 1) continue;
    for (let c = 3 * i; c < 3 * i + 3; c++) boundary.target[c] = x[c];
  }
}

/** Moves targets of driven vertices to where their path is at `time`, s; `start` are the positions at the start. */
export function driveVertices(
  boundary: SoftBoundary,
  driven: readonly DrivenVertices[],
  start: Float64Array,
  time: number,
): void {
  for (let n = 0; n < driven.length; n++) {
    const { vertices, times, displacements } = driven[n];
    // the current piece of the path; before its start and after its end the vertices are at rest
    let k = 0;
    while (k < times.length - 2 && time > times[k + 1]) k++;
    const isSingle = times.length === 1;
    const share = isSingle ? 0 : Math.min(1, Math.max(0, (time - times[k]) / (times[k + 1] - times[k])));
    for (let m = 0; m < vertices.length; m++) {
      const i = 3 * vertices[m];
      if (boundary.isPrescribed[vertices[m]] === 0) continue;
      for (let c = 0; c < 3; c++) {
        const from = displacements[3 * k + c];
        const to = isSingle ? from : displacements[3 * k + 3 + c];
        boundary.target[i + c] = start[i + c] + (1 - share) * from + share * to;
      }
    }
  }
}

/** A number that is linear between the given times, and constant before and after. */
export function followPath(times: readonly number[], values: readonly number[], time: number): number {
  let k = 0;
  while (k < times.length - 2 && time > times[k + 1]) k++;
  if (times.length === 1) return values[0];
  const share = Math.min(1, Math.max(0, (time - times[k]) / (times[k + 1] - times[k])));
  return (1 - share) * values[k] + share * values[k + 1];
}

function checkVertices(vertices: ArrayLike<number>, count: number, path: string): void {
  for (let k = 0; k < vertices.length; k++) {
    const i = vertices[k];
    if (Number.isInteger(i) && i >= 0 && i < count) continue;
    throw new NexdynError('unknown-reference', `Vertex ${i} of a mesh of ${count} vertices`, {
      path: `${path}[${k}]`,
      hint: `Vertices are numbered from 0 to ${count - 1}.`,
    });
  }
}

function checkPath(driven: DrivenVertices, path: string): void {
  const { times, displacements } = driven;
  const isIncreasing = times.every((time, k) => k === 0 || time > times[k - 1]);
  if (times.length > 0 && isIncreasing && displacements.length === 3 * times.length) return;
  throw new NexdynError(
    'invalid-value',
    `A path of ${times.length} times and ${displacements.length} displacement coordinates`,
    { path, hint: 'Times increase; three coordinates belong to each.' },
  );
}
