import { expect, test } from 'vitest';
import {
  formatFactor,
  formatForce,
  formatLength,
  formatMass,
  formatMillimetres,
  formatQuantity,
  formatRound,
  formatShort,
  formatTime,
} from './quantity.ts';

test('quantities take the prefix that leaves one to three digits before the point', () => {
  expect(formatQuantity(0, 'J')).toBe('0 J');
  expect(formatQuantity(1.23456, 'J')).toBe('1.235 J');
  expect(formatQuantity(-12.3456, 'J')).toBe('−12.35 J');
  expect(formatQuantity(0.00123, 'J')).toBe('1.230 mJ');
  expect(formatQuantity(3.2e-5, 's')).toBe('32.00 µs');
  expect(formatQuantity(45678, 'J')).toBe('45.68 kJ');
  expect(formatQuantity(999.96, 'J')).toBe('1.000 kJ');
  expect(formatQuantity(1e-15, 'J')).toBe('0 J');
  expect(formatQuantity(2e-12, 'J')).toBe('2.000 pJ');
  expect(formatQuantity(Number.NaN, 'J')).toBe('– J');
});

test('what has no prefix left is written with a power of ten, in few characters', () => {
  expect(formatQuantity(9.723065489069057e163, 'm')).toBe('9.7e163 m');
  expect(formatQuantity(-3e12, 'J')).toBe('−3.0e12 J');
  expect(formatQuantity(999.4e9, 'J')).toBe('999.4 GJ');
  expect(formatShort(4.77e142, 'J')).toBe('4.8e142 J');
  expect(formatShort(999.9e9, 'J')).toBe('1.0e12 J');
  expect(formatRound(2e30, '')).toBe('2.0e30');
});

test('a number without a unit has no prefix: 400 m would be metres', () => {
  expect([0.4, 1500, -0.02].map((value) => formatRound(value, ''))).toEqual(['0.4', '1500', '−0.02']);
});

test('times, factors, masses and lengths carry their units', () => {
  expect(formatTime(12.3456)).toBe('12.346 s');
  expect(formatFactor(0.254)).toBe('0.25×');
  expect(formatFactor(16)).toBe('16.0×');
  expect([0, 0.0031, 0.0126, 0.0996].map(formatFactor)).toEqual(['0.00×', '0.0031×', '0.013×', '0.10×']);
  expect(formatMass(0.0254)).toBe('25.4 g');
  expect(formatMass(40.84)).toBe('40.84 kg');
  expect(formatMass(0)).toBe('0 kg');
  expect(formatMass(2500)).toBe('2.500 t');
  expect([0.002, 0.05, 2, 5000].map(formatLength)).toEqual(['2 mm', '5 cm', '2 m', '5 km']);
});

test('a column of millimetres has no negative zero', () => {
  expect([-0.0012345, 0.05, -1e-9, 0].map(formatMillimetres)).toEqual(['−1.234', '50.000', '0.000', '0.000']);
});

test('round numbers are as short as they can be', () => {
  expect([50, 2000, 0.05, 1].map((value) => formatRound(value, 'N'))).toEqual(['50 N', '2 kN', '50 mN', '1 N']);
});

test('a column of forces has four digits, of which three at most behind the point', () => {
  expect([0, 1e-5, 0.01234, 9.81, 123.456, 98765.4].map(formatForce)).toEqual([
    '0',
    '0',
    '0.012',
    '9.810',
    '123.5',
    '98765',
  ]);
});

test('short quantities have three digits at most', () => {
  expect(formatShort(0.00123456, 'J')).toBe('1.23 mJ');
  expect(formatShort(-45678, 'N')).toBe('−45.7 kN');
  expect(formatShort(0, 'm')).toBe('0 m');
  expect([2.12e-11, 9.09e-13].map((value) => formatShort(value, 'm'))).toEqual(['21.2 pm', '0.909 pm']);
  expect(formatShort(Number.NaN, 'm')).toBe('–');
});
