/** ∇E and ∇²E of whole steps against central differences of E and of ∇E, with contacts of every kind in play. */
import { describe, expect, test } from 'vitest';
import { computeFreeMotion } from '../../dynamics/free-motion.ts';
import { updateKinematics } from '../../dynamics/kinematics.ts';
import { createWorkspace } from '../../dynamics/workspace.ts';
import { Arena } from '../../kernels/arena.ts';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import type { Vec3 } from '../../scene/pose.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import { createState } from '../../state/state.ts';
import { createSceneTerms } from '../../term/term-registry.ts';
import { DescentLine } from './descent-line.ts';
import { IpcObjective } from './ipc-objective.ts';

const H = 0.01;

/** The objective of a step, a little on from its start, or turned far by some rad; at rest and at the start where asked. */
function prepare(parts: Partial<Scene>, isAtRest: boolean = false, turn: Vec3 = [0, 0, 1e-3]): IpcObjective {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H, ipc: { barrierDistance: 0.02 } },
    ...parts,
  };
  const model = compileModel(scene, { formulation: 'ipc' });
  const arena = new Arena();
  const objective = new IpcObjective(model, arena);
  const state = createState(model, arena);
  const work = createWorkspace(model, arena, state.all.length);
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = isAtRest ? 0 : Math.sin(3 * i + 1);
  updateKinematics(model, state, work);
  computeFreeMotion(model, state, work, H);
  const { frames, surfaces, candidates, barrier } = objective;
  frames.begin(state, work);
  objective.scale = H * H;
  objective.drives.begin(state, work, H);
  objective.inertia.begin(state, work, frames, H);
  barrier.stiffness = 500;
  surfaces.place(frames.current);
  candidates.cover();
  objective.place(frames.current);
  objective.beginFriction(H * 0.1, H);
  objective.joints.begin(state, frames, H);
  for (const term of createSceneTerms(model, model.terms)) work.terms.add(term);
  objective.added.begin(state, work, H);
  if (isAtRest) return objective;
  // on from the start: friction has a third derivative that jumps where nothing slides
  for (let g = 0; g < frames.moving; g++)
    frames.step.set(
      [3e-4, 2e-4 - 3e-4 * g, 0, turn[0] - 0.5 * g * turn[0], turn[1] + 3e-4 * g, turn[2] - 0.5 * g * turn[2]],
      6 * g,
    );
  frames.writePaths();
  frames.move(1);
  frames.accept();
  objective.joints.multiplier.forEach((_, i, all) => {
    if (i < objective.joints.rows.firstCoordinate) all[i] = 5 * Math.cos(i);
  });
  return objective;
}

/** E after a small world perturbation s of number i from the current poses. */
function shifted<T>(objective: IpcObjective, i: number, s: number, read: () => T): T {
  const { frames } = objective;
  frames.step.fill(0);
  frames.step[i] = s;
  frames.writePaths();
  frames.move(1);
  return read();
}

/** The gradient at the trial poses. */
function gradientAt(objective: IpcObjective): Float64Array {
  objective.evaluate(objective.frames.trial);
  objective.assemble(objective.frames.trial, false);
  return objective.matrix.gradient.slice();
}

function checkGradient(objective: IpcObjective): void {
  const { frames } = objective;
  const n = 6 * frames.moving;
  frames.move(0);
  objective.frames.step.fill(0);
  frames.writePaths();
  frames.move(0);
  const gradient = gradientAt(objective);
  const scale = Math.max(...gradient.map(Math.abs));
  const e = 1e-6;
  for (let i = 0; i < n; i++) {
    const high = shifted(objective, i, e, () => objective.evaluate(frames.trial));
    const low = shifted(objective, i, -e, () => objective.evaluate(frames.trial));
    expect(Math.abs((high - low) / (2 * e) - gradient[i])).toBeLessThan(1e-6 * scale + 1e-9);
  }
}

