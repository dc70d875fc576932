/**
 * Lengths by which the speeds of dofs are compared, m: 1 for translations, and for rotations that of their body b, as in MuJoCo 4.0,
 *   l_b = max(|a − c|, |p − c| + r, 10⁻⁵)
 * over the anchors a of its joints and of those of its children, and over its shapes with their positions p, and r the radius of the least
 * ball about p that holds the shape; c is the centre of mass. A mesh has the distance of its farthest vertex in the place of |p − c| + r. All
 * in the initial pose.
 */
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';

const LEAST = 1e-5;

export function measureLengths(model: Model): Float64Array {
  const { dof, joint, size } = model;
  const lengths = measureBodies(model);
  return Float64Array.from({ length: size.velocity }, (_, i) => {
    const j = dof.joint[i];
    const isTranslation = joint.kind[j] === JOINT.slide || (joint.kind[j] === JOINT.free && i - joint.dofStart[j] < 3);
    return isTranslation ? 1 : Math.max(LEAST, lengths[dof.body[i]]);
  });
}

function measureBodies({ body, joint, shape, mesh, size }: Model): Float64Array {
  const lengths = new Float64Array(size.body);
  const point = new Float64Array(3);
  // of a point in the frame of the body from its centre of mass
  const distance = (b: number, p: ArrayLike<number>, at: number): number => {
    const c = body.inertiaCenter;
    return Math.hypot(p[at] - c[3 * b], p[at + 1] - c[3 * b + 1], p[at + 2] - c[3 * b + 2]);
  };
  const include = (b: number, length: number): void => {
    lengths[b] = Math.max(lengths[b], length);
  };
  for (let j = 0; j < size.joint; j++) {
    const b = joint.body[j];
    // a free joint is at the origin of its body
    include(b, distance(b, joint.anchor, 3 * j));
    if (body.parent[b] <= 0) continue;
    rotateByQuaternion(point, 0, body.orientation, 4 * b, joint.anchor, 3 * j);
    for (let k = 0; k < 3; k++) point[k] += body.position[3 * b + k];
    include(body.parent[b], distance(body.parent[b], point, 0));
  }
  for (let s = 0; s < size.shape; s++) {
    const b = shape.body[s];
    const { reach, data } = SHAPE_TABLE[shape.kind[s]];
    if (reach) include(b, distance(b, shape.position, 3 * s) + reach(shape.size.subarray(3 * s, 3 * s + 3)));
    if (data !== 'hull' && data !== 'mesh') continue;
    const m = shape.asset[s];
    for (let v = mesh.vertexStart[m]; v < mesh.vertexStart[m] + mesh.vertexCount[m]; v++) {
      rotateByQuaternion(point, 0, shape.orientation, 4 * s, mesh.vertices, 3 * v);
      for (let k = 0; k < 3; k++) point[k] += shape.position[3 * s + k];
      include(b, distance(b, point, 0));
    }
  }
  return lengths;
}
