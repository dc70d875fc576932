/**
 * Single bodies on a plane under `sap`, against closed forms: rest, sticking, sliding and the artefacts of the model (creep by
 * R_t γ_t in sticking, a dilation gap in sliding), which are part of what it promises.
 */
import {
  CONTACT_MODE,
  compileModel,
  type Joint,
  type Scene,
  type SceneOptions,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const SLIDES: Joint[] = [
  { kind: 'slide', axis: [1, 0, 0] },
  { kind: 'slide', axis: [0, 1, 0] },
  { kind: 'slide', axis: [0, 0, 1] },
];

interface Ground {
  friction: number;
  stiffness: number;
  dissipation: number;
}

/** A ball that cannot turn, its lowest point at z = 0. */
function createBall(mass: number, radius: number, ground: Ground, options: SceneOptions, margin = 0): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 1e-3, ...options },
    materials: [{ name: 'ground', ...ground }],
    shapes: [{ kind: 'plane', material: 'ground' }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, radius],
        joints: SLIDES,
        shapes: [{ kind: 'sphere', radius, mass, friction: 0, margin }],
      },
    ],
  };
  return new Simulation(compileModel(scene));
}

/** Sum of all contact forces on the second body, world axes. */
function sumForces(simulation: Simulation): Vec3 {
  const { count, frame, force } = simulation.solvedContacts;
  const sum: Vec3 = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      for (let axis = 0; axis < 3; axis++) {
        sum[axis] = (sum[axis] ?? NaN) + (frame[9 * i + 3 * k + axis] ?? NaN) * (force[6 * i + k] ?? NaN);
      }
    }
  }
  return sum;
}

function relative(value: number | undefined, expected: number): number {
  return Math.abs((value ?? NaN) / expected - 1);
}

const TIGHT = { relativeTolerance: 1e-13, absoluteTolerance: 1e-16 };

test('a box pushed below the limit of friction is held by forces that balance', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 1e-3, gravity: [0, 0, -10], sap: TIGHT },
    materials: [{ name: 'wood', friction: 0.6, stiffness: 1e6, dissipation: 5e-3 }],
    shapes: [{ kind: 'plane', material: 'wood' }],
    bodies: [
      {
        name: 'box',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 1, material: 'wood' }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.applyForce('box', { force: [5, 0, 0] });
  simulation.step(500);
  const [x, y, z] = sumForces(simulation);
  expect(relative(x, -5)).toBeLessThan(4e-12);
  expect(Math.abs(y ?? NaN)).toBeLessThan(4e-11);
  expect(relative(z, 10)).toBeLessThan(4e-12);
  // the slip of sticking contacts is at most μ σ g h: w m ≤ 1
  expect(simulation.state.velocity[0]).toBeLessThan(0.6 * 1e-3 * 10 * 1e-3);
  // settling and leaning included, it has moved less than a stiction velocity of 1e-4 m/s would have moved it
  expect(simulation.state.position[0]).toBeLessThan(0.5 * 1e-4);
});

describe('a ball of 10 kg on ground of 1e4 N/m', () => {
  const ground = { friction: 0.5, stiffness: 1e4, dissipation: 0.06 };
  const options: SceneOptions = { gravity: [0, 0, -10], sap: TIGHT };

  function createResting(margin = 0): Simulation {
    const simulation = createBall(10, 0.02, ground, options, margin);
    simulation.step(2000);
    return simulation;
  }

  test('rests at the depth m g / k', () => {
    const simulation = createResting();
    expect(Math.abs(0.02 + (simulation.state.position[2] ?? NaN) - 0.01)).toBeLessThan(1e-13);
    expect(relative(simulation.contactForces()[0]?.force[2], 100)).toBeLessThan(1e-12);
  });

  test('a tenth of the limit of friction: sticks', () => {
    const simulation = createResting();
    simulation.applyForce('ball', { force: [5, 0, 0] });
    simulation.step(200);
    expect(relative(sumForces(simulation)[0], -5)).toBeLessThan(1e-6);
    expect(simulation.solvedContacts.mode[0]).toBe(CONTACT_MODE.stick);
  });

  test('more than the limit: slides at the excess over the mass', () => {
    const simulation = createResting(0.1);
    simulation.applyForce('ball', { force: [55, 0, 0] });
    // the dilation gap lifts it first; from then on it rises evenly and the normal force is the weight
    simulation.step(2000);
    const before = simulation.state.velocity[0] ?? NaN;
    simulation.step(100);
    const acceleration = ((simulation.state.velocity[0] ?? NaN) - before) / 0.1;
    const [x, , z] = sumForces(simulation);
    expect(simulation.solvedContacts.mode[0]).toBe(CONTACT_MODE.slide);
    expect(relative(x, -50)).toBeLessThan(1e-6);
    expect(relative(z, 100)).toBeLessThan(1e-6);
    expect(relative(acceleration, 0.5)).toBeLessThan(1e-6);
  });
});

