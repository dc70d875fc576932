import { inflateSync } from 'node:zlib';
import { compileModel, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { drawLinePlot } from './line-plot.ts';
import { drawPicture, placeCamera } from './picture.ts';
import { chooseAxis, createLinearAxis, createLogAxis } from './plot-axis.ts';
import { encodePng } from './png.ts';
import { findFloor, listPolygons, type Point } from './polygons.ts';
import { Raster } from './raster.ts';
import { findBest } from './report-page.ts';

function open(shape: Shape): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    shapes: [{ kind: 'plane', position: [0, 0, -0.5] }],
    bodies: [
      {
        position: [1, 2, 3],
        orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
        joints: [{ kind: 'free' }],
        shapes: [shape],
      },
    ],
  };
  return new Simulation(compileModel(scene));
}

/** Area and volume of closed polygons that face outward. */
function measure(simulation: Simulation): { area: number; volume: number } {
  let [area, volume] = [0, 0];
  for (const { points } of listPolygons(simulation)) {
    for (let k = 1; k + 1 < points.length; k++) {
      const [a, b, c] = [points[0]!, points[k]!, points[k + 1]!].map(([x, y, z]) => [x - 1, y - 2, z - 3] as Point) as [
        Point,
        Point,
        Point,
      ];
      const n = [0, 1, 2].map((i) => {
        const [u, v] = [(i + 1) % 3, (i + 2) % 3];
        return (b[u]! - a[u]!) * (c[v]! - a[v]!) - (b[v]! - a[v]!) * (c[u]! - a[u]!);
      });
      area += Math.hypot(...n) / 2;
      volume += (a[0] * n[0]! + a[1] * n[1]! + a[2] * n[2]!) / 6;
    }
  }
  return { area, volume };
}

describe('polygons', () => {
  test.each<[string, Shape, number, number, number]>([
    ['box', { kind: 'box', halfSize: [0.1, 0.2, 0.3] }, 8 * 0.006, 8 * 0.11, 1e-12],
    // 36 sides inside the round ones: 1 − (2π/36)²/6 of the area
    ['sphere', { kind: 'sphere', radius: 0.2 }, (4 / 3) * Math.PI * 0.008, 4 * Math.PI * 0.04, 0.02],
    ['cylinder', { kind: 'cylinder', radius: 0.1, halfLength: 0.3 }, Math.PI * 0.006, Math.PI * 0.14, 0.02],
    ['capsule', { kind: 'capsule', radius: 0.1, halfLength: 0.3 }, Math.PI * (0.006 + 0.004 / 3), Math.PI * 0.16, 0.02],
    ['ellipsoid', { kind: 'ellipsoid', radii: [0.1, 0.2, 0.3] }, (4 / 3) * Math.PI * 0.006, 0.48882, 0.02],
  ])('a %s is closed, faces outward and has its volume and area', (_, shape, volume, area, share) => {
    const found = measure(open(shape));
    expect(Math.abs(found.volume / volume - 1)).toBeLessThan(share);
    expect(Math.abs(found.area / area - 1)).toBeLessThan(share);
  });

  test('the floor is found', () => {
    expect(findFloor(open({ kind: 'sphere', radius: 0.1 }))).toBeCloseTo(-0.5, 12);
  });
});

describe('raster', () => {
  test('covers the area of a triangle, and the nearest one is seen', () => {
    const raster = new Raster(40, 40);
    raster.fill([5, 5, 0], [35, 5, 0], [5, 35, 0], [255, 0, 0]);
    raster.fill([5, 5, -1], [35, 5, -1], [5, 35, -1], [0, 255, 0]);
    const pixels = raster.readPixels();
    let covered = 0;
    for (let i = 3; i < pixels.length; i += 4) covered += pixels[i]! / 255;
    expect(covered).toBeGreaterThan(0.97 * 450);
    expect(covered).toBeLessThan(1.03 * 450);
    expect([...pixels.subarray(4 * (40 * 10 + 10), 4 * (40 * 10 + 10) + 4)]).toEqual([255, 0, 0, 255]);
    expect(pixels[3]).toBe(0);
  });
});

