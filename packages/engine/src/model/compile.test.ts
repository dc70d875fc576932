import load, { type MjModel } from '@mujoco/mujoco';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scene } from '../scene/scene.ts';
import { compileModel } from './compile.ts';
import type { Model } from './model.ts';

// the same mechanisms written by hand as a Scene and as MJCF; MuJoCo 3.14 is the oracle

let parse: (xml: string) => MjModel;

beforeAll(async () => {
  const mujoco = await load();
  parse = (xml) => {
    const model = mujoco.MjModel.from_xml_string(xml);
    if (!model) throw new Error('the oracle refused the model');
    return model;
  };
});

const scene = (parts: Partial<Scene>): Scene => ({ format: 'nexdyn-scene', version: 1, ...parts });

/** Numbers agree to round-off relative to their largest. */
function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, label: string, tolerance = 1e-13): void {
  expect(actual.length, `${label}: length`).toBe(expected.length);
  let scale = 1e-300;
  for (let i = 0; i < expected.length; i++) scale = Math.max(scale, Math.abs(expected[i]));
  for (let i = 0; i < expected.length; i++) {
    expect(
      Math.abs(actual[i] - expected[i]) / scale,
      `${label}[${i}]: ${actual[i]} for ${expected[i]}`,
    ).toBeLessThanOrEqual(tolerance);
  }
}

/** Everything about the tree that both sides number alike. */
function expectSameTree(model: Model, oracle: MjModel): void {
  const { body, joint, dof } = model;
  expect(model.size.body).toBe(oracle.nbody);
  expect(model.size.joint).toBe(oracle.njnt);
  expect(model.size.position).toBe(oracle.nq);
  expect(model.size.velocity).toBe(oracle.nv);
  expect(model.size.shape).toBe(oracle.ngeom);
  expectClose(body.parent, oracle.body_parentid, 'parent', 0);
  expectClose(body.root, oracle.body_rootid, 'root', 0);
  expectClose(body.weld, oracle.body_weldid, 'weld', 0);
  expectClose(body.mocap, oracle.body_mocapid, 'mocap', 0);
  expectClose(body.jointCount, oracle.body_jntnum, 'jointCount', 0);
  expectClose(body.dofCount, oracle.body_dofnum, 'dofCount', 0);
  expectClose(body.shapeCount, oracle.body_geomnum, 'shapeCount', 0);
  expectClose(body.position, oracle.body_pos, 'position');
  expectClose(body.orientation, oracle.body_quat, 'orientation');
  expectClose(body.subtreeMass, oracle.body_subtreemass, 'subtreeMass');
  expectClose(body.gravityCompensation, oracle.body_gravcomp, 'gravityCompensation', 0);
  expectClose(joint.kind, oracle.jnt_type, 'joint kind', 0);
  expectClose(joint.body, oracle.jnt_bodyid, 'joint body', 0);
  expectClose(joint.positionStart, oracle.jnt_qposadr, 'positionStart', 0);
  expectClose(joint.dofStart, oracle.jnt_dofadr, 'dofStart', 0);
  expectClose(joint.anchor, oracle.jnt_pos, 'anchor');
  expectClose(joint.axis, oracle.jnt_axis, 'axis');
  expectClose(joint.range, oracle.jnt_range, 'range');
  expectClose(joint.margin, oracle.jnt_margin, 'margin');
  expectClose(joint.stiffness, oracle.jnt_stiffness, 'stiffness');
  expectClose(joint.solref, oracle.jnt_solref, 'solref', 0);
  expectClose(joint.solimp, oracle.jnt_solimp, 'solimp', 0);
  expectClose(joint.actuatorForceRange, oracle.jnt_actfrcrange, 'actuatorForceRange', 0);
  expectClose(dof.body, oracle.dof_bodyid, 'dof body', 0);
  expectClose(dof.joint, oracle.dof_jntid, 'dof joint', 0);
  expectClose(dof.parent, oracle.dof_parentid, 'dof parent', 0);
  expectClose(dof.damping, oracle.dof_damping, 'damping');
  expectClose(dof.armature, oracle.dof_armature, 'armature');
  expectClose(dof.frictionLoss, oracle.dof_frictionloss, 'frictionLoss');
  expectClose(dof.solref, oracle.dof_solref, 'dof solref', 0);
  expectClose(dof.solimp, oracle.dof_solimp, 'dof solimp', 0);
  expectClose(model.initialPosition, oracle.qpos0, 'initialPosition');
  expectClose(model.springPosition, oracle.qpos_spring, 'springPosition');
  expect(model.massMatrix.column.length).toBe(oracle.nC);
  expectClose(body.mass, oracle.body_mass, 'mass');
  expectClose(body.inertiaCenter, oracle.body_ipos, 'inertiaCenter');
  expectClose(body.inertiaMoments, oracle.body_inertia, 'inertiaMoments');
}