/**
 * With H p = −b for any b the gradient changes along p by −b. Gradients are taken in perturbations of where they are, H in those
 * of one place: exp(q) exp(s p) = exp(q + s p + ½ s q × p + …), so that of rotations dg/ds = H p + ½ p × g.
 */
function checkHessian(objective: IpcObjective): void {
  const { frames, matrix } = objective;
  const direction = new Float64Array(6 * frames.count);
  const gradientAlong = (s: number): Float64Array => {
    for (let i = 0; i < direction.length; i++) frames.step[i] = s * direction[i];
    frames.writePaths();
    frames.move(1);
    return gradientAt(objective);
  };
  for (let n = 0; n < 8; n++) {
    const gradient = gradientAlong(0);
    const b = matrix.gradient.map((_, i) => Math.sin(7 * i + 3 * n + 1));
    matrix.gradient.set(b);
    expect(matrix.solve(direction)).toBe(true);
    // Richardson: central differences at e and 2 e
    const e = 8e-6 / Math.max(...direction.map(Math.abs));
    const near = [gradientAlong(e), gradientAlong(-e)];
    const far = [gradientAlong(2 * e), gradientAlong(-2 * e)];
    for (let i = 0; i < b.length; i++) {
      let change = (8 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12 * e);
      if (i % 6 >= 3) {
        const o = i - (i % 3);
        const [u, v] = [o + ((i + 1) % 3), o + ((i + 2) % 3)];
        change -= 0.5 * (direction[u] * gradient[v] - direction[v] * gradient[u]);
      }
      expect(Math.abs(change + b[i])).toBeLessThan(1e-6);
    }
  }
}

const free = (name: string, position: Vec3, shape: Shape, orientation: [number, number, number, number]): Body => ({
  name,
  position,
  orientation,
  joints: [{ kind: 'free' }],
  shapes: [shape],
});
const box: Shape = { kind: 'box', halfSize: [0.1, 0.12, 0.08], density: 800 };
const tilt = [0.97, 0.1, -0.15, 0.08] as [number, number, number, number];
const cases: Record<string, Partial<Scene>> = {
  'free flight': { bodies: [free('a', [0, 0, 1], box, tilt)] },
  // arms from the centres of mass of groups: a child that is fixed to its parent, and a point of it
  'terms between two groups and the world': {
    bodies: [
      {
        ...free('a', [0, 0, 1], box, tilt),
        bodies: [{ name: 'child', position: [0.2, 0.1, 0.3], orientation: tilt, shapes: [box] }],
      },
      free('b', [0.8, 0.3, 1.2], box, [1, 0, 0.2, 0]),
    ],
    terms: [
      {
        kind: 'springNetwork',
        points: [
          { body: 'child', at: [0.1, 0.2, 0.1] },
          { body: 'b', at: [0, 0.1, 0.1] },
          { body: 'a', at: [0, -0.3, 0] },
          { body: 'world', at: [0, 0, 2] },
        ],
        springs: [
          { between: [0, 1], stiffness: 500, restLength: 0.3, damping: 3 },
          { between: [0, 2], stiffness: 300, restLength: 0 },
          { between: [0, 3], stiffness: 200, restLength: 0.5 },
        ],
      },
      {
        kind: 'magnet',
        points: [{ body: 'child' }, { body: 'b' }],
        pairs: [[0, 1]],
        strength: 0.5,
        softening: 0.3,
        weight: 2,
      },
    ],
  },
  'a box over a plane': {
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [free('a', [0, 0, 0.097], box, [1, 0.02, -0.03, 0.1])],
  },
  'a box over a plane, anisotropic friction': {
    options: {
      timestep: H,
      ipc: { barrierDistance: 0.02 },
      contactOverride: { friction: [0.9, 0.2, 0, 0, 0] },
    },
    shapes: [{ kind: 'plane' }],
    bodies: [free('a', [0, 0, 0.097], box, [1, 0.02, -0.03, 0.1])],
  },
  'a corner over a face': {
    bodies: [free('a', [0, 0, 0], box, [1, 0, 0, 0]), free('b', [0.02, 0.03, 0.2535], box, [0.85, 0.35, 0.35, 0.1])],
  },
  'crossed edges': {
    bodies: [
      free('a', [0, 0, 0], box, [0.924, 0.383, 0, 0]),
      free('b', [0.02, 0.03, 0.277], box, [0.924, 0, 0.383, 0.02]),
    ],
  },
  'nearly parallel edges': {
    bodies: [
      free('a', [0, 0, 0], box, [0.924, 0.383, 0, 0]),
      free('b', [0.05, 0.0566, 0.29], box, [0.924, 0.383, 0.004, 0.003]),
    ],
  },
  'a capsule over a box, a ball over both': {
    bodies: [
      free('a', [0, 0, 0], box, [1, 0.01, 0, 0]),
      free('b', [0, 0, 0.138], { kind: 'capsule', radius: 0.05, halfLength: 0.07 }, [0.72, 0.02, 0.7, 0]),
      free('c', [0.02, 0.01, 0.245], { kind: 'sphere', radius: 0.05 }, [1, 0, 0, 0]),
    ],
  },
};

