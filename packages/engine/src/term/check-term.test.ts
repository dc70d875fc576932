import { describe, expect, test } from 'vitest';
import '../compliance.ts';
import { compileModel } from '../model/compile.ts';
import type { Scene } from '../scene/scene.ts';
import { createRandom } from '../testing/forest.ts';
import { checkTerm } from './check-term.ts';
import { createInitialConfiguration } from './initial-configuration.ts';
import { createPointTerm, type PointTermOptions } from './point-term.ts';
import type { Term } from './term.ts';
import { createSceneTerms } from './term-registry.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { formulation: 'sap', timestep: 0.01 },
  bodies: [
    {
      name: 'crate',
      position: [0.1, 0.2, 1],
      orientation: [0.9, 0.1, -0.3, 0.3],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3] }],
    },
    {
      name: 'ball',
      position: [0.7, -0.4, 1.3],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', radius: 0.1 }],
    },
  ],
  softBodies: [
    {
      name: 'jelly',
      contact: 'point',
      position: [0, 0, 3],
      mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [1, 1, 1] },
      elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
    },
  ],
};
const model = compileModel(scene);
const points = [
  { body: 'crate', at: [0.1, -0.2, 0.3] as [number, number, number] },
  { body: 'ball', at: [0.05, 0, 0.02] as [number, number, number] },
  { softBody: 'jelly', vertex: 3 },
  { body: 'world', at: [0.3, 0.3, 2] as [number, number, number] },
];

// ½ k |p0 − p1|² + c (p0·p2) p1z: not convex, couples three points
const sound: PointTermOptions = {
  name: 'sound',
  points: points.slice(0, 3),
  value: (p) =>
    2 * ((p[0] - p[3]) ** 2 + (p[1] - p[4]) ** 2 + (p[2] - p[5]) ** 2) +
    3 * (p[0] * p[6] + p[1] * p[7] + p[2] * p[8]) * p[5],
  gradient(p, g) {
    const dot = p[0] * p[6] + p[1] * p[7] + p[2] * p[8];
    for (let k = 0; k < 3; k++) {
      g[k] += 4 * (p[k] - p[3 + k]) + 3 * p[6 + k] * p[5];
      g[3 + k] -= 4 * (p[k] - p[3 + k]);
      g[6 + k] += 3 * p[k] * p[5];
    }
    g[5] += 3 * dot;
  },
  hessian(p, h) {
    for (let k = 0; k < 3; k++) {
      const add = (i: number, j: number, value: number): void => {
        h[9 * i + j] += value;
        if (i !== j) h[9 * j + i] += value;
      };
      add(k, k, 4);
      add(3 + k, 3 + k, 4);
      add(k, 3 + k, -4);
      add(k, 6 + k, 3 * p[5]);
      add(k, 5, 3 * p[6 + k]);
      add(6 + k, 5, 3 * p[k]);
    }
  },
};

describe('checkTerm', () => {
  test('agrees with a term whose derivatives are right, and says that it is not convex', () => {
    const found = checkTerm(createPointTerm(sound), model);
    expect(found.message).toContain('agree');
    expect(found.isRight).toBe(true);
    // fourth-order differences with a step of 1e-4: round-off of ψ over the step
    expect(found.worstGradient.error).toBeLessThan(1e-8);
    expect(found.worstHessian?.error).toBeLessThan(1e-8);
    expect(found.isProjectedPsd).toBe(false);
  });

  test('names the entry with the wrong sign', () => {
    const wrong = createPointTerm({
      ...sound,
      gradient(p, g) {
        sound.gradient(p, g);
        g[7] = -g[7];
      },
    });
    const { isRight, worstGradient, message } = checkTerm(wrong, model);
    expect(isRight).toBe(false);
    expect(worstGradient.entry).toBe('soft body "jelly" vertex 3 y');
    expect(worstGradient.analytic).toBeCloseTo(-worstGradient.numeric, 6);
    expect(message).toContain('soft body "jelly" vertex 3 y');
  });

  test('sees a missing factor, by the value of every entry', () => {
    const wrong = createPointTerm({ ...sound, value: (p) => 0.5 * sound.value(p) });
    const { worstGradient } = checkTerm(wrong, model);
    expect(worstGradient.analytic / worstGradient.numeric).toBeCloseTo(2, 6);
    expect(worstGradient.error).toBeCloseTo(0.5, 6);
  });

  test('names the wrong entry of a Hessian: the torque of a turned arm', () => {
    const right = createPointTerm(sound);
    const wrong: Term = {
      name: 'wrong',
      begin: (step) => right.begin?.(step),
      value: (x) => right.value(x),
      addGradient: (x, out) => right.addGradient(x, out),
      addHessian: (x, out, projected) =>
        right.addHessian?.(
          x,
          {
            addBlock(bodies, vertices, block) {
              const changed = Float64Array.from(block);
              const n = 6 * bodies.length + 3 * vertices.length;
              // rotation y of the first body, twice
              changed[n * 4 + 4] += 10;
              out.addBlock(bodies, vertices, changed);
            },
          },
          projected,
        ),
    };
    const { isRight, worstGradient, worstHessian } = checkTerm(wrong, model);
    expect(isRight).toBe(false);
    expect(worstGradient.error).toBeLessThan(1e-8);
    expect(worstHessian?.entry).toBe('body "crate" rotation y, body "crate" rotation y');
    expect((worstHessian?.analytic ?? 0) - (worstHessian?.numeric ?? 0)).toBeCloseTo(10, 6);
  });
});

