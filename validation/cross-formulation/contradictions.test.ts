/** Constraints that contradict each other end with finite forces: joints hold, and `ccp` and `ipc` say that the step is infeasible. */
import {
  type Body,
  type Coordinates,
  compileModel,
  type FormulationId,
  type Joint,
  type Scene,
  type Shape,
  Simulation,
} from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../scripts/long-run.ts';

const CUBE: Shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1], density: 1000 };
/** N. */
const WEIGHT = 8 * 9.81;

/** A cube that a joint holds 27 mm deep in the floor. */
function holdInFloor(joint: Joint): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane' }],
    bodies: [{ name: 'link', position: [0, 0, 0.073], joints: [joint], shapes: [CUBE] }],
  };
}

interface Run {
  statuses: Set<string>;
  contradiction: string[];
  force: number;
  height: number;
}

function run(scene: Scene, formulation: FormulationId, coordinates: Coordinates): Run {
  const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
  const statuses = new Set<string>();
  let contradiction: string[] = [];
  let force = 0;
  for (let n = 0; n < 20; n++) {
    const report = simulation.step();
    statuses.add(report.status);
    contradiction = report.contradiction ?? [];
    for (const { normalForce } of simulation.contactForces()) force = Math.max(force, Math.abs(normalForce));
  }
  return { statuses, contradiction, force, height: simulation.bodyPosition[5]! };
}

describe.each<[string, Joint]>([
  ['a hinge upright', { kind: 'hinge', axis: [0, 0, 1] }],
  ['a hinge along the floor', { kind: 'hinge', axis: [1, 0, 0] }],
  ['a slide along the floor', { kind: 'slide', axis: [1, 0, 0] }],
])('%s that holds a body 27 mm in the floor', (_, joint) => {
  test.each<[FormulationId, Coordinates]>([
    ['mujoco', 'joint'],
    ['mujoco', 'body'],
    ['sap', 'joint'],
    ['sap', 'body'],
    ['ccp', 'joint'],
    ['ccp', 'body'],
  ])('%s in %s coordinates', (formulation, coordinates) => {
    const { statuses, contradiction, force, height } = run(holdInFloor(joint), formulation, coordinates);
    expect([...statuses]).toEqual(['infeasible']);
    expect(contradiction).toContain('contact of the shape of "world" and the shape of "link"');
    // nothing pushes against the joint; its spring would with k φ = 1e6 · 0.027 N per corner
    expect(force).toBeLessThan(WEIGHT);
    // the joint gives way by less than a tenth of a millimetre
    expect(Math.abs(height - 0.073)).toBeLessThan(1e-4);
  });
});

test("mujoco with MuJoCo's integrator tells the contradiction and keeps MuJoCo's forces", () => {
  const scene = holdInFloor({ kind: 'hinge', axis: [0, 0, 1] });
  const { statuses, force } = run({ ...scene, options: { integrator: 'euler' } }, 'mujoco', 'joint');
  expect([...statuses]).toEqual(['infeasible']);
  expect(force).toBeGreaterThan(100 * WEIGHT);
  expect(force).toBeLessThan(200 * WEIGHT);
});

test.each<FormulationId>(['mujoco', 'sap', 'ccp'])('%s: a body wedged between two walls', (formulation) => {
  const wall = (x: number): Shape => ({ kind: 'box', halfSize: [0.1, 1, 1], position: [x, 0, 0] });
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [wall(-0.19), wall(0.19)],
    bodies: [{ name: 'wedged', joints: [{ kind: 'free' }], shapes: [CUBE] }],
  };
  const { statuses, force } = run(scene, formulation, 'body');
  expect([...statuses]).toEqual(['infeasible']);
  expect(force).toBeLessThan(WEIGHT);
});

test.each<[FormulationId, Coordinates]>([
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['ipc', 'body'],
])('%s: two distances that exclude each other, %s coordinates', (formulation, coordinates) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [{ name: 'a', position: [0, 0, 1], joints: [{ kind: 'free' }], shapes: [CUBE] }],
    equalities: [
      { kind: 'distance', body1: 'a', distance: 1.2 },
      { kind: 'distance', body1: 'a', distance: 0.8 },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
  const forces = new Float64Array(12);
  for (let n = 0; n < 20; n++) {
    const { status, contradiction } = simulation.step();
    expect(status).toBe('infeasible');
    expect(contradiction).toEqual(['equality 0', 'equality 1']);
    simulation.formulation.readEqualityForces!(forces);
    for (const force of forces) expect(Math.abs(force)).toBeLessThan(2 * WEIGHT);
  }
  expect(simulation.bodyPosition[5]).toBeCloseTo(1, 3);
});

test.each<[FormulationId, Coordinates]>([
  ['mujoco', 'joint'],
  ['mujoco', 'body'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
])('%s: a hinge against a distance that it cannot reach, %s coordinates', (formulation, coordinates) => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    bodies: [
      { name: 'a', position: [0, 0, 1], joints: [{ kind: 'hinge', name: 'turn', axis: [0, 1, 0] }], shapes: [CUBE] },
    ],
    equalities: [{ kind: 'distance', name: 'rod', body1: 'a', distance: 1.1 }],
  };
  const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
  const forces = new Float64Array(6);
  for (let n = 0; n < 50; n++) {
    const { status, contradiction } = simulation.step();
    expect(status).toBe('infeasible');
    expect(contradiction).toContain('equality rod');
    simulation.formulation.readEqualityForces!(forces);
    for (const force of forces) expect(Math.abs(force)).toBeLessThan(2 * WEIGHT);
  }
  // neither gives way; ccp brings the positions of both as near as it can
  const isClosed = formulation === 'ccp' && coordinates === 'body';
  expect(simulation.bodyPosition[5]).toBeCloseTo(isClosed ? 1.05 : 1, isClosed ? 1 : 3);
});

