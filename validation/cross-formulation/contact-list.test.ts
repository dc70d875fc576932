/**
 * `contacts()` lists what `contactForces()` has forces of, under every formulation: at rest, sliding, soft, jointed. Under `ipc` surfaces
 * stay apart, and a list by the margins of the scene would be empty.
 */
import { type Body, compileModel, type FormulationId, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const ALL: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];
const H = 0.005;

function createScene(bodies: Body[], more: Partial<Scene> = {}): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H },
    shapes: [{ kind: 'plane', name: 'floor', friction: 0.3 }],
    bodies,
    ...more,
  };
}

function createBox(name: string, z: number): Body {
  return {
    name,
    position: [0, 0, z],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', name, halfSize: [0.1, 0.1, 0.1], friction: 0.3 }],
  };
}

const CUBE: SoftBody = {
  name: 'soft',
  mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [1, 1, 1] },
  elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000, stiffnessDamping: 0.05 },
  contact: 'point',
  position: [0, 0, 0.1005],
};

const SCENES: Readonly<Record<string, Scene>> = {
  'a box at rest': createScene([createBox('box', 0.1)]),
  'a tower': createScene([createBox('low', 0.1), createBox('high', 0.3)]),
  'a leaning arm': createScene([
    {
      name: 'arm',
      position: [0, 0, 0.2],
      joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
      shapes: [{ kind: 'capsule', name: 'arm', radius: 0.03, halfLength: 0.2, position: [0, 0, 0.2] }],
      orientation: [Math.cos(1), 0, Math.sin(1), 0],
    },
  ]),
  'a soft box': createScene([], { softBodies: [CUBE] }),
};

describe.each(Object.entries(SCENES))('%s', (_, scene) => {
  test.each(ALL)('%s', (formulation) => {
    const simulation = new Simulation(compileModel(scene, { formulation }));
    for (let n = 0; n < 60; n++) simulation.step();
    const forces = simulation.contactForces().filter(({ normalForce }) => normalForce > 0);
    expect(forces.length).toBeGreaterThan(0);
    const listed = simulation.contacts();
    for (const { shape1, shape2, position, gap } of forces) {
      const distances = listed
        .filter((contact) => contact.shape1 === shape1 && contact.shape2 === shape2)
        .map((contact) => Math.hypot(...contact.position.map((x, k) => x - position[k]!)));
      // what is at rest has not moved in the last step
      expect(Math.min(...distances)).toBeLessThan(1e-3);
      if (formulation === 'ipc') expect(listed.some((contact) => Math.abs(contact.gap - gap) < 1e-9)).toBe(true);
    }
    if (formulation === 'ipc') expect(listed.length).toBeGreaterThanOrEqual(forces.length);
    for (const { gap, margin } of listed) expect(gap).toBeLessThan(formulation === 'ipc' ? margin : H * 2.5);
  });
});

// under mujoco a box that slides hops, as in MuJoCo
test.each(ALL.filter((id) => id !== 'mujoco'))('%s: a box that slides is in contact all the time', (formulation) => {
  const simulation = new Simulation(compileModel(SCENES['a box at rest']!, { formulation }));
  for (let n = 0; n < 20; n++) simulation.step();
  simulation.setVelocity('box', { linear: [1, 0, 0] });
  for (let n = 0; n < 20; n++) {
    simulation.step();
    expect(simulation.contacts().length).toBeGreaterThanOrEqual(2);
  }
});

describe('ipc', () => {
  const create = (): Simulation => new Simulation(compileModel(SCENES['a tower']!, { formulation: 'ipc' }));

  test('whoever looks does not change the motion', () => {
    const [watched, alone] = [create(), create()];
    for (let n = 0; n < 30; n++) {
      watched.contacts();
      watched.step();
      alone.step();
    }
    expect(watched.hash()).toBe(alone.hash());
  });

  test('the list is of the state, not of the last step', () => {
    const simulation = create();
    simulation.step(20);
    const list = simulation.contacts();
    const other = create();
    other.restore(simulation.snapshot());
    expect(other.contacts()).toEqual(list);
    // nothing is near any more, then the floor alone
    simulation.setPose('high', { position: [0, 0, 0.5] });
    expect(new Set(simulation.contacts().map(({ bodyName2 }) => bodyName2))).toEqual(new Set(['low']));
    simulation.setPose('low', { position: [0, 0, 0.2] });
    expect(simulation.contacts()).toEqual([]);
  });

  test('overlaps of the start are listed with their depths', () => {
    const scene = createScene([createBox('box', 0.098)]);
    const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
    expect(simulation.contacts().map(({ gap }) => gap.toFixed(6))).toEqual(Array(4).fill('-0.002000'));
  });
});
