import { expect, test } from 'vitest';
import { spaceFunctions } from './space-functions.ts';

const SIN = '<mi>sin</mi><mo>\u2061</mo>';
const SPACE = '<mspace width="0.17em"></mspace>';

test('names of functions keep a distance from letters and none from brackets', () => {
  expect(spaceFunctions(`<mi>g</mi>${SIN}<mi>α</mi>`)).toBe(`<mi>g</mi>${SPACE}${SIN}${SPACE}<mi>α</mi>`);
  expect(spaceFunctions(`<mo>+</mo>${SIN}<mo stretchy="false">(</mo>`)).toBe(
    `<mo>+</mo>${SIN}<mo stretchy="false">(</mo>`,
  );
  expect(spaceFunctions('<mi>m</mi><mi>g</mi>')).toBe('<mi>m</mi><mi>g</mi>');
});
