import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import '../compliance.ts';
import '../fields.ts';
import '../formulation/ccp/provide.ts';
import '../formulation/ipc/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { ContactPair } from '../scene/contact-filter.ts';
import type { Material } from '../scene/material.ts';
import type { ContactOverride, FormulationId } from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { Simulation } from '../simulation.ts';
import { PairMaterial } from './pair-material.ts';

function mixed(
  one: Omit<Material, 'name'>,
  two: Omit<Material, 'name'>,
  pair?: Omit<ContactPair, 'shape1' | 'shape2'>,
  contactOverride?: ContactOverride,
): PairMaterial {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    materials: [
      { name: 'one', ...one },
      { name: 'two', ...two },
    ],
    shapes: [
      { kind: 'sphere', name: 'a', radius: 1, material: 'one', margin: 0.01, gap: 0.002 },
      { kind: 'sphere', name: 'b', radius: 1, material: 'two', margin: 0.03 },
    ],
  };
  if (pair) scene.contactPairs = [{ shape1: 'a', shape2: 'b', ...pair }];
  if (contactOverride) scene.options = { contactOverride };
  const material = new PairMaterial(compileModel(scene));
  material.mix(0, 1);
  return material;
}

const EXPLICIT: Omit<ContactPair, 'shape1' | 'shape2'> = {
  friction: [0.1, 0.2, 0, 0.01, 0.02],
  margin: 0.5,
  stiffness: 9,
  mujoco: { condim: 6, solref: [0.1, 2], adhesion: 4 },
};

describe('materials of a pair', () => {
  test('springs in series, dissipation times add, the larger friction and restitution', () => {
    const pair = mixed(
      { stiffness: 1000, dissipation: 0.1, friction: 0.4, restitution: 0.2 },
      { stiffness: 3000, dissipation: 0.05, friction: 0.7 },
    );
    expect(pair.stiffness).toBeCloseTo(750, 12);
    expect(pair.dissipation).toBeCloseTo(0.15, 12);
    expect(pair.restitution).toBe(0.2);
    expect([...pair.friction]).toEqual([0.7, 0.7, 0.005, 0.0001, 0.0001]);
    expect(pair.margin).toBeCloseTo(0.04, 15);
    expect(pair.gap).toBeCloseTo(0.002, 15);
  });

  test('what one side leaves open the other decides; both open leave it to the formulation', () => {
    expect(mixed({ stiffness: 500 }, {}).stiffness).toBe(500);
    expect(mixed({}, {}).stiffness).toBe(0);
    expect(mixed({}, {}).dissipation).toBe(-1);
    expect(mixed({ dissipation: 0 }, {}).dissipation).toBe(0);
  });

  test('an explicit pair decides itself, and a coefficient of 0 stays 0', () => {
    const pair = mixed({ friction: 0.4 }, {}, EXPLICIT);
    expect([...pair.friction]).toEqual([0.1, 0.2, 0, 0.01, 0.02]);
    expect([pair.margin, pair.stiffness, pair.condim, pair.adhesion]).toEqual([0.5, 9, 6, 4]);
    expect([...pair.solref]).toEqual([0.1, 2]);
  });

  test('what the scene says for all contacts replaces that', () => {
    const pair = mixed({ friction: 0.4 }, {}, EXPLICIT, { margin: 0.2, friction: [1, 2, 3, 4, 5], solref: [-5, -6] });
    expect([...pair.friction]).toEqual([1, 2, 3, 4, 5]);
    expect([pair.margin, pair.condim]).toEqual([0.2, 6]);
    expect([...pair.solref, ...pair.solrefFriction]).toEqual([-5, -6, -5, -6]);
  });
});

/** What lies on the floor: its friction, and the floor's friction and priority; `softPriority` is that of a soft body. */
interface Case {
  body: 'rigid' | 'soft' | 'field';
  friction: number;
  floor: number;
  priority: number;
  softPriority?: number;
  pair?: number | undefined;
  override?: number | undefined;
}

