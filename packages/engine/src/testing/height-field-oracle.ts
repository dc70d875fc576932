/** Contacts of a height field and one mover by MuJoCo. */
import type { MainModule } from '@mujoco/mujoco';
import type { HeightField } from '../geometry/height-field.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { type OracleContact, readOracleContacts } from './contact-oracle.ts';

export interface HeightFieldOracle {
  /** The field as MuJoCo holds it, heights rounded to single precision. */
  readonly field: HeightField;
  /** Vertices of the mover in the frame that MuJoCo gave its mesh; none without a mesh. */
  readonly vertices: Float64Array;
  /** Poses the mover (position x y z, quaternion w x y z) and writes where its shape came to lie. */
  place(shape: PlacedShape, pose: readonly number[]): void;
  /** MuJoCo's contacts where the mover is. */
  collide(): OracleContact[];
  free(): void;
}

/**
 * @param heights rows · columns numbers from 0 to 1
 * @param size half size along x and y, height of 1, depth of the base, m
 * @param geom attributes of the mover in MJCF
 * @param asset what it needs besides
 */
export function createHeightFieldOracle(
  mujoco: MainModule,
  rows: number,
  columns: number,
  heights: readonly number[],
  size: readonly number[],
  geom: string,
  asset = '',
): HeightFieldOracle {
  const model = mujoco.MjModel.from_xml_string(
    `<mujoco><asset><hfield name="field" nrow="${rows}" ncol="${columns}" size="${size.join(' ')}"/>${asset}</asset>
      <worldbody><geom type="hfield" hfield="field"/><body><freejoint/><geom ${geom} mass="1"/></body></worldbody></mujoco>`,
  );
  if (!model) throw new Error('the oracle refused the model');
  const data = new mujoco.MjData(model);
  const single = Float32Array.from(heights);
  model.hfield_data.set(single);
  return {
    field: {
      rows,
      columns,
      halfSizeX: size[0],
      halfSizeY: size[1],
      baseDepth: size[3],
      heights: Float64Array.from(single, (height) => height * size[2]),
    },
    vertices: Float64Array.from(model.mesh_vert),
    place(shape, pose) {
      data.qpos.set(pose);
      mujoco.mj_kinematics(model, data);
      mujoco.mj_comPos(model, data);
      shape.position.set(data.geom_xpos.slice(3, 6));
      shape.rotation.set(data.geom_xmat.slice(9, 18));
    },
    collide() {
      mujoco.mj_collision(model, data);
      return readOracleContacts(data);
    },
    free() {
      data.delete();
      model.delete();
    },
  };
}
