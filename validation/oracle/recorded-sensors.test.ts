/** Readings of sensors against numbers of MuJoCo 4.0, where the npm build is older or has no word in it. */
import { readFileSync } from 'node:fs';
import { compileModel, Simulation } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { expect, test } from 'vitest';

interface Run {
  model: string;
  velocity: number[];
  steps: number;
  /** Of the largest number that a sensor shows, and of 1. */
  tolerance: number;
  readings: number[];
}

// by recorded-sensors.py
const { runs } = JSON.parse(readFileSync(new URL('recorded-sensors.json', import.meta.url), 'utf8')) as { runs: Run[] };

test.each(runs.map((run) => [/model="(.*?)"/.exec(run.model)![1]!, run] as const))(
  'readings are those of MuJoCo 4.0: %s',
  (_, { model: text, velocity, steps, tolerance, readings }) => {
    const { scene, unsupported } = loadScene('model.xml', { files: memoryFiles({ 'model.xml': text }) });
    expect(unsupported).toEqual([]);
    const model = compileModel(scene);
    const simulation = new Simulation(model);
    simulation.state.velocity.set(velocity);
    simulation.step(steps);
    expect(readings.length).toBe(model.size.reading);
    const off: string[] = [];
    for (let s = 0; s < model.size.sensor; s++) {
      const start = model.sensor.start[s]!;
      const expected = readings.slice(start, start + model.sensor.dimension[s]!);
      const scale = Math.max(1, ...expected.map(Math.abs));
      expected.forEach((value, i) => {
        const own = simulation.sensorData[start + i]!;
        if (!(Math.abs(own - value) <= tolerance * scale))
          off.push(`${s} ${model.sensor.kind[s]} ${i}: ${own}, not ${value}`);
      });
    }
    expect(off).toEqual([]);
  },
);
