/** The change of a stiffness with F against differences of its whole matrix, where eigenvalues are cut off and where they are not. */
import { expect, test } from 'vitest';
import { ELASTIC_LAW, type Material } from './material.ts';
import { createPrincipalStiffness, evaluateStiffness, expandStiffness } from './principal-stiffness.ts';
import { differentiateStiffness, KeptFrames } from './stiffness-rate.ts';

const wave = (scale: number, phase: number): Float64Array =>
  Float64Array.from({ length: 9 }, (_, k) => scale * Math.sin(phase + 2 * k));

function contract(material: Material, f: Float64Array, a: Float64Array, b: Float64Array): number {
  const parts = createPrincipalStiffness();
  const tangent = new Float64Array(81);
  evaluateStiffness(parts, material, f, true);
  expandStiffness(tangent, parts);
  return tangent.reduce((sum, value, i) => sum + a[Math.floor(i / 9)]! * value * b[i % 9]!, 0);
}

const SQUEEZE = { slightly: 0.02, strongly: 0.6 };
const LAWS = {
  neoHookean: ELASTIC_LAW.neoHookean,
  corotated: ELASTIC_LAW.corotated,
  saintVenantKirchhoff: ELASTIC_LAW.saintVenantKirchhoff,
};

/** The largest error of the rate, over its largest entry. */
function measureError(material: Material, f: Float64Array): number {
  const [a, b] = [wave(0.3, 2), wave(20, 3)];
  const rate = new Float64Array(9);
  differentiateStiffness(rate, material, f, a, b);
  const largest = Math.max(...rate.map(Math.abs));
  let error = 0;
  for (let k = 0; k < 9; k++) {
    const shifted = (by: number): number =>
      contract(
        material,
        Float64Array.from(f, (x, i) => (i === k ? x + by : x)),
        a,
        b,
      );
    const h = 1e-5;
    const expected = (8 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12 * h);
    error = Math.max(error, Math.abs(rate[k]! - expected) / largest);
  }
  return error;
}

for (const [law, id] of Object.entries(LAWS)) {
  const material = { law: id, mu: 3e3, lambda: 7e3 } as Material;
  test.each(Object.entries(SQUEEZE))(`${law}, %s deformed`, (_, size) => {
    const f = wave(size * 0.3, 1);
    for (let k = 0; k < 9; k += 4) f[k] = f[k]! + (k === 0 ? 1 - size : 1);
    expect(measureError(material, f)).toBeLessThan(1e-6);
  });

  test(`${law}, squeezed or stretched evenly: singular values are equal`, () => {
    const [c, s] = [Math.cos(0.4), Math.sin(0.4)];
    for (const size of [0.96, 1.03]) {
      const f = Float64Array.of(size * c, -size * s, 0, size * s, size * c, 0, 0, 0, size);
      expect(measureError(material, f)).toBeLessThan(1e-6);
      f[8] = f[8]! - 3e-3;
      expect(measureError(material, f)).toBeLessThan(1e-6);
    }
  });
}

test('kept frames are those of their configuration', () => {
  const [a, b] = [wave(0.3, 2), wave(20, 3)];
  const material = { law: ELASTIC_LAW.saintVenantKirchhoff, mu: 3e3, lambda: 7e3 } as Material;
  const kept = new KeptFrames(2);
  const shape = (phase: number): Float64Array => wave(0.2, phase).map((x, k) => x + (k % 4 === 0 ? 0.9 : 0));
  for (const phase of [1, 1, 4, 1]) {
    kept.begin(Float64Array.of(phase));
    for (const element of [0, 1]) {
      const f = shape(phase + element);
      const [again, alone] = [new Float64Array(9), new Float64Array(9)];
      differentiateStiffness(again, material, f, a, b, kept, element);
      differentiateStiffness(alone, material, f, a, b);
      expect(again).toEqual(alone);
    }
  }
});
