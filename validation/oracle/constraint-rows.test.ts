/**
 * Rows of equalities, dry friction and limits against MuJoCo's: Jacobian, distance, margin and reference acceleration, at
 * random states of small mechanisms that hold one of everything, and at the stored states of reference trajectories.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, type Model, Simulation } from '@nexdyn/engine';
import { Arena } from '@nexdyn/engine/solvers';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { writeEquality } from '../../packages/engine/src/joint/equality.ts';
import { writeDofFriction, writeTendonFriction } from '../../packages/engine/src/joint/friction-loss.ts';
import { createJointWorkspace, type JointWorkspace } from '../../packages/engine/src/joint/joint-workspace.ts';
import { writeJointLimits, writeTendonLimits } from '../../packages/engine/src/joint/limit.ts';
import { createResidual } from '../../packages/engine/src/joint/residual.ts';
import { BlockRows } from '../../packages/engine/src/linear-algebra/block-rows.ts';
import { createRandom, relativeError } from './comparison.ts';
import { copy, loadOracle, type Oracle } from './mujoco-oracle.ts';
import { folderFiles, hasReference, REFERENCE } from './shared-data.ts';

/** What MuJoCo lists per row. */
interface RowTable {
  J: Float64Array;
  pos: Float64Array;
  margin: Float64Array;
  frictionloss: Float64Array;
  /** J̇ v where the reference acceleration takes it off, else 0. */
  rate: Float64Array;
  /** The largest acceleration, m/s² or rad/s². */
  scale: number;
}

class RowCollector {
  readonly rows = new BlockRows(new Arena());
  readonly joints: JointWorkspace;
  readonly pos: number[] = [];
  readonly margin: number[] = [];
  readonly frictionloss: number[] = [];
  readonly rate: number[] = [];

  constructor(model: Model) {
    this.joints = createJointWorkspace(model, new Arena());
  }

  push(pos: number, margin: number, loss: number, rate: number): void {
    this.pos.push(pos);
    this.margin.push(margin);
    this.frictionloss.push(loss);
    this.rate.push(rate);
  }
}

/** All rows in the order of MuJoCo, contacts aside. */
function collectRows({ model, state, derived: work }: Simulation): RowTable {
  const collector = new RowCollector(model);
  const { rows, joints } = collector;
  const residual = createResidual();
  for (let e = 0; e < model.size.equality; e++) {
    if (state.equalityActive[e] === 0) continue;
    if (writeEquality(rows, model, state, work, joints, e, residual) < 0) continue;
    const isPair = model.equality.kind[e] <= 1;
    for (let k = 0; k < residual.dimension; k++) collector.push(residual.value[k], 0, 0, isPair ? residual.rate[k] : 0);
  }
  const friction = { add: (_block: number, loss: number) => collector.push(0, 0, loss, 0) };
  writeDofFriction(rows, model, work, friction);
  writeTendonFriction(rows, model, work, joints, friction);
  const limit = {
    add: (_block: number, distance: number, margin: number) => collector.push(distance, margin, 0, 0),
  };
  writeJointLimits(rows, model, state, joints, undefined, limit);
  writeTendonLimits(rows, model, work, joints, undefined, limit);

  const nv = model.size.velocity;
  const J = new Float64Array(rows.rowCount * nv);
  for (let b = 0; b < rows.blockCount; b++) {
    const n = rows.columnCount[b];
    for (let r = rows.rowStart[b], v = rows.valueStart[b]; r < rows.rowStart[b + 1]; r++, v += n)
      for (let i = 0; i < n; i++) J[r * nv + rows.column[rows.columnStart[b] + i]] = rows.value[v + i];
  }
  return {
    J,
    pos: Float64Array.from(collector.pos),
    margin: Float64Array.from(collector.margin),
    frictionloss: Float64Array.from(collector.frictionloss),
    rate: Float64Array.from(collector.rate),
    scale: 1,
  };
}

interface EfcRows {
  /** 0 or its name in stored files: an equality. */
  type: ArrayLike<number | string>;
  pos: ArrayLike<number>;
  margin: ArrayLike<number>;
  vel: ArrayLike<number>;
  aref: ArrayLike<number>;
  KBIP: ArrayLike<number>;
  frictionloss: ArrayLike<number>;
  J: ArrayLike<number>;
}

/** Rows of the oracle with the rate solved for: aref = −B J v − K d r − J̇ v. */
function readOracle(efc: EfcRows): RowTable {
  const rate = Float64Array.from(efc.pos, (pos, r) => {
    const [k, b, d] = [0, 1, 2].map((i) => efc.KBIP[4 * r + i]);
    return efc.type[r] === 0 || efc.type[r] === 'equality'
      ? -efc.aref[r] - b * efc.vel[r] - k * d * (pos - efc.margin[r])
      : 0;
  });
  return {
    J: Float64Array.from(efc.J),
    pos: Float64Array.from(efc.pos),
    margin: Float64Array.from(efc.margin),
    frictionloss: Float64Array.from(efc.frictionloss),
    rate,
    scale: Math.max(1, ...Array.from(efc.aref, Math.abs)),
  };
}

