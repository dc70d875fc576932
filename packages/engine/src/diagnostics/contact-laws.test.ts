/** Single contacts whose numbers are known by hand. */
import { describe, expect, test } from 'vitest';
import { ContactSet } from '../collision/contact-set.ts';
import { measureContactLaws } from './contact-laws.ts';
import { createMeasurement, type Measurement } from './metrics.ts';

interface Given {
  force: [number, number, number];
  velocity: [number, number, number];
  gap?: number;
  friction?: [number, number];
  adhesion?: number;
  condim?: number;
  isAfter?: boolean;
}

/** One contact after another in one set, with h = 0.01 s. */
function measure(...given: Given[]): Measurement {
  const contacts = new ContactSet();
  const velocity = new Float64Array(3 * given.length);
  given.forEach((one, i) => {
    contacts.reserve(1);
    contacts.force.set(one.force, 6 * i);
    contacts.friction.set(one.friction ?? [0.5, 0.5], 5 * i);
    contacts.gap[i] = one.gap ?? 0;
    contacts.adhesion[i] = one.adhesion ?? 0;
    contacts.condim[i] = one.condim ?? 3;
    velocity.set(one.velocity, 3 * i);
  });
  const out = createMeasurement();
  measureContactLaws(out, { contacts, velocity, isAfter: given[0].isAfter ?? false, h: 0.01 });
  return out;
}

describe('friction cone', () => {
  test.each<[string, Given, number]>([
    ['inside', { force: [10, 3, 4], velocity: [0, 0, 0] }, 0],
    ['beside: |f_T| − μ f_N', { force: [10, 6, 8], velocity: [0, 0, 0] }, 5],
    ['pulling: −f_N', { force: [-2, 0, 0], velocity: [0, 0, 0] }, 2],
    ['held by adhesion', { force: [-2, 0, 0], velocity: [0, 0, 0], adhesion: 3 }, 0],
    ['friction of what adhesion holds', { force: [-2, 0.9, 0], velocity: [0, 0, 0], adhesion: 3 }, 0.4],
    ['two coefficients: max μ (√Σ(f/μ)² − f_N)', { force: [10, 2, 0], velocity: [0, 0, 0], friction: [0.1, 0.5] }, 5],
    ['none: what is tangential', { force: [10, 2, 0], velocity: [0, 0, 0], condim: 1 }, 2],
  ])('%s', (_, given, expected) => {
    expect(measure(given).coneViolation).toBeCloseTo(expected, 12);
  });
});

test('Coulomb sliding on touching ground breaks no law', () => {
  const out = measure({ force: [10, -3, -4], velocity: [0, 0.6, 0.8] });
  expect(out.dissipationError).toBeCloseTo(0, 12);
  expect(out.coulombComplementarity).toBeCloseTo(0, 12);
  expect(out.signorini).toBe(0);
  // the relaxation wants it to rise with μ |u_T|
  expect(out.coneComplementarity).toBeCloseTo(0.01 * 5, 12);
});

test('a solution of the cone program rises: u_N = μ |u_T|', () => {
  const out = measure({ force: [10, -3, -4], velocity: [0.5, 0.6, 0.8] });
  expect(out.coneComplementarity).toBeCloseTo(0, 12);
  expect(out.signorini).toBeCloseTo(10 * 0.005, 12);
  expect(out.signoriniVelocity).toBeCloseTo(0.01 * 5, 12);
  expect(out.coulombComplementarity).toBeCloseTo(0.05, 12);
  expect(out.gap).toBeCloseTo(0.005, 12);
});

test('a gap of the state before is closed by the step', () => {
  const given: Given = { force: [10, 0, 0], velocity: [-0.2, 0, 0], gap: 0.002 };
  expect(measure(given).signorini).toBeCloseTo(0, 12);
  expect(measure({ ...given, isAfter: true }).signorini).toBeCloseTo(0.02, 12);
  expect(measure({ ...given, isAfter: true }).gap).toBeCloseTo(0.002, 12);
});

test('friction that does less than it could, or pushes askew, is short of the most dissipation', () => {
  expect(measure({ force: [10, -1, 0], velocity: [0, 2, 0] }).dissipationError).toBeCloseTo((5 - 1) * 2, 12);
  expect(measure({ force: [10, 0, -5], velocity: [0, 2, 0] }).dissipationError).toBeCloseTo(10, 12);
  // two coefficients: the most is √Σ(μ u)² f_N, along (μ² u)
  const along = Math.hypot(0.1 * 3, 0.5 * 4);
  const force: [number, number, number] = [10, (-10 * 0.01 * 3) / along, (-10 * 0.25 * 4) / along];
  const out = measure({ force, velocity: [0, 3, 4], friction: [0.1, 0.5] });
  expect(out.dissipationError).toBeCloseTo(0, 12);
  expect(out.coneViolation).toBeCloseTo(0, 12);
});

test('slip counts as creep inside the cone alone', () => {
  expect(measure({ force: [10, -1, 0], velocity: [0, 3e-4, 4e-4] }).creep).toBeCloseTo(5e-4, 15);
  expect(measure({ force: [10, -5, 0], velocity: [0, 3e-4, 0] }).creep).toBe(0);
});

test('the worst of all contacts counts, forces add up, open contacts carry nothing', () => {
  const out = measure(
    { force: [10, 0, 0], velocity: [0, 0, 0], gap: -0.001 },
    { force: [4, 3, 0], velocity: [0, 0, 0], gap: 0.0005 },
    { force: [0, 0, 0], velocity: [0, 9, 0], gap: 0.1 },
  );
  expect(out.signorini).toBeCloseTo(0.01, 12);
  expect(out.coneViolation).toBeCloseTo(1, 12);
  expect(out.gap).toBeCloseTo(0.0005, 12);
  expect(out.contacts).toBe(2);
  expect(out.normalForce).toBe(14);
  expect(out.dissipationError).toBe(0);
});
