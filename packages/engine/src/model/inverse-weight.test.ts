import { describe, expect, test } from 'vitest';
import type { Scene } from '../scene/scene.ts';
import { compileModel } from './compile.ts';

const HEADER = { format: 'nexdyn-scene', version: 1 } as const;
const box = { kind: 'box' as const, halfSize: [0.1, 0.2, 0.3] as [number, number, number], mass: 2 };

// principal moments of the box about its centre, kg m²
const MOMENTS = [(2 / 3) * (0.04 + 0.09), (2 / 3) * (0.01 + 0.09), (2 / 3) * (0.01 + 0.04)];
const MEAN_INVERSE = (1 / MOMENTS[0] + 1 / MOMENTS[1] + 1 / MOMENTS[2]) / 3;

describe('inverse weights', () => {
  test('a free body: 1/m and the mean inverse moment', () => {
    const scene: Scene = { ...HEADER, bodies: [{ joints: [{ kind: 'free' }], shapes: [box] }] };
    for (const coordinates of ['joint', 'body'] as const) {
      const { inverseWeight } = compileModel(scene, { coordinates });
      expect(inverseWeight.bodyTranslation[1]).toBeCloseTo(0.5, 12);
      expect(inverseWeight.bodyRotation[1]).toBeCloseTo(MEAN_INVERSE, 10);
      for (let i = 0; i < 6; i++) expect(inverseWeight.dof[i]).toBeCloseTo(i < 3 ? 0.5 : MEAN_INVERSE, 10);
      const sum = MOMENTS[0] + MOMENTS[1] + MOMENTS[2];
      expect(inverseWeight.meanInertia).toBeCloseTo((6 + sum) / 6, 12);
    }
  });

  test('a pendulum: its inertia about the hinge, in body coordinates for the body, but not for its free dofs', () => {
    const scene: Scene = {
      ...HEADER,
      bodies: [{ joints: [{ kind: 'hinge', axis: [0, 1, 0], anchor: [0, 0, 0.5] }], shapes: [box] }],
    };
    const inertia = MOMENTS[1] + 2 * 0.25;
    for (const coordinates of ['joint', 'body'] as const) {
      const { inverseWeight } = compileModel(scene, { coordinates });
      // the centre moves along x by 0.5 m per radian
      expect(inverseWeight.bodyTranslation[1]).toBeCloseTo(0.25 / inertia / 3, 12);
      expect(inverseWeight.bodyRotation[1]).toBeCloseTo(1 / inertia / 3, 12);
      expect(inverseWeight.dof[0]).toBeCloseTo(coordinates === 'joint' ? 1 / inertia : 0.5, 12);
    }
  });

  test('two slides along one line share a mass: finite numbers all the same', () => {
    const slide = { kind: 'slide' as const, axis: [1, 1, 0] as [number, number, number] };
    const { inverseWeight } = compileModel({ ...HEADER, bodies: [{ joints: [slide, slide], shapes: [box] }] });
    expect(inverseWeight.bodyTranslation[1]).toBeCloseTo(0.5 / 3, 6);
    expect(inverseWeight.bodyRotation[1]).toBe(0);
    for (const weight of inverseWeight.dof) expect(Number.isFinite(weight)).toBe(true);
  });

  test('nothing moves: zeros, and a mean inertia of one', () => {
    const { inverseWeight } = compileModel({ ...HEADER, bodies: [{ shapes: [box] }] });
    expect([...inverseWeight.bodyTranslation, ...inverseWeight.bodyRotation]).toEqual([0, 0, 0, 0]);
    expect(inverseWeight.meanInertia).toBe(1);
  });
});
