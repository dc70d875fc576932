/** What compiles the look of a scene; it comes with '@nexdyn/engine/pictures'. */
import type { Poses } from '../linear-algebra/pose.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import { hasPictures } from '../scene/picture-access.ts';
import type { ModelBodies } from './model.ts';
import type { ModelLook, ModelViews } from './model-look.ts';
import type { SceneIndex } from './scene-index.ts';

type CompileLook = (index: SceneIndex, body: ModelBodies, initial: Poses) => ModelLook;

export const LOOKS: LazyModule<CompileLook> = /* @__PURE__ */ new LazyModule('pictures', 'pictures');

/** The look of a scene; nothing where it says nothing. */
export function compileLook(index: SceneIndex, body: ModelBodies, initial: Poses): ModelLook {
  return hasPictures(index.scene) ? LOOKS.require()(index, body, initial) : createPlainLook(index);
}

function createPlainLook({ shapes, sites }: SceneIndex): ModelLook {
  const none = new Float64Array(0);
  const views: ModelViews = {
    name: [],
    body: new Int32Array(0),
    target: new Int32Array(0),
    mode: new Uint8Array(0),
    position: none,
    orientation: none,
    followed: [],
    followedMass: [],
    followedCenter: [],
    offset: none,
    initialOrientation: none,
  };
  return {
    camera: views,
    light: views,
    cameras: [],
    lights: [],
    appearances: [],
    textures: [],
    skins: [],
    view: {},
    shapeAppearance: new Int32Array(shapes.length).fill(-1),
    siteAppearance: new Int32Array(sites.length).fill(-1),
    siteLayer: Uint8Array.from(sites, ({ layer }) => layer ?? 0),
    texturedMeshes: [],
  };
}