describe('a point on an incline', () => {
  const G = 9.81;
  const K = 1e6;

  /** On a plane tilted by an angle, seen along the plane, from the depth at which it rests. */
  function runIncline(degrees: number, friction: number): Simulation {
    const angle = (degrees * Math.PI) / 180;
    const gravity: Vec3 = [G * Math.sin(angle), 0, -G * Math.cos(angle)];
    const ground = { friction, stiffness: K, dissipation: 1e-3 };
    const simulation = createBall(1, 0.1, ground, { gravity, sap: TIGHT }, 0.01);
    simulation.state.position[2] = (-G * Math.cos(angle)) / K;
    simulation.step(500);
    return simulation;
  }

  test('15 degrees, μ 0.4: creeps at R_t m g sin θ h', () => {
    const creep = (1e-3 / Math.sqrt(3)) * G * Math.sin(Math.PI / 12) * 1e-3;
    const simulation = runIncline(15, 0.4);
    expect(Math.abs(creep - 1.4659e-6)).toBeLessThan(1e-11);
    expect(Math.abs((simulation.state.velocity[0] ?? NaN) - creep)).toBeLessThan(1e-9);
  });

  test('30 degrees, μ 0.3: slides at g (sin θ − μ cos θ) t, less what opening its dilation gap costs', () => {
    const speed = G * (0.5 - 0.3 * Math.cos(Math.PI / 6)) * 0.5;
    const simulation = runIncline(30, 0.3);
    expect(Math.abs(speed - 1.178144)).toBeLessThan(1e-6);
    expect(relative(simulation.state.velocity[0], speed)).toBeLessThan(5e-4);
    expect(Math.abs((simulation.state.velocity[0] ?? NaN) - 1.177719)).toBeLessThan(5e-6);
  });
});

describe('sliding at speed', () => {
  const H = 0.01;
  const MU = 0.5;

  function slide(contactModel: 'sap' | 'lagged'): { gap: number; speed: number } {
    const ground = { friction: MU, stiffness: 1e8, dissipation: 0 };
    const options: SceneOptions = { timestep: H, gravity: [0, 0, -10], sap: { contactModel, ...TIGHT } };
    const simulation = createBall(1, 0.1, ground, options, 0.1);
    simulation.state.velocity[0] = 5;
    simulation.step(45);
    return { gap: simulation.state.position[2] ?? NaN, speed: simulation.state.velocity[0] ?? NaN };
  }

  test('sap opens a dilation gap of (h + τ) μ |v_t|', () => {
    const { gap, speed } = slide('sap');
    expect(speed).toBeGreaterThan(2);
    expect(relative(gap, H * MU * speed)).toBeLessThan(0.01);
  });

  test('lagged opens no dilation gap', () => {
    const { gap, speed } = slide('lagged');
    expect(speed).toBeGreaterThan(2);
    expect(Math.abs(gap)).toBeLessThan(0.01 * H * MU * speed);
  });
});

test('a disc that spins on a spot is slowed by the spin friction of its weight', () => {
  const spin = 0.02;
  const moment = 0.4;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 1e-3, gravity: [0, 0, -10], sap: TIGHT },
    materials: [{ name: 'ground', friction: 0.5, spinFriction: spin, stiffness: 1e6, dissipation: 1e-3 }],
    shapes: [{ kind: 'plane', material: 'ground', mujoco: { condim: 4 } }],
    bodies: [
      {
        position: [0, 0, 0.1 - 2e-5],
        joints: [{ kind: 'free' }],
        inertia: { kind: 'principal', mass: 2, moments: [moment, moment, moment] },
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 0, friction: 0, spinFriction: 0, margin: 0.01 }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene));
  simulation.state.velocity[5] = 5;
  // its dilation gap has formed; from there on it sinks evenly
  simulation.step(500);
  const before = simulation.state.velocity[5] ?? NaN;
  simulation.step(500);
  const slowing = (before - (simulation.state.velocity[5] ?? NaN)) / 0.5;
  expect(relative(slowing, (spin * 2 * 10) / moment)).toBeLessThan(1e-6);
});
