/** Motion under springs, dampers and actuators that the npm build of MuJoCo does not have, against numbers of MuJoCo 4.0. */
import { readFileSync } from 'node:fs';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles, writeMjcf } from '@nexdyn/formats';
import { describe, expect, test } from 'vitest';

interface Run {
  model: string;
  velocity: number[];
  control: number[];
  steps: number;
  position: number[];
  activation: number[];
  readings: number[];
}

// by recorded-laws.py
const { runs } = JSON.parse(readFileSync(new URL('recorded-laws.json', import.meta.url), 'utf8')) as { runs: Run[] };
const cases = runs.map((run) => [/model="(.*?)"/.exec(run.model)![1]!, run] as const);

const load = (text: string) => loadScene('model.xml', { files: memoryFiles({ 'model.xml': text }) });

describe('laws of MuJoCo 4.0', () => {
  test.each(cases)('%s: the motion is the same', (_, run) => {
    const { scene, unsupported } = load(run.model);
    expect(unsupported).toEqual([]);
    const simulation = new Simulation(compileModel(scene));
    const { state } = simulation;
    state.velocity.set(run.velocity);
    state.control.set(run.control);
    simulation.step(run.steps);
    expectNear([...state.position], run.position);
    expectNear([...state.activation], run.activation);
    expectNear([...simulation.sensorData], run.readings);
  });

  test.each(cases)('%s: it is written and read as the same scene', (_, { model }) => {
    const { scene } = load(model);
    const { text, unwritten } = writeMjcf(scene);
    expect(unwritten).toEqual([]);
    // −0 is written as 0
    expect(load(text).scene).toEqual(JSON.parse(JSON.stringify(scene)));
  });
});

// round-off, which 50 steps carry on
function expectNear(own: readonly number[], expected: readonly number[]): void {
  expect(own.length).toBe(expected.length);
  own.forEach((value, i) => {
    expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected[i]!)));
  });
}
