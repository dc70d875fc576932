/**
 * Flexes of MJCF against MuJoCo 3.14: points, elements, pins and masses of every kind that <flexcomp> makes, what a chain of its edges
 * yields, and the sag of a solid. Before 4.0 the stiffness of sheets, and of solids with a Poisson ratio, was not what the
 * documentation says; those constants are compared with their formulas.
 */
import { compileModel, type Scene, Simulation, type SoftBody } from '@nexdyn/engine';
import { type LoadedScene, memoryFiles, readMjcf } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';
import { copy, mujoco, type Oracle } from './mujoco-oracle.ts';

const inWorld = (text: string, before = ''): string => `<mujoco>${before}<worldbody>${text}</worldbody></mujoco>`;

function load(text: string): LoadedScene {
  return readMjcf('main.xml', { files: memoryFiles({ 'main.xml': text }) });
}

async function open(text: string): Promise<Oracle> {
  const api = await mujoco();
  const model = api.MjModel.from_xml_string(text);
  const data = new api.MjData(model);
  api.mj_forward(model, data);
  return { mujoco: api, model, data };
}

const softOf = ({ scene }: LoadedScene): SoftBody => scene.softBodies![0]!;

/** Over the numbers of the second. */
function findLargestGap(ours: ArrayLike<number>, theirs: Float64Array): number {
  return theirs.reduce((most, value, i) => Math.max(most, Math.abs(ours[i]! - value)), 0);
}

/** Corners of elements, each sorted, all in order. */
function listElements(flat: ArrayLike<number>, width: number): string[] {
  const list = Array.from({ length: flat.length / width }, (_, e) =>
    Array.from({ length: width }, (__, k) => flat[width * e + k]!).sort((a, b) => a - b),
  );
  return list.map((corners) => corners.join(' ')).sort();
}

const KINDS = [
  ['grid', 1, '5 1 1'],
  ['circle', 1, '9 1 1'],
  ['grid', 2, '4 3 1'],
  ['disc', 2, '5 5 1'],
  ['grid', 3, '4 3 3'],
  ['box', 3, '4 3 3'],
  ['cylinder', 3, '5 5 3'],
  ['ellipsoid', 3, '5 5 5'],
] as const;

test.each(KINDS)(
  'a %s of dimension %i has the points, elements, pins and masses of MuJoCo',
  async (type, dim, count) => {
    const text = inWorld(`<flexcomp name="f" type="${type}" dim="${dim}" count="${count}" spacing=".1 .11 .12"
    pos="1 2 3" euler="10 20 30" mass="2"><pin id="1 2"/></flexcomp>`);
    const { model, data } = await open(text);
    const loaded = load(text);
    const soft = softOf(loaded);
    const simulation = new Simulation(compileModel(loaded.scene, { formulation: 'sap' }));
    const theirs = copy(data.flexvert_xpos);
    const ours = simulation.softPosition('f').subarray(0, theirs.length);
    expect(findLargestGap(ours, theirs)).toBeLessThan(1e-14);
    const elements = listElements(copy(model.flex_elem), dim + 1);
    if (soft.mesh.kind === 'polyline') expect(elements.length).toBe(theirs.length / 3 - (soft.mesh.closed ? 0 : 1));
    else {
      const own =
        soft.mesh.kind === 'tetrahedra' ? soft.mesh.tetrahedra : (soft.mesh as { triangles: number[] }).triangles;
      expect(listElements(own, dim + 1)).toEqual(elements);
    }
    const bodies = copy(model.flex_vertbodyid);
    expect(soft.pinned).toEqual([...bodies.keys()].filter((v) => bodies[v] === 0));
    expect(soft.elasticity.vertexMass).toBeCloseTo(copy(model.body_mass)[bodies[0]!]!, 14);
  },
);

test('what MuJoCo writes for a flexcomp reads as the same soft body', () => {
  const sheet = '<contact friction=".3" selfcollide="none"/><elasticity young="1e4" thickness=".01" elastic2d="both"/>';
  const joints = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide"/>';
  const point = (i: number, pos: string): string =>
    `<body name="f_${i}" pos="${pos}"><inertial pos="0 0 0" mass=".25" diaginertia="1e-5 1e-5 1e-5"/>${joints}</body>`;
  const arm = (content: string): string =>
    `<body name="arm" pos="0 0 1"><joint axis="0 1 0"/><geom size=".05"/>${content}</body>`;
  const short = load(
    inWorld(arm(`<flexcomp name="f" count="2 2 1" spacing=".1 .1 .1" mass="1">${sheet}<pin id="0"/></flexcomp>`)),
  );
  const long = load(
    `<mujoco><worldbody>${arm(point(1, '-.05 .05 0') + point(2, '.05 -.05 0') + point(3, '.05 .05 0'))}</worldbody>
     <deformable><flex name="f" body="arm f_1 f_2 f_3" vertex="-.05 -.05 0 0 0 0 0 0 0 0 0 0" element="0 2 3 0 3 1">
     ${sheet}</flex></deformable></mujoco>`,
  );
  expect(long.scene.bodies).toEqual(short.scene.bodies);
  const place = ({ scene }: LoadedScene): number[] => [
    ...new Simulation(compileModel(scene, { formulation: 'sap' })).softPosition('f'),
  ];
  expect(place(long)).toEqual(place(short));
  const { mesh: _, position: __, ...rest } = softOf(short);
  expect(softOf(long)).toMatchObject(rest);
  expect(long.scene.materials).toEqual(short.scene.materials);
});

