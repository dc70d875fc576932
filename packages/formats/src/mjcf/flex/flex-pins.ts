/** <pin>: points of a flexcomp that are fixed to the body in which it stands. */
import type { XmlElement } from '../../xml/xml.ts';
import { locate, readList, readVec3, type Settings, settingsOf } from '../attributes.ts';
import { fail } from '../failure.ts';
import { checkAttributes } from '../schema.ts';
import type { FlexLayout, FlexMesh } from './flex-points.ts';

/** Numbers of the pinned points, each once. With interpolation, pins are nodes; points that only pinned nodes move are pinned. */
export function findPins(element: XmlElement, mesh: FlexMesh, layout: FlexLayout, dof: string, type: string): number[] {
  const isInterpolated = dof === 'trilinear' || dof === 'quadratic';
  const order = dof === 'quadratic' ? 2 : 1;
  const cells = readVec3(settingsOf(element), 'cellcount') ?? [1, 1, 1];
  const counts = isInterpolated ? cells.map((n) => order * n + 1) : [...layout.count];
  const total = isInterpolated ? counts[0]! * counts[1]! * counts[2]! : mesh.points.length / 3;
  const width = isInterpolated ? 3 : mesh.dim;
  const pins = new Set<number>();
  const linear = (at: readonly number[]): number => at.reduce((sum, value, c) => sum * counts[c]! + value, 0);
  for (const pin of element.children.filter(({ name }) => name === 'pin')) {
    checkAttributes(pin, 'flexcomp pin');
    const settings = settingsOf(pin);
    for (const id of readIds(settings, 'id', 1, total)) pins.add(id[0]!);
    for (const [from, to] of readIds(settings, 'range', 2, total)) for (let i = from!; i <= to!; i++) pins.add(i);
    if (!isInterpolated && (type !== 'grid' || mesh.dim === 1)) {
      for (const name of ['grid', 'gridrange'])
        if (pin.attributes.has(name))
          fail('invalid-value', locate(settings, name), `'${name}' needs a grid of dimension 2 or 3`, "use 'id'");
      continue;
    }
    for (const at of readIds(settings, 'grid', width, Math.max(...counts))) pins.add(linear(at));
    for (const both of readIds(settings, 'gridrange', 2 * width, Math.max(...counts))) {
      const [low, high] = [both.slice(0, width), both.slice(width)];
      const visit = (at: number[]): void => {
        if (at.length === width) pins.add(linear(at));
        else for (let i = low[at.length]!; i <= high[at.length]!; i++) visit([...at, i]);
      };
      visit([]);
    }
  }
  if (dof === 'radial') pins.add(0);
  return isInterpolated ? listMoved(mesh, counts, order, pins) : [...pins].sort((a, b) => a - b);
}

function readIds(settings: Settings, name: string, width: number, end: number): number[][] {
  const list = readList(settings, name) ?? [];
  if (list.length % width !== 0)
    fail('invalid-value', locate(settings, name), `'${name}' takes ${width} numbers at a time`, 'add or remove some');
  const wrong = list.find((value) => !Number.isInteger(value) || value < 0 || value >= end);
  if (wrong !== undefined)
    fail('invalid-value', locate(settings, name), `there is no point ${wrong}`, `numbers go from 0 to ${end - 1}`);
  return Array.from({ length: list.length / width }, (_, i) => list.slice(width * i, width * (i + 1)));
}

/** Points of a mesh in a grid of nodes whose every node of influence is pinned. */
function listMoved(mesh: FlexMesh, counts: readonly number[], order: number, pins: ReadonlySet<number>): number[] {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  mesh.points.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3]!, value);
    high[i % 3] = Math.max(high[i % 3]!, value);
  });
  const found: number[] = [];
  for (let p = 0; p < mesh.points.length / 3; p++) {
    const lists = [0, 1, 2].map((c) => {
      const size = high[c]! - low[c]!;
      const s = size > 0 ? ((mesh.points[3 * p + c]! - low[c]!) / size) * (counts[c]! - 1) : 0;
      if (Math.abs(s - Math.round(s)) < 1e-9) return [Math.round(s)];
      const first = order * Math.floor(s / order);
      return Array.from({ length: order + 1 }, (_, k) => first + k);
    });
    const isHeld = lists[0]!.every((i) =>
      lists[1]!.every((j) => lists[2]!.every((k) => pins.has((i * counts[1]! + j) * counts[2]! + k))),
    );
    if (isHeld) found.push(p);
  }
  return found;
}
