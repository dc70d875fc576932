/**
 * A frame that a body carries: where it is, how it moves and accelerates, in world axes.
 *   x = x_b + R_b p      v = V_lin + ω × (x − c)      a = A_lin + α × (x − c) + ω × v
 * V and A are the spatial velocity and acceleration of the body about the centre c of its tree. a has −g in it, as an accelerometer reads it.
 */
import { placeView } from '../dynamics/view-pose.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { matrixFromQuaternion, multiplyQuaternions, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import type { SensorObject } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';

export class CarriedFrame {
  readonly body: number;
  /** In the frame of the body. */
  readonly #local: Float64Array;
  readonly #turn: Float64Array;
  /** m. */
  readonly position: Float64Array = new Float64Array(3);
  /** w x y z. */
  readonly orientation: Float64Array = new Float64Array(4);
  /** Row by row; columns are the axes of the frame. */
  readonly rotation: Float64Array = new Float64Array(9);
  /** Angular velocity, rad/s, and velocity, m/s. */
  readonly velocity: Float64Array = new Float64Array(6);
  /** Angular acceleration, rad/s², and acceleration, m/s². */
  readonly acceleration: Float64Array = new Float64Array(6);

  constructor(body: number, position: ArrayLike<number>, orientation: ArrayLike<number>) {
    this.body = body;
    this.#local = Float64Array.from(position);
    this.#turn = Float64Array.from(orientation);
  }

  /** Where it is. */
  place({ bodyPosition, bodyOrientation }: Workspace): void {
    const b = this.body;
    rotateByQuaternion(this.position, 0, bodyOrientation, 4 * b, this.#local, 0);
    for (let k = 0; k < 3; k++) this.position[k] += bodyPosition[3 * b + k];
    multiplyQuaternions(this.orientation, 0, bodyOrientation, 4 * b, this.#turn, 0);
    matrixFromQuaternion(this.rotation, 0, this.orientation, 0);
  }

  /** How it moves, once it is placed. */
  move(model: Model, { bodyTwist, treeCenter }: Workspace): void {
    this.#shift(this.velocity, bodyTwist, treeCenter, 3 * model.body.root[this.body]);
  }

  /** How it accelerates, once it has moved. */
  accelerate(model: Model, { treeCenter }: Workspace, accelerations: Float64Array): void {
    const { velocity: v, acceleration: a } = this;
    this.#shift(a, accelerations, treeCenter, 3 * model.body.root[this.body]);
    a[3] += v[1] * v[5] - v[2] * v[4];
    a[4] += v[2] * v[3] - v[0] * v[5];
    a[5] += v[0] * v[4] - v[1] * v[3];
  }

  // a spatial vector of the body from the centre of its tree to the origin of the frame
  #shift(out: Float64Array, spatial: Float64Array, center: Float64Array, c: number): void {
    const s = 6 * this.body;
    const x = this.position[0] - center[c];
    const y = this.position[1] - center[c + 1];
    const z = this.position[2] - center[c + 2];
    for (let k = 0; k < 3; k++) out[k] = spatial[s + k];
    out[3] = spatial[s + 3] + out[1] * z - out[2] * y;
    out[4] = spatial[s + 4] + out[2] * x - out[0] * z;
    out[5] = spatial[s + 5] + out[0] * y - out[1] * x;
  }

  /** A vector of the world in the axes of the frame. */
  express(out: Float64Array, o: number, v: Float64Array, i: number): void {
    const r = this.rotation;
    const x = v[i];
    const y = v[i + 1];
    const z = v[i + 2];
    for (let k = 0; k < 3; k++) out[o + k] = r[k] * x + r[3 + k] * y + r[6 + k] * z;
  }
}

/** The frame of a camera: placed by its mode, moved by its body, as in MuJoCo. */
export class CameraFrame extends CarriedFrame {
  readonly #model: Model;
  readonly #camera: number;

  constructor(model: Model, name: string) {
    const { camera } = model.look;
    const c = findIndex(camera.name, name, 'camera');
    super(camera.body[c], camera.position.subarray(3 * c, 3 * c + 3), camera.orientation.subarray(4 * c, 4 * c + 4));
    this.#model = model;
    this.#camera = c;
  }

  override place(work: Workspace): void {
    super.place(work);
    placeView(this, this.#model.look.camera, this.#camera, work);
  }
}

/** The frame of a site. */
export function frameOfSite({ site }: Model, name: string): CarriedFrame {
  const s = findIndex(site.name, name, 'site');
  return new CarriedFrame(
    site.body[s],
    site.position.subarray(3 * s, 3 * s + 3),
    site.orientation.subarray(4 * s, 4 * s + 4),
  );
}

/** The frame of a thing. */
export function frameOf(model: Model, { kind, name }: SensorObject): CarriedFrame {
  if (kind === 'site') return frameOfSite(model, name);
  if (kind === 'camera') return new CameraFrame(model, name);
  if (kind === 'shape' || kind === 'shapeCenter') return frameOfShape(model, name, kind === 'shapeCenter');
  const b = findIndex(model.body.name, name, 'body');
  if (kind !== 'bodyCenter') return new CarriedFrame(b, [0, 0, 0], [1, 0, 0, 0]);
  const { inertiaCenter, inertiaOrientation } = model.body;
  return new CarriedFrame(b, inertiaCenter.subarray(3 * b, 3 * b + 3), inertiaOrientation.subarray(4 * b, 4 * b + 4));
}

/** The frame of a shape, or its centre. */
export function frameOfShape(model: Model, name: string, isCenter: boolean): CarriedFrame {
  const { body, position, orientation } = model.shape;
  const s = findIndex(model.shape.name, name, 'shape');
  const place = position.slice(3 * s, 3 * s + 3);
  const turn = orientation.slice(4 * s, 4 * s + 4);
  const mesh = isCenter ? model.sensor.meshFrame.get(name) : undefined;
  if (mesh) {
    rotateByQuaternion(place, 0, turn, 0, mesh, 0);
    for (let k = 0; k < 3; k++) place[k] += position[3 * s + k];
    multiplyQuaternions(turn, 0, turn, 0, mesh, 3);
  }
  return new CarriedFrame(body[s], place, turn);
}
