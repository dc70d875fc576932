/** Files that are odd and still load in MuJoCo: the same sizes, masses, keyframes and motion here. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import { compileModel, Simulation } from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene } from '../loaded-scene.ts';
import { readMjcf } from './mjcf.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });
});

const FLOOR = '<geom name="floor" type="plane" size="5 5 .1"/>';
const BALL = '<body name="ball" pos="0 0 1"><freejoint/><geom name="g" size=".1"/></body>';
const model = (world: string, rest = ''): string => `<mujoco><worldbody>${world}</worldbody>${rest}</mujoco>`;
const key = (attributes: string): string => `<keyframe><key ${attributes}/></keyframe>`;
const tendon = (side: string): string =>
  model(
    `<site name="s0" pos="-1 0 0"/><geom name="post" size=".2" contype="0" conaffinity="0"/><site name="side" pos="${side}"/>
    <body pos="1 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size=".05" contype="0" conaffinity="0"/><site name="s1"/></body>`,
    '<tendon><spatial stiffness="100" springlength="1"><site site="s0"/><geom geom="post" sidesite="side"/><site site="s1"/></spatial></tendon>',
  );
const fused = (inner: string, rest = ''): string =>
  `<mujoco><compiler fusestatic="true"/><worldbody>${FLOOR}<body name="rock" pos="1 0 0"><geom size=".1"/></body>
  <body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".05 .2" pos=".1 0 0"/>${inner}</body></worldbody>${rest}</mujoco>`;

/** Files that both load, and that move alike. */
const SAME: Record<string, string> = {
  'a keyframe whose quaternion is zero': model(FLOOR + BALL, key('qpos="0 0 1 0 0 0 0"')),
  'the same of a ball joint': model(
    '<body><joint type="ball"/><geom size=".1" pos=".1 0 0"/></body>',
    key('qpos="0 0 0 0"'),
  ),
  'a spring-damper of a joint that an actuator damps': model(
    '<body><joint name="j" axis="0 1 0" springdamper=".15 .9" damping="7" armature=".09"/><geom size=".1" pos=".3 0 0"/></body>',
    '<actuator><motor joint="j" gear="2" damping=".2"/></actuator>',
  ),
  'a keyframe with fewer velocities than dofs': model(FLOOR + BALL, key('qvel="1 2"')),
  'a keyframe with fewer controls than actuators': model(
    '<body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body>',
    `<actuator><motor joint="j"/><motor joint="j"/></actuator>${key('ctrl="1"')}`,
  ),
  'an empty keyframe': model(FLOOR + BALL, key('qvel=""')),
  'more keyframes than are described': `<mujoco><size nkey="3"/><worldbody>${BALL}</worldbody>${key('qvel="1 0 0 0 0 0"')}</mujoco>`,
  'a colour above 1': model(`${BALL}<geom size=".1" rgba="2 2 2 1"/>`),
  'an empty colour': model(`${BALL}<geom size=".1" rgba=""/>`),
  'empty numbers': model(`${BALL}<geom size=".1" pos="" mass="" friction="" euler=""/>`),
  'a range without length': model('<body><joint range="0 0"/><geom size=".1" pos=".1 0 0"/></body>'),
  'a prefix of copies': model(`<replicate count="3" offset="1 0 0" prefix="r">${BALL}</replicate>`),
  'a body outside the world': '<mujoco><body name="a"><freejoint/><geom size=".1"/></body></mujoco>',
  'a body that is fused': fused('<body pos=".3 0 0"><geom size=".05"/><site name="tip"/></body>'),
  'a body that is not, since it is named': fused(
    '<body name="hand" pos=".3 0 0"><geom size=".05"/></body>',
    '<contact><exclude body1="hand" body2="world"/></contact>',
  ),
  'a body between joints that is fused': fused(
    '<body pos=".3 0 0"><geom size=".05"/><body><joint axis="0 1 0"/><geom size=".04" pos=".1 0 0"/></body></body>',
  ),
  'a pair that is listed twice, with other parameters': model(
    FLOOR + BALL.replace('0 0 1', '0 0 .12'),
    '<contact><pair geom1="g" geom2="floor" solref=".05 1"/><pair geom1="floor" geom2="g" solref=".02 .5" condim="1"/></contact>',
  ),
  'a pair of a geom with itself': model(
    FLOOR + BALL.replace('0 0 1', '0 0 .12'),
    '<contact><pair geom1="g" geom2="g"/></contact>',
  ),
  'limits of forces on joints that have none': model(
    '<body><joint type="ball" actuatorfrclimited="true"/><geom size=".1" pos=".1 0 0"/></body><body><joint type="free" actuatorfrcrange="3 1" actuatorfrclimited="true"/><geom size=".1"/></body>',
  ),
  'a ball joint whose limit is an angle of 0': model(
    '<body><joint type="ball" limited="true"/><geom size=".1" pos=".1 0 0"/></body>',
  ),
  'a body that says whether it sleeps on one that stands still': model(
    `${FLOOR}<body><body sleep="never" pos="0 0 .1"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body></body>`,
  ),
  'a camera with a lens and no focal length': model(`${FLOOR}${BALL}<camera sensorsize=".03 .02"/>`),
  'a muscle whose activation falls at once': model(
    '<body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>',
    '<actuator><general joint="j" dyntype="muscle"/></actuator>',
  ),
  'a tendon through the centre of a sphere': tendon('0 0 .3'),
  'a tendon past a side site that is outside, though its shadow is not': tendon('0 .1 .3'),
};

