/**
 * Contacts of MuJoCo since 3.11: surfaces that move, adhesion; and parameters that replace those of every contact. References
 * and accelerations at one state to rounding, then what they are for: belts, turntables, grippers, magnets.
 */
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';
import { relativeError } from './comparison.ts';
import { copy, type Oracle } from './mujoco-oracle.ts';
import { createOracle, evaluateAt, simulate } from './solver-comparison.ts';

const takeTurn = createTurns();

const CONES = ['pyramidal', 'elliptic'] as const;
const VELOCITY = [0.3, 0.2, 0.1, 1, 2, 3];

/** A ball on a plane; both take what they are given. */
function ball(options: string, plane: string, geom: string, height: number, flag = ''): string {
  return `<mujoco><option ${options} tolerance="1e-15">${flag}</option><worldbody>
    <geom type="plane" size="3 3 1" euler="0 0 30" pos=".2 .1 0" ${plane}/>
    <body pos=".1 0 ${height}" euler="50 20 10"><freejoint/><geom type="sphere" size=".1" euler="0 40 90" ${geom}/>
    </body></worldbody></mujoco>`;
}

/** a_ref of the rows of NexDyn from MuJoCo's edges or rows, and accelerations. */
async function compare(xml: string, cone: (typeof CONES)[number]): Promise<Oracle> {
  const oracle = await createOracle(xml);
  const { mujoco, model, data } = oracle;
  data.qvel.set(VELOCITY);
  mujoco.mj_forward(model, data);
  const simulation = evaluateAt(simulate(xml), oracle);
  const { problem } = simulation.formulation;
  expect(data.nefc).toBeGreaterThan(0);
  if (problem === undefined) throw new Error('no rows');
  if (cone === 'elliptic') {
    expect(relativeError(problem.reference.subarray(0, data.nefc), copy(data.efc_aref))).toBeLessThan(1e-10);
  }
  expect(relativeError(simulation.derived.solution, copy(data.qacc))).toBeLessThan(1e-9);
  const buffer = new mujoco.DoubleBuffer(6);
  mujoco.mj_contactForce(model, data, 0, buffer);
  expect(relativeError(simulation.solvedContacts.force.subarray(0, 6), copy(buffer.GetView()))).toBeLessThan(1e-9);
  buffer.delete();
  return oracle;
}

describe.each(CONES)('%s cones', (cone) => {
  const test = takeTurn();
  test.each([3, 4, 6])('surfaces that slide and turn, condim %i', async (condim) => {
    const plane = `surfacevel=".5 .1 .3 .2 .1 1" condim="${condim}"`;
    await compare(ball(`cone="${cone}"`, plane, 'surfacevel="0 .2 .1 .3 .4 .5"', 0.099), cone);
  });

  test.each([
    { name: 'of both shapes adds', plane: 'adhesion="7"', geom: 'adhesion="20" condim="6"', height: 0.099 },
    {
      name: 'is that of the higher priority',
      plane: 'adhesion="7" priority="2"',
      geom: 'adhesion="20"',
      height: 0.099,
    },
    { name: 'without friction', plane: 'adhesion="7" condim="1"', geom: 'condim="1"', height: 0.099 },
    { name: 'may push', plane: 'adhesion="-7"', geom: 'adhesion="2"', height: 0.099 },
    { name: 'acts within the gap', plane: 'adhesion="7" gap=".05"', geom: 'margin=".001"', height: 0.12 },
  ])('adhesion $name', async ({ plane, geom, height }) => {
    const { data } = await compare(ball(`cone="${cone}"`, plane, geom, height), cone);
    expect(Math.max(...copy(data.qfrc_adhesion).map(Math.abs))).toBeGreaterThan(1);
  });

  test('parameters that replace those of every contact', async () => {
    const replaced = 'o_margin=".02" o_solref=".1 .5" o_solimp=".5 .6 .1" o_friction=".3 .4 .01 .02 .03"';
    const flag = '<flag override="enable"/>';
    const xml = ball(
      `cone="${cone}" ${replaced}`,
      'friction="2" condim="6" margin=".5"',
      'solref=".01 2"',
      0.115,
      flag,
    );
    const { data } = await compare(xml, cone);
    expect(data.contact.get(0)?.includemargin).toBe(0.02);
  });
});

describe('explicit pairs', () => {
  test('have their own adhesion, and are replaced as well', async () => {
    const pair = '<contact><pair geom1="a" geom2="b" condim="4" adhesion="5" friction=".5 .6 .1"/></contact></mujoco>';
    const xml = ball('cone="elliptic"', 'name="a" adhesion="7"', 'name="b" adhesion="7"', 0.099).replace(
      '</mujoco>',
      pair,
    );
    const { data } = await compare(xml, 'elliptic');
    expect(data.contact.get(0)?.adhesion).toBe(5);
    const flag = '<flag override="enable"/>';
    const all = ball('cone="elliptic" o_friction=".2 .2"', 'name="a"', 'name="b"', 0.099, flag);
    await compare(all.replace('</mujoco>', pair), 'elliptic');
  });
});

function boxOn(cone: string, plane: string, box: string, pose = 'pos="0 0 .05"'): string {
  return `<mujoco><option cone="${cone}"/><worldbody><geom type="plane" size="5 5 1" ${plane}/>
    <body name="box" ${pose}><freejoint/><geom type="box" size=".1 .1 .05" mass="1" ${box}/></body></worldbody></mujoco>`;
}

describe.each(CONES)('what they are for, %s', (cone) => {
  const test = takeTurn();
  test('a belt of 0.5 m/s carries a box with it', () => {
    const simulation = simulate(boxOn(cone, 'surfacevel=".5 0 0"', ''));
    simulation.step(1000);
    expect(Math.abs(simulation.state.velocity[0] - 0.5)).toBeLessThan(1e-3);
    expect(Math.abs(simulation.state.velocity[1])).toBeLessThan(1e-3);
  });

  test('a table of 1 rad/s turns a box with it', () => {
    const simulation = simulate(boxOn(cone, 'surfacevel="0 0 0 0 0 1" condim="6"', 'condim="6"'));
    simulation.step(1000);
    expect(Math.abs(simulation.state.velocity[5] - 1)).toBeLessThan(1e-3);
  });

  // pulled, a contact opens by a fraction of a millimetre and still holds within its gap
  test('four contacts of 20 N hold a box of 1 kg under a ceiling against 60 N and not against 85 N', () => {
    const ceiling = boxOn(cone, 'adhesion="20" gap=".01" pos="0 0 1" euler="180 0 0"', '', 'pos="0 0 .9502"');
    for (const [pull, holds] of [
      [60, true],
      [85, false],
    ] as const) {
      const simulation = simulate(ceiling);
      simulation.step(100);
      simulation.applyForce('box', { force: [0, 0, 9.81 - pull] });
      simulation.step(500);
      expect(simulation.bodyPosition[5] > 0.94, `${pull} N`).toBe(holds);
    }
  });

  test('a box sinks as deep with adhesion as without', () => {
    const rest = (adhesion: number): number => {
      const simulation = simulate(boxOn(cone, '', `adhesion="${adhesion}"`));
      simulation.step(2000);
      return simulation.state.position[2];
    };
    // the solver stops at 1e-8 of the acceleration: 1e-9 of a depth of 0.1 mm
    expect(Math.abs(rest(0) - rest(50))).toBeLessThan(1e-9);
    expect(rest(0)).toBeLessThan(0.05);
  });
});
