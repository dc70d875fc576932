/**
 * A scene whose single step takes a fifth of a second and more: the page draws, turns the camera and answers several times within a step,
 * and the real-time factor it shows is the one that a clock of our own finds.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { formatAddress } from '../address.ts';
import { hasChromium } from './launch.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** Of the scene, s. */
const TIMESTEP = 0.005;

/** A soft block on the floor, so many cells along each edge. */
function blockScene(cells: number): string {
  return JSON.stringify({
    format: 'nexdyn-scene',
    version: 1,
    name: `Block of ${cells}`,
    options: { formulation: 'sap', timestep: TIMESTEP },
    shapes: [{ kind: 'plane', name: 'floor' }],
    softBodies: [
      {
        name: 'block',
        position: [0, 0, 0.3],
        mesh: { kind: 'box', halfSize: [0.3, 0.3, 0.3], cells: [cells, cells, cells] },
        elasticity: { youngsModulus: 2e5, poissonRatio: 0.4, density: 1000 },
      },
    ],
  });
}

/** What a page did for a while. */
interface Watch {
  /** Times between pictures, ms. */
  intervals: number[];
  /** Tasks of more than 50 ms that held up the page, ms. */
  tasks: number[];
  /** Each new state: simulated time, s, when it was first seen by the clock, s, and the factor that was shown with it. */
  states: { time: number; clock: number; factor: string }[];
}

/** Runs in the page: watches for some seconds and some states at least; the camera turns with every picture, or not at all. */
async function watch([seconds, leastStates, turns]: [number, number, boolean]): Promise<Watch> {
  const found: Watch = { intervals: [], tasks: [], states: [] };
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) found.tasks.push(duration);
  });
  observer.observe({ type: 'longtask' });
  const key = { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true };
  const begin = performance.now();
  let last = await new Promise<number>(requestAnimationFrame);
  while (performance.now() - begin < 1000 * seconds || found.states.length < leastStates) {
    if (turns) document.body.dispatchEvent(new KeyboardEvent('keydown', key));
    const now = await new Promise<number>(requestAnimationFrame);
    found.intervals.push(now - last);
    last = now;
    const time = window.nexdyn.timeline()?.time ?? 0;
    const factor = document.querySelector('[data-role=factor]')?.textContent ?? '';
    if (time !== found.states.at(-1)?.time) found.states.push({ time, clock: performance.now() / 1000, factor });
  }
  observer.disconnect();
  return found;
}

/** Runs in the page: turns the camera and looks at the very next picture; tells whether it is another, and when it came, ms. */
async function turnOnce(): Promise<{ hasMoved: boolean; delay: number }> {
  const canvas = document.querySelector('canvas')!;
  const small = new OffscreenCanvas(96, 60).getContext('2d', { willReadFrequently: true })!;
  const key = { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true };
  const turn = async (): Promise<string> => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', key));
    // asked for after the picture was, so it comes after it in the same frame
    await new Promise(requestAnimationFrame);
    small.drawImage(canvas, 0, 0, 96, 60);
    return small.getImageData(0, 0, 96, 60).data.join();
  };
  const before = await turn();
  const begin = performance.now();
  const after = await turn();
  return { hasMoved: before !== after, delay: performance.now() - begin };
}

