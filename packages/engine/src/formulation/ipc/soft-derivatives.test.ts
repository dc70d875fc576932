/** ∇E and ∇²E of whole steps with soft bodies against central differences: every kind of contact, attachments, crushed volumes. */
import '../../compliance.ts';
import { describe, expect, test } from 'vitest';
import { computeFreeMotion } from '../../dynamics/free-motion.ts';
import { updateKinematics } from '../../dynamics/kinematics.ts';
import { createWorkspace } from '../../dynamics/workspace.ts';
import { Arena } from '../../kernels/arena.ts';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import type { Quaternion, Vec3 } from '../../scene/pose.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import type { SoftBody } from '../../scene/soft-body.ts';
import { ElasticBodies } from '../../soft/elastic-bodies.ts';
import { createState } from '../../state/state.ts';
import { createSceneTerms } from '../../term/term-registry.ts';
import { IpcObjective } from './ipc-objective.ts';

const H = 0.01;
const RANGE = 0.02;
/** kg/m³. */
const HEAVY = 1e5;

/** The objective of a step some way on from its start; `squash` scales the heights of soft vertices about the lowest. */
function prepare(parts: Partial<Scene>, squash = 1): IpcObjective {
  const options = { timestep: H, ipc: { barrierDistance: RANGE } };
  const scene: Scene = { format: 'nexdyn-scene', version: 1, options, ...parts };
  const model = compileModel(scene, { formulation: 'ipc' });
  const arena = new Arena();
  const state = createState(model, arena);
  const objective = new IpcObjective(model, arena, new ElasticBodies(model, state, arena));
  const work = createWorkspace(model, arena, state.all.length);
  state.softPosition.set(model.soft.rest);
  state.softHeld.set(model.soft.isHeld);
  for (let i = 0; i < state.velocity.length; i++) state.velocity[i] = 0.3 * Math.sin(3 * i + 1);
  for (let i = 0; i < state.softVelocity.length; i++) state.softVelocity[i] = 0.1 * Math.sin(5 * i + 2);
  for (let i = 2; i < state.softPosition.length; i += 3) state.softPosition[i]! *= squash;
  updateKinematics(model, state, work);
  computeFreeMotion(model, state, work, H);
  const { frames, surfaces, candidates, barrier, joints, inertia } = objective;
  frames.begin(state, work);
  objective.scale = H * H;
  inertia.begin(state, work, frames, H);
  objective.beginSoft(state, work, H);
  barrier.stiffness = 500;
  surfaces.place(frames.current);
  candidates.cover();
  objective.place(frames.current);
  objective.beginFriction(H * 0.1, H);
  joints.begin(state, frames, H);
  for (const term of createSceneTerms(model, model.terms)) work.terms.add(term);
  objective.added.begin(state, work, H);
  // on from the start: friction has a third derivative that jumps where nothing slides
  for (let g = 0; g < frames.moving; g++)
    for (let k = 0; k < 6; k++) frames.step[6 * g + k] = 2e-4 * Math.cos(4 * g + k);
  for (let v = 0; v < frames.isFree.length; v++) {
    if (frames.isFree[v] === 0) continue;
    for (let k = 0; k < 3; k++) frames.step[6 * (frames.firstSoft + v) + k] = 2e-4 * squash * Math.cos(2 * v + 3 * k);
  }
  frames.writePaths();
  frames.move(1);
  frames.accept();
  return objective;
}

/** Place in `frames.step` of every unknown, in the order of the gradient. */
function listUnknowns({ frames }: IpcObjective): number[] {
  const places = Array.from({ length: 6 * frames.moving }, (_, i) => i);
  for (let v = 0; v < frames.isFree.length; v++) {
    for (let k = 0; k < 3; k++) places.push(6 * (frames.firstSoft + v) + k);
  }
  for (let i = 6 * (frames.moving + 1); i < 6 * frames.firstSoft; i++) places.push(i);
  return places;
}

