/**
 * 10-node tetrahedra with straight edges at rest. With the barycentric coordinates λ of the corners and their gradients c (rows of
 * B of rest-shape.ts), the shape functions and their gradients are
 *
 *   corner a:       N = λₐ (2 λₐ − 1)   g = (4 λₐ − 1) cₐ
 *   middle of ab:   N = 4 λₐ λ_b        g = 4 (λₐ c_b + λ_b cₐ)
 *
 * Four points with λ = (α, β, β, β), α = (5 + 3√5)/20, β = (5 − √5)/20, and a quarter of the volume each integrate quadratic
 * functions exactly. Masses are lumped by scaling the diagonal of the consistent mass matrix: 1/36 of ρV at corners, 4/27 in the
 * middle of edges, all positive.
 * Sources: Hughes, The finite element method (2000), chapter 7 (lumping of Hinton, Rock and Zienkiewicz) and appendix 3.I.
 */
import { EDGE_ENDS } from '../geometry/tetrahedra/quadratic-mesh.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ElementPoints, ReadoutPoints } from './element-points.ts';
import type { RestShape } from './rest-shape.ts';

const ALPHA = (5 + 3 * Math.sqrt(5)) / 20;
const BETA = (5 - Math.sqrt(5)) / 20;
const CORNER_MASS = 1 / 36;
const MIDDLE_MASS = 4 / 27;

/**
 * Elements from their corners, `corners`, and ten vertices each, `nodes`. `isSplit`: shear at the four points with law 0 and the
 * mean dilatation, at the centre, with law 1; else all at the four points with law 0.
 */
export function createQuadraticPoints(
  corners: RestShape,
  nodes: Int32Array,
  density: number,
  vertexCount: number,
  isSplit: boolean,
  memory: Memory,
): { points: ElementPoints; readout: ReadoutPoints } {
  const count = corners.volume.length;
  const perElement = isSplit ? 5 : 4;
  const vertexStart = memory.i32(count + 1);
  const pointStart = memory.i32(count + 1);
  const weight = memory.f64(perElement * count);
  const law = new Uint8Array(perElement * count);
  const shapeStart = memory.i32(perElement * count);
  const shape = memory.f64(30 * perElement * count);
  const middle = { start: memory.i32(count), shape: memory.f64(30 * count) };
  const mass = memory.f64(vertexCount);
  const lambda = new Float64Array(4);
  for (let e = 0; e < count; e++) {
    vertexStart[e + 1] = 10 * (e + 1);
    pointStart[e + 1] = perElement * (e + 1);
    middle.start[e] = 30 * e;
    lambda.fill(0.25);
    writeGradients(middle.shape, 30 * e, corners.inverseRest, 9 * e, lambda);
    const volume = corners.volume[e];
    for (let k = 0; k < perElement; k++) {
      const point = perElement * e + k;
      const isCenter = k === 4;
      lambda.fill(isCenter ? 0.25 : BETA);
      if (!isCenter) lambda[k] = ALPHA;
      weight[point] = isCenter ? volume : 0.25 * volume;
      law[point] = isCenter ? 1 : 0;
      shapeStart[point] = 30 * point;
      writeGradients(shape, 30 * point, corners.inverseRest, 9 * e, lambda);
    }
    for (let a = 0; a < 10; a++) mass[nodes[10 * e + a]] += density * volume * (a < 4 ? CORNER_MASS : MIDDLE_MASS);
  }
  return {
    points: { kind: 'tet10', vertexStart, pointStart, vertex: nodes, weight, law, shapeStart, shape, mass },
    readout: {
      vertexStart,
      vertex: nodes,
      shapeStart: middle.start,
      shape: middle.shape,
      volume: corners.volume,
      // the four points around the centre
      flowPoint: Int32Array.from({ length: 4 * count }, (_, k) => perElement * Math.floor(k / 4) + (k % 4)),
    },
  };
}

/** out[at..at+30) ← g of the ten vertices at barycentric coordinates λ. */
function writeGradients(
  out: Float64Array,
  at: number,
  inverseRest: Float64Array,
  o: number,
  lambda: Float64Array,
): void {
  const corner = (a: number, k: number): number =>
    a === 0
      ? -(inverseRest[o + k] + inverseRest[o + 3 + k] + inverseRest[o + 6 + k])
      : inverseRest[o + 3 * (a - 1) + k];
  for (let k = 0; k < 3; k++) {
    for (let a = 0; a < 4; a++) out[at + 3 * a + k] = (4 * lambda[a] - 1) * corner(a, k);
    EDGE_ENDS.forEach(([a, b], n) => {
      out[at + 3 * (4 + n) + k] = 4 * (lambda[a] * corner(b, k) + lambda[b] * corner(a, k));
    });
  }
}
