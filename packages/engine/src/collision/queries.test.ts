import { describe, expect, test } from 'vitest';
import { compileModel } from '../model/compile.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { createRandom } from '../testing/forest.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane', name: 'floor' }],
  bodies: [
    {
      name: 'ball',
      position: [0, 0, 2],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', name: 'ball', radius: 0.5 }],
    },
    {
      name: 'crate',
      position: [3, 0, 0.99],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', name: 'crate', halfSize: [1, 1, 1] }],
    },
    {
      name: 'ghost',
      position: [0, 0, 1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'sphere', name: 'ghost', radius: 0.2, mass: 1, collisionGroups: 0, collisionMask: 0 }],
    },
  ],
};

describe('queries', () => {
  const simulation = new Simulation(compileModel(scene));

  test('contacts of the crate in the floor: four corners, 10 mm deep, normal up', () => {
    const contacts = simulation.contacts();
    expect(contacts).toHaveLength(4);
    for (const contact of contacts) {
      expect([contact.shapeName1, contact.shapeName2, contact.bodyName2]).toEqual(['floor', 'crate', 'crate']);
      expect(contact.gap).toBeCloseTo(-0.01, 12);
      expect(contact.normal).toEqual([0, 0, 1]);
      expect(contact.position[2]).toBeCloseTo(-0.005, 12);
    }
    expect(contacts.map((c) => c.position.slice(0, 2).join()).sort()).toEqual(['2,-1', '2,1', '4,-1', '4,1']);
  });

  test('a ray meets the first shape that can touch, from outside', () => {
    const down = simulation.castRay([0, 0, 5], [0, 0, -2]);
    expect(down).toMatchObject({ shapeName: 'ball', bodyName: 'ball', normal: [0, 0, 1] });
    expect(down?.distance).toBeCloseTo(2.5, 12);
    expect(down?.position[2]).toBeCloseTo(2.5, 12);
    expect(simulation.castRay([0, 0, 5], [0, 0, -1], { ignoreBody: 'ball' })?.shapeName).toBe('floor');
    expect(simulation.castRay([0, 0, 5], [0, 0, -1], { maxDistance: 2 })).toBeUndefined();
    expect(simulation.castRay([0, 0, 5], [0, 0, 1])).toBeUndefined();
    expect(simulation.castRay([-9, 0, 1], [1, 0, 0])?.distance).toBeCloseTo(11, 12);
    expect(() => simulation.castRay([0, 0, 0], [0, 0, 0])).toThrow(/direction/);
  });

  test('nearest points of two shapes, either way round', () => {
    const { gap, pointA, pointB, normal } = simulation.closestPoints('ball', 'crate');
    // the ball at (0 0 2) against the edge x = 2, z = 1.99 of the crate
    const distance = Math.hypot(2, 0.01);
    expect(gap).toBeCloseTo(distance - 0.5, 12);
    expect(pointB[0]).toBeCloseTo(2, 12);
    expect(normal[0]).toBeCloseTo(2 / distance, 12);
    expect(pointA[0]).toBeCloseTo((0.5 * 2) / distance, 12);
    const back = simulation.closestPoints('crate', 'ball');
    expect(back.gap).toBe(gap);
    back.pointA.forEach((value, k) => {
      expect(value).toBeCloseTo(pointB[k], 12);
    });
    expect(back.normal[0]).toBeCloseTo(-normal[0], 12);
    expect(simulation.closestPoints('floor', 'ball').gap).toBeCloseTo(1.5, 12);
    expect(() => simulation.closestPoints('floor', 'flor')).toThrow(/no shape "flor".*floor/);
  });

  test('shapes that touch a box', () => {
    expect(simulation.overlaps({ low: [-1, -1, 1.6], high: [1, 1, 3] })).toEqual([1]);
    // the corner region of the ball's box that the ball does not reach
    expect(simulation.overlaps({ low: [0.45, 0.45, 2.4], high: [0.6, 0.6, 2.6] })).toEqual([]);
    expect(simulation.overlaps({ low: [-9, -9, -1], high: [9, 9, 9] })).toEqual([0, 1, 2]);
    expect(() => simulation.overlaps({ low: [1, 0, 0], high: [0, 1, 1] })).toThrow(/low/);
  });
});

