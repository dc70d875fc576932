/** Compiled pyramids between contacts that are left to TypeScript: the same bytes of the state, whatever the parameters of the contacts. */
import { expect, test } from 'vitest';
import '../../compiled.ts';
import '../../sparse.ts';
import { compileModel } from '../../model/compile.ts';
import type { Body } from '../../scene/body.ts';
import type { MujocoContactParameters } from '../../scene/mujoco-parameters.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';

/** Every way an impedance is made, and powers that the compiled function leaves alone. */
const PARAMETERS: MujocoContactParameters[] = [
  {},
  { condim: 1 },
  { condim: 4, solimp: [0.8, 0.95, 0.002, 0.3, 3] },
  { condim: 6, solimp: [0.8, 0.95, 0.01, 0.5, 2.5] },
  { solref: [-4000, -60] },
  { solref: [0.001, 0.7], solimp: [0.9, 0.9, 0.001, 0.5, 1] },
  { condim: 6, solimp: [0.5, 0.99, 0.02, 0.5, 1] },
  { solimp: [0.9, 0.95, 0, 0.5, 2] },
];

function createScene(count: number): Scene {
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const mujoco = PARAMETERS[i % PARAMETERS.length]!;
    return {
      name: `box${i}`,
      position: [0.21 * (i % 4), 0.03 * (i % 3), 0.1 + 0.199 * Math.floor(i / 4)],
      joints: [{ kind: 'free' }],
      shapes: [
        {
          kind: 'box',
          halfSize: [0.1, 0.1, 0.1],
          mass: 1 + i,
          margin: i % 5 === 0 ? 0.004 : 0,
          gap: i % 7 === 0 ? 0.003 : 0,
          mujoco,
          ...(i % 6 === 5 && { material: 'rubber' }),
        },
      ],
    };
  });
  return {
    format: 'nexdyn-scene',
    version: 1,
    materials: [{ name: 'rubber', stiffness: 5e4, dissipation: 0.02 }],
    shapes: [{ kind: 'plane' }],
    bodies,
  };
}

function run(portable: boolean): string {
  const model = compileModel(createScene(24), { formulation: 'mujoco', coordinates: 'joint' });
  const simulation = new Simulation(model, { portable });
  let contacts = 0;
  for (let n = 0; n < 40; n++) {
    expect(simulation.step().status).not.toBe('diverged');
    contacts += simulation.contactSet().count;
  }
  return `${contacts} ${simulation.hash()}`;
}

test('the same bytes with and without compiled functions', () => {
  expect(run(false)).toBe(run(true));
});
