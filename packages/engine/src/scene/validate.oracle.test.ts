/** What may be combined in a tree and in a tendon is decided as MuJoCo's compiler decides it. */
import load, { type MainModule } from '@mujoco/mujoco';
import { beforeAll, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../../scripts/long-run.ts';
import { NexdynError } from '../error.ts';
import { validateScene } from './validate.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await load();
});

function isCompiled(xml: string): boolean {
  try {
    mujoco.MjModel.from_xml_string(xml)?.delete();
    return true;
  } catch {
    return false;
  }
}

function isSound(scene: object): boolean {
  try {
    validateScene({ format: 'nexdyn-scene', version: 1, ...scene });
    return true;
  } catch (error) {
    if (error instanceof NexdynError) return false;
    throw error;
  }
}

/** All sequences of letters up to a length. */
function listSequences<T>(letters: readonly T[], length: number): T[][] {
  if (length === 0) return [[]];
  const shorter = listSequences(letters, length - 1);
  const longest = shorter.filter((word) => word.length === length - 1);
  return [...shorter, ...longest.flatMap((word) => letters.map((letter) => [...word, letter]))];
}

const inertia = { kind: 'principal', mass: 1, moments: [1, 1, 1] };
const inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>';

test.each(['top', 'nested'])('joints of a %s body', (level) => {
  const verdicts = takeCases(listSequences(['free', 'ball', 'hinge', 'slide'], 4), 3).map((kinds) => {
    const joints = kinds.map((kind) => `<joint type="${kind}"/>`).join('');
    const xmlBody = `<body>${joints}${inertial}</body>`;
    const body = { joints: kinds.map((kind) => ({ kind })), inertia };
    const isTop = level === 'top';
    const xml = `<mujoco><worldbody>${isTop ? xmlBody : `<body>${inertial}${xmlBody}</body>`}</worldbody></mujoco>`;
    const ours = isSound({ bodies: [isTop ? body : { inertia, bodies: [body] }] });
    return { kinds: kinds.join(' '), ours, theirs: isCompiled(xml) };
  });
  expect(verdicts.filter(({ ours, theirs }) => ours !== theirs)).toEqual([]);
  expect(verdicts.filter(({ ours }) => ours).length).toBeGreaterThan(takeSamples(20, 1 / 3));
  expect(verdicts.filter(({ ours }) => !ours).length).toBeGreaterThan(takeSamples(100, 1 / 3));
});

test('paths of spatial tendons', () => {
  const stations = {
    a: ['<site site="a"/>', { kind: 'site', site: 'a' }],
    b: ['<site site="b"/>', { kind: 'site', site: 'b' }],
    wrap: ['<geom geom="g"/>', { kind: 'wrap', shape: 'g' }],
    pulley: ['<pulley divisor="2"/>', { kind: 'pulley', divisor: 2 }],
  } as const;
  const letters = Object.keys(stations) as (keyof typeof stations)[];
  const verdicts = takeCases(listSequences(letters, 5), 5).map((word) => {
    const path = word.map((letter) => stations[letter][0]).join('');
    const xml = `<mujoco><worldbody><site name="a"/><site name="b" pos="1 0 0"/><geom name="g" size=".1"/></worldbody>
      <tendon><spatial>${path}</spatial></tendon></mujoco>`;
    const ours = isSound({
      shapes: [{ kind: 'sphere', name: 'g', radius: 0.1 }],
      sites: [{ name: 'a' }, { name: 'b' }],
      tendons: [{ kind: 'spatial', path: word.map((letter) => stations[letter][1]) }],
    });
    return { path: word.join(' '), ours, theirs: isCompiled(xml) };
  });
  expect(verdicts.filter(({ ours, theirs }) => ours !== theirs)).toEqual([]);
  expect(verdicts.filter(({ ours }) => ours).length).toBeGreaterThan(takeSamples(20, 1 / 5));
});

test('inertia tensors, given or balanced', () => {
  // tensors on both sides of the rule, off the border by much more than round-off
  const values = [-0.75, 0, 0.25, 0.75];
  const tensors = takeCases(
    values.flatMap((xy) => values.flatMap((xz) => [0.3, 1, 1.7, 2.4, 3.1].map((zz) => [1, 1.2, zz, xy, xz, 0.1]))),
    3,
  );
  let sound = 0;
  for (const tensor of tensors) {
    for (const balance of [false, true]) {
      const xml = `<mujoco><compiler balanceinertia="${balance}"/><worldbody><body><joint/>
        <inertial pos="0 0 0" mass="1" fullinertia="${tensor.join(' ')}"/></body></worldbody></mujoco>`;
      const ours = isSound({
        massRules: { balanceInertia: balance },
        bodies: [{ joints: [{ kind: 'hinge' }], inertia: { kind: 'tensor', mass: 1, tensor } }],
      });
      expect({ tensor, balance, ours }).toEqual({ tensor, balance, ours: isCompiled(xml) });
      sound += ours ? 1 : 0;
    }
  }
  const few = takeSamples(20, 1 / 3);
  expect(sound).toBeGreaterThan(few);
  expect(sound).toBeLessThan(2 * tensors.length - few);
});
