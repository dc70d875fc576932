import { expect, test } from 'vitest';
import {
  classifyEdgeEdge,
  measureEdgeEdge,
  writeEdgeEdgeGradient,
  writeEdgeEdgeHessian,
} from '../geometry/distance/edge-edge.ts';
import {
  measureMollifier,
  measureMollifierThreshold,
  writeMollifierGradient,
  writeMollifierHessian,
} from '../geometry/distance/edge-mollifier.ts';
import { compareLists, differentiate } from '../testing/central-differences.ts';
import { createRandom } from '../testing/forest.ts';
import { barrier, barrierCurvature, barrierSlope, measureBarrierSupport } from './barrier.ts';
import {
  createMollifiedPair,
  mollifyBarrier,
  writeMollifiedGradient,
  writeMollifiedHessian,
} from './mollified-barrier.ts';

const pair = createMollifiedPair();

function fill(x: Float64Array, type: number, epsilon: number, support: number): void {
  const D = measureEdgeEdge(x, 0, type);
  pair.barrier = barrier(D, support);
  pair.slope = barrierSlope(D, support);
  pair.curvature = barrierCurvature(D, support);
  pair.mollifier = measureMollifier(x, 0, epsilon);
  writeMollifierGradient(pair.mollifierGradient, 0, x, 0, epsilon);
  writeMollifierHessian(pair.mollifierHessian, 0, x, 0, epsilon);
  writeEdgeEdgeGradient(pair.distanceGradient, 0, x, 0, type);
  writeEdgeEdgeHessian(pair.distanceHessian, 0, x, 0, type);
}

/** Edge b over edge a at a height, turned by an angle and shifted along a. */
function placed(angle: number, height: number, shift: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return Float64Array.from([
    -0.5,
    0,
    0,
    0.5,
    0,
    0,
    shift - 0.6 * c,
    height,
    -0.6 * s,
    shift + 0.4 * c,
    height,
    0.4 * s,
  ]);
}

test('gradient and Hessian agree with central differences, for all kinds of types and mollified or not', () => {
  const random = createRandom(7);
  const support = measureBarrierSupport(0.5);
  const seen = new Set<number>();
  const gradient = new Float64Array(12);
  const hessian = new Float64Array(144);
  for (const angle of [0.005, 0.02, 0.03, 0.3, 1.4]) {
    for (const shift of [0, 0.3, 0.97, 1.1, -1.1]) {
      const x = placed(angle, 0.2, shift).map((value) => value + 1e-3 * (random() - 0.5));
      const epsilon = measureMollifierThreshold(x, 0);
      const type = classifyEdgeEdge(x, 0);
      seen.add(type);
      const value = (y: Float64Array): number =>
        mollifyBarrier(measureMollifier(y, 0, epsilon), barrier(measureEdgeEdge(y, 0, type), support));
      const h = 2e-3 * Math.min(angle, 0.1);
      fill(x, type, epsilon, support);
      writeMollifiedGradient(gradient, 0, pair);
      writeMollifiedHessian(hessian, 0, pair);
      if (value(x) === 0) continue;
      expect(compareLists(gradient, differentiate(x, h, value).flat())).toBeLessThan(1e-6);
      const bends = differentiate(x, h, (y) => {
        const out = new Float64Array(12);
        fill(y, type, epsilon, support);
        writeMollifiedGradient(out, 0, pair);
        return out;
      });
      expect(compareLists(hessian, bends.flat())).toBeLessThan(1e-6);
    }
  }
  // ends, an end and an edge, two edges
  expect([...seen].some((type) => type < 4)).toBe(true);
  expect([...seen].some((type) => type > 3 && type < 8)).toBe(true);
  expect(seen.has(8)).toBe(true);
});

test('parallel edges: value and gradient 0, Hessian finite; touching ones 0 throughout', () => {
  const support = measureBarrierSupport(0.5);
  const gradient = new Float64Array(12).fill(NaN);
  const hessian = new Float64Array(144).fill(NaN);
  for (const height of [0.2, 0]) {
    const x = placed(0, height, 0.1);
    const type = classifyEdgeEdge(x, 0);
    fill(x, type, measureMollifierThreshold(x, 0), support);
    expect(mollifyBarrier(pair.mollifier, pair.barrier)).toBe(0);
    writeMollifiedGradient(gradient, 0, pair);
    writeMollifiedHessian(hessian, 0, pair);
    expect(gradient.every((value) => value === 0)).toBe(true);
    expect(hessian.every(Number.isFinite)).toBe(true);
    expect(hessian.some((value) => value !== 0)).toBe(height > 0);
  }
});

test('crossing edges in contact have infinite energy', () => {
  const x = placed(1, 0, 0);
  const epsilon = measureMollifierThreshold(x, 0);
  const b = barrier(measureEdgeEdge(x, 0, classifyEdgeEdge(x, 0)), 1);
  expect(mollifyBarrier(measureMollifier(x, 0, epsilon), b)).toBe(Infinity);
});
