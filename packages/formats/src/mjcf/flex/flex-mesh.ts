/** The mesh of a soft body of the scene from the points and elements of a flex. */
import type { SoftBodyMesh } from '@nexdyn/engine';
import type { XmlElement } from '../../xml/xml.ts';
import type { Reading } from '../reading.ts';
import type { FlexMesh } from './flex-points.ts';

/** Lines must be one open or closed chain; undefined, and listed, where they are not. `order` gives the new number of each point. */
export function buildMesh(
  mesh: FlexMesh,
  radius: number,
  element: XmlElement,
  reading: Reading,
): { mesh: SoftBodyMesh; order?: number[] } | undefined {
  const { dim, points, elements } = mesh;
  if (dim === 3) {
    if (radius > 0) {
      const message = 'a solid has no radius around it: it touches where its surface is';
      reading.unsupported.add(element, { attribute: 'radius', affects: 'physics', message });
    }
    return { mesh: { kind: 'tetrahedra', vertices: points, tetrahedra: elements } };
  }
  if (dim === 2) return { mesh: { kind: 'triangles', vertices: points, triangles: elements, thickness: 2 * radius } };
  const chain = followChain(elements, points.length / 3);
  if (!chain) {
    const message = 'lines that branch or are in several pieces are not supported; the flex is left out';
    reading.unsupported.add(element, { affects: 'physics', message });
    return undefined;
  }
  const ordered = chain.points.flatMap((p) => points.slice(3 * p, 3 * p + 3));
  const order: number[] = [];
  chain.points.forEach((p, i) => {
    order[p] = i;
  });
  return {
    mesh: { kind: 'polyline', points: ordered, radius, ...(chain.isClosed && { closed: true }) },
    order,
  };
}

/** Points along a chain of edges from one end to the other; undefined where the edges are no chain. */
export function followChain(
  edges: readonly number[],
  count: number,
): { points: number[]; isClosed: boolean } | undefined {
  const beside: number[][] = Array.from({ length: count }, () => []);
  for (let e = 0; e + 1 < edges.length; e += 2) {
    beside[edges[e]!]!.push(edges[e + 1]!);
    beside[edges[e + 1]!]!.push(edges[e]!);
  }
  if (beside.some(({ length }) => length === 0 || length > 2)) return undefined;
  const end = beside.findIndex(({ length }) => length === 1);
  const isClosed = end < 0;
  const points = [isClosed ? edges[0]! : end];
  let [before, at] = [-1, points[0]!];
  for (;;) {
    const [a, b] = beside[at]!;
    let next = a !== before ? a : b;
    // a ring starts along its first edge
    if (isClosed && before < 0) next = edges[1]!;
    if (next === undefined || next === points[0]) break;
    points.push(next);
    [before, at] = [at, next];
    if (points.length > count) return undefined;
  }
  return points.length === count ? { points, isClosed } : undefined;
}