describe('derivatives of the kinds of terms', () => {
  const entries = [
    {
      kind: 'springNetwork',
      points,
      stiffness: 50,
      damping: 0.3,
      springs: [
        { between: [0, 1], restLength: 0.3 },
        { between: [1, 2], stiffness: 20 },
        { between: [0, 3], restLength: 0 },
        { between: [2, 3], damping: 0 },
      ],
    },
    {
      kind: 'magnet',
      points,
      strength: 3,
      softening: 0.2,
      pairs: [
        [0, 1],
        [1, 2],
        [0, 3],
      ],
    },
    { kind: 'wind', points, drag: 0.4, velocity: [3, -1, 0.5] as [number, number, number] },
  ];

  test.each(entries)('$kind', (entry) => {
    const [term] = createSceneTerms(model, [entry]);
    const start = createInitialConfiguration(model);
    expect(checkTerm(term, model).message).toContain('agree');
    // away from the start of the step, where dampers pull
    const random = createRandom(5);
    const away = createInitialConfiguration(model);
    for (let i = 3; i < away.bodyPosition.length; i++) away.bodyPosition[i] += 0.1 * (random() - 0.5);
    for (let i = 0; i < away.softPosition.length; i++) away.softPosition[i] += 0.1 * (random() - 0.5);
    term.begin?.({ model, h: 0.01, time: 0, start });
    const proxy: Term = {
      name: term.name,
      value: (x) => term.value(x),
      addGradient: (x, out) => term.addGradient(x, out),
      addHessian: (x, out, projected) => term.addHessian?.(x, out, projected),
    };
    const found = checkTerm(proxy, model, away);
    expect(found.message).toContain('agree');
    expect(found.worstHessian?.error).toBeLessThan(1e-6);
  });

  test('springs take their rest length from the scene', () => {
    const [term] = createSceneTerms(model, [
      { kind: 'springNetwork', points, stiffness: 50, springs: [{ between: [0, 1] }] },
    ]);
    const start = createInitialConfiguration(model);
    term.begin?.({ model, h: 0.01, time: 0, start });
    expect(term.value(start)).toBeCloseTo(0, 14);
  });
});

describe('terms of a scene', () => {
  const make = (entry: Record<string, unknown>): unknown => createSceneTerms(model, [entry as { kind: string }]);
  test('faults have a path and a hint', () => {
    expect(() => make({ kind: 'springNetwrk' })).toThrow(
      expect.objectContaining({
        code: 'unknown-reference',
        path: 'terms[0].kind',
        hint: expect.stringMatching(/--import/),
      }),
    );
    expect(() => make({ kind: 'wind', points: [], drag: -1 })).toThrow(
      expect.objectContaining({ path: 'terms[0].drag' }),
    );
    expect(() => make({ kind: 'wind', points: [{ body: 'crat' }], drag: 1 })).toThrow(/no body "crat"/);
    expect(() => make({ kind: 'magnet', points, strength: 1, pairs: [[0, 9]] })).toThrow(/there is no point 9/);
  });

  test('terms of one kind are numbered', () => {
    const wind = { kind: 'wind', points: [{ body: 'ball' }], drag: 1 };
    expect(createSceneTerms(model, [wind, { ...wind, name: 'gust' }, wind]).map(({ name }) => name)).toEqual([
      'wind 1',
      'gust',
      'wind 3',
    ]);
  });
});
