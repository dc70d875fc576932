/**
 * Contacts of a lone pair of shapes by MuJoCo: one model, one geom on a mocap body and one on a free body, posed at will.
 * The placed shapes of the engine get the very poses that MuJoCo computed, so that only the pair test itself is compared.
 */
import load, { type MainModule, type MjData } from '@mujoco/mujoco';
import type { ConvexPolyhedron } from '../geometry/convex/polyhedron.ts';
import { type PlacedShape, placeShape } from '../geometry/placed-shape.ts';

export interface OracleContact {
  gap: number;
  position: number[];
  /** From A to B. */
  normal: number[];
}

export interface OraclePair {
  readonly a: PlacedShape;
  readonly b: PlacedShape;
  /** Poses the pair (position x y z, quaternion w x y z) and returns MuJoCo's contacts; a and b move along. */
  collide(poseA: readonly number[], poseB: readonly number[]): OracleContact[];
  free(): void;
}

/** A geom as attributes of MJCF, and what the engine calls it. */
export interface OracleGeom {
  readonly kind: number;
  readonly size: readonly number[];
  /** Vertices of a convex mesh. */
  readonly vertices?: readonly number[];
}

const GEOM_TYPES = ['plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh'];

let loading: Promise<MainModule> | undefined;

/** MuJoCo, loaded once. */
export function loadOracle(): Promise<MainModule> {
  loading ??= load();
  return loading;
}

/** Sets up a pair whose contacts are reported up to a gap of `reach`, m. */
export function createOraclePair(mujoco: MainModule, a: OracleGeom, b: OracleGeom, reach: number): OraclePair {
  const model = mujoco.MjModel.from_xml_string(
    `<mujoco><option ccd_iterations="1000" ccd_tolerance="1e-10"/><asset>${describeMesh(a, 'a')}${describeMesh(b, 'b')}</asset><worldbody>
      <body mocap="true"><geom ${describeGeom(a, 'a')} margin="${reach}"/></body>
      <body><freejoint/><geom ${describeGeom(b, 'b')} mass="1"/></body></worldbody></mujoco>`,
  );
  if (!model) throw new Error('the oracle refused the model');
  const data = new mujoco.MjData(model);
  const shapes = [a, b].map((geom, index) =>
    placeShape(
      geom.kind,
      model.geom_size.slice(3 * index, 3 * index + 3),
      [0, 0, 0],
      undefined,
      geom.vertices ? { hull: copyHull(model, index) } : {},
    ),
  );
  return {
    a: shapes[0],
    b: shapes[1],
    collide(poseA, poseB) {
      data.mocap_pos.set(poseA.slice(0, 3));
      data.mocap_quat.set(poseA.slice(3));
      data.qpos.set(poseB);
      mujoco.mj_kinematics(model, data);
      mujoco.mj_comPos(model, data);
      mujoco.mj_collision(model, data);
      for (let k = 0; k < 2; k++) {
        shapes[k].position.set(data.geom_xpos.slice(3 * k, 3 * k + 3));
        shapes[k].rotation.set(data.geom_xmat.slice(9 * k, 9 * k + 9));
      }
      return readOracleContacts(data);
    },
    free() {
      data.delete();
      model.delete();
    },
  };
}

function describeGeom(geom: OracleGeom, name: string): string {
  const type = GEOM_TYPES[geom.kind];
  return type === 'mesh' ? `type="mesh" mesh="${name}"` : `type="${type}" size="${geom.size.join(' ')}"`;
}

function describeMesh(geom: OracleGeom, name: string): string {
  return geom.vertices ? `<mesh name="${name}" vertex="${geom.vertices.join(' ')}"/>` : '';
}

/** The vertices in the frame that MuJoCo gave the mesh: all that a plane asks of a hull. */
function copyHull(
  model: { geom_dataid: Int32Array; mesh_vert: Float32Array; mesh_vertadr: Int32Array; mesh_vertnum: Int32Array },
  geom: number,
): ConvexPolyhedron {
  const mesh = model.geom_dataid[geom];
  const start = model.mesh_vertadr[mesh];
  const vertices = Float64Array.from(model.mesh_vert.slice(3 * start, 3 * (start + model.mesh_vertnum[mesh])));
  return { vertices, center: new Float64Array(3) } as ConvexPolyhedron;
}

/** The contacts of the last collision, in the oracle's order. */
export function readOracleContacts(data: MjData): OracleContact[] {
  const contacts: OracleContact[] = [];
  const list = data.contact;
  for (let i = 0; i < data.ncon; i++) {
    const contact = list.get(i);
    if (!contact) throw new Error('the oracle lost a contact');
    contacts.push({
      gap: contact.dist,
      position: Array.from(contact.pos),
      normal: Array.from(contact.frame as Float64Array).slice(0, 3),
    });
    contact.delete();
  }
  list.delete();
  return contacts;
}