function load(text: string, files: Record<string, string> = {}): LoadedScene {
  return readMjcf('a.xml', { files: memoryFiles({ 'a.xml': text, ...files }) });
}

describe('as in MuJoCo', () => {
  test.each(Object.entries(SAME))('%s', (_, text) => {
    const own = compileModel(load(text).scene, { formulation: 'mujoco', coordinates: 'joint' });
    const peer = mujoco.MjModel.from_xml_string(text);
    const { size } = own;
    expect([size.position, size.velocity, size.body, size.shape, size.site, size.keyframe]).toEqual([
      peer.nq,
      peer.nv,
      peer.nbody,
      peer.ngeom,
      peer.nsite,
      peer.nkey,
    ]);
    const masses = Array.from(peer.body_mass as Float64Array);
    masses.forEach((mass, b) => {
      expect(own.body.mass[b]).toBeCloseTo(mass, 10);
    });
    const data = new mujoco.MjData(peer);
    if (peer.nkey > 0) mujoco.mj_resetDataKeyframe(peer, data, 0);
    const simulation = new Simulation(own);
    for (let k = 0; k < 50; k++) {
      mujoco.mj_step(peer, data);
      simulation.step();
    }
    Array.from((data.qpos ?? []) as Float64Array).forEach((q, i) => {
      expect(simulation.state.position[i]).toBeCloseTo(q, 9);
    });
    data.delete();
    peer.delete();
  });

  test('short positions are completed by the initial pose, as since 4.0', () => {
    const { scene } = load(model(FLOOR + BALL, key('qpos="1 2"')));
    expect(scene.keyframes).toEqual([{ position: [1, 2, 1, 1, 0, 0, 0] }]);
  });
});

test('coefficients of springs and dampers that an element leaves out are those of its class', () => {
  const { scene } = load(
    `<mujoco><default><joint damping=".5 .8 .3" stiffness="1 2 3"/><tendon damping=".1 .2 .3"/></default>
    <worldbody><body><joint name="j" damping=".2" stiffness="4 5"/><geom size=".1"/></body></worldbody>
    <tendon><fixed damping=".7"><joint joint="j" coef="1"/></fixed></tendon></mujoco>`,
  );
  // dof_damping, dof_dampingpoly and so on of MuJoCo 4.0
  const law = { damping: 0.2, dampingPowers: [0.8, 0.3], stiffness: 4, stiffnessPowers: [5, 3] };
  expect(scene.bodies?.[0]?.joints?.[0]).toMatchObject(law);
  expect(scene.tendons?.[0]).toMatchObject({ damping: 0.7, dampingPowers: [0.2, 0.3] });
});

describe('what is lost is listed', () => {
  test.each([
    ['a body outside the world', SAME['a body outside the world']!, /outside <worldbody>/, 'physics'],
    ['a colour above 1', SAME['a colour above 1']!, /between 0 and 1/, 'visual'],
    [
      'a moving body whose only geom is left out',
      '<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"><plugin plugin="x"/></mesh></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
      /nothing is left that weighs/,
      'physics',
    ],
    [
      'a spring that yields',
      model('<body><joint stiffness="1" springyield=".1"/><geom size=".1"/></body>'),
      /yield/,
      'physics',
    ],
  ])('%s', (_, text, message, affects) => {
    const { scene, unsupported } = load(text);
    const items = unsupported.filter((item) => message.test(item.message));
    expect(items.map((item) => item.affects)).toEqual([affects]);
    // and the model moves
    expect(() => compileModel(scene)).not.toThrow();
  });
});

