/** Kinds of elements of Gmsh, by their number: how many nodes they have, and whether they are solid. */

const NODES: readonly (readonly [kind: number, nodes: number])[] = [
  // points, lines, triangles, quadrangles, of every order that Gmsh writes
  ...([
    [15, 1],
    [1, 2],
    [8, 3],
    [26, 4],
    [27, 5],
    [28, 6],
    [2, 3],
    [9, 6],
    [20, 9],
    [21, 10],
    [22, 12],
  ] as const),
  ...([
    [23, 15],
    [24, 15],
    [25, 21],
    [3, 4],
    [10, 9],
    [16, 8],
    [36, 16],
    [37, 25],
    [38, 36],
  ] as const),
];
const FLAT: ReadonlyMap<number, number> = /* @__PURE__ */ new Map(NODES);

const SOLID: ReadonlyMap<number, string> = /* @__PURE__ */ new Map([
  [5, 'hexahedra'],
  [6, 'prisms'],
  [7, 'pyramids'],
  [11, 'tetrahedra of second order'],
  [12, 'hexahedra of second order'],
  [13, 'prisms of second order'],
  [14, 'pyramids of second order'],
  [17, 'hexahedra of second order'],
  [18, 'prisms of second order'],
  [19, 'pyramids of second order'],
  [29, 'tetrahedra of third order'],
  [30, 'tetrahedra of fourth order'],
  [31, 'tetrahedra of fifth order'],
]);

/** The element with four nodes. */
export const TETRAHEDRON = 4;

/** Number of nodes of an element that is no solid: it bounds the solid and is passed over. Undefined for others. */
export function countFlatNodes(kind: number): number | undefined {
  return FLAT.get(kind);
}

/** What solids of a kind are called. */
export function nameSolid(kind: number): string {
  return SOLID.get(kind) ?? `elements of type ${kind}`;
}