function readEfc({ data, model }: Oracle): EfcRows {
  return {
    type: copy(data.efc_type),
    pos: copy(data.efc_pos),
    margin: copy(data.efc_margin),
    vel: copy(data.efc_vel),
    aref: copy(data.efc_aref),
    KBIP: copy(data.efc_KBIP),
    frictionloss: copy(data.efc_frictionloss),
    // MuJoCo reserves room for rows that turn out to be zero
    J: copy(data.efc_J).slice(0, data.nefc * model.nv),
  };
}

function expectSameRows(ours: RowTable, theirs: RowTable, place: string): void {
  expect(ours.pos.length, `rows, ${place}`).toBe(theirs.pos.length);
  expect(ours.J.length, `entries, ${place}`).toBe(theirs.J.length);
  for (const name of ['J', 'pos', 'margin', 'frictionloss'] as const)
    expect(relativeError(ours[name], theirs[name]), `${name}, ${place}`).toBeLessThan(1e-9);
  // the oracle's rate is what is left of its reference acceleration: round-off of that
  const worst = ours.rate.reduce((most, rate, r) => Math.max(most, Math.abs(rate - theirs.rate[r])), 0);
  expect(worst / theirs.scale, `rate, ${place}`).toBeLessThan(1e-9);
}

const TREE = `
  <worldbody>
    <site name="ground" pos=".3 .2 1" euler="20 -30 10"/>
    <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 .2" range="-.4 .5" margin=".3" frictionloss=".2"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="sa" pos=".2 .05 .1" euler="30 0 10"/>
      <body name="b" pos=".4 0 0"><joint name="jb" type="ball" range="0 .6" margin=".1" frictionloss=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><site name="sb" pos=".25 .02 .1" euler="0 40 20"/>
        <body name="c" pos=".4 0 0" euler="10 20 30"><joint name="jc" type="slide" axis="1 0 .3" range="-.1 .1" margin=".15" ref=".05"/><joint name="jd" axis="0 0 1" range="-1 1" ref="25"/><geom type="box" size=".1 .05 .03" pos=".1 0 0"/><site name="sc" pos=".1 0 .1"/></body>
      </body>
      <body name="d" pos="0 .3 0"><joint name="je" axis="1 0 0" frictionloss=".3"/><geom type="box" size=".1 .2 .05" pos="0 .2 0"/><site name="sd" pos="0 .3 .1"/></body>
    </body>
    <body name="f" pos="1 0 1" euler="5 10 15"><freejoint/><geom type="box" size=".1 .2 .05" pos=".05 0 0"/><site name="sf" pos=".1 .1 0" euler="1 2 3"/></body>
    <body name="m" mocap="true" pos=".5 .5 1"><geom type="sphere" size=".05"/></body>
    <body name="w" pos="0 0 2"><geom type="sphere" size=".05"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1" limited="true" range="-.2 .2" margin=".5" frictionloss=".4"><joint joint="ja" coef="1"/><joint joint="jc" coef="-2"/></fixed>
    <spatial name="t2" limited="true" range=".4 .8" margin=".05" frictionloss=".2"><site site="ground"/><site site="sb"/><site site="sf"/></spatial>
    <spatial name="t3"><site site="sc"/><site site="sd"/></spatial>
  </tendon>`;

const EQUALITIES: Record<string, string> = {
  'connect of bodies': `<connect body1="c" body2="d" anchor=".1 .05 .02"/><connect body1="f" anchor=".1 0 0"/><connect body1="m" body2="f" anchor="0 .1 0"/>`,
  'connect of sites': `<connect site1="sc" site2="sd"/><connect site1="ground" site2="sf"/>`,
  'connect of nested bodies': `<connect body1="a" body2="c" anchor=".1 .05 .02"/><connect body1="c" body2="a" anchor=".1 .05 .02"/>`,
  'nothing to move': `<connect body1="w" body2="m" anchor="0 0 0"/><weld body1="world" body2="w"/><joint joint1="je"/>`,
  'weld of bodies': `<weld body1="c" body2="d" torquescale=".3"/><weld body1="f" anchor=".1 .2 .3" relpose=".1 .2 .3 1 .1 -.2 .3"/><weld body1="m" body2="f" torquescale="2"/>`,
  polynomials: `<joint joint1="jc" joint2="ja" polycoef=".01 .2 -.1 .05 .02"/><joint joint1="jd" joint2="je" polycoef="-.1 .5 .3 -.2 .1"/><joint joint1="ja" polycoef=".1"/><joint joint1="jc" joint2="jd"/>
    <tendon tendon1="t1" tendon2="t3" polycoef=".01 .2 -.1 .05 .02"/><tendon tendon1="t2" tendon2="t1" polycoef="0 1 .5 0 -.3"/><tendon tendon1="t3" polycoef=".05"/>`,
  'switched off': `<connect body1="c" body2="d" anchor=".1 .05 .02" active="false"/><weld body1="f" body2="d"/>`,
};

