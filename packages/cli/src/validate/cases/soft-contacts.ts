/** Soft bodies with others, the same scenes and measures under all four formulations: a gripper, cloth, cables, attachments. */
import type { Body, Simulation, SoftBody, Vec3 } from '@nexdyn/engine';
import { measureCapstan } from '../capstan.ts';
import { advance, G, ground, pointBody, type SceneParts, simulate, takeStep } from '../case-scene.ts';
import type { ComparedFormulation, ValidationCase } from '../validation-case.ts';

const group = 'soft bodies' as const;
const SOFT: readonly ComparedFormulation[] = ['mujoco', 'sap', 'ccp', 'ipc'];

/** Sum of the contact forces on a body, N. */
function forceOn(simulation: Simulation, body: string): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  for (const { bodyName1, bodyName2, force } of simulation.contactForces()) {
    if (bodyName1 === bodyName2) continue;
    const sign = bodyName2 === body ? 1 : bodyName1 === body ? -1 : 0;
    for (let k = 0; k < 3; k++) sum[k]! += sign * force[k]!;
  }
  return sum;
}

function massOf({ model }: Simulation, body: string): number {
  return model.soft.mass[model.soft.name.indexOf(body)]!;
}

function open(formulation: ComparedFormulation, timestep: number, parts: SceneParts): Simulation {
  const tolerance = { sap: { relativeTolerance: 1e-9 }, ccp: { tolerance: 1e-8 }, mujoco: { tolerance: 1e-10 } };
  return simulate(formulation, { ...parts, options: { timestep, ...tolerance, ...parts.options } });
}

/** Two fingers on slides, each pressed by 2 N, on a hand that rises. */
function createGripper(formulation: ComparedFormulation): Simulation {
  const finger = (name: string, y: number): Body => ({
    name,
    position: [0, y, 0],
    joints: [{ name, kind: 'slide', axis: [0, -Math.sign(y), 0], damping: 5 }],
    shapes: [{ kind: 'box', halfSize: [0.02, 0.005, 0.02], mass: 0.1, material: 'rubber' }],
  });
  return open(formulation, 1 / 120, {
    materials: [{ name: 'rubber', friction: 1 }],
    bodies: [
      {
        ...pointBody('hand', 0.2, [{ name: 'lift', kind: 'slide', axis: [0, 0, 1] }], [0, 0, 0.05], 1e-3),
        bodies: [finger('left', 0.03), finger('right', -0.03)],
      },
    ],
    actuators: [
      { name: 'lift', kind: 'position', transmission: { kind: 'joint', joint: 'lift' }, stiffness: 2000, damping: 200 },
      { name: 'left', kind: 'motor', transmission: { kind: 'joint', joint: 'left' } },
      { name: 'right', kind: 'motor', transmission: { kind: 'joint', joint: 'right' } },
    ],
    shapes: [ground({ material: 'rubber' })],
    softBodies: [
      {
        name: 'ball',
        position: [0, 0, 0.0515],
        mesh: { kind: 'sphere', radius: 0.02, resolution: 0.012 },
        material: 'rubber',
        contact: 'point',
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.4, stiffnessDamping: 0.002 },
      },
    ],
  });
}

function liftBall(formulation: ComparedFormulation): Simulation {
  const simulation = createGripper(formulation);
  const count = simulation.model.soft.pointCount[0]!;
  const all = Array.from({ length: count }, (_, v) => v);
  const inner = all.filter((v) => Math.hypot(...simulation.model.soft.rest.subarray(3 * v, 3 * v + 2)) < 0.008);
  simulation.holdVertices('ball', inner);
  simulation.setControl('left', 2);
  simulation.setControl('right', 2);
  advance(simulation, 0.4);
  simulation.releaseVertices('ball', inner);
  for (let n = 1; n <= 60; n++) {
    simulation.setControl('lift', 0.05 * (n / 60));
    takeStep(simulation);
  }
  return advance(simulation, 0.5);
}

/** Cloth on a box. */
function layCloth(formulation: ComparedFormulation): Simulation {
  const simulation = open(formulation, 5e-3, {
    materials: [{ name: 'm', friction: 0.5 }],
    shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], position: [0, 0, -0.1], material: 'm' }],
    softBodies: [
      {
        name: 'cloth',
        position: [0, 0, 0.004],
        mesh: { kind: 'grid', size: [0.3, 0.3], cells: [12, 12], thickness: 0.002 },
        elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, density: 300, massDamping: 10, bendingStiffness: 1e-4 },
        material: 'm',
      },
    ],
  });
  return advance(simulation, 1.5);
}

