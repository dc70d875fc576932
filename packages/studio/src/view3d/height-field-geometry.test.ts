import { expect, test } from 'vitest';
import { heightFieldGeometry } from './height-field-geometry.ts';

const field = { rows: 3, columns: 4, halfSize: [3, 1] as [number, number], baseDepth: 0.5 };

/** Volume enclosed by triangles: Σ a · (b × c) / 6. */
function volumeOf(geometry: ReturnType<typeof heightFieldGeometry>): number {
  const position = geometry.getAttribute('position');
  const index = geometry.getIndex()!;
  let volume = 0;
  for (let i = 0; i < index.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const vertex = index.getX(i + k);
      return [position.getX(vertex), position.getY(vertex), position.getZ(vertex)];
    }) as [number[], number[], number[]];
    volume +=
      (a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
        a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
        a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!)) /
      6;
  }
  return volume;
}

test('flat terrain is a slab: walls and surface face outwards', () => {
  // the floor, which nobody sees, lies in the plane z = 0 here and adds nothing to the volume
  const heights = new Float32Array(12).fill(0.5);
  expect(volumeOf(heightFieldGeometry({ ...field, heights }))).toBeCloseTo(6 * 2 * 0.5, 5);
});

test('samples run along x first, from the corner of least x and y', () => {
  const heights = Float32Array.from({ length: 12 }, (_, i) => i);
  const position = heightFieldGeometry({ ...field, heights }).getAttribute('position');
  const sample = (i: number): number[] => [position.getX(i), position.getY(i), position.getZ(i)];
  expect(sample(0)).toEqual([-3, -1, 0]);
  expect(sample(1)).toEqual([-1, -1, 1]);
  expect(sample(4)).toEqual([-3, 0, 4]);
  expect(sample(11)).toEqual([3, 1, 11]);
});
