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
import { IpcObjective } from './ipc-objective.ts';

const H = 0.01;

function prepare(parts: Partial<Scene>): IpcObjective {
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
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = Math.sin(3 * i + 1);
  updateKinematics(model, state, work);
  computeFreeMotion(model, state, work, H);
  const { frames, surfaces, candidates, barrier } = objective;
  frames.begin(state, work, true);
  objective.scale = H * H;
  objective.inertia.begin(state, work, frames, H);
  barrier.stiffness = 500;
  surfaces.place(frames.current);
  candidates.cover();
  objective.place(frames.current);
  objective.beginFriction(H * 0.1);
  objective.joints.begin(state, frames, H);
  // on from the start: friction has a third derivative that jumps where nothing slides
  frames.step[0] = 3e-4;
  frames.step[1] = 2e-4;
  frames.step[5] = 1e-3;
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

/** Along p with H p = −b the second derivative of E is −b·p, for any b. */
function checkHessian(objective: IpcObjective): void {
  const { frames, matrix } = objective;
  const direction = new Float64Array(6 * frames.count);
  const along = (s: number): number => {
    for (let i = 0; i < direction.length; i++) frames.step[i] = s * direction[i];
    frames.writePaths();
    frames.move(1);
    return objective.evaluate(frames.trial);
  };
  for (let n = 0; n < 8; n++) {
    const middle = along(0);
    objective.assemble(frames.trial, false);
    for (let i = 0; i < matrix.gradient.length; i++) matrix.gradient[i] = Math.sin(7 * i + 3 * n + 1);
    expect(matrix.solve(direction)).toBe(true);
    let bend = 0;
    for (let i = 0; i < matrix.gradient.length; i++) bend -= matrix.gradient[i] * direction[i];
    const e = 2e-5 / Math.max(...direction.map(Math.abs));
    const measured = (along(e) - 2 * middle + along(-e)) / (e * e);
    expect(Math.abs(measured - bend)).toBeLessThan(1e-4 * bend);
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
  'a box over a plane': {
    shapes: [{ kind: 'plane', friction: 0.5 }],
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
      if (name !== 'free flight') expect(objective.contacts.count).toBeGreaterThan(0);
      checkGradient(objective);
    });
    test(`${name}: Hessian`, () => checkHessian(prepare(parts)));
  }

  test('joints of every kind: gradient', () => {
    const link = (joints: Body['joints'], bodies: Body[] = []): Body => ({
      position: [0.3, 0, 0.1],
      joints: joints!,
      shapes: [{ ...box, collisionGroups: 0, collisionMask: 0 }],
      bodies,
    });
    checkGradient(
      prepare({
        bodies: [
          link(
            [{ kind: 'hinge', axis: [0, 1, 0.2], damping: 0.3, armature: 0.1, frictionLoss: 0.2 }],
            [
              link(
                [{ kind: 'ball', damping: 0.1 }],
                [link([{ kind: 'slide', axis: [1, 0, 0.3], limit: { range: [-0.001, 1] } }])],
              ),
            ],
          ),
        ],
      }),
    );
  });
});