describe('constants', () => {
  test('of sheets: E t and D of the plate; of rods: E I and G J', () => {
    const sheet = softOf(
      load(
        inWorld(`<flexcomp name="f" count="3 3 1" radius=".004">
        <elasticity young="2e6" poisson=".3" thickness=".01" damping=".1" elastic2d="both"/></flexcomp>`),
      ),
    );
    expect(sheet.mesh).toMatchObject({ thickness: 0.008 });
    expect(sheet.elasticity.stretchStiffness).toBeCloseTo(2e4, 8);
    expect(sheet.elasticity.bendingStiffness).toBeCloseTo((2e6 * 1e-6) / (12 * 0.91), 12);
    expect(sheet.elasticity.stiffnessDamping).toBe(0.1);
    const rod = softOf(
      load(
        inWorld(`<flexcomp name="f" dim="1" count="5 1 1" radius=".004"><edge stiffness="300"/>
        <elasticity young="2e8" shear="5e7"/><pin id="0 1"/></flexcomp>`),
      ),
    );
    expect(rod.elasticity.bendingStiffness).toBeCloseTo((2e8 * Math.PI * 0.004 ** 4) / 4, 12);
    expect(rod.elasticity.twistStiffness).toBeCloseTo((5e7 * Math.PI * 0.004 ** 4) / 2, 12);
    expect(rod.elasticity.stretchStiffness).toBeCloseTo(300 * 0.02, 12);
  });

  test('of constrained edges: a hanging chain yields as in MuJoCo', async () => {
    // edges that give way by more than a millimetre have the full impedance
    const text = inWorld(
      `<flexcomp name="f" dim="1" count="8 1 1" spacing=".02 .02 .02" radius=".004" mass=".1">
      <contact selfcollide="none"/><edge equality="true" solimp=".9 .9 .001"/><pin id="0"/></flexcomp>`,
      '<option timestep=".002" gravity="9.81 0 0"/>',
    );
    const { mujoco: api, model, data } = await open(text);
    for (let k = 0; k < 1000; k++) api.mj_step(model, data);
    const { scene, unsupported } = load(text);
    expect(unsupported.map(({ element }) => element)).toEqual(['edge']);
    const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
    for (let k = 0; k < 500; k++) simulation.step();
    const end = simulation.softPosition('f')[3 * 7]!;
    // both hang still; the chain is 0.14 m long and 11 mm longer under its weight
    const theirs = copy(data.flexvert_xpos)[3 * 7]!;
    expect(theirs - 0.07).toBeGreaterThan(0.01);
    expect(Math.abs(end - theirs)).toBeLessThan(1e-5);
  });

  test('of solids: a beam without lateral contraction sags as in MuJoCo', async () => {
    const text = inWorld(
      `<flexcomp name="f" dim="3" count="7 2 2" spacing=".05 .05 .05" radius="0" mass="1"><contact selfcollide="none"/>
      <elasticity young="1e6" damping=".05"/><pin gridrange="0 0 0 0 1 1"/></flexcomp>`,
      '<option timestep=".005" integrator="discrete"/>',
    );
    const { mujoco: api, model, data } = await open(text);
    for (let k = 0; k < 800; k++) api.mj_step(model, data);
    const scene = { ...load(text).scene, options: { timestep: 0.02 } } satisfies Scene;
    const simulation = new Simulation(compileModel(scene, { formulation: 'sap' }));
    for (let k = 0; k < 200; k++) simulation.step();
    const theirs = copy(data.flexvert_xpos);
    const ours = simulation.softPosition('f');
    expect(0.025 - theirs[theirs.length - 1]!).toBeGreaterThan(0.003);
    // the tolerance of both solvers
    expect(findLargestGap(ours, theirs)).toBeLessThan(1e-6);
  });
});