describe('trees', () => {
  test('chains, branches, welded bodies, several joints per body', () => {
    const model = compileModel(
      scene({
        shapes: [{ kind: 'plane' }],
        bodies: [
          {
            name: 'base',
            position: [0.1, 0.2, 1],
            orientation: [2, 0.2, 0, 1],
            joints: [{ kind: 'free', name: 'root' }],
            shapes: [{ kind: 'box', halfSize: [0.1, 0.2, 0.3] }],
            bodies: [
              {
                name: 'bracket',
                position: [0, 0, 0.3],
                shapes: [{ kind: 'sphere', radius: 0.05 }],
                bodies: [
                  {
                    name: 'arm',
                    position: [0.2, 0, 0],
                    gravityCompensation: 0.5,
                    joints: [
                      {
                        kind: 'hinge',
                        axis: [1, 2, 0],
                        anchor: [0.01, 0, 0],
                        reference: 0.3,
                        springReference: 0.1,
                        stiffness: 4,
                        damping: 0.2,
                        armature: 0.01,
                        frictionLoss: 0.3,
                        limit: { range: [-1, 2], margin: 0.01 },
                        mujoco: { solrefLimit: [0.03, 0.9], solimpFriction: [0.8, 0.9, 0.01, 0.4, 3] },
                      },
                      { kind: 'slide', axis: [0, 0, -2], reference: 0.1, actuatorForceRange: [-3, 4] },
                    ],
                    shapes: [{ kind: 'capsule', radius: 0.03, halfLength: 0.2, position: [0, 0, 0.2] }],
                  },
                ],
              },
              { joints: [{ kind: 'ball' }], shapes: [{ kind: 'ellipsoid', radii: [0.1, 0.05, 0.02] }] },
            ],
          },
          { mocap: true, position: [1, 0, 0], shapes: [{ kind: 'sphere', radius: 0.1 }], bodies: [{}] },
          { bodies: [{ joints: [{ kind: 'slide' }], shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }] }] },
        ],
      }),
    );
    const oracle = parse(`<mujoco><compiler angle="radian"/><worldbody><geom type="plane" size="0 0 1"/>
      <body pos=".1 .2 1" quat="2 .2 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/>
        <body pos="0 0 .3"><geom size=".05"/>
          <body pos=".2 0 0" gravcomp=".5">
            <joint axis="1 2 0" pos=".01 0 0" ref=".3" springref=".1" stiffness="4" damping=".2" armature=".01" frictionloss=".3"
              limited="true" range="-1 2" margin=".01" solreflimit=".03 .9" solimpfriction=".8 .9 .01 .4 3"/>
            <joint type="slide" axis="0 0 -2" ref=".1" actuatorfrclimited="true" actuatorfrcrange="-3 4"/>
            <geom type="capsule" size=".03 .2" pos="0 0 .2"/></body></body>
        <body><joint type="ball"/><geom type="ellipsoid" size=".1 .05 .02"/></body></body>
      <body mocap="true" pos="1 0 0"><geom size=".1"/><body/></body>
      <body><body><joint type="slide"/><geom size=".1" mass="2"/></body></body></worldbody></mujoco>`);
    expectSameTree(model, oracle);
  });
});
