/**
 * A heavy box on a light one. Contacts of `sap` give way by their stiffness alone, however heavy the load is for the body that carries it: each
 * layer of four corners by m g/(4 k), m what it bears. Rigid contact of `ccp` does not give way. `mujoco` gives way in proportion to the load over the
 * light mass, as MuJoCo does; every step converges, and the finding names the pair.
 */
import { compileModel, DeepContacts, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const G = 9.81;
/** Of `sap`, by default, N/m. */
const STIFFNESS = 1e6;

function createScene(ratio: number, timestep: number): Scene {
  const box = (name: string, height: number, half: number, mass: number): NonNullable<Scene['bodies']>[number] => ({
    name,
    position: [0, 0, height],
    joints: [{ kind: 'free' }],
    shapes: [{ name, kind: 'box', halfSize: [half, half, half], mass }],
  });
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep },
    shapes: [{ kind: 'plane', name: 'floor' }],
    bodies: [box('light', 0.05, 0.05, 1), box('heavy', 0.2, 0.1, ratio)],
  };
}

/** After a second: how far the heavy box has sunk, m, and what was found. */
function rest(ratio: number, timestep: number, formulation: FormulationId) {
  const simulation = new Simulation(compileModel(createScene(ratio, timestep), { formulation }));
  const deep = new DeepContacts(simulation);
  for (let n = 0; n * timestep < 1; n++) {
    expect(simulation.step().status).toBe('converged');
    deep.look();
  }
  return { depth: 0.2 - simulation.pose('heavy').position[2], found: deep.found };
}

// at rest to a thousandth
test.each([
  [100, 1 / 60],
  [100, 1 / 240],
  [1000, 1 / 60],
  [1000, 1 / 240],
])('sap: 1 : %i at %f s', (ratio, h) => {
  const { depth, found } = rest(ratio, h, 'sap');
  const expected = ((2 * ratio + 1) * G) / (4 * STIFFNESS);
  expect(Math.abs(depth / expected - 1)).toBeLessThan(1e-3);
  expect(found).toEqual([]);
});

test('ccp: 1 : 1000', () => {
  const { depth, found } = rest(1000, 1 / 60, 'ccp');
  expect(Math.abs(depth)).toBeLessThan(1e-5);
  expect(found).toEqual([]);
});

test('mujoco: 1 : 1000 is named', () => {
  const { found } = rest(1000, 1 / 60, 'mujoco');
  expect(found.map(({ names }) => names).sort()).toEqual([
    'shape "floor" and shape "light"',
    'shape "light" and shape "heavy"',
  ]);
  for (const { share } of found) expect(share).toBeGreaterThan(0.1);
});
