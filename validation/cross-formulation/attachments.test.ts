/**
 * Attachments under all formulations: what hangs from them weighs what it weighs, they break at their force and not below it, they are part of
 * the state, and a clamped rod is twisted by G J φ/L.
 */
import { compileModel, type FormulationId, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const G = 9.81;
const ALL: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc'];
const ELASTICITY = { youngsModulus: 1e6, poissonRatio: 0.3, massDamping: 20 };

function open(formulation: FormulationId, scene: Partial<Scene>, h = 0.01): Simulation {
  const { options, ...rest } = scene;
  return new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        ...rest,
        options: { timestep: h, integrator: 'semiImplicit', ...options },
      },
      { formulation },
    ),
  );
}

function polyline(points: number, from: readonly number[], to: readonly number[]): SoftBody['mesh'] {
  const at = (i: number): number[] => from.map((value, k) => value + ((to[k] - value) * i) / (points - 1));
  return { kind: 'polyline', points: Array.from({ length: points }, (_, i) => at(i)).flat(), radius: 0.004 };
}

/** Bodies that hold others: a block, a sheet and a rod, each held at two sides or one; the last hangs from z = −0.05 or 0. */
const HOLDERS: readonly SoftBody[] = [
  {
    name: 'block',
    mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [1, 1, 1] },
    elasticity: ELASTICITY,
    pinned: [4, 5, 6, 7],
  },
  {
    name: 'sheet',
    position: [0.01, 0.02, -0.05],
    mesh: { kind: 'grid', size: [0.2, 0.2], cells: [2, 2], thickness: 0.004 },
    elasticity: ELASTICITY,
    pinned: [0, 2, 6, 8],
  },
  { name: 'rod', mesh: polyline(5, [-0.1, 0.01, -0.05], [0.1, 0.01, -0.05]), elasticity: ELASTICITY, pinned: [0, 4] },
];
/** Bodies that hang, from points near z = −0.05, some of them off the holder. */
const HANGING: readonly SoftBody[] = [
  {
    name: 'load',
    position: [0.013, 0.004, -0.09],
    mesh: { kind: 'box', halfSize: [0.03, 0.02, 0.035], cells: [1, 1, 1] },
    elasticity: ELASTICITY,
    attachments: [{ name: 'seam', body: '', vertices: [4, 5, 6, 7] }],
  },
  {
    name: 'load',
    position: [0, 0, -0.1],
    orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
    mesh: { kind: 'grid', size: [0.1, 0.04], cells: [2, 1], thickness: 0.002 },
    elasticity: ELASTICITY,
    attachments: [{ name: 'seam', body: '', vertices: [0, 3] }],
  },
  {
    name: 'load',
    mesh: polyline(4, [0, 0, -0.05], [0, 0, -0.15]),
    elasticity: ELASTICITY,
    attachments: [{ name: 'seam', body: '', vertices: [0] }],
  },
];

