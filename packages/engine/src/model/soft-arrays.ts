/** Arrays of soft bodies before they are filled; without bodies, the empty arrays of a model without soft bodies. */
import type { Attachments } from './attachments.ts';
import type { ModelSoftBodies } from './model.ts';

const NONE = /* @__PURE__ */ new Int32Array(0);
const NO_NUMBERS = /* @__PURE__ */ new Float64Array(0);

const NO_ATTACHMENTS: Attachments = {
  attachments: [],
  attachment: { vertex: NONE, body: NONE, point: NO_NUMBERS, of: NONE },
  tie: { of: NONE, vertex: NONE, body: NONE, point: NO_NUMBERS, support: NONE, weight: NO_NUMBERS, edge: NONE },
  clamp: { of: NONE, edge: NONE, angle: NONE, body: NONE, direction: NO_NUMBERS, radius: NO_NUMBERS },
};

export function createSoftArrays(
  bodies: number,
  vertices: number,
  tetrahedra: number,
  triangles: number,
  edges = 0,
): ModelSoftBodies {
  return {
    name: [],
    vertexStart: new Int32Array(bodies + 1),
    tetrahedronStart: new Int32Array(bodies + 1),
    triangleStart: new Int32Array(bodies + 1),
    dimension: new Uint8Array(bodies).fill(3),
    thickness: new Float64Array(bodies),
    warp: new Float64Array(3 * bodies),
    pointCount: new Int32Array(bodies),
    edgeStart: new Int32Array(bodies + 1),
    edge: new Int32Array(2 * edges),
    director: new Float64Array(3 * edges),
    mass: new Float64Array(bodies),
    rest: new Float64Array(3 * vertices),
    velocity: new Float64Array(3 * vertices),
    isHeld: new Uint8Array(vertices),
    tetrahedron: new Int32Array(4 * tetrahedra),
    triangle: new Int32Array(3 * triangles),
    triangleTetrahedron: new Int32Array(triangles),
    contact: new Uint8Array(bodies),
    touchesItself: new Uint8Array(bodies),
    groups: new Uint32Array(bodies),
    mask: new Uint32Array(bodies),
    margin: new Float64Array(bodies),
    priority: new Int32Array(bodies),
    friction: new Float64Array(3 * bodies),
    stiffness: new Float64Array(bodies),
    dissipation: new Float64Array(bodies).fill(-1),
    restitution: new Float64Array(bodies),
    color: new Float64Array(4 * bodies),
    element: [],
    nodes: [],
    middleEnds: [],
    repair: [],
    regions: [],
    elasticity: [],
    holds: [],
    ...NO_ATTACHMENTS,
  };
}
