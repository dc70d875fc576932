import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { ContactPacker } from './contact-frame.ts';
import { Course } from './course.ts';
import { findFixedShapes } from './open-scene.ts';
import { labelShapes } from './shape-label.ts';
import { describeSoftBodies, packSoft } from './soft-frame.ts';

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { formulation: 'sap', timestep: 0.01 },
  shapes: [{ kind: 'plane', name: 'floor' }],
  softBodies: [
    {
      name: 'brick',
      position: [0, 0, 0.1005],
      mesh: { kind: 'box', halfSize: [0.2, 0.1, 0.1], cells: [4, 2, 2] },
      contact: 'point',
      elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500, stiffnessDamping: 0.01 },
    },
  ],
};

function begin(): Simulation {
  const simulation = new Simulation(compileModel(SCENE));
  simulation.reset();
  simulation.forward();
  return simulation;
}

describe('soft bodies for the page', () => {
  test('the surface is closed: every edge belongs to two triangles', () => {
    const [brick] = describeSoftBodies(begin().model);
    expect(brick).toMatchObject({ name: 'brick', firstVertex: 0, vertexCount: 5 * 3 * 3 });
    const edges = new Map<string, number>();
    for (let t = 0; t < brick!.triangles.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const ends = [brick!.triangles[t + k]!, brick!.triangles[t + ((k + 1) % 3)]!].sort((a, b) => a - b);
        edges.set(ends.join(), (edges.get(ends.join()) ?? 0) + 1);
      }
    }
    expect([...edges.values()].every((count) => count === 2)).toBe(true);
  });

  test('its mass is density times volume', () => {
    expect(begin().model.soft.mass[0]).toBeCloseTo(500 * 0.4 * 0.2 * 0.2, 9);
  });

  test('at rest on the floor: contacts name it, and stress is that of its weight', () => {
    const simulation = begin();
    for (let i = 0; i < 200; i++) simulation.step();
    const frame = new ContactPacker(findFixedShapes(simulation.model), [0, 0, -9.81]).pack(simulation.solvedContacts);
    // 8 kg, carried by the floor
    expect(frame.support[2]).toBeCloseTo(8 * 9.81, 1);
    const labels = labelShapes(simulation.model);
    expect(labels[frame.shapes[0]!]).toBe('floor');
    expect(labels[frame.shapes[1]!]).toBe('brick');
    const { values, positions } = packSoft(simulation)!;
    expect(positions).toHaveLength(3 * 45);
    // the foot carries ρ g h = 981 Pa; lumped contacts and coarse cells leave room
    expect(Math.max(...values)).toBeGreaterThan(300);
    expect(Math.max(...values)).toBeLessThan(3000);
  });

  test('vertices that are pulled rise, and the run repeats to the same bytes', () => {
    const course = (): Course => {
      const simulation = begin();
      const soft = () => packSoft(simulation);
      return new Course(simulation, { soft, softMasses: [{ mass: 8, vertices: 45 }] });
    };
    const first = course();
    const before = Math.max(...first.soft!.positions);
    const vertices = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => k + 36);
    first.hold({ body: -1, soft: { body: 0, firstVertex: 0, vertices }, point: [0, 0, 0], target: [0, 0, 1] });
    for (let i = 0; i < 30; i++) first.advance();
    expect(Math.max(...first.soft!.positions)).toBeGreaterThan(before + 0.01);
    const again = course();
    for (const pull of first.inputs.pulls) again.inputs.add(pull);
    for (let i = 0; i < 30; i++) again.repeat();
    expect(again.simulation.hash()).toBe(first.simulation.hash());
  });
});
