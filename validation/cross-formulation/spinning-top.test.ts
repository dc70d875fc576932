/**
 * A heavy top on a pin, spun at ω: nothing takes energy out or brings it in. Explicit gyroscopic forces would make it grow as
 * exp(c h ω² t); first-order steps that take them implicitly may lose a part h ω of it, and those of order four may be off by (h ω)⁴.
 */
import { readFileSync } from 'node:fs';
import { compileModel, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const scene = JSON.parse(readFileSync(new URL('../../scenes/spinning-top.json', import.meta.url), 'utf8'));

test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)('%s: the energy of a spinning top does not grow', (formulation) => {
  const simulation = new Simulation(compileModel(scene, { formulation }));
  const measure = (): number => {
    const { kinetic, potential } = simulation.energy();
    return kinetic + potential;
  };
  const start = measure();
  const spin = Math.hypot(...simulation.state.velocity.subarray(0, 6));
  expect(spin).toBeGreaterThan(10);
  const angle = simulation.timestep * spin;
  for (let k = 0; k < 4; k++) {
    simulation.step(Math.round(0.25 / simulation.timestep));
    const energy = measure();
    expect(energy).toBeLessThan(start * (1 + angle ** 4));
    expect(energy).toBeGreaterThan(start * (1 - angle));
  }
});