describe.each(ALL)('%s', (formulation) => {
  const test = takeTurn();
  test.each(HOLDERS.map(({ name = '' }, n) => [name, n] as const))(
    'loads hang from a %s by their weight',
    (body, n) => {
      // the three kinds in turn, so that all nine pairs are among those of three formulations
      const kind = (n + ALL.indexOf(formulation)) % 3;
      const { attachments = [], ...load } = HANGING[kind];
      const simulation = open(
        formulation,
        { softBodies: [HOLDERS[n], { ...load, attachments: attachments.map((seam) => ({ ...seam, body })) }] },
        0.02,
      );
      for (let step = 0; step < 60; step++) expect(simulation.step().status).toBe('converged');
      const weight = simulation.model.soft.mass[1] * G;
      const { force, forces } = simulation.attachmentForce('seam');
      expect(Math.hypot(force[0], force[1], force[2] - weight)).toBeLessThan(2e-3 * weight);
      expect(forces.length).toBe(3 * (attachments[0].vertices.length ?? 0));
    },
  );

  test('an attachment breaks beyond its force, not below; the state has it', () => {
    const hang = (breakForce: number): Simulation =>
      open(formulation, {
        softBodies: [
          {
            name: 'cube',
            mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [1, 1, 1] },
            elasticity: ELASTICITY,
            attachments: [{ name: 'glue', body: 'world', breakForce, vertices: [4, 5, 6, 7] }],
          },
        ],
      });
    const strong = hang(10.5);
    for (let n = 0; n < 30; n++) expect(strong.step().broken).toBeUndefined();
    expect(strong.attachmentForce('glue')).toMatchObject({ isBroken: false, breakForce: 10.5 });
    expect(Math.abs(strong.attachmentForce('glue').force[2] - G)).toBeLessThan(1e-4);
    // 1 kg hangs from it: a pull by 2 N more is too much
    const before = strong.snapshot();
    const pull = (): string => {
      strong.applySoftForce('cube', 0, [0, 0, -2]);
      expect(strong.step(20).broken).toEqual(['glue']);
      expect(strong.attachmentForce('glue').isBroken).toBe(true);
      expect(strong.centerOfMass()[2]).toBeLessThan(-0.05);
      return strong.hash();
    };
    const first = pull();
    strong.restore(before);
    expect(strong.attachmentForce('glue').isBroken).toBe(false);
    expect(pull()).toBe(first);
    // without a name, by its place
    const weak = hang(5);
    expect(weak.step().broken).toEqual(['glue']);
    weak.reset();
    expect(weak.attachmentForce('glue').isBroken).toBe(false);
  });

  test('a rod that is clamped to a turning body is twisted by G J φ/L; with points alone it is not', () => {
    const [length, radius, count] = [0.4, 0.004, 9];
    const torque = 1e-4;
    const turn = (clamp: boolean | undefined): Simulation => {
      const simulation = open(formulation, {
        options: { gravity: [0, 0, 0] },
        bodies: [
          {
            name: 'drum',
            joints: [{ name: 'axle', kind: 'hinge', axis: [1, 0, 0], damping: 1e-4 }],
            inertia: { kind: 'principal', mass: 0.1, moments: [1e-5, 1e-5, 1e-5] },
          },
        ],
        softBodies: [
          {
            name: 'rod',
            mesh: polyline(count, [0, 0, 0], [length, 0, 0]),
            elasticity: ELASTICITY,
            pinned: [count - 2, count - 1],
            attachments: [{ name: 'hub', body: 'drum', vertices: [0, 1], ...(clamp !== undefined && { clamp }) }],
          },
        ],
      });
      simulation.applyForce('drum', { torque: [torque, 0, 0] });
      simulation.step(150);
      return simulation;
    };
    const clamped = turn(undefined);
    // the twist is between the middles of the clamped edges
    const stiffness = ((ELASTICITY.youngsModulus / 2.6) * Math.PI * radius ** 4) / 2 / (length * (1 - 1 / (count - 1)));
    expect(Math.abs(clamped.jointPosition('axle') / (torque / stiffness) - 1)).toBeLessThan(5e-3);
    expect(Math.abs(clamped.attachmentForce('hub').twist / torque - 1)).toBeLessThan(5e-3);
    const loose = turn(false);
    expect(loose.jointPosition('axle')).toBeGreaterThan(1.5 * clamped.jointPosition('axle'));
    expect(loose.attachmentForce('hub').twist).toBe(0);
  });
});

test('fixed attachments have forces too: on the world, on a link, and where a vertex is a point of its body', () => {
  for (const formulation of ALL) {
    const simulation = open(formulation, {
      bodies: [
        {
          name: 'ball',
          position: [0, 0, -0.1],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'sphere', radius: 0.05, mass: 0.4 }],
        },
      ],
      softBodies: [
        {
          name: 'cube',
          mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [1, 1, 1] },
          elasticity: ELASTICITY,
          attachments: [
            { name: 'ceiling', body: 'world', vertices: [4, 5, 6, 7] },
            { name: 'hook', body: 'ball', vertices: [0, 1, 2, 3] },
          ],
        },
      ],
    });
    simulation.step(150);
    expect(Math.abs(simulation.attachmentForce('ceiling').force[2] / (1.4 * G) - 1)).toBeLessThan(2e-3);
    expect(Math.abs(simulation.attachmentForce('hook').force[2] / (-0.4 * G) - 1)).toBeLessThan(2e-3);
  }
});

describe('what is wrong is told', () => {
  const cube: SoftBody = {
    name: 'cube',
    mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [1, 1, 1] },
    elasticity: ELASTICITY,
  };
  test.each([
    ['no such body', { body: 'sheat', vertices: [0] }, /attachments\[0\].body: there is no rigid or soft body 'sheat'/],
    ['itself', { body: 'cube', vertices: [0] }, /attachments\[0\].body: .* attached to itself/],
    ['no force', { body: 'world', vertices: [0], breakForce: 0 }, /attachments\[0\].breakForce: must be above 0/],
    ['a solid that is clamped', { body: 'world', vertices: [0], clamp: true }, /attachments\[0\].clamp: edges of rods/],
    ['a missing vertex', { body: 'world', vertices: [0, 99] }, /attachments\[0\].vertices: there is no vertex 99/],
  ])('%s', (_, attachment, reason) => {
    expect(() => open('sap', { softBodies: [{ ...cube, attachments: [attachment] }] })).toThrow(reason);
  });

  test('two of one name', () => {
    const attachments = [1, 2].map((v) => ({ name: 'glue', body: 'world', vertices: [v] }));
    expect(() => open('sap', { softBodies: [{ ...cube, attachments }] })).toThrow(
      /two attachments have the name 'glue'/,
    );
  });
});
