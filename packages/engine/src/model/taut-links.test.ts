import { describe, expect, test } from 'vitest';
import '../formulation/ccp/provide.ts';
import type { Body, Inertia } from '../scene/body.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';
import { compileModel, recompileModel } from './compile.ts';

/** m, kg, m/s². */
const [LENGTH, MASS, GRAVITY] = [0.1, 0.1, 9.81];

const rod = (mass: number): Inertia => {
  const moment = (mass * LENGTH ** 2) / 12;
  return { kind: 'principal', mass, center: [0, 0, -LENGTH / 2], moments: [moment, moment, 1e-6 * moment] };
};

/** A chain that hangs from the world, its last link heavier. */
function chain(links: number, timestep: number, load = 1, joint: Body['joints'] = [{ kind: 'ball' }]): Scene {
  let body: Body | undefined;
  for (let n = links - 1; n >= 0; n--) {
    body = {
      name: `link ${n}`,
      ...(n > 0 && { position: [0, 0, -LENGTH] }),
      joints: joint,
      inertia: rod(n === links - 1 ? load * MASS : MASS),
      ...(body && { bodies: [body] }),
    };
  }
  return { format: 'nexdyn-scene', version: 1, options: { timestep, gravity: [0, 0, -GRAVITY] }, bodies: [body!] };
}

// h² T r/I of equal rods: T = n m g, r = l, I = m l²/3 in the two directions that count
describe('links that carry too much for body coordinates', () => {
  const measure = (links: number, h: number): number => (h * h * links * GRAVITY * LENGTH) / (LENGTH ** 2 / 3);

  test.each([8, 12, 24, 40])('%i links at 1/60 s, by the closed form', (links) => {
    const model = compileModel(chain(links, 1 / 60), { formulation: 'ccp' });
    const isTaut = measure(links, 1 / 60) > 1;
    expect(model.coordinates).toBe(isTaut ? 'joint' : 'body');
    expect(model.tautLink).toBe(isTaut ? 1 : 0);
  });

  test('a time step that resolves them leaves them in body coordinates', () => {
    expect(compileModel(chain(40, 1 / 240), { formulation: 'ccp' }).coordinates).toBe('body');
  });

  test('what was said stays, and other formulations have their own', () => {
    const scene = chain(40, 1 / 60);
    expect(compileModel(scene, { formulation: 'ccp', coordinates: 'body' }).coordinates).toBe('body');
    const said: Scene = { ...scene, options: { ...scene.options, coordinates: 'body' } };
    expect(compileModel(said, { formulation: 'ccp' }).coordinates).toBe('body');
    expect(compileModel(scene, { formulation: 'sap' }).tautLink).toBe(0);
  });

  test('links that slide, and chains without weight or without hold, carry nothing', () => {
    const [rope] = chain(40, 1 / 60).bodies!;
    const thrown: Scene = { ...chain(40, 1 / 60), bodies: [{ ...rope!, joints: [{ kind: 'free' }] }] };
    expect(compileModel(thrown, { formulation: 'ccp' }).coordinates).toBe('body');
    const slides = chain(40, 1 / 60, 1, [{ kind: 'slide', axis: [0, 0, 1] }]);
    expect(compileModel(slides, { formulation: 'ccp' }).coordinates).toBe('body');
    const scene = chain(40, 1 / 60);
    const floating: Scene = { ...scene, options: { ...scene.options, gravity: [0, 0, 0] } };
    expect(compileModel(floating, { formulation: 'ccp' }).coordinates).toBe('body');
  });

  test('a model compiled again has the coordinates of a new one, or those that are asked for', () => {
    const model = compileModel(chain(5, 1 / 60), { formulation: 'ccp' });
    const heavy = chain(5, 1 / 60, 100);
    expect(recompileModel(model, heavy)).toEqual(compileModel(heavy, { formulation: 'ccp' }));
    expect(recompileModel(model, heavy).coordinates).toBe('joint');
    expect(recompileModel(model, heavy, model.coordinates).coordinates).toBe('body');
  });
});

// in body coordinates they gain 4 and 4.5 J within 5 s, every step converged
test.each([
  [50, 1],
  [5, 100],
])('%i links with an end %i times as heavy hang still under ccp', (links, load) => {
  const simulation = new Simulation(compileModel(chain(links, 1 / 60, load), { formulation: 'ccp' }));
  simulation.state.velocity.forEach((_, i, v) => {
    v[i] = 1e-6 * Math.sin(7.3 * i);
  });
  const start = simulation.energy().total;
  for (let n = 0; n < 200; n++) expect(simulation.step().status).toBe('converged');
  // kinetic energy of the push: 1e-12 of the masses; round-off of the weight 1e-16 of 123 J in every step
  expect(simulation.energy().total - start).toBeLessThan(1e-11);
});