/** Runs in the page: waits until nothing has held it up for a second. */
async function rest(): Promise<void> {
  let last = performance.now();
  const observer = new PerformanceObserver(() => {
    last = performance.now();
  });
  observer.observe({ type: 'longtask' });
  const begin = last;
  while (performance.now() - last < 1000 && performance.now() - begin < 20_000)
    await new Promise((done) => setTimeout(done, 100));
  observer.disconnect();
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

describe.skipIf(!hasChromium)('a slow solver in Chromium', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;
  /** Without and with a camera that turns, while the solver works. */
  let busy: Watch;
  let busyTurning: Watch;
  /** Of the clock per step while the solver works, ms. */
  let stepTime: number;

  /** The time of one step as the page shows it, ms. */
  const readStepCost = async (): Promise<number> => {
    const text = await studio.fact('step-cost');
    return Number.parseFloat(text) * (text.endsWith(' s') ? 1000 : 1);
  };

  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum', { drawsSeldom: false });
    await studio.runUntil(0.05);
    // pictures are drawn in software: small and plain ones leave the processor to the solver
    await studio.page.setViewportSize({ width: 984, height: 420 });
    for (const label of ['Shadows', 'Grid'])
      await studio.page.locator('.view-options button', { hasText: label }).click();
    // finer until a step takes long enough on this machine
    for (const cells of [18, 23, 28]) {
      await studio.drop({ 'block.json': blockScene(cells) });
      await studio.waitForScene(`Block of ${cells}`);
      await studio.page.waitForFunction(() => (window.nexdyn.timeline()?.step ?? 0) >= 3, undefined, { polling: 100 });
      if ((await readStepCost()) > 250) break;
    }
    await studio.pause();
    await studio.page.evaluate(rest);
    await studio.press('Space');
    busy = await studio.page.evaluate(watch, [2.5, 5, false] as [number, number, boolean]);
    busyTurning = await studio.page.evaluate(watch, [1.5, 2, true] as [number, number, boolean]);
    const [first, last] = [busy.states[0]!, busy.states.at(-1)!];
    stepTime = (1000 * TIMESTEP * (last.clock - first.clock)) / (last.time - first.time);
  }, 120_000);
  afterEach(() => {
    expect(studio.errors).toEqual([]);
  });
  afterAll(async () => {
    await host.stop();
  });

  test('a step takes at least 200 ms', () => {
    expect(stepTime).toBeGreaterThan(200);
  });

  test('several frames come within a step, and nothing holds the page up for long', () => {
    // between two states nothing is drawn and nothing disturbs; a page that waits for the solver has a frame per step
    expect(quantile(busy.intervals, 0.5)).toBeLessThan(0.25 * stepTime);
    // what holds the page up is drawing a state in software: far less than a step, and far from all the time
    expect(quantile(busy.intervals, 0.95)).toBeLessThan(0.5 * stepTime);
    expect(sum(busy.tasks)).toBeLessThan(0.5 * sum(busy.intervals));
  });

  test('the camera turns while the solver works: more than one picture within a step', () => {
    expect(quantile(busyTurning.intervals, 0.5)).toBeLessThan(0.5 * stepTime);
  });

  test('the very next picture is another one', async () => {
    const delays: number[] = [];
    for (let i = 0; i < 5; i++) {
      const { hasMoved, delay } = await studio.page.evaluate(turnOnce);
      expect(hasMoved).toBe(true);
      delays.push(delay);
    }
    expect(quantile(delays, 0.5)).toBeLessThan(0.5 * stepTime);
  });

  test('the factor that is shown is the one that the clock finds', () => {
    const states = busy.states.map(({ time, clock, factor }) => ({ time, clock, shown: Number.parseFloat(factor) }));
    const ratios = states.flatMap(({ time, clock, shown }) => {
      // over the same span: from the last state that is a second old
      const from = states.findLast((earlier) => earlier.clock <= clock - 1);
      return from && Number.isFinite(shown) ? [shown / ((time - from.time) / (clock - from.clock))] : [];
    });
    expect(ratios.length).toBeGreaterThan(1);
    // states are seen up to a picture late, at both ends of a second or more
    expect(quantile(ratios, 0.5)).toBeGreaterThan(0.8);
    expect(quantile(ratios, 0.5)).toBeLessThan(1.25);
  });

  test('the run obeys after the step that is under way', async () => {
    await studio.pause();
    const time = await studio.time();
    await studio.press('ArrowLeft');
    await studio.settle();
    expect(await studio.time()).toBeCloseTo(time - TIMESTEP, 9);
  });

  test('two slow runs side by side: pictures come as the steps do, and the page is as free', async () => {
    const files = { 'block.json': blockScene(11) };
    const address = await formatAddress({ scene: { path: 'block.json', files }, compare: ['mujoco', 'sap'] });
    await studio.page.evaluate((hash) => {
      location.hash = hash;
    }, address);
    await studio.waitForScene('Block of 11');
    await studio.page.waitForFunction(() => window.nexdyn.comparison()?.some(({ step }) => step > 0));
    const both = await studio.page.evaluate(watch, [2, 4, false] as [number, number, boolean]);
    await studio.press('Space');
    const gaps = both.states.slice(1).map(({ time, clock }, i) => ({
      steps: (time - both.states[i]!.time) / TIMESTEP,
      wait: clock - both.states[i]!.clock,
    }));
    // several frames from one state to the next
    const wait = quantile(
      gaps.map((gap) => 1000 * gap.wait),
      0.5,
    );
    expect(quantile(both.intervals, 0.5)).toBeLessThan(0.5 * wait);
    // a picture after a tenth of a second of computing, or after the one step that takes longer
    const prompt = gaps.filter(({ steps, wait }) => steps < 2.5 || wait < 0.4);
    expect(prompt.length).toBeGreaterThan(0.5 * gaps.length);
  });
});