function evaluateAlong(objective: IpcObjective, places: readonly number[], direction: Float64Array, s: number): number {
  const { frames } = objective;
  frames.step.fill(0);
  places.forEach((place, i) => {
    frames.step[place] = s * direction[i]!;
  });
  frames.writePaths();
  frames.move(1);
  return objective.evaluate(frames.trial);
}

function checkGradient(objective: IpcObjective): void {
  const { frames, matrix } = objective;
  const places = listUnknowns(objective);
  const direction = new Float64Array(places.length);
  evaluateAlong(objective, places, direction, 0);
  objective.assemble(frames.trial, false);
  const gradient = matrix.gradient.slice();
  const scale = Math.max(...gradient.map(Math.abs));
  const e = 1e-6;
  places.forEach((place, i) => {
    const isFixed = matrix.blockOf(Math.floor(place / 6)) < 0;
    if (isFixed) {
      expect(gradient[i]).toBe(0);
      return;
    }
    direction.fill(0);
    direction[i] = 1;
    const difference = evaluateAlong(objective, places, direction, e) - evaluateAlong(objective, places, direction, -e);
    expect(Math.abs(difference / (2 * e) - gradient[i]!)).toBeLessThan(1e-6 * scale + 1e-10);
  });
}

/** Along p with H p = −b the derivative of ∇E·p is −b·p, for any b. */
function checkHessian(objective: IpcObjective): void {
  const { frames, matrix } = objective;
  const places = listUnknowns(objective);
  const step = new Float64Array(6 * frames.count);
  const slopeAt = (direction: Float64Array, s: number): number => {
    evaluateAlong(objective, places, direction, s);
    objective.assemble(frames.trial, false);
    return matrix.gradient.reduce((sum, value, i) => sum + value * direction[i]!, 0);
  };
  for (let n = 0; n < 6; n++) {
    const direction = new Float64Array(places.length);
    slopeAt(direction, 0);
    for (let i = 0; i < matrix.gradient.length; i++) matrix.gradient[i] = Math.sin(7 * i + 3 * n + 1);
    // rows of vertices that are no unknowns stay out
    frames.isFree.forEach((isFree, v) => {
      if (isFree === 0) matrix.gradient.fill(0, 6 * frames.moving + 3 * v, 6 * frames.moving + 3 * v + 3);
    });
    expect(matrix.solve(step)).toBe(true);
    places.forEach((place, i) => {
      direction[i] = step[place]!;
    });
    const curvature = matrix.gradient.reduce((sum, value, i) => sum - value * direction[i]!, 0);
    // only directions in which no body turns are straight lines: there the derivative of the slope is the second derivative
    for (let g = 0; g < frames.moving; g++) if (Math.hypot(...direction.subarray(6 * g + 3, 6 * g + 6)) > 0) return;
    const e = 1e-6 / Math.max(...direction.map(Math.abs));
    const measured = (slopeAt(direction, e) - slopeAt(direction, -e)) / (2 * e);
    expect(Math.abs(measured - curvature)).toBeLessThan(1e-5 * Math.abs(curvature));
  }
}

/** The same by second differences of E, which hold where bodies turn. */
function checkCurvature(objective: IpcObjective): void {
  const { frames, matrix } = objective;
  const places = listUnknowns(objective);
  const step = new Float64Array(6 * frames.count);
  for (let n = 0; n < 6; n++) {
    const direction = new Float64Array(places.length);
    const middle = evaluateAlong(objective, places, direction, 0);
    objective.assemble(frames.trial, false);
    for (let i = 0; i < matrix.gradient.length; i++) matrix.gradient[i] = Math.sin(7 * i + 3 * n + 1);
    frames.isFree.forEach((isFree, v) => {
      if (isFree === 0) matrix.gradient.fill(0, 6 * frames.moving + 3 * v, 6 * frames.moving + 3 * v + 3);
    });
    expect(matrix.solve(step)).toBe(true);
    places.forEach((place, i) => {
      direction[i] = step[place]!;
    });
    const curvature = matrix.gradient.reduce((sum, value, i) => sum - value * direction[i]!, 0);
    const e = 2e-5 / Math.max(...direction.map(Math.abs));
    const ends = evaluateAlong(objective, places, direction, e) + evaluateAlong(objective, places, direction, -e);
    expect(Math.abs((ends - 2 * middle) / (e * e) - curvature)).toBeLessThan(1e-3 * curvature);
  }
}

