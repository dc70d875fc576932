/** Compiled functions and their twins in TypeScript: the same bytes of the state after many steps, whatever a scene holds. */
import { compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../scripts/long-run.ts';

type Bodies = NonNullable<Scene['bodies']>;

const DIMENSIONS = [1, 3, 4, 6] as const;

/** Boxes, balls and capsules in small and large heaps, with contacts of every dimension. */
function heaps(count: number): Bodies {
  return Array.from({ length: count }, (_, i): Bodies[number] => {
    const mujoco = { condim: DIMENSIONS[i % 4]! };
    return {
      name: `body${i}`,
      position: [0.19 * (i % 4) + 0.5 * (i % 2), 0.02 * ((i * 5) % 4), 0.1 + 0.197 * Math.floor(i / 4)],
      orientation: [Math.cos(0.1 * i), 0, Math.sin(0.1 * i), 0],
      joints: [{ kind: 'free' }],
      shapes: [
        i % 3 === 0
          ? { kind: 'capsule', radius: 0.08, halfLength: 0.05, mass: 1, mujoco }
          : { kind: 'box', halfSize: [0.1, 0.12, 0.1], mass: 1 + 0.1 * i, mujoco },
      ],
    };
  });
}

/** A tree that branches, with limits, dry friction and a foot on the ground: an odd number of dofs, columns with gaps. */
function crawler(name: string, x: number): Bodies[number] {
  const leg = (side: number): Bodies[number] => ({
    name: `${name}.leg${side}`,
    position: [0.1 * side, 0.12 * side, 0],
    joints: [
      {
        kind: 'hinge',
        name: `${name}.hip${side}`,
        axis: [1, 0.2, 0],
        limit: { range: [-0.05, 0.3] },
        frictionLoss: 0.1,
      },
    ],
    shapes: [{ kind: 'capsule', radius: 0.04, halfLength: 0.1, position: [0, 0, -0.12], mass: 0.5 }],
    bodies: [
      {
        name: `${name}.foot${side}`,
        position: [0, 0, -0.26],
        joints: [{ kind: 'hinge', axis: [0, 1, 0], damping: 0.1 }],
        shapes: [{ kind: 'box', halfSize: [0.08, 0.04, 0.03], mass: 0.2 }],
      },
    ],
  });
  return {
    name,
    position: [x, 0, 0.3],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [0.15, 0.1, 0.05], mass: 3 }],
    bodies: [leg(1), leg(-1)],
  };
}

function scene(bodies: Bodies, options: SceneOptions, more: Partial<Scene> = {}): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.004, ...options },
    shapes: [{ kind: 'plane' }],
    bodies,
    ...more,
  };
}

const CRAWLERS: Bodies = [crawler('a', 0), crawler('b', 0.18), crawler('c', 3)];
const TIES: Partial<Scene> = {
  equalities: [
    { kind: 'connect', body1: 'a', body2: 'b', anchor: [0.09, 0, 0] },
    { kind: 'joint', joint1: 'c.hip1', joint2: 'c.hip-1' },
  ],
};

const SCENES: readonly (readonly [string, Bodies, Partial<Scene>])[] = [
  ['small heap', heaps(7), {}],
  ['large heap', heaps(26), {}],
  ['crawlers', CRAWLERS, {}],
  ['tied crawlers', CRAWLERS, TIES],
];

const OPTIONS: readonly (readonly [string, SceneOptions])[] = [
  ['newton', { formulation: 'mujoco' }],
  ['newton, elliptic', { formulation: 'mujoco', mujoco: { cone: 'elliptic' } }],
  ['newton, dense', { formulation: 'mujoco', mujoco: { jacobian: 'dense' } }],
  ['newton, sparse', { formulation: 'mujoco', mujoco: { jacobian: 'sparse', cone: 'elliptic' } }],
  ['conjugate gradients', { formulation: 'mujoco', mujoco: { solver: 'cg' } }],
  ['conjugate gradients, elliptic', { formulation: 'mujoco', mujoco: { solver: 'cg', cone: 'elliptic' } }],
  ['conjugate gradients, short searches', { formulation: 'mujoco', mujoco: { solver: 'cg', lineSearchIterations: 6 } }],
  ['no islands', { formulation: 'mujoco', disable: ['island'] }],
  ['sap', { formulation: 'sap' }],
  ['sap without a matrix', { formulation: 'sap', sap: { solver: 'pcg' } }],
  ['sap, lagged', { formulation: 'sap', sap: { contactModel: 'lagged' } }],
];

// in `npm test` every option with a heap and with crawlers, in turn
describe.each(OPTIONS.map(([name, options], n) => [name, options, n] as const))('%s', (_, options, turn) => {
  const scenes = SCENES.filter((_scene, n) => isLongRun || n % 2 === turn % 2);

  test.each(scenes)('%s', (_name, bodies, more) => {
    const model = compileModel(scene(bodies, options, more));
    const compiled = new Simulation(model);
    const portable = new Simulation(model, { portable: true });
    let most = 0;
    for (let n = 0; n < 40; n++) {
      compiled.step();
      portable.step();
      expect(compiled.hash()).toBe(portable.hash());
      most = Math.max(most, compiled.solvedContacts.count);
    }
    expect(most).toBeGreaterThan(3);
    expect(compiled.report.status).not.toBe('diverged');
  });
});
