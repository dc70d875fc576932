/** Frames of free bodies and shapes that are left out, against numbers of MuJoCo 4.0.0 for the same files. */
import { compileModel, type Scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from './mjcf.ts';

/** Compares numbers one by one. */
function expectClose(values: ArrayLike<number>, expected: readonly number[], digits: number): void {
  for (const [k, value] of expected.entries()) expect(values[k]).toBeCloseTo(value, digits);
}

function load(text: string): Scene {
  const { scene, unsupported } = readMjcf('main.xml', { files: memoryFiles({ 'main.xml': text }) });
  expect(unsupported).toEqual([]);
  return scene;
}

const box = (compiler: string, joint: string, child = ''): string =>
  `<mujoco>${compiler}<worldbody><body pos="1 2 3" euler="10 20 30">${joint}
    <geom type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="30 0 0"/><site pos=".1 0 0"/>${child}</body></worldbody></mujoco>`;

describe('align', () => {
  // qpos0, site_pos and site_quat of MuJoCo 4.0.0
  test.each([
    ['', '<freejoint align="true"/>'],
    ['<compiler alignfree="true"/>', '<freejoint/>'],
    ['<compiler alignfree="true"/>', '<joint type="free"/>'],
  ])('%s %s', (compiler, joint) => {
    const [body] = load(box(compiler, joint)).bodies!;
    expectClose(body!.position!, [1.0900165490540472, 2.170065629827372, 3.3208967161686442], 14);
    expectClose(body!.orientation!, [0.8785122, 0.3675801, 0.2094437, 0.2218885], 7);
    expectClose(body!.sites![0]!.position!, [0, -0.3232051, -0.1598076], 7);
    expectClose(body!.sites![0]!.orientation!, [0.9659258, -0.258819, 0, 0], 7);
    const { inertiaCenter, inertiaOrientation } = compileModel({
      format: 'nexdyn-scene',
      version: 1,
      bodies: [body!],
    }).body;
    expect([...inertiaCenter.subarray(3), ...inertiaOrientation.subarray(4)]).toEqual([0, 0, 0, 1, 0, 0, 0]);
  });

  test.each([
    ['<compiler alignfree="true"/>', '<freejoint align="false"/>', ''],
    ['', '<freejoint align="true"/>', '<body><geom size=".1"/></body>'],
  ])('leaves the frame where it is: %s %s %s', (compiler, joint, child) => {
    expect(load(box(compiler, joint, child)).bodies![0]!.position).toEqual([1, 2, 3]);
  });
});

test('discardvisual keeps masses and what is named', () => {
  const visual = 'contype="0" conaffinity="0"';
  const scene = load(`<mujoco><compiler discardvisual="true"/>
    <asset><mesh name="v" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><material name="mt"/></asset>
    <worldbody><geom name="floor" type="plane" size="1 1 1" ${visual}/>
      <body name="b"><joint/><geom name="col" size=".1" material="mt"/><geom name="vis" size=".2" ${visual} material="mt"/>
        <geom name="vm" type="mesh" mesh="v" ${visual}/><geom name="ref" size=".05" ${visual} pos="1 0 0"/>
        <geom name="m0" mass="0" size=".05" ${visual}/></body>
      <body name="onlyvis"><joint/><geom name="ov" size=".1" ${visual}/></body>
      <body name="fluid"><joint/><geom name="in" size=".1"/><geom name="wet" size=".1" ${visual} fluidshape="ellipsoid"/></body>
    </worldbody><sensor><framepos objtype="geom" objname="ref"/></sensor></mujoco>`);
  // ngeom, nmesh, nmat, body_mass, body_ipos and body_inertia of MuJoCo 4.0.0
  const shapes = [...(scene.shapes ?? []), ...scene.bodies!.flatMap((body) => body.shapes ?? [])];
  expect(shapes.map(({ name }) => name)).toEqual(['col', 'ref', 'in', 'wet']);
  expect([scene.meshes, scene.appearances]).toEqual([undefined, undefined]);
  const { mass, inertiaCenter, inertiaMoments } = compileModel(scene, { coordinates: 'joint' }).body;
  expectClose(mass, [0, 204.88937729, 4.1887902, 8.37758041], 7);
  expectClose(inertiaCenter.subarray(3), [0.20591729, 0.20336177, 0.20336177], 8);
  expectClose(inertiaMoments.subarray(3), [17.5794537, 17.10918993, 16.7498468], 7);
});