function build({ body, friction, floor, priority, softPriority, pair, override }: Case): Scene {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005, ipc: { signedDistanceCovering: 0.04 } },
    materials: [{ name: 'surface', friction }],
    shapes: [{ kind: 'plane', name: 'floor', friction: floor, mujoco: { priority } }],
  };
  if (override !== undefined) scene.options!.contactOverride = { friction: [override, override, 0, 0, 0] };
  if (body === 'soft') {
    scene.softBodies = [
      {
        name: 'block',
        position: [0, 0, 0.1],
        velocity: [1, 0, 0],
        mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
        elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 1000 },
        material: 'surface',
        contact: 'point',
        ...(softPriority !== undefined && { priority: softPriority }),
      },
    ];
    return scene;
  }
  const shape =
    body === 'rigid'
      ? { kind: 'box' as const, name: 'shape', halfSize: [0.1, 0.1, 0.1] as [number, number, number] }
      : { kind: 'signedDistance' as const, name: 'shape', field: 'ring' };
  if (body === 'field')
    scene.signedDistanceFields = [{ kind: 'torus', name: 'ring', majorRadius: 0.2, minorRadius: 0.1 }];
  scene.bodies = [
    {
      name: 'block',
      position: [0, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ ...shape, material: 'surface', density: 1000 }],
    },
  ];
  if (pair !== undefined)
    scene.contactPairs = [{ shape1: 'floor', shape2: 'shape', friction: [pair, pair, 0.005, 0.0001, 0.0001] }];
  return scene;
}

/** Sliding friction of all contacts of the first steps. */
function readFriction(scene: Scene, formulation: FormulationId): number[] {
  const simulation = new Simulation(compileModel(scene, { formulation }));
  const seen = new Set<number>();
  for (let n = 0; n < 3; n++) {
    simulation.step();
    const { count, friction } = simulation.solvedContacts;
    for (let i = 0; i < count; i++) for (let k = 0; k < 2; k++) seen.add(friction[5 * i + k]);
  }
  return [...seen];
}

const CASES: Case[] = (['rigid', 'soft', 'field'] as const)
  .flatMap(
    (body) =>
      [-1, 0, 1].flatMap((priority) =>
        (body === 'soft' ? [undefined] : [undefined, 0.3]).flatMap((pair) =>
          [undefined, 0.6].map((override): Case => ({ body, friction: 0.8, floor: 0.05, priority, pair, override })),
        ),
      ),
    // fields take long: what replaces the mixed friction does so at one priority
  )
  .filter(
    ({ body, priority, pair, override }) => body !== 'field' || priority === 1 || (pair ?? override) === undefined,
  );

function expected({ friction, floor, priority, pair, override }: Case): number {
  if (override !== undefined) return override;
  if (pair !== undefined) return pair;
  return priority === 0 ? Math.max(friction, floor) : priority > 0 ? floor : friction;
}

describe('all formulations see the same friction', () => {
  const isField = ({ body }: Case): boolean => body === 'field';
  const cases = [...CASES.filter((one) => !isField(one)), ...takeCases(CASES.filter(isField), 5)];
  test.each(cases)('$body, priority $priority, pair $pair, override $override', (scenario) => {
    const scene = build(scenario);
    // fields take long, and mujoco and ccp have the contact set of sap
    const formulations: FormulationId[] = scenario.body === 'field' ? ['sap', 'ipc'] : ['mujoco', 'sap', 'ccp', 'ipc'];
    for (const formulation of formulations)
      expect({ formulation, friction: readFriction(scene, formulation) }).toEqual({
        formulation,
        friction: [expected(scenario)],
      });
  });

  test('a frictionless scene has friction 0 under every formulation', () => {
    for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc'] as const) {
      const scene = build({ body: 'rigid', friction: 0, floor: 0, priority: 0 });
      expect(readFriction(scene, formulation)).toEqual([0]);
    }
  });
});

test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)(
  'a soft block slides with the friction of a floor of higher priority under %s',
  (formulation) => {
    const scene = build({ body: 'soft', friction: 1, floor: 0.05, priority: 1 });
    const simulation = new Simulation(compileModel(scene, { formulation }));
    // the block settles on the floor first
    simulation.step(40);
    const before = simulation.momentum().linear[0];
    const mass = simulation.model.soft.mass[0];
    simulation.step(40);
    const deceleration = (before - simulation.momentum().linear[0]) / (mass * 40 * 0.005);
    expect(deceleration).toBeGreaterThan(0.97 * 0.05 * 9.81);
    expect(deceleration).toBeLessThan(1.03 * 0.05 * 9.81);
  },
);

test.each([
  { softPriority: 1, floorPriority: 0, expected: 0.05 },
  { softPriority: 2, floorPriority: 3, expected: 0.8 },
  { softPriority: -1, floorPriority: 0, expected: 0.8 },
])(
  'a soft body of priority $softPriority on a floor of $floorPriority',
  ({ softPriority, floorPriority, expected }) => {
    // the larger coefficient is the floor's, so that 0.05 shows the soft body's priority
    const scene = build({ body: 'soft', friction: 0.05, floor: 0.8, priority: floorPriority, softPriority });
    for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc'] as const)
      expect({ formulation, friction: readFriction(scene, formulation) }).toEqual({
        formulation,
        friction: [expected],
      });
  },
);

