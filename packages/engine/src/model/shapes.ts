import { FIELD_KIND, findBuiltInShape, SHAPE } from '../geometry/shapes/shape-table.ts';
import type { Material } from '../scene/material.ts';
import type { Shape } from '../scene/shape.ts';
import { DEFAULT_COLOR, DEFAULT_FRICTION, DEFAULT_SOLIMP, DEFAULT_SOLREF } from './constraint-defaults.ts';
import { writePose } from './frames.ts';
import { repeat } from './joints.ts';
import { type ModelShapes, SOFT_CONTACT } from './model.ts';
import { findRegisteredShape } from './registered-shapes.ts';
import { createNameTable, type SceneIndex } from './scene-index.ts';

/** The shapes of a scene. */
export function compileShapes(index: SceneIndex): ModelShapes {
  const { scene, shapes } = index;
  const count = shapes.length;
  const shape = createShapes(shapes, index.shapeBody);
  const materials = scene.materials ?? [];
  const materialNumber = createNameTable('material', materials);
  const assetNumber = {
    meshes: createNameTable('mesh', scene.meshes ?? []),
    heightFields: createNameTable('height field', scene.heightFields ?? []),
    signedDistanceFields: createNameTable('signed-distance field', scene.signedDistanceFields ?? []),
  };
  for (let s = 0; s < count; s++) {
    const source = shapes[s];
    const registered = findRegisteredShape(index, source);
    if (registered < 0) {
      const entry = findBuiltInShape(source);
      shape.kind[s] = SHAPE[source.kind];
      shape.size.set(entry.sizes(source), 3 * s);
      const asset = entry.asset?.(source);
      if (asset) shape.asset[s] = assetNumber[asset[0]](asset[1]);
    } else {
      shape.kind[s] = FIELD_KIND;
      shape.asset[s] = (scene.signedDistanceFields ?? []).length + registered;
    }
    writePose(source, shape.position, shape.orientation, s);
    if (source.material !== undefined) shape.material[s] = materialNumber(source.material);
    writeSurface(shape, s, source, materials[shape.material[s]]);
  }
  // margins of two shapes add: each takes half of what replaces them
  const margin = scene.options?.contactOverride?.margin;
  if (margin !== undefined) shape.margin.fill(0.5 * margin);
  return shape;
}

/** Makes shapes seen within a distance of each other, m: each reaches half of it at least. */
export function inflateShapes(shape: ModelShapes, distance: number): void {
  for (let s = 0; s < shape.gap.length; s++) shape.gap[s] = Math.max(shape.gap[s], 0.5 * distance - shape.margin[s]);
}

function createShapes(shapes: readonly Shape[], body: Int32Array): ModelShapes {
  const count = shapes.length;
  return {
    name: shapes.map((shape) => shape.name ?? ''),
    kind: new Uint8Array(count),
    body,
    asset: new Int32Array(count).fill(-1),
    position: new Float64Array(3 * count),
    orientation: new Float64Array(4 * count),
    size: new Float64Array(3 * count),
    contact: new Uint8Array(count),
    groups: new Uint32Array(count),
    mask: new Uint32Array(count),
    margin: new Float64Array(count),
    gap: new Float64Array(count),
    friction: new Float64Array(3 * count),
    condim: new Uint8Array(count),
    priority: new Int32Array(count),
    solmix: new Float64Array(count),
    solref: repeat(DEFAULT_SOLREF, count),
    solimp: repeat(DEFAULT_SOLIMP, count),
    adhesion: new Float64Array(count),
    surfaceMotion: new Float64Array(6 * count),
    fluid: new Float64Array(5 * count),
    fluidMesh: new Map(),
    material: new Int32Array(count).fill(-1),
    color: new Float64Array(4 * count),
    layer: new Uint8Array(count),
  };
}

/** Writes the friction of a shape: its own, then the material's, then the default. */
export function writeFriction(
  { friction }: Pick<ModelShapes, 'friction'>,
  s: number,
  source: Shape,
  material: Material | undefined,
): void {
  friction[3 * s] = source.friction ?? material?.friction ?? DEFAULT_FRICTION[0];
  friction[3 * s + 1] = source.spinFriction ?? material?.spinFriction ?? DEFAULT_FRICTION[1];
  friction[3 * s + 2] = source.rollFriction ?? material?.rollFriction ?? DEFAULT_FRICTION[2];
}

// colour: the shape's own, then the material's, then the default
function writeSurface(shape: ModelShapes, s: number, source: Shape, material: Material | undefined): void {
  const touches = source.contact !== 'none';
  shape.contact[s] = SOFT_CONTACT[source.contact ?? 'point'];
  shape.groups[s] = touches ? (source.collisionGroups ?? 1) : 0;
  shape.mask[s] = touches ? (source.collisionMask ?? 1) : 0;
  shape.margin[s] = source.margin ?? 0;
  shape.gap[s] = source.gap ?? 0;
  writeFriction(shape, s, source, material);
  const parameters = source.mujoco;
  shape.condim[s] = parameters?.condim ?? 3;
  shape.priority[s] = parameters?.priority ?? 0;
  shape.solmix[s] = parameters?.solmix ?? 1;
  if (parameters?.solref) shape.solref.set(parameters.solref, 2 * s);
  if (parameters?.solimp) shape.solimp.set(parameters.solimp, 5 * s);
  shape.adhesion[s] = parameters?.adhesion ?? 0;
  if (source.surfaceVelocity) shape.surfaceMotion.set(source.surfaceVelocity, 6 * s);
  if (source.surfaceSpin) shape.surfaceMotion.set(source.surfaceSpin, 6 * s + 3);
  if (source.fluid) shape.fluid.set(source.fluid, 5 * s);
  shape.color.set(source.color ?? material?.color ?? DEFAULT_COLOR, 4 * s);
  shape.layer[s] = source.layer ?? 0;
}