test.each<[FormulationId, Coordinates]>([
  ['mujoco', 'joint'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
])(
  '%s: links that overlap where their joint does not let them apart are left out, %s coordinates',
  (formulation, coordinates) => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      bodies: [
        {
          name: 'base',
          position: [0, 0, 0.1],
          shapes: [CUBE],
          bodies: [
            { name: 'link', position: [0, 0, 0.188], joints: [{ kind: 'hinge', axis: [0, 0, 1] }], shapes: [CUBE] },
          ],
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
    simulation.step();
    for (let n = 0; n < 50; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(simulation.solvedContacts.count).toBe(0);
    }
    expect(simulation.unresolved.join()).toMatch(
      /contact of .*base.* and .*link.*12 mm at the start, until they have come apart/,
    );
  },
);

// fingers of a gripper whose limits and coupling exclude each other by a millirad, which they share
test.each<[FormulationId, Coordinates]>([
  ['ccp', 'joint'],
  ['ccp', 'body'],
  ['ipc', 'body'],
])('%s: limits against a coupling, by a millirad, are named, %s coordinates', (formulation, coordinates) => {
  const link = (name: string, range: [number, number]): Body => ({
    name,
    position: [0.1, 0, 0],
    joints: [{ name, kind: 'hinge', axis: [0, 1, 0], limit: { range }, damping: 0.1 }],
    shapes: [{ kind: 'sphere', radius: 0.02, mass: 0.1, position: [0.05, 0, 0] }],
  });
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { disable: ['contact'] },
    bodies: [{ ...link('one', [-1, 0.01]), bodies: [link('two', [0.011, 2])] }],
    equalities: [{ kind: 'joint', joint1: 'one', joint2: 'two' }],
  };
  const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
  let infeasible = 0;
  for (let n = 0; n < 50; n++) {
    const { status, contradiction } = simulation.step();
    if (status !== 'infeasible') continue;
    infeasible++;
    expect(contradiction).toContain('limits of joints or tendons');
  }
  expect(infeasible).toBeGreaterThan(0);
});

/** A robot whose first link turns about an upright axis and reaches 27 mm into the floor, as some files have it. */
const ROBOT = `<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 0.05"/>
    <body name="base" pos="0 0 0.073">
      <joint name="pan" axis="0 0 1" armature="0.1" damping="1"/>
      <geom type="cylinder" size="0.1 0.1" mass="8"/>
      <body name="arm" pos="0 0 0.3">
        <joint name="lift" axis="0 1 0" armature="0.1" damping="1"/>
        <geom type="capsule" size="0.05 0.2" pos="0 0 0.25" mass="4"/>
      </body>
    </body>
  </worldbody>
  <actuator><position joint="lift" kp="2000"/><position joint="pan" kp="2000"/></actuator>
</mujoco>`;

test.each<[FormulationId, Coordinates]>([
  ['mujoco', 'joint'],
  ['sap', 'joint'],
  ['sap', 'body'],
  ['ccp', 'joint'],
  ['ccp', 'body'],
])('%s: a robot from a file that stands in its floor, %s coordinates', (formulation, coordinates) => {
  const { scene } = loadScene('robot.xml', { files: memoryFiles({ 'robot.xml': ROBOT }) });
  const simulation = new Simulation(compileModel(scene, { formulation, coordinates }));
  for (let n = 0; n < 100; n++) {
    const { status, contradiction } = simulation.step();
    expect(status).toBe('infeasible');
    expect(contradiction).toContain('contact of shape "floor" and the shape of "base"');
    for (const { normalForce } of simulation.contactForces()) expect(normalForce).toBeLessThan(100 * 12 * 9.81);
  }
  // the robot stands and its joints hold
  expect(simulation.bodyPosition[5]).toBeCloseTo(0.073, 3);
  expect(Math.abs(simulation.jointPosition('lift'))).toBeLessThan(1e-3);
});

test.each<FormulationId>(['mujoco', 'sap', 'ccp', 'ipc'])(
  '%s: a light rod that swings on one point contradicts nothing',
  (formulation) => {
    const place: [number, number, number] = [Math.sin(0.8), 0, -Math.cos(0.8)];
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 1e-3 },
      bodies: [
        {
          name: 'a',
          position: place,
          joints: [{ kind: 'free' }],
          inertia: { kind: 'principal', mass: 1, moments: [1e-6, 1e-6, 1e-6] },
        },
      ],
      equalities: [{ kind: 'connect', body1: 'a', anchor: place.map((x) => -x) as [number, number, number] }],
    };
    const simulation = new Simulation(compileModel(scene, { formulation }));
    for (let n = 0; n < takeSamples(400, 0.5); n++) expect(simulation.step().status).toBe('converged');
    // regularised rows give way by millimetres under the weight
    expect(Math.abs(Math.hypot(...simulation.pose('a').position) - 1)).toBeLessThan(0.01);
  },
);