test('a PNG holds its pixels', () => {
  const pixels = Uint8Array.from({ length: 4 * 3 * 2 }, (_, i) => (37 * i) % 256);
  const file = Buffer.from(encodePng(pixels, 3, 2));
  expect(file.subarray(1, 4).toString('latin1')).toBe('PNG');
  expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([3, 2]);
  const at = file.indexOf('IDAT');
  const rows = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)));
  const decoded: number[] = [];
  for (let y = 0; y < 2; y++) {
    expect(rows[y * 13]).toBe(2);
    for (let k = 0; k < 12; k++) decoded.push((rows[y * 13 + 1 + k]! + (y > 0 ? decoded[12 * (y - 1) + k]! : 0)) % 256);
  }
  expect(decoded).toEqual([...pixels]);
});

describe('axes', () => {
  test('even ticks at 1, 2 or 5 times a power of ten, ends included', () => {
    const { ticks, place } = createLinearAxis(0, 0.93);
    expect(ticks.map(({ value }) => value)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(place(0.5)).toBeCloseTo(0.5, 12);
    expect(createLinearAxis(3, 3).ticks.length).toBeGreaterThan(1);
  });

  test('powers of ten where values are far apart; zero lies at the bottom', () => {
    const axis = chooseAxis([0, 1e-6, 1]);
    expect(axis.place(1)).toBeCloseTo(1, 12);
    expect(axis.place(1e-3)).toBeCloseTo(0.5, 12);
    expect(axis.place(0)).toBe(0);
    expect(chooseAxis([-1, 1000]).place(-1)).toBeGreaterThanOrEqual(0);
    expect(createLogAxis(1e-3, 4e-3).ticks.map(({ value }) => value)).toEqual([1e-3, 2e-3]);
  });
});

test('what lies below a logarithmic axis is told by its lowest label', () => {
  const labels = (values: number[]): string[] => chooseAxis(values).ticks.map(({ label }) => label);
  expect(labels([1e-6, 1])[0]).toBe('1e-6');
  expect(labels([0, 1e-6, 1])[0]).toBe('≤ 1e-6');
  // twelve decades are shown
  expect(labels([1e-20, 1])[0]).toBe('≤ 1e-12');
});

test('the least stands out where less is better: energy lost is no merit, and neither is a hair of difference', () => {
  expect(findBest('penetration', [1e-3, 2e-4, null])).toEqual([false, true, false]);
  expect(findBest('energyCreated', [-0.2, 8e-5, -0.01])).toEqual([true, false, true]);
  expect(findBest('energyCreated', [-0.2, -0.1])).toEqual([false, false]);
  expect(findBest('coneViolation', [1e-15, 0])).toEqual([false, false]);
  expect(findBest('normalForce', [1, 2])).toEqual([false, false]);
  expect(findBest('penetration', [1e-3, null])).toEqual([false, false]);
});

test('a plot breaks its line where numbers are missing and keeps inside its frame', () => {
  const svg = drawLinePlot({
    title: 'a < b',
    unit: 'm',
    xLabel: 'time, s',
    lines: [{ name: 'sap', color: 1, x: [0, 1, 2, 3, 4], y: [0, 2, Number.NaN, 1, 3] }],
  });
  expect(svg.match(/<polyline/g)).toHaveLength(2);
  expect(svg).toContain('a &lt; b');
  for (const [, x, y] of svg.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)) {
    expect(Number(x)).toBeGreaterThanOrEqual(62);
    expect(Number(x)).toBeLessThanOrEqual(448);
    expect(Number(y)).toBeGreaterThanOrEqual(10);
    expect(Number(y)).toBeLessThanOrEqual(196);
  }
});

test('a picture is one element with nothing from outside', () => {
  const simulation = open({ kind: 'box', halfSize: [0.1, 0.1, 0.1] });
  const svg = drawPicture(simulation, placeCamera([simulation]), 'a box');
  expect(svg.startsWith('<svg')).toBe(true);
  expect(svg).not.toMatch(/https?:/);
  expect(svg).toContain('data:image/png;base64,iVBOR');
  expect(svg).toContain('class="ground"');
});
