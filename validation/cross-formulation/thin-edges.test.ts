/**
 * Shells and rods over what fits between their vertices, under the formulations that find contacts once per step: over the edges and corners
 * of a box, on a post and on a pole, at rest and fast; and a cable round a pole.
 */
import { readFileSync } from 'node:fs';
import {
  compileModel,
  type FormulationId,
  type Quaternion,
  type Scene,
  type Shape,
  Simulation,
  type SoftBody,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();
const BY_ROWS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'penalty'];
const G = 9.81;

function open(formulation: FormulationId, parts: Partial<Scene>): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    materials: [{ name: 'm', friction: 0.5 }],
    ...parts,
    options: { timestep: formulation === 'penalty' ? 0.001 : 0.005, ...parts.options },
  };
  return new Simulation(compileModel(scene, { formulation }));
}

function cloth(size: number, cells: number, more: Partial<SoftBody> = {}): SoftBody {
  return {
    name: 'cloth',
    position: [0, 0, 0.003],
    mesh: { kind: 'grid', size: [size, size], cells: [cells, cells], thickness: 0.002 },
    elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 300, massDamping: 10, bendingStiffness: 1e-4 },
    material: 'm',
    ...more,
  };
}

function run(simulation: Simulation, seconds: number): void {
  const steps = Math.round(seconds / simulation.timestep);
  for (let n = 0; n < steps; n++) expect(simulation.step().status).toBe('converged');
}

/** How deep the middle surface of cloth is in a box around the origin that is turned about z, by 45 points of each triangle, m. */
function measureDepth(simulation: Simulation, half: readonly number[], turn: number, top: number): number {
  const x = simulation.softPosition('cloth');
  const { triangle } = simulation.model.soft;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  let deepest = 0;
  for (let t = 0; t < triangle.length; t += 3) {
    for (let i = 0; i <= 8; i++) {
      for (let j = 0; i + j <= 8; j++) {
        const weights = [i / 8, j / 8, (8 - i - j) / 8];
        const p = [0, 1, 2].map((k) => weights.reduce((sum, w, n) => sum + w * x[3 * triangle[t + n] + k], 0));
        const [a, b] = [Math.abs(c * p[0] + s * p[1]), Math.abs(c * p[1] - s * p[0])];
        deepest = Math.max(deepest, Math.min(half[0] - a, half[1] - b, top - p[2], p[2] - top + 2 * half[2]));
      }
    }
  }
  return deepest;
}

const TURN = 0.3;
const turned: Quaternion = [Math.cos(TURN / 2), 0, 0, Math.sin(TURN / 2)];
const ALONG_Y: Quaternion = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];

