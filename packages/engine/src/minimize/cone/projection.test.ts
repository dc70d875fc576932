import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { CONE, ConeTable } from './cone-set.ts';
import { projectCones } from './projection.ts';

const memory = { f64: (n: number) => new Float64Array(n), i32: (n: number) => new Int32Array(n) };
const POINTS = takeSamples(10_000, 0.15);

/** Cones of one block each, with coefficients from 0 to 3; every tenth coefficient is 0. */
const KINDS: Record<string, (cones: ConeTable, draw: () => number) => void> = {
  free: (cones) => cones.addFree(3),
  nonnegative: (cones) => cones.addNonnegative(2),
  box: (cones, draw) => cones.addBounds(-draw(), draw()),
  friction: (cones, draw) => cones.addFriction(draw()),
  spin: (cones, draw) => cones.addRolling(draw(), draw(), undefined),
  roll: (cones, draw) => cones.addRolling(draw(), undefined, draw()),
  'spin and roll': (cones, draw) => cones.addRolling(draw(), draw(), draw()),
};
const NAMES = Object.keys(KINDS);

/** Calls with a block, a point and its projection, many times. */
function forPoints(
  name: string,
  seed: number,
  visit: (cones: ConeTable, x: Float64Array, p: Float64Array) => void,
): void {
  const random = createRandom(seed);
  const draw = (): number => (random() < 0.1 ? 0 : 3 * random());
  const cones = new ConeTable(memory);
  for (let k = 0; k < POINTS; k++) {
    cones.clear();
    KINDS[name]!(cones, draw);
    const x = new Float64Array(cones.size);
    // all sizes, so that the branches are all met; some entries vanish
    for (let i = 0; i < x.length; i++) x[i] = random() < 0.05 ? 0 : (2 * random() - 1) * 10 ** (2 * random() - 1);
    const p = new Float64Array(x.length);
    projectCones(p, x, cones);
    visit(cones, x, p);
  }
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
const minus = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, i) => value - b[i]);
const norm = (a: Float64Array): number => Math.sqrt(dot(a, a));
/** Length of a point, 1 for the origin: what errors are compared with. */
const sizeOf = (a: Float64Array): number => norm(a) || 1;

/** Lengths of the tangential parts and their coefficients. */
function listDiscs(cones: ConeTable, x: Float64Array): { length: number; slope: number }[] {
  const d = x.length;
  const hasSpin = d === 4 || d === 6;
  const roll = hasSpin ? 4 : 3;
  return [
    { length: Math.hypot(x[1], x[2]), slope: cones.friction[0] },
    { length: hasSpin ? Math.abs(x[3]) : 0, slope: cones.spinning[0] },
    { length: d >= 5 ? Math.hypot(x[roll], x[roll + 1]) : 0, slope: cones.rolling[0] },
  ];
}

/** Brings a point into the set, not to the nearest place. */
function pullInside(cones: ConeTable, y: Float64Array, d: number): void {
  if (cones.kind[0] === CONE.free) return;
  if (cones.kind[0] === CONE.box) {
    y[0] = Math.min(cones.upper[0], Math.max(cones.lower[0], y[0]));
    return;
  }
  if (cones.kind[0] === CONE.nonnegative) {
    for (let i = 0; i < d; i++) y[i] = Math.max(0, y[i]);
    return;
  }
  y[0] = Math.abs(y[0]);
  const [slide, spin, roll] = listDiscs(cones, y.subarray(0, d)).map(({ length, slope }) =>
    length > slope * y[0] ? (slope * y[0]) / length : 1,
  );
  const parts = [1, slide, slide, ...(d === 4 || d === 6 ? [spin] : []), ...(d >= 5 ? [roll, roll] : [])];
  for (let i = 0; i < d; i++) y[i] *= parts[i];
}

const isCone = (cones: ConeTable): boolean => cones.kind[0] === CONE.friction || cones.kind[0] === CONE.rolling;