function asFile(equalities: string): string {
  return `<mujoco><compiler autolimits="true"/><option jacobian="dense"><flag contact="disable"/></option>${TREE}<equality>${equalities}</equality></mujoco>`;
}

/** Anywhere, limits included: positions far beyond the ranges. */
function setWideState(simulation: Simulation, oracle: Oracle, seed: number): void {
  const { model, state } = simulation;
  const random = createRandom(seed);
  for (let i = 0; i < model.size.position; i++) state.position[i] = model.initialPosition[i] + 1.6 * (random() - 0.5);
  for (let i = 0; i < model.size.velocity; i++) state.velocity[i] = 4 * (random() - 0.5);
  for (let j = 0; j < model.size.joint; j++) {
    // unit quaternions: free and ball joints
    const at = model.joint.positionStart[j] + (model.joint.kind[j] === 0 ? 3 : 0);
    if (model.joint.kind[j] > 1) continue;
    const norm = Math.hypot(...state.position.subarray(at, at + 4));
    for (let k = 0; k < 4; k++) state.position[at + k] /= norm;
  }
  oracle.data.qpos.set(state.position);
  oracle.data.qvel.set(state.velocity);
}

describe.each(Object.entries(EQUALITIES))('%s', (name, equalities) => {
  test('rows at random states', async () => {
    const text = asFile(equalities);
    const oracle = await loadOracle(new Map([['m.xml', new TextEncoder().encode(text)]]), 'm.xml');
    const { scene, unsupported } = loadScene('m.xml', { files: memoryFiles({ 'm.xml': text }) });
    expect(unsupported).toEqual([]);
    const simulation = new Simulation(compileModel(scene));
    for (let seed = 1; seed <= 20; seed++) {
      setWideState(simulation, oracle, seed);
      simulation.forward();
      oracle.mujoco.mj_forward(oracle.model, oracle.data);
      expectSameRows(collectRows(simulation), readOracle(readEfc(oracle)), `${name}, state ${seed}`);
    }
    oracle.data.delete();
    oracle.model.delete();
  });
});

test('weld of sites: the same rows, the rotation in the axes of body 2 instead of site 2', async () => {
  const text = asFile(`<weld site1="sc" site2="sf" torquescale=".7"/>`);
  const oracle = await loadOracle(new Map([['m.xml', new TextEncoder().encode(text)]]), 'm.xml');
  const { scene } = loadScene('m.xml', { files: memoryFiles({ 'm.xml': text }) });
  const simulation = new Simulation(compileModel(scene));
  for (let seed = 1; seed <= 20; seed++) {
    setWideState(simulation, oracle, seed);
    simulation.forward();
    oracle.mujoco.mj_forward(oracle.model, oracle.data);
    const ours = collectRows(simulation);
    const theirs = readOracle(readEfc(oracle));
    // turn the rotational rows by the site's orientation in its body
    const s = simulation.model.site.name.indexOf('sf');
    const [w, x, y, z] = simulation.model.site.orientation.subarray(4 * s, 4 * s + 4);
    const turn = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
    const nv = simulation.model.size.velocity;
    const turnRows = (values: Float64Array, width: number): void => {
      const before = values.slice(3 * width, 6 * width);
      for (let i = 0; i < 3; i++)
        for (let c = 0; c < width; c++)
          values[(3 + i) * width + c] = turn[i].reduce((sum, t, j) => sum + t * before[j * width + c], 0);
    };
    turnRows(theirs.J, nv);
    turnRows(theirs.pos, 1);
    turnRows(theirs.rate, 1);
    expectSameRows(ours, theirs, `state ${seed}`);
  }
  oracle.data.delete();
  oracle.model.delete();
});

interface StoredRun {
  id: string;
  details: { step: number; qpos: number[]; qvel: number[]; efc: EfcRows }[];
}

describe.skipIf(!hasReference)('stored states (../shared/reference)', () => {
  test.each(['equalities', 'arm_limits'])('%s', (name) => {
    const folder = join(REFERENCE, 'mujoco');
    const { scene } = loadScene(`${name}.xml`, { files: folderFiles(folder) });
    const simulation = new Simulation(compileModel(scene));
    const { runs } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { runs: StoredRun[] };
    let count = 0;
    for (const { id, details } of runs) {
      for (const { step, qpos, qvel, efc } of details) {
        simulation.state.position.set(qpos);
        simulation.state.velocity.set(qvel);
        simulation.forward();
        expectSameRows(collectRows(simulation), readOracle(efc), `${id}, step ${step}`);
        count += efc.pos.length;
      }
    }
    expect(count).toBeGreaterThan(10);
  });
});