describe.each(BY_ROWS)('%s', (formulation) => {
  const test = takeTurn();

  test('cloth with cells of 50 mm lies over the edges and corners of a box, its middle surface outside', () => {
    const half: Vec3 = [0.11, 0.13, 0.1];
    const box: Shape = { kind: 'box', halfSize: half, position: [0, 0, -0.1], orientation: turned, material: 'm' };
    const simulation = open(formulation, { shapes: [box], softBodies: [cloth(0.4, 8)] });
    run(simulation, 0.4);
    expect(measureDepth(simulation, half, TURN, 0)).toBe(0);
    const carriers = simulation.contacts().length;
    expect(carriers).toBeGreaterThan(8);
    expect(simulation.softPosition('cloth')[2]).toBeLessThan(-0.05);
  });

  test('a post between the vertices holds cloth that is pinned at its corners', () => {
    const half: Vec3 = [0.01, 0.01, 0.1];
    const post: Shape = { kind: 'box', halfSize: half, position: [0, 0, -0.12], orientation: turned };
    // cells of 0.1 m: the post stands in a triangle of the middle cell
    const simulation = open(formulation, { shapes: [post], softBodies: [cloth(0.5, 5, { pinned: [0, 5, 30, 35] })] });
    run(simulation, 0.6);
    // without the post the middle hangs lower
    const free = open(formulation, { softBodies: [cloth(0.5, 5, { pinned: [0, 5, 30, 35] })] });
    run(free, 0.6);
    expect(free.softPosition('cloth')[3 * 14 + 2]).toBeLessThan(-0.025);
    expect(measureDepth(simulation, half, TURN, -0.02)).toBe(0);
    expect(simulation.contactForces().some(({ normalForce }) => normalForce > 0.01)).toBe(true);
  });

  test('a rod lies on a pole between two of its vertices, and weighs what it weighs', () => {
    const pole: Shape = {
      kind: 'cylinder',
      radius: 0.004,
      halfLength: 0.1,
      position: [0, 0, -0.004],
      orientation: ALONG_Y,
      material: 'm',
    };
    const simulation = open(formulation, {
      shapes: [pole],
      softBodies: [
        {
          name: 'rod',
          position: [0, 0, 0.003],
          mesh: { kind: 'polyline', points: [-3, -1, 1, 3].flatMap((x) => [0.05 * x, 0, 0]), radius: 0.003 },
          elasticity: { youngsModulus: 1e7, poissonRatio: 0.3, density: 1000, massDamping: 60 },
          material: 'm',
        },
      ],
    });
    run(simulation, 0.4);
    const forces = simulation.contactForces();
    expect(forces.length).toBe(1);
    const weight = simulation.model.soft.mass[0] * G;
    expect(Math.abs(Math.abs(forces[0].force[2]) / weight - 1)).toBeLessThan(0.02);
  });

  test.each<[string, Shape]>([
    ['box', { kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
    ['cylinder', { kind: 'cylinder', radius: 0.1, halfLength: 0.1 }],
  ])('cloth at the foot of a %s on the floor is pushed out of its side, not into the floor', (_, shape) => {
    const simulation = open(formulation, {
      options: { timestep: 0.005 },
      shapes: [
        { kind: 'plane', material: 'm' },
        { ...shape, position: [0, 0, 0.1], material: 'm' },
      ],
      softBodies: [
        {
          name: 'cloth',
          mesh: {
            kind: 'triangles',
            vertices: [0.102, 0, 0.0012, 0.13, -0.02, 0.0012, 0.13, 0.02, 0.0012],
            triangles: [0, 1, 2],
            thickness: 4e-4,
          },
          elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 300, massDamping: 2, bendingStiffness: 1e-4 },
          material: 'm',
        },
      ],
    });
    simulation.step(2);
    // 3 mm inside the side, 1 mm above the floor
    simulation.state.softPosition.set([0.097, 0, 0.001]);
    simulation.state.softVelocity.fill(0);
    run(simulation, 0.2);
    expect(simulation.softPosition('cloth')[0]).toBeGreaterThan(0.1);
    const weight = simulation.model.soft.mass[0] * G;
    for (const { normalForce } of simulation.contactForces()) expect(normalForce).toBeLessThan(weight);
  });

  test('cloth at 10 m/s does not pass a pole between its vertices, and keeps the momentum of both', () => {
    const pass = (fastBodies: 'on' | 'off'): [number, number] => {
      const simulation = open(formulation, {
        options: { gravity: [0, 0, 0], timestep: 0.01, fastBodies },
        bodies: [
          {
            name: 'pole',
            joints: [{ kind: 'free' }],
            shapes: [
              {
                kind: 'cylinder',
                radius: 0.005,
                halfLength: 0.3,
                mass: 0.05,
                orientation: ALONG_Y,
              },
            ],
          },
        ],
        softBodies: [
          cloth(0.3, 3, {
            position: [0, 0, 0.153],
            velocity: [0, 0, -10],
            elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 300, bendingStiffness: 1e-4 },
          }),
        ],
      });
      const mass = simulation.model.soft.mass[0];
      simulation.step(4);
      const { linear } = simulation.momentum();
      const x = simulation.softPosition('cloth');
      let middle = 0;
      for (const v of [5, 6, 9, 10]) middle += x[3 * v + 2] / 4;
      return [middle - simulation.pose('pole').position[2], linear[2] / (-10 * mass)];
    };
    const [above, kept] = pass('on');
    expect(above).toBeGreaterThan(0);
    expect(Math.abs(kept - 1)).toBeLessThan(1e-9);
    expect(pass('off')[0]).toBeLessThan(0);
  });

  test('a cable that is pulled half round a pole has e^(μ π) = 4 times the tension of the weight on its other end', () => {
    const friction = Math.log(4) / Math.PI;
    const [pole, radius, arc, straight] = [0.05, 0.002, 24, 6];
    const modulus = 1e8;
    const reach = pole + radius;
    const spacing = (Math.PI * reach) / arc;
    const points: number[] = [];
    for (let i = straight; i > 0; i--) points.push(-reach, 0, -i * spacing);
    for (let i = 0; i <= arc; i++) {
      const angle = (Math.PI * i) / arc;
      points.push(-reach * Math.cos(angle), 0, reach * Math.sin(angle));
    }
    for (let i = 1; i <= straight; i++) points.push(reach, 0, -i * spacing);
    const last = points.length / 3 - 1;
    const simulation = open(formulation, {
      options: {
        timestep: 1e-3,
        sap: { relativeTolerance: 1e-9 },
        ccp: { tolerance: 1e-8 },
        mujoco: { tolerance: 1e-10 },
      },
      materials: [{ name: 'm', friction }],
      shapes: [{ kind: 'cylinder', radius: pole, halfLength: 0.05, orientation: ALONG_Y, material: 'm' }],
      bodies: [
        {
          name: 'weight',
          position: [-reach, 0, -straight * spacing],
          joints: [{ kind: 'slide', axis: [0, 0, 1], damping: 20 }],
          shapes: [{ kind: 'sphere', radius: 0.01, mass: 0.5, collisionGroups: 0, collisionMask: 0 }],
        },
      ],
      softBodies: [
        {
          name: 'cable',
          mesh: { kind: 'polyline', points, radius },
          elasticity: {
            youngsModulus: modulus,
            poissonRatio: 0.3,
            density: 300,
            bendingStiffness: 0,
            twistStiffness: 0,
            massDamping: 20,
            stiffnessDamping: 0.002,
          },
          material: 'm',
          attachments: [{ vertices: [0], body: 'weight' }],
          driven: [{ vertices: [last], times: [0, 0.6], displacements: [0, 0, 0, 0, 0, -0.03] }],
        },
      ],
    });
    simulation.step(400);
    // mean tension on both sides while the vertices come one spacing farther: 140 steps at 50 mm/s
    let [slack, pulled] = [0, 0];
    for (let n = 0; n < 140; n++) {
      expect(simulation.step().status).toBe('converged');
      const { strain } = simulation.softStress('cable');
      slack += strain[6];
      pulled += strain[6 * (last - 2)];
    }
    // contacts at vertices: (T₂ − T₁)/(T₂ + T₁) = μ tan(θ/2) per turn θ; in the middle of edges: μ tan(θ/2) cos²(θ/2) to order θ³. Both are
    // within θ²(1 + μ²)/6 of tanh(μ θ/2). Contacts need not be in the middle: turns may alternate between 0 and 2 θ, which is four times that
    const theta = Math.PI / arc;
    const bound = (4 * friction * Math.PI * theta * theta * (1 + friction * friction)) / 6;
    expect(Math.abs(Math.log(pulled / slack / 4))).toBeLessThan(bound);
  });
});

test('cloth on a ball is carried by its vertices and does not shake', () => {
  const scene = JSON.parse(readFileSync(new URL('../../scenes/draped-ball.json', import.meta.url), 'utf8'));
  const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
  // it has landed: nothing gives it energy any more
  simulation.step(20);
  const sum = (): number => {
    const { kinetic, potential, elastic } = simulation.energy();
    return kinetic + potential + elastic;
  };
  const landed = sum();
  for (let n = 0; n < 15; n++) {
    simulation.step();
    expect(sum()).toBeLessThan(landed);
  }
});