const free = (name: string, position: Vec3, shape: Shape, orientation: Quaternion = [1, 0, 0, 0]): Body => ({
  name,
  position,
  orientation,
  joints: [{ kind: 'free' }],
  shapes: [shape],
});
const block = (position: Vec3, more: Partial<SoftBody> = {}): SoftBody => ({
  mesh: { kind: 'box', halfSize: [0.1, 0.12, 0.08], cells: [2, 2, 1] },
  position,
  elasticity: { model: 'neoHookean', youngsModulus: 1e5, poissonRatio: 0.4, stiffnessDamping: 1e-3, massDamping: 2 },
  ...more,
});
const box: Shape = { kind: 'box', halfSize: [0.1, 0.12, 0.08], density: 800, friction: 0.5 };

/** A strip bent to a C: its ends are near each other. */
function buildHorseshoe(): SoftBody {
  const count = 14;
  const vertices: number[] = [];
  const tetrahedra: number[] = [];
  for (let i = 0; i <= count; i++) {
    const angle = 0.06 + (i / count) * (2 * Math.PI - 0.12);
    for (const [r, z] of [
      [0.1, -0.03],
      [0.14, -0.03],
      [0.14, 0.03],
      [0.1, 0.03],
    ] as const)
      vertices.push(r * Math.cos(angle), r * Math.sin(angle), z);
    if (i === count) break;
    const [a, b, c, d] = [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3];
    const [e, f, g, h] = [a + 4, b + 4, c + 4, d + 4];
    tetrahedra.push(a, b, c, g, a, c, d, g, a, d, h, g, a, h, e, g, a, e, f, g, a, f, b, g);
  }
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const p = tetrahedra.slice(t, t + 4).map((v) => vertices.slice(3 * v, 3 * v + 3)) as [
      number[],
      number[],
      number[],
      number[],
    ];
    const [u, v, w] = [1, 2, 3].map((k) => p[k]!.map((x, c) => x - p[0][c]!)) as [number[], number[], number[]];
    const volume =
      u[0]! * (v[1]! * w[2]! - v[2]! * w[1]!) +
      u[1]! * (v[2]! * w[0]! - v[0]! * w[2]!) +
      u[2]! * (v[0]! * w[1]! - v[1]! * w[0]!);
    if (volume < 0) [tetrahedra[t], tetrahedra[t + 1]] = [tetrahedra[t + 1]!, tetrahedra[t]!];
  }
  return {
    mesh: { kind: 'tetrahedra', vertices, tetrahedra },
    elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
    selfContact: true,
  };
}