describe('OBJ files', () => {
  let folders = 0;
  const cube = (tag: string, x: number, first: number): string => {
    const corners = [-0.5, 0.5].flatMap((c) => [-0.5, 0.5].flatMap((b) => [-0.5, 0.5].map((a) => [a + x, b, c])));
    const faces = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'];
    const shift = (face: string): string => face.replace(/\d/g, (digit) => String(Number(digit) + first));
    return `${tag}\n${corners.map((p) => `v ${p.join(' ')}\n`).join('')}${faces.map((face) => `f ${shift(face)}\n`).join('')}`;
  };
  /** A crown of ten corners that is not flat, over a point. */
  const star = Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 ? 1 : 0.4;
    return `v ${radius * Math.cos((Math.PI * i) / 5)} ${radius * Math.sin((Math.PI * i) / 5)} ${(i * i) % 7 ? 0.02 * ((i * i) % 7) : 0}`;
  });
  const crown = `${star.join('\n')}\nv 0 0 -1\nf 1 2 3 4 5 6 7 8 9 10\n${star.map((_, i) => `f ${((i + 1) % 10) + 1} ${i + 1} 11`).join('\n')}\n`;
  /** A prism with a notch: after the first cut of its bottom a round is over, and MuJoCo leaves out the rest. */
  const notched = [0, 1].flatMap((z) => ['0 0', '2 0', '2 2', '1 .5', '0 2'].map((p) => `v ${p} ${z}\n`)).join('');
  const sides = [1, 2, 3, 4, 5].map((i) => `f ${i} ${(i % 5) + 1} ${(i % 5) + 6} ${i + 5}\n`).join('');
  const prism = `${notched}f 5 4 3 2 1\nf 6 7 8 9 10\n${sides}`;
  const withMesh = (inertia: string): string =>
    `<mujoco><asset><mesh name="m" file="m.obj" inertia="${inertia}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`;

  test.each([
    ['two objects', cube('o a', 0, 0) + cube('o b', 3, 8)],
    ['two groups', cube('g a', 0, 0) + cube('g b', 3, 8)],
    ['an object without a name, then one with', cube('', 0, 0) + cube('o b', 3, 8)],
    ['two materials of one object', `${cube('', 0, 0)}usemtl x\n${cube('', 3, 8)}`],
    ['a polygon that is not flat', crown],
    ['a polygon with a notch', prism],
  ])('%s: the mass and inertia that MuJoCo finds', (_, obj) => {
    for (const inertia of ['legacy', 'exact']) {
      const text = withMesh(inertia);
      // MuJoCo keeps the meshes of files that it has seen
      const folder = `/obj${++folders}`;
      mujoco.FS.mkdir(folder);
      mujoco.FS.writeFile(`${folder}/m.obj`, obj);
      mujoco.FS.writeFile(`${folder}/a.xml`, text);
      const peer = mujoco.MjModel.from_xml_path(`${folder}/a.xml`);
      const { body } = compileModel(load(text, { 'm.obj': obj }).scene);
      expect(body.mass[1]! / (peer.body_mass as Float64Array)[1]!).toBeCloseTo(1, 12);
      const moments = Array.from((peer.body_inertia as Float64Array).subarray(3, 6)).sort((a, b) => a - b);
      const own = Array.from(body.inertiaMoments.subarray(3, 6)).sort((a, b) => a - b);
      own.forEach((moment, i) => {
        expect(moment / moments[i]!).toBeCloseTo(1, 10);
      });
      peer.delete();
    }
  });

  test('all objects on request, and the choice is listed', () => {
    const obj = cube('o a', 0, 0) + cube('o b', 3, 8);
    const files = memoryFiles({ 'a.xml': withMesh('exact'), 'm.obj': obj });
    const first = readMjcf('a.xml', { files });
    expect(first.scene.meshes![0]!.faces).toHaveLength(36);
    expect(first.unsupported.map(({ message }) => message)).toEqual([expect.stringContaining('first of 2 objects')]);
    const all = readMjcf('a.xml', { files, objects: 'all' });
    expect(all.scene.meshes![0]!.faces).toHaveLength(72);
    expect(all.unsupported).toEqual([]);
  });
});

test('a static body is not fused where a sensor measures its load, as in MuJoCo 4.0', () => {
  const text = fused('', '<sensor><force site="s"/></sensor>').replace(
    '</worldbody>',
    '<body pos="3 0 1"><geom size=".1" mass="2"/><site name="s"/></body></worldbody>',
  );
  const { scene } = readMjcf('model.xml', { files: memoryFiles({ 'model.xml': text }) });
  const simulation = new Simulation(compileModel(scene));
  simulation.forward();
  // its weight, and not that of all that the world carries
  expect([...simulation.sensorData]).toEqual([0, 0, expect.closeTo(2 * 9.81, 12)]);
});
