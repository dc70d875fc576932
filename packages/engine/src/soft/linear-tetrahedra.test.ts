/** The compiled tetrahedra give the bits of their twins in TypeScript: any law, any state, an odd number, pairs that are left to the twin. */
import { describe, expect, test } from 'vitest';
import '../compliance.ts';
import { Arena } from '../kernels/arena.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import { createRandom } from '../testing/forest.ts';
import { createReversedMemory } from '../testing/reversed-work.ts';
import { addElasticGradient, addElasticHessian, evaluateElasticEnergy } from './elastic-energy.ts';
import { createSoftMesh } from './soft-mesh.ts';

/** Tetrahedra that hang together by their faces, an odd number of them. */
function createStrip(count: number): { vertices: number[]; tetrahedra: number[] } {
  const random = createRandom(count);
  const vertices: number[] = [];
  for (let v = 0; v < count + 3; v++) {
    const angle = 2.3 * v;
    vertices.push(Math.cos(angle) + 0.1 * random(), Math.sin(angle) + 0.1 * random(), 0.9 * v);
  }
  const tetrahedra: number[] = [];
  for (let t = 0; t < count; t++) {
    const [a, b, c, d] = [t, t + 1, t + 2, t + 3];
    const edge = (p: number): number[] => [0, 1, 2].map((k) => vertices[3 * p + k] - vertices[3 * a + k]);
    const [[x, y, z], [p, q, r], [i, j, k]] = [edge(b), edge(c), edge(d)];
    const volume = x * (q * k - r * j) - y * (p * k - r * i) + z * (p * j - q * i);
    tetrahedra.push(...(volume > 0 ? [a, b, c, d] : [a, c, b, d]));
  }
  return { vertices, tetrahedra };
}

const COUNT = 41;

/** Energy, gradient and both Hessians at a random state; `far`: size of the displacements. */
function evaluateAll(
  memory: Memory,
  model: NonNullable<Elasticity['model']>,
  far: number,
  flat: boolean,
  count: number = COUNT,
): number[] {
  const { vertices, tetrahedra } = createStrip(count);
  const elasticity: Elasticity = { model, youngsModulus: 3e5, poissonRatio: 0.37 };
  const shape = { vertices: Float64Array.from(vertices), tetrahedra: Int32Array.from(tetrahedra) };
  const mesh = createSoftMesh(shape, elasticity, memory, 'body');
  const random = createRandom(17);
  const x = memory.f64(vertices.length);
  for (let i = 0; i < x.length; i++) x[i] = vertices[i] + far * (random() - 0.5);
  // inside out and without volume: no rotation by Newton's iteration
  if (flat) for (const v of [7, 8, 20, 43]) x[3 * v + 2] = x[3 * (v - 1) + 2];
  const gradient = memory.f64(x.length);
  const energy = addElasticGradient(gradient, mesh, x);
  expect(evaluateElasticEnergy(mesh, x)).toBe(energy);
  const out = [energy, ...gradient];
  for (const isProjected of [false, true]) {
    const values = memory.f64(mesh.pattern.values.length);
    addElasticHessian({ ...mesh.pattern, values }, mesh, x, 0.7, isProjected);
    out.push(...values);
  }
  return out;
}

describe('compiled linear tetrahedra', () => {
  const models = ['corotated', 'neoHookean', 'saintVenantKirchhoff', 'linear'] as const;
  const states = [
    ['at rest', 0, false],
    ['bent a little', 0.05, false],
    ['torn about', 3, false],
    ['partly flat and inside out', 0.3, true],
  ] as const;
  test.each(models.flatMap((model) => states.map((state) => [model, ...state] as const)))(
    '%s, %s',
    (model, _, far, flat) => {
      const arena = new Arena();
      expect(arena.compiledSoft).toBeDefined();
      const compiled = evaluateAll(arena, model, far, flat);
      expect(compiled.every(Number.isFinite)).toBe(true);
      expect(compiled).toEqual(evaluateAll(new Arena({ portable: true }), model, far, flat));
    },
  );
});

describe('linear tetrahedra in pieces', () => {
  /** Five pieces; vertex 511, for one, belongs to two. */
  const MANY = 2203;

  test.each([
    ['corotated', 0.05, false],
    ['corotated', 0.3, true],
    ['neoHookean', 0.3, true],
  ] as const)('%s, displaced by %d, flat ones %s: the bits of one thread', (model, far, flat) => {
    const memory = createReversedMemory();
    const shared = evaluateAll(memory, model, far, flat, MANY);
    expect(memory.pieces.addGradientPiece).toBe(10);
    expect(memory.pieces.addHessianPiece).toBe(model === 'corotated' ? 10 : 5);
    expect(shared).toEqual(evaluateAll(new Arena(), model, far, flat, MANY));
  });

  test('pairs on the border of two pieces that are left to the twin', () => {
    const flatten = (memory: Memory): number[] => evaluateFlat(memory, MANY);
    expect(flatten(createReversedMemory())).toEqual(flatten(new Arena({ portable: true })));
  });
});

/** Forces and stiffness where tetrahedra on both sides of a border have no volume. */
function evaluateFlat(memory: Memory, count: number): number[] {
  const { vertices, tetrahedra } = createStrip(count);
  const shape = { vertices: Float64Array.from(vertices), tetrahedra: Int32Array.from(tetrahedra) };
  const mesh = createSoftMesh(shape, { model: 'corotated', youngsModulus: 3e5, poissonRatio: 0.37 }, memory, 'body');
  const x = memory.f64(vertices.length);
  x.set(vertices);
  for (let v = 508; v < 520; v++) x.fill(0.1 * v, 3 * v, 3 * v + 3);
  const gradient = memory.f64(x.length);
  const energy = addElasticGradient(gradient, mesh, x);
  const values = memory.f64(mesh.pattern.values.length);
  addElasticHessian({ ...mesh.pattern, values }, mesh, x, 0.7, true);
  return [energy, ...gradient, ...values];
}