export const SOFT_CONTACTS: readonly ValidationCase[] = [
  {
    name: 'soft-gripper-weight',
    group,
    title: 'friction of two fingers that have lifted a soft ball over its weight',
    unit: '1',
    source: 'balance of forces',
    basis: 'vibration of the hand that is left after 0.5 s: 1 %',
    formulations: SOFT,
    run(formulation) {
      const simulation = liftBall(formulation);
      return { value: forceOn(simulation, 'ball')[2] / (massOf(simulation, 'ball') * G), expected: 1, tolerance: 0.01 };
    },
  },
  {
    name: 'soft-gripper-lift',
    group,
    title: 'height by which a soft ball between two fingers rises with the hand',
    unit: 'm',
    source: 'a body that does not slip moves with the hand',
    basis: 'creep of regularised friction and the elastic ball: 2 mm',
    formulations: SOFT,
    run(formulation) {
      const simulation = liftBall(formulation);
      const { rest } = simulation.model.soft;
      const x = simulation.softPosition('ball');
      let rise = 0;
      for (let i = 2; i < x.length; i += 3) rise += (3 * (x[i]! - rest[i]!)) / x.length;
      const hand = simulation.jointPosition('lift');
      return { value: rise, expected: hand, tolerance: 2e-3 };
    },
  },
  {
    name: 'cloth-box-weight',
    group,
    title: 'force of a box on cloth that hangs over it over the weight of the cloth',
    unit: '1',
    source: 'balance of forces',
    basis: 'the hem still swings after 1.5 s: 1 %',
    formulations: SOFT,
    run(formulation) {
      const simulation = layCloth(formulation);
      return {
        value: forceOn(simulation, 'cloth')[2] / (massOf(simulation, 'cloth') * G),
        expected: 1,
        tolerance: 0.01,
      };
    },
  },
  {
    name: 'cloth-box-height',
    group,
    title: 'height of the middle of cloth on a box: half its thickness',
    unit: 'm',
    source: 'the lower side of the cloth is on the box',
    basis: 'depth of soft contacts, 0.3 mm; distance at which ipc acts, 1 mm',
    formulations: SOFT,
    run(formulation) {
      const simulation = layCloth(formulation);
      const middle = 6 * 13 + 6;
      return {
        value: simulation.softPosition('cloth')[3 * middle + 2]!,
        expected: 1e-3,
        tolerance: formulation === 'ipc' ? 1.1e-3 : 3e-4,
      };
    },
  },
  ...[0.2, 0.4].map(
    (friction): ValidationCase => ({
      name: `capstan-${friction}`,
      group,
      title: `tension of a cable that is pulled over a pole over that of the side where a weight hangs, μ = ${friction}: e^(μ π)`,
      unit: '1',
      source: "Euler's capstan equation",
      basis:
        'the exponent grows by μ π (1 + μ²) θ²/12 for edges that turn by θ = π/24, (1 + μ²) ln(r₁/r₂) as the cable sinks in, and (h + β) v π/R: lag of normals and damping',
      formulations: SOFT,
      run: (formulation) => measureCapstan(formulation, friction),
    }),
  ),
  {
    name: 'attachment-weight',
    group,
    title: 'force of the seam between a sheet and a soft block that hangs from it over the weight of the block',
    unit: '1',
    source: 'balance of forces',
    basis: 'the transient that is left after 2 s: 1e-3',
    formulations: SOFT,
    run(formulation) {
      const simulation = open(formulation, 5e-3, {
        softBodies: [
          {
            name: 'sheet',
            mesh: { kind: 'grid', size: [0.3, 0.3], cells: [4, 4], thickness: 0.003 },
            elasticity: { youngsModulus: 1e6, poissonRatio: 0.3, massDamping: 20 },
            pinned: [0, 4, 20, 24],
          },
          {
            name: 'block',
            position: [0.02, 0.01, -0.05],
            mesh: { kind: 'box', halfSize: [0.04, 0.03, 0.05], cells: [2, 2, 2] },
            elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, massDamping: 20 },
            attachments: [{ name: 'seam', body: 'sheet', vertices: Array.from({ length: 9 }, (_, v) => 18 + v) }],
          },
        ],
      });
      advance(simulation, 2);
      const { force } = simulation.attachmentForce('seam');
      return { value: force[2] / (massOf(simulation, 'block') * G), expected: 1, tolerance: 1e-3 };
    },
  },
  {
    name: 'rod-on-rods',
    group,
    title: 'height of a rod across two others, edge on edge: two radii',
    unit: 'm',
    source: 'round sections touch at the sum of their radii',
    basis: 'depth of soft contacts, 0.1 mm; distance at which ipc acts, 1 mm',
    formulations: SOFT,
    run(formulation) {
      const rod = (name: string, from: Vec3, to: Vec3, more: Partial<SoftBody> = {}): SoftBody => ({
        name,
        mesh: {
          kind: 'polyline',
          points: [0, 1, 2, 3, 4].flatMap((i) => from.map((value, k) => value + ((to[k]! - value) * i) / 4)),
          radius: 0.005,
        },
        elasticity: { youngsModulus: 1e9, poissonRatio: 0.3, massDamping: 20 },
        ...more,
      });
      const simulation = open(formulation, 5e-3, {
        softBodies: [
          rod('left', [-0.2, -0.06, 0], [0.2, -0.06, 0], { pinned: [0, 1, 2, 3, 4] }),
          rod('right', [-0.2, 0.06, 0], [0.2, 0.06, 0], { pinned: [0, 1, 2, 3, 4] }),
          rod('top', [0.013, -0.1, 0.015], [0.013, 0.1, 0.015]),
        ],
      });
      advance(simulation, 1);
      const value = simulation.softPosition('top')[3 * 2 + 2]!;
      return { value, expected: 0.01, tolerance: formulation === 'ipc' ? 1.1e-3 : 1e-4 };
    },
  },
];