describe('cables', () => {
  const cable = (more: string, attributes = ''): string =>
    inWorld(`<composite prefix="c" type="cable" curve="s cos(s) sin(s)" count="9 1 1" size="1 .2 .5" offset="0 0 1"
      initial="none" ${attributes}><geom type="capsule" size=".01"/>${more}</composite>`);

  test('lie where the bodies of MuJoCo are, with their mass', async () => {
    const { model, data } = await open(cable(''));
    const loaded = load(cable(''));
    const ours = new Simulation(compileModel(loaded.scene, { formulation: 'sap' })).softPosition('ccable');
    const theirs = copy(data.xpos).subarray(3);
    // MuJoCo holds the points of a cable in single precision
    expect(findLargestGap(ours, theirs)).toBeLessThan(1e-7);
    const { density } = softOf(loaded).elasticity;
    const length = (9 - 1) * Math.hypot(ours[3]! - ours[0]!, ours[4]! - ours[1]!, ours[5]! - ours[2]!);
    const mass = copy(model.body_mass).reduce((sum, value) => sum + value, 0);
    expect((density! * Math.PI * 1e-4 * length) / mass).toBeCloseTo(1, 3);
  });

  test('have E I and G J of the plugin, and what is attached to their ends', () => {
    const plugin = `<plugin plugin="mujoco.elasticity.cable"><config key="bend" value="4e6"/>
      <config key="twist" value="1e7"/></plugin>`;
    const body = '<body name="slider" pos="1 0 1"><joint type="slide"/><geom size=".01"/></body>';
    const text = cable(plugin).replace(
      '</worldbody>',
      `${body}</worldbody><equality>
      <connect body1="cB_last" body2="slider" anchor=".12 0 0"/></equality>
      <actuator><motor site="cS_last" gear="0 0 0 1 0 0"/></actuator>`,
    );
    const { scene, unsupported } = load(text);
    const soft = scene.softBodies![0]!;
    expect(soft.elasticity.bendingStiffness).toBeCloseTo((4e6 * Math.PI * 1e-8) / 4, 12);
    expect(soft.elasticity.twistStiffness).toBeCloseTo((1e7 * Math.PI * 1e-8) / 2, 12);
    expect(soft.pinned).toEqual([0, 1]);
    expect(soft.attachments).toEqual([{ vertices: [8], body: 'slider' }]);
    expect(unsupported.map(({ element }) => element)).toEqual(['motor']);
    const simulation = new Simulation(compileModel(scene, { formulation: 'mujoco' }));
    for (let k = 0; k < 20; k++) expect(simulation.step().status).toBe('converged');
  });
});

describe('what is not there is listed', () => {
  test.each([
    ['<flexcomp name="f" dim="3" count="2 2 2" dof="trilinear"/>', ['dof', 'radius']],
    ['<flexcomp name="f" dim="3" count="2 2 2" radius="0"><elasticity young="1" yield=".1"/></flexcomp>', ['yield']],
    [
      '<flexcomp name="f" count="2 2 1"><contact condim="4" gap=".1" solref=".01 1"/></flexcomp>',
      ['gap', 'solref', 'condim'],
    ],
    ['<flexcomp name="f" count="2 2 1" rigid="true"/>', [undefined]],
    ['<flexcomp name="f" type="direct" dim="1" point="0 0 0 1 0 0 0 1 0 0 0 1" element="0 1 0 2 0 3"/>', [undefined]],
    ['<body><joint/><geom size=".1"/><flexcomp name="f" count="2 2 1"><pin id="0"/></flexcomp></body>', [undefined]],
    ['<composite type="rope"/>', [undefined]],
  ])('%s', (content, attributes) => {
    const { unsupported } = load(inWorld(content));
    expect(unsupported.map(({ attribute }) => attribute)).toEqual(attributes);
    expect(unsupported.every(({ affects }) => affects === 'physics')).toBe(true);
  });

  test.each([
    ['<flexcomp count="2 2 1"/>', /name/],
    ['<flexcomp name="f" count="1 1 1"/>', /no element/],
    ['<flexcomp name="f" count="2 2 1"><pin id="4"/></flexcomp>', /no point 4/],
    ['<flexcomp name="f" count="2 2 1"><elasticity young="1" elastic2d="bend"/></flexcomp>', /positive thickness/],
    ['<flexcomp name="f" count="2 2 1"><elasticity young="1" poisson=".5"/></flexcomp>', /below 0.5/],
    ['<flexcomp name="f" type="direct" point="0 0 0" element="0 1 2"/>', /point 1 does not exist/],
    ['<composite type="cable" count="3 1 1" curve="s t"/>', /is no curve/],
  ])('and what is wrong is told: %s', (content, reason) => {
    expect(() => load(inWorld(content))).toThrow(reason);
  });
});

test('copies of a replicate are soft bodies of their own, pins follow the body that carries them', () => {
  const { scene } = load(
    inWorld(`<replicate count="2" offset="1 0 0"><body name="b" pos="0 0 2"><joint name="j"/><geom size=".1"/>
      <flexcomp name="f" dim="1" count="3 1 1" pos="0 0 1"><pin id="0"/></flexcomp></body></replicate>`),
  );
  expect(scene.softBodies!.map(({ name, position }) => [name, position])).toEqual([
    ['f0', [0, 0, 3]],
    ['f1', [1, 0, 3]],
  ]);
  expect(scene.softBodies!.map(({ attachments }) => attachments![0]!.body)).toEqual(['b0', 'b1']);
});