describe.each(NAMES)('projection: %s', (name) => {
  test('lies in the set, and a second projection changes nothing', () => {
    let worst = 0;
    const again = new Float64Array(6);
    forPoints(name, 1, (cones, x, p) => {
      projectCones(again, p, cones);
      worst = Math.max(worst, norm(minus(p, again.subarray(0, p.length))) / sizeOf(x));
      if (isCone(cones)) {
        for (const { length, slope } of listDiscs(cones, p))
          worst = Math.max(worst, (length - slope * p[0]) / sizeOf(x));
        worst = Math.max(worst, -p[0]);
      }
    });
    expect(worst).toBeLessThan(1e-12);
  });

  test('no two points move apart', () => {
    let worst = 0;
    const q = new Float64Array(6);
    const random = createRandom(9);
    forPoints(name, 2, (cones, x, p) => {
      const y = x.map((value) => value + (random() - 0.5) * 10 ** (4 * random() - 3));
      projectCones(q, y, cones);
      const apart = norm(minus(x, y));
      worst = Math.max(worst, (norm(minus(p, q.subarray(0, p.length))) - apart) / sizeOf(x));
    });
    expect(worst).toBeLessThan(1e-12);
  });

  test('what is taken off is orthogonal and lies in the polar cone (Moreau)', () => {
    let worst = 0;
    forPoints(name, 3, (cones, x, p) => {
      if (cones.kind[0] === CONE.box) return;
      const size = sizeOf(x);
      const off = minus(x, p);
      worst = Math.max(worst, Math.abs(dot(off, p)) / (size * size));
      if (cones.kind[0] === CONE.free) worst = Math.max(worst, norm(off));
      else if (!isCone(cones)) worst = Math.max(worst, ...off);
      // polar: −n ≥ Σ c_k |disc_k|
      else {
        const support = listDiscs(cones, off).reduce((sum, { length, slope }) => sum + slope * length, 0);
        worst = Math.max(worst, (off[0] + support) / size);
      }
    });
    expect(worst).toBeLessThan(1e-12);
  });

  test('is nearer than any point that a search finds', () => {
    const random = createRandom(5);
    let worst = 0;
    const y = new Float64Array(6);
    forPoints(name, 4, (cones, x, p) => {
      const best = norm(minus(x, p));
      for (let k = 0; k < 10; k++) {
        // points of the set around the projection
        for (let i = 0; i < x.length; i++) y[i] = p[i] + (random() - 0.5) * 10 ** (4 * random() - 4);
        pullInside(cones, y, x.length);
        worst = Math.max(worst, (best - norm(minus(x, y.subarray(0, x.length)))) / sizeOf(x));
      }
    });
    expect(worst).toBeLessThan(1e-12);
  });
});

describe('cones', () => {
  test('the normal is that of the best of the eight active sets', () => {
    for (const name of ['friction', 'spin', 'roll', 'spin and roll']) {
      let worst = 0;
      forPoints(name, 6, (cones, x, p) => {
        const discs = listDiscs(cones, x);
        const cost = (n: number): number =>
          discs.reduce((sum, { length, slope }) => sum + Math.max(0, length - slope * n) ** 2, (n - x[0]) ** 2);
        let best = 0;
        for (let set = 0; set < 8; set++) {
          const active = discs.filter((_, k) => set & (1 << k));
          const n =
            active.reduce((sum, { length, slope }) => sum + slope * length, x[0]) /
            active.reduce((sum, { slope }) => sum + slope * slope, 1);
          if (n > 0 && cost(n) < cost(best)) best = n;
        }
        worst = Math.max(worst, Math.abs(best - p[0]) / sizeOf(x));
      });
      // the eight are compared by cost, which is flat where it is least
      expect(worst).toBeLessThan(1e-7);
    }
  });

  test('three branches of the friction cone in closed form', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(0.5);
    const project = (...x: number[]): number[] => {
      const p = Float64Array.from(x);
      projectCones(p, p, cones);
      return [...p];
    };
    expect(project(2, 0.6, -0.8)).toEqual([2, 0.6, -0.8]);
    expect(project(-1, 1.2, 1.6)).toEqual([0, 0, 0]);
    // n = (1 + 0.5·5)/1.25, t = 0.5 n (3, 4)/5
    const [n, t1, t2] = project(1, 3, 4);
    expect(n).toBeCloseTo(2.8, 14);
    expect(t1).toBeCloseTo(0.84, 14);
    expect(t2).toBeCloseTo(1.12, 14);
    // no normal part at all is on the side too, not at the tip
    expect(project(0, 3, 4)[0]).toBeCloseTo(2, 14);
  });

  test('without friction the cone is a half-line', () => {
    const cones = new ConeTable(memory);
    cones.addFriction(0);
    cones.addRolling(0, 0, 0);
    const p = Float64Array.of(2, 1, 1, 3, 1, 1, 1, 1, 1);
    projectCones(p, p, cones);
    expect([...p]).toEqual([2, 0, 0, 3, 0, 0, 0, 0, 0]);
  });

  test('one projection after the other on a shared normal is not the nearest point; this one is', () => {
    const cones = new ConeTable(memory);
    cones.addRolling(0.5, undefined, 0.5);
    const x = Float64Array.of(1, 2, 0, 2, 0);
    const p = new Float64Array(5);
    projectCones(p, x, cones);
    // n = (1 + 1 + 1) / 1.5
    expect(p[0]).toBeCloseTo(2, 14);
    // sliding first: n = 2/1.25 = 1.6; then rolling: n = (1.6 + 1)/1.25 = 2.08
    const sequential = Float64Array.of(2.08, 0.8, 0, 1.04, 0);
    expect(norm(minus(x, p))).toBeLessThan(norm(minus(x, sequential)) - 0.01);
  });
});