const cases: Record<string, [Partial<Scene>, number?]> = {
  'a soft block in flight': [{ softBodies: [block([0, 0, 1])] }],
  'a soft block over a plane': [{ shapes: [{ kind: 'plane', friction: 0.5 }], softBodies: [block([0, 0, 0.095])] }],
  'a soft block over a plane, anisotropic friction': [
    {
      options: { timestep: H, ipc: { barrierDistance: RANGE }, contactOverride: { friction: [0.2, 0.9, 0, 0, 0] } },
      shapes: [{ kind: 'plane' }],
      softBodies: [block([0, 0, 0.095])],
    },
  ],
  'a corner of a rigid box over a soft face': [
    { softBodies: [block([0, 0, 0])], bodies: [free('b', [0.02, 0.03, 0.2535], box, [0.85, 0.35, 0.35, 0.1])] },
  ],
  'a soft corner over a rigid face': [
    {
      softBodies: [block([0.02, 0.03, 0.2535], { orientation: [0.85, 0.35, 0.35, 0.1] })],
      bodies: [free('b', [0, 0, 0], box)],
    },
  ],
  'crossed soft edges': [
    {
      softBodies: [
        block([0, 0, 0], { orientation: [0.924, 0.383, 0, 0] }),
        block([0.02, 0.03, 0.277], { orientation: [0.924, 0, 0.383, 0.02] }),
      ],
    },
  ],
  'nearly parallel edges, one of them soft': [
    {
      softBodies: [block([0, 0, 0], { orientation: [0.924, 0.383, 0, 0] })],
      bodies: [free('b', [0.05, 0.0566, 0.29], box, [0.924, 0.383, 0.004, 0.003])],
    },
  ],
  'a ball and a capsule over a soft block': [
    {
      softBodies: [block([0, 0, 0])],
      bodies: [
        free('b', [0.08, 0, 0.138], { kind: 'capsule', radius: 0.05, halfLength: 0.03 }, [0.72, 0.02, 0.7, 0]),
        free('c', [-0.07, 0.01, 0.145], { kind: 'sphere', radius: 0.05 }),
      ],
    },
  ],
  'a soft block attached to a rigid one, over a plane': [
    {
      shapes: [{ kind: 'plane', friction: 0.5 }],
      softBodies: [block([0, 0, 0.095], { attachments: [{ body: 'b', vertices: [9, 10, 11, 12] }], pinned: [3] })],
      bodies: [free('b', [0, 0, 0.3], box)],
    },
  ],
  'terms on vertices, free and attached, and on a body': [
    {
      softBodies: [
        block([0, 0, 0.5], { name: 'soft', attachments: [{ body: 'b', vertices: [9, 10, 11, 12] }], pinned: [3] }),
      ],
      bodies: [free('b', [0, 0, 1], box)],
      terms: [
        {
          kind: 'springNetwork',
          points: [
            { softBody: 'soft', vertex: 0 },
            { softBody: 'soft', vertex: 9 },
            { body: 'b', at: [0.1, 0, 0] },
            { softBody: 'soft', vertex: 3 },
          ],
          springs: [
            { between: [0, 1], stiffness: 50, restLength: 0.1 },
            { between: [0, 2], stiffness: 40, restLength: 0 },
            { between: [1, 3], stiffness: 30, restLength: 0.05, damping: 1 },
          ],
        },
      ],
    },
  ],
  'a horseshoe that touches itself': [{ softBodies: [buildHorseshoe()] }],
  // heavy, so that the Hessian has a factor
  'a block crushed to a twentieth of its height': [
    {
      softBodies: [block([0, 0, 0.081], { elasticity: { youngsModulus: 1e5, poissonRatio: 0.4, density: HEAVY } })],
    },
    0.05,
  ],
};

describe('derivatives of the objective with soft bodies', () => {
  test('a mocap body and driven vertices that are pulled: gradient', () => {
    const objective = prepare({
      bodies: [{ name: 'm', mocap: true, position: [0, 0, 0.177], shapes: [box] }],
      softBodies: [
        block([0, 0, 0], {
          driven: [{ vertices: [0, 4, 7], times: [0, H], displacements: [0, 0, 0, 0.01, 0.02, -0.01] }],
        }),
      ],
    });
    expect(objective.contacts.count).toBeGreaterThan(0);
    const { target } = objective.frames;
    target[1]! += 0.01;
    target.set([Math.cos(0.05), Math.sin(0.05), 0, 0], 3);
    // from near, where the pull is a spring, to far, where its force is bounded
    for (const pressure of [1e6, 1, 1e-3]) {
      objective.prescribed.begin(0.01, pressure);
      objective.setPulled(true);
      checkGradient(objective);
    }
  });

  for (const [name, [parts, squash]] of Object.entries(cases)) {
    test(`${name}: gradient`, () => {
      const objective = prepare(parts, squash);
      if (/over|edge|touch/.test(name)) expect(objective.contacts.count).toBeGreaterThan(0);
      checkGradient(objective);
    });
    test(`${name}: Hessian`, () => {
      if (parts.bodies) checkCurvature(prepare(parts, squash));
      else checkHessian(prepare(parts, squash));
    });
  }
});
