import { describe, expect, test } from 'vitest';
import { Arena } from '../../kernels/arena.ts';
import { createRandom } from '../../testing/forest.ts';
import { BlockGraph } from './block-graph.ts';
import { MinimumDegree } from './minimum-degree.ts';
import type { PivotTree } from './pivot-tree.ts';

type Edges = [number, number][];

function orderOf(sizes: number[], edges: Edges): PivotTree {
  const arena = new Arena();
  const graph = new BlockGraph(arena);
  const first = Int32Array.from(edges, (edge) => edge[0]);
  const second = Int32Array.from(edges, (edge) => edge[1]);
  graph.update(Int32Array.from(sizes), sizes.length, first, second, edges.length);
  const order = new MinimumDegree(arena);
  order.order(graph);
  return order.pivots;
}

/** Eliminates the groups of blocks one after another on sets of neighbours: the rows below each. */
function eliminate(sizes: number[], edges: Edges, order: PivotTree): Set<number>[] {
  const neighbors = sizes.map(() => new Set<number>());
  for (const [a, b] of edges) {
    neighbors[a].add(b);
    neighbors[b].add(a);
  }
  const groups = Array.from({ length: order.count }, () => [] as number[]);
  sizes.forEach((_, b) => {
    groups[order.pivotOf[b]].push(b);
  });
  return groups.map((group) => {
    const rows = new Set(group.flatMap((b) => [...neighbors[b]]));
    for (const b of group) rows.delete(b);
    for (const r of rows) {
      for (const other of rows) if (other !== r) neighbors[r].add(other);
      for (const b of group) neighbors[r].delete(b);
    }
    return rows;
  });
}

function checkTree(sizes: number[], edges: Edges): void {
  const order = orderOf(sizes, edges);
  const rows = eliminate(sizes, edges, order);
  let total = 0;
  rows.forEach((below, k) => {
    const size = [...below].reduce((sum, r) => sum + sizes[r], 0);
    expect(order.boundary[k]).toBe(size);
    total += order.width[k];
    const parent = order.parent[k];
    expect(parent === -1).toBe(below.size === 0);
    if (parent < 0) return;
    // all that a pivot hands on is known to its parent
    expect(parent).toBeGreaterThan(k);
    for (const r of below) expect(order.pivotOf[r] === parent || rows[parent].has(r)).toBe(true);
  });
  expect(total).toBe(sizes.reduce((sum, size) => sum + size, 0));
}

function randomEdges(count: number, edgeCount: number, random: () => number): Edges {
  const edges: Edges = [];
  while (edges.length < edgeCount) {
    const a = Math.floor(random() * count);
    const b = Math.floor(random() * count);
    if (a !== b) edges.push([a, b]);
  }
  return edges;
}

describe('minimum degree', () => {
  test('rows and parents are those of an elimination on sets', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const random = createRandom(seed);
      const count = 2 + Math.floor(random() * 80);
      const sizes = Array.from({ length: count }, () => 1 + Math.floor(random() * 7));
      checkTree(sizes, randomEdges(count, Math.floor(random() * 4 * count), random));
    }
  });

  test('trees have no fill', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createRandom(seed);
      const edges = Array.from({ length: 199 }, (_, i): [number, number] => [i + 1, Math.floor(random() * (i + 1))]);
      const sizes = new Array<number>(200).fill(1);
      const order = orderOf(sizes, edges);
      let numbers = 0;
      for (let k = 0; k < order.count; k++) {
        const w = order.width[k];
        numbers += (w * (w + 1)) / 2 + w * order.boundary[k];
      }
      expect(numbers).toBe(200 + 199);
    }
  });

  test('starts with the lightest neighbourhood, lowest number first', () => {
    // a ring: all degrees are equal but those beside the small block
    const edges = Array.from({ length: 8 }, (_, i): [number, number] => [i, (i + 1) % 8]);
    expect(orderOf(new Array<number>(8).fill(6), edges).pivotOf[0]).toBe(0);
    const order = orderOf([6, 6, 6, 6, 3, 6, 6, 6], edges);
    expect(order.pivotOf[3]).toBe(0);
  });

  test('a hub with very many neighbours is eliminated last', () => {
    const edges = Array.from({ length: 1999 }, (_, i): [number, number] => [7, i < 7 ? i : i + 1]);
    edges.push([0, 1], [1, 2]);
    const order = orderOf(new Array<number>(2000).fill(6), edges);
    expect(order.hasLast).toBe(true);
    expect(order.pivotOf[7]).toBe(order.count - 1);
    expect(order.width[order.count - 1]).toBe(6);
    for (let k = 0; k < order.count - 1; k++) expect(order.parent[k]).toBeGreaterThan(k);
  });
});
