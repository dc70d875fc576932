import type { Poses } from '../linear-algebra/pose.ts';
import { multiplyQuaternions, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import type { Camera, Light } from '../scene/camera.ts';
import type { Scene } from '../scene/scene.ts';
import { writePose } from './frames.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { ModelBodies } from './model.ts';
import { type ModelLook, type ModelViews, type TexturedMesh, VIEW_MODE } from './model-look.ts';
import type { SceneIndex } from './scene-index.ts';

const NONE = /* @__PURE__ */ new Float64Array(0);
const NO_BODIES = /* @__PURE__ */ new Int32Array(0);

/** What a scene says about its pictures. */
export function compileLook(index: SceneIndex, body: ModelBodies, initial: Poses): ModelLook {
  const { scene, cameras, lights, shapes, sites } = index;
  const appearances = scene.appearances ?? [];
  const number = new Map(appearances.map(({ name }, i) => [name, i]));
  const find = ({ appearance }: { appearance?: string }): number =>
    appearance === undefined ? -1 : (number.get(appearance) ?? -1);
  const carry = (views: readonly (Camera | Light)[], owner: Int32Array): ModelViews =>
    compileViews(views, owner, index, body, initial);
  return {
    camera: carry(cameras, index.cameraBody),
    light: carry(lights, index.lightBody),
    cameras: frozenCopy(cameras),
    lights: frozenCopy(lights),
    appearances: frozenCopy(appearances),
    textures: frozenCopy(scene.textures ?? []),
    skins: frozenCopy(scene.skins ?? []),
    view: frozenCopy(scene.view ?? {}),
    shapeAppearance: Int32Array.from(shapes, find),
    siteAppearance: Int32Array.from(sites, find),
    siteLayer: Uint8Array.from(sites, ({ layer }) => layer ?? 0),
    texturedMeshes: listTexturedMeshes(scene),
  };
}

function listTexturedMeshes({ meshes = [] }: Scene): TexturedMesh[] {
  return meshes.flatMap(({ vertices, faces = [], textureCoordinates }, mesh) =>
    textureCoordinates
      ? [
          {
            mesh,
            vertices: Float64Array.from(vertices),
            faces: Int32Array.from(faces),
            coordinates: Float32Array.from(textureCoordinates),
          },
        ]
      : [],
  );
}

function compileViews(
  views: readonly (Camera | Light)[],
  owner: Int32Array,
  index: SceneIndex,
  body: ModelBodies,
  initial: Poses,
): ModelViews {
  const count = views.length;
  const position = new Float64Array(3 * count);
  const orientation = new Float64Array(4 * count);
  const offset = new Float64Array(3 * count);
  const initialOrientation = new Float64Array(4 * count);
  const followed: Int32Array[] = [];
  const target = Int32Array.from(views, (view) => (view.target === undefined ? -1 : index.number.body(view.target)));
  const center = new Float64Array(3);
  views.forEach((view, v) => {
    const b = owner[v];
    const mode = view.mode ?? 'fixed';
    writePose('direction' in view ? { ...view, orientation: turnTo(view.direction) } : view, position, orientation, v);
    const top = mode === 'trackCenter' ? b : mode === 'targetCenter' ? target[v] : -1;
    followed.push(top < 0 ? NO_BODIES : listSubtree(index.parent, top));
    multiplyQuaternions(initialOrientation, 4 * v, initial.orientation, 4 * b, orientation, 4 * v);
    rotateByQuaternion(offset, 3 * v, initial.orientation, 4 * b, position, 3 * v);
    if (mode !== 'trackCenter') return;
    findCenter(center, followed[v], body, initial);
    for (let k = 0; k < 3; k++) offset[3 * v + k] += initial.position[3 * b + k] - center[k];
  });
  return {
    name: views.map(({ name }) => name ?? ''),
    body: Int32Array.from(owner),
    target,
    mode: Uint8Array.from(views, ({ mode }) => VIEW_MODE[mode ?? 'fixed']),
    position,
    orientation,
    followed,
    followedMass: followed.map((list) => (list.length === 0 ? NONE : Float64Array.from(list, (b) => body.mass[b]))),
    followedCenter: followed.map((list) =>
      Float64Array.from(
        { length: 3 * list.length },
        (_, i) => body.inertiaCenter[3 * list[(i - (i % 3)) / 3] + (i % 3)],
      ),
    ),
    offset,
    initialOrientation,
  };
}

/** A body and all below it. */
function listSubtree(parent: Int32Array, top: number): Int32Array {
  const isIn = new Uint8Array(parent.length);
  isIn[top] = 1;
  for (let b = top + 1; b < parent.length; b++) if (isIn[parent[b]] === 1) isIn[b] = 1;
  return Int32Array.from([...isIn.keys()].filter((b) => isIn[b] === 1));
}

/** Their centre of mass in the initial pose; that of the first where nothing has mass. */
function findCenter(out: Float64Array, bodies: Int32Array, body: ModelBodies, initial: Poses): void {
  const point = new Float64Array(3);
  const mass = bodies.reduce((sum, b) => sum + body.mass[b], 0);
  out.fill(0);
  for (const b of mass > 0 ? bodies : bodies.subarray(0, 1)) {
    rotateByQuaternion(point, 0, initial.orientation, 4 * b, body.inertiaCenter, 3 * b);
    const share = mass > 0 ? body.mass[b] / mass : 1;
    for (let k = 0; k < 3; k++) out[k] += share * (point[k] + initial.position[3 * b + k]);
  }
}

/** A rotation that takes −z to a direction. */
function turnTo([x, y, z]: readonly number[] = [0, 0, -1]): [number, number, number, number] {
  const length = Math.hypot(x, y, z);
  // half way between −z and the direction: q = (1 + c, −z × d)
  const c = -z / length;
  if (c < -1 + 1e-12) return [0, 1, 0, 0];
  return [1 + c, y / length, -x / length, 0];
}