test('a scene that changes after compiling changes nothing', () => {
  const scene = build({ body: 'rigid', friction: 0.8, floor: 0.05, priority: 0, pair: 0.3, override: 0.6 });
  const model = compileModel(scene, { formulation: 'sap' });
  scene.options!.contactOverride!.friction![0] = 0.01;
  scene.contactPairs![0].friction![0] = 0.02;
  const simulation = new Simulation(model);
  simulation.step();
  scene.options!.contactOverride!.friction![1] = 0.01;
  simulation.step();
  expect([...simulation.solvedContacts.friction.subarray(0, 2)]).toEqual([0.6, 0.6]);
});

/** Friction μ₁ along y and μ₂ along x; of a capsule that lies along x on a plane, μ₁ along it. */
const ALONG = 0.2;
const ACROSS = 0.6;

function slide(shape: Shape, velocity: [number, number], override: boolean): Scene {
  const friction: [number, number, number, number, number] = [ALONG, ACROSS, 0.005, 0.0001, 0.0001];
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.002, ipc: { signedDistanceCovering: 0.04 } },
    signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.2, minorRadius: 0.1 }],
    shapes: [{ kind: 'plane', name: 'floor' }],
    bodies: [
      {
        name: 'body',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ ...shape, name: 'shape' }],
      },
    ],
    keyframes: [{ position: [0, 0, 0.1, 1, 0, 0, 0], velocity: [...velocity, 0, 0, 0, 0] }],
  };
  if (override) scene.options!.contactOverride = { friction };
  else scene.contactPairs = [{ shape1: 'floor', shape2: 'shape', friction, mujoco: { condim: 3 } }];
  return scene;
}

// lies along x
const ROD: Shape = { kind: 'capsule', radius: 0.1, halfLength: 0.3, orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] };
const BRICK: Shape = { kind: 'box', halfSize: [0.4, 0.4, 0.1] };
const RING: Shape = { kind: 'signedDistance', field: 'ring' };

describe('anisotropic friction: −N μ_k² u_k/|(μ₁ u₁, μ₂ u₂)|, the force of the ellipse that takes out the most energy', () => {
  test.each([
    ['sap', 'box', BRICK, [1, 0.7]],
    ['ipc', 'box', BRICK, [1, 0.7]],
    ['ipc', 'box', BRICK, [0, 1]],
    ['ipc', 'box', BRICK, [1, 0]],
    ['sap', 'capsule along its axis', ROD, [1, 0]],
    ['ipc', 'capsule along its axis', ROD, [1, 0]],
    ['ipc', 'ring', RING, [0.5, 1]],
  ] as [FormulationId, string, Shape, [number, number]][])('%s: a %s', (formulation, _, shape, start) => {
    const simulation = new Simulation(compileModel(slide(shape, start, shape === RING), { formulation }));
    const [mu1, mu2] = shape === ROD ? [ACROSS, ALONG] : [ALONG, ACROSS];
    // normal force over mass: bodies sink in under sap
    const load = (): number =>
      simulation.contactForces().reduce((sum, { normalForce }) => sum + normalForce, 0) / simulation.model.body.mass[1];
    simulation.step(20);
    const expected = [0, 0];
    const velocity = simulation.state.velocity;
    const before = [velocity[0], velocity[1]];
    for (let n = 0; n < 20; n++) {
      simulation.step();
      // x has the second coefficient, y the first
      const share = load() / Math.hypot(mu2 * velocity[0], mu1 * velocity[1]);
      expected[0] -= 0.002 * share * mu2 ** 2 * velocity[0];
      expected[1] -= 0.002 * share * mu1 ** 2 * velocity[1];
    }
    // contacts share the normal force unevenly and slip with the body's turning, too: 2 %
    const most = 0.02 * Math.hypot(...expected);
    for (let k = 0; k < 2; k++) expect(Math.abs(velocity[k] - before[k] - expected[k])).toBeLessThan(most);
    // and the contacts tell it
    const { friction } = simulation.solvedContacts;
    expect([friction[0], friction[1]]).toEqual([ALONG, ACROSS]);
  });

  test('what is not resolved is listed with the names of the shapes', () => {
    const scene = slide(BRICK, [0, 0], false);
    scene.contactPairs![0].mujoco = { condim: 6 };
    const list = (formulation: FormulationId) => new Simulation(compileModel(scene, { formulation })).unresolved;
    expect(list('ipc')).toEqual(['spin and rolling friction between "floor" and "shape"']);
    for (const formulation of ['mujoco', 'sap', 'ccp'] as const) expect(list(formulation)).toEqual([]);
    scene.options!.sap = { contactModel: 'lagged' };
    expect(list('sap')).toEqual([
      'spin and rolling friction between "floor" and "shape": lagged contact has none',
      'friction that depends on the direction between "floor" and "shape": lagged contact has none',
    ]);
  });
});