describe('a crowd of shapes', () => {
  const random = createRandom(4);
  const at = (scale: number): [number, number, number] => [
    scale * (random() - 0.5),
    scale * (random() - 0.5),
    scale * (random() - 0.5),
  ];
  const crowd: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: Array.from({ length: 150 }, (_, i) => ({
      position: at(4),
      orientation: [random() + 0.1, ...at(1)],
      joints: [{ kind: 'free' as const }],
      shapes: [
        i % 3 === 0
          ? { kind: 'sphere' as const, radius: 0.2 }
          : i % 3 === 1
            ? { kind: 'box' as const, halfSize: [0.2, 0.1, 0.3] as [number, number, number], margin: 0.01 }
            : { kind: 'capsule' as const, radius: 0.1, halfLength: 0.2, gap: 0.02 },
      ],
    })),
  };
  const simulation = new Simulation(compileModel(crowd));

  test('the contact set is that of all pairs tested one by one', () => {
    const set = simulation.contactSet();
    const found = new Set(
      Array.from(
        { length: set.count },
        (_, i) => `${Math.min(set.shape1[i], set.shape2[i])} ${Math.max(set.shape1[i], set.shape2[i])}`,
      ),
    );
    const { margin, gap } = simulation.model.shape;
    const expected = new Set<string>();
    for (let a = 0; a < 150; a++) {
      for (let b = a + 1; b < 150; b++) {
        if (simulation.closestPoints(a, b).gap <= margin[a] + margin[b] + gap[a] + gap[b]) expected.add(`${a} ${b}`);
      }
    }
    expect(expected.size).toBeGreaterThan(50);
    expect([...found].sort()).toEqual([...expected].sort());
  });

  test('contacts are sorted by pair, match themselves when nothing moves, and forget what is gone', () => {
    const first = simulation.contactSet();
    for (let i = 1; i < first.count; i++) expect(first.pair[i]).toBeGreaterThanOrEqual(first.pair[i - 1]);
    const again = simulation.contactSet();
    expect(Array.from(again.previous.subarray(0, again.count))).toEqual(
      Array.from({ length: again.count }, (_, i) => i),
    );
    // take away a body that touches another: its contacts go, the others find themselves again
    const before = again.count;
    const gone = again.shape1[0];
    const start = simulation.snapshot();
    simulation.state.position[7 * gone] += 100;
    simulation.restore(simulation.snapshot());
    const moved = simulation.contactSet();
    expect(moved.count).toBeLessThan(before);
    for (let i = 0; i < moved.count; i++) expect(moved.previous[i]).toBeGreaterThanOrEqual(i);
    simulation.restore(start);
    const back = simulation.contactSet();
    expect(back.count).toBe(before);
    expect(back.previous.subarray(0, before)).toContain(-1);
  });

  test('rays find what testing every shape finds', () => {
    for (let n = 0; n < 200; n++) {
      const [origin, direction] = [at(8), at(1)];
      const hit = simulation.castRay(origin, direction);
      // brute force: the nearest over rays that see one shape only
      let nearest = Infinity;
      for (let b = 1; b <= 150; b++) {
        const alone = castAtBody(b, origin, direction);
        if (alone < nearest) nearest = alone;
      }
      if (hit) expect(hit.distance).toBeCloseTo(nearest, 12);
      else expect(nearest).toBe(Infinity);
    }
  });

  const single = crowd.bodies!.map((body) => new Simulation(compileModel({ ...crowd, bodies: [body] })));
  function castAtBody(b: number, origin: [number, number, number], direction: [number, number, number]): number {
    return single[b - 1].castRay(origin, direction)?.distance ?? Infinity;
  }
});