describe('derivatives of the objective', () => {
  for (const [name, parts] of Object.entries(cases)) {
    test(`${name}: gradient`, () => {
      const objective = prepare(parts);
      if (!/flight|terms/.test(name)) expect(objective.contacts.count).toBeGreaterThan(0);
      checkGradient(objective);
    });
    test(`${name}: Hessian`, () => checkHessian(prepare(parts)));
  }

  // balls may turn by any angle and touch as before
  const ball: Shape = { kind: 'sphere', radius: 0.05, friction: 0.8 };
  const balls: Partial<Scene> = {
    shapes: [{ kind: 'plane', friction: 0.8 }],
    bodies: [free('a', [0, 0, 0.06], ball, tilt), free('b', [0.06, 0.02, 0.15], ball, [1, 0, 0, 0])],
  };
  const turns: Vec3[] = [
    [0.03, 0.02, -0.05],
    [0.8, -0.5, 0.9],
    [-1.1, 0.3, 0.4],
  ];
  for (const turn of turns) {
    test(`balls turned by ${turn.join(', ')} rad: gradient and Hessian`, () => {
      const objective = prepare(balls, false, turn);
      expect(objective.rigidFriction.count).toBeGreaterThan(1);
      checkGradient(objective);
      checkHessian(objective);
    });
  }

  const link = (joints: Body['joints'], bodies: Body[] = []): Body => ({
    position: [0.3, 0, 0.1],
    joints: joints!,
    shapes: [{ ...box, collisionGroups: 0, collisionMask: 0 }],
    bodies,
  });
  const chain = (reach: number, frictionLoss: number): Partial<Scene> => ({
    bodies: [
      link(
        [{ kind: 'hinge', axis: [0, 1, 0.2], damping: 0.3, armature: 0.1, frictionLoss }],
        [
          link(
            [{ kind: 'ball', damping: 0.1 }],
            [link([{ kind: 'slide', axis: [1, 0, 0.3], limit: { range: [-reach, 1] } }])],
          ),
        ],
      ),
    ],
  });

  test('joints of every kind: gradient', () => checkGradient(prepare(chain(0.001, 0.2))));

  test('a ball with spring, damper, armature and dry friction that turns far: gradient', () => {
    const ball: Body['joints'] = [{ kind: 'ball', stiffness: 30, damping: 0.4, armature: 0.1, frictionLoss: 2 }];
    checkGradient(prepare({ bodies: [link(ball, [link(ball)])] }, false, [0.3, -0.2, 0.4]));
  });

  test('joints of every kind: Hessian where they are met', () => checkHessian(prepare(chain(0.5, 0), true)));

  // armature and dry friction keep to Gauss-Newton, and so do limits and springs of more than one joint, and of hinges across their axis
  const plain = (joints: Body['joints'], equalities: Scene['equalities'] = []): Partial<Scene> => ({
    bodies: [{ ...link([{ kind: 'hinge', axis: [0, 1, 0.2] }], [link(joints)]), name: 'first' }],
    equalities,
  });
  const LOADED: Record<string, Partial<Scene>> = {
    hinge: plain([{ kind: 'hinge', axis: [0.2, 0.1, 1], anchor: [0.1, 0, 0.2] }]),
    ball: plain([{ kind: 'ball', anchor: [0.1, 0, 0.2] }]),
    slide: plain([{ kind: 'slide', axis: [0.2, 0.1, 1] }]),
    'slide with a spring': plain([{ kind: 'slide', axis: [0.2, 0.1, 1], stiffness: 4e4, damping: 20 }]),
    'slide at its limit': plain([{ kind: 'slide', axis: [0.2, 0.1, 1], limit: { range: [-0.5, -0.2] } }]),
    'hinge, slide': plain([
      { kind: 'hinge', axis: [0, 1, 0] },
      { kind: 'slide', axis: [1, 0.2, 0.1] },
    ]),
    'hinge, hinge': plain([
      { kind: 'hinge', axis: [0, 1, 0] },
      { kind: 'hinge', axis: [1, 0.2, 0], anchor: [0.1, 0.1, 0] },
    ]),
    'parallel hinges': plain([
      { kind: 'hinge', axis: [0, 1, 0] },
      { kind: 'hinge', axis: [0, 1, 0], anchor: [0.1, 0.1, 0.2] },
    ]),
    connect: {
      bodies: [free('a', [0, 0, 0], box, tilt), free('b', [0.02, 0.03, 0.4], box, [1, 0, 0, 0])],
      equalities: [{ kind: 'connect', body1: 'a', body2: 'b', anchor: [0.03, 0.02, 0.2] }],
    },
    weld: {
      bodies: [free('a', [0, 0, 0], box, tilt), free('b', [0.02, 0.03, 1], box, [1, 0, 0, 0])],
      equalities: [
        { kind: 'weld', body1: 'a', body2: 'b', anchor: [0.1, 0.2, 0.3] },
        { kind: 'weld', body1: 'b', torqueScale: 0.5 },
      ],
    },
  };
  for (const [name, parts] of Object.entries(LOADED)) {
    test(`${name} under load: gradient and Hessian`, () => {
      const objective = prepare(parts, false, [0.02, -0.01, 0.03]);
      // the first assemblies of a minimisation are Gauss-Newton
      for (let n = 0; n < 6; n++) gradientAt(objective);
      checkGradient(objective);
      checkHessian(objective);
    });
  }
});

// a Newton step of a Hessian that is almost singular: 500 m, 30 turns
test('a search begins no farther away than bodies are wide, and goes on in the same direction', () => {
  const shape: Shape = { kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 1 };
  const objective = prepare({ bodies: [{ joints: [{ kind: 'free' }], shapes: [shape] }] }, true);
  const { frames } = objective;
  const line = new DescentLine(objective);
  line.begin();
  const wild = [500, 0, 100, 0, 190, 3];
  frames.step.set(wild);
  const part = line.maxStep();
  expect(part).toBeCloseTo(
    Math.min((2 * Math.hypot(0.1, 0.1, 0.1)) / Math.hypot(500, 100), 1 / Math.hypot(190, 3)),
    12,
  );
  line.evaluate(part);
  expect(frames.trial.position[0]! - frames.current.position[0]!).toBeCloseTo(500 * part, 12);
  // and a step of a body at rest that is no farther is taken whole
  frames.step.set([0.2, 0, 0, 0, 0.5, 0]);
  expect(line.maxStep()).toBe(1);
});
