/** Materials of a file on the shapes, floors and sites of a stage. */
import type { Appearance, ModelLook, SceneView } from '@nexdyn/engine';
import { layOut, type Solid } from '@nexdyn/formats';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  type CubeTexture,
  DoubleSide,
  MeshStandardMaterial,
  Vector2,
} from 'three';
import type { DrawnKind, DrawnShape, SceneDrawing } from '../../session/scene-drawing.ts';
import type { Ground } from '../ground.ts';
import type { Stage } from '../stage.ts';
import type { FileTextures } from './file-textures.ts';

type Look = Readonly<Appearance>;

export function dressShapes(stage: Stage, drawing: SceneDrawing, look: ModelLook, textures: FileTextures): void {
  const byIndex = new Map(drawing.shapes.map((shape) => [shape.index, shape]));
  const materials = new Map<string, MeshStandardMaterial>();
  for (const { mesh, shape: index } of stage.group.shapes) {
    const appearance = look.appearances[look.shapeAppearance[index] ?? -1];
    const shape = byIndex.get(index);
    if (!appearance || !shape) continue;
    const key = `${appearance.name} ${shape.color.join(' ')}`;
    const material = materials.get(key) ?? createMaterial(appearance, shape, textures);
    materials.set(key, material);
    delete mesh.userData['plain'];
    mesh.material = material;
    const cube = textures.findCube(appearance.texture);
    if (!cube && !textures.findPlane(appearance.texture)) continue;
    const geometry = layGeometry(shape, drawing, look, appearance, cube !== undefined);
    if (!geometry) continue;
    mesh.geometry = geometry;
    mesh.scale.set(1, 1, 1);
  }
  for (const { ground, shape } of stage.grounds) {
    if (textures.sky && shape.size[0] === 0) addHaze(ground, look.view);
    const appearance = look.appearances[look.shapeAppearance[shape.index] ?? -1];
    if (appearance) dressGround(ground, shape, appearance, textures);
  }
}

function createMaterial(appearance: Look, { color }: DrawnShape, textures: FileTextures): MeshStandardMaterial {
  const { emission = 0, specular = 0.5, shininess = 0.5, metallic, roughness, texture } = appearance;
  const own = new Color().setRGB(color[0], color[1], color[2], 'srgb');
  const material = new MeshStandardMaterial({
    color: own,
    emissive: own.clone().multiplyScalar(emission),
    // the width of a highlight of the power 128 s
    roughness: roughness ?? Math.max(0.2, Math.min(1, Math.sqrt(2 / (128 * shininess * specular + 2)) + 0.2)),
    metalness: metallic ?? 0.05,
    opacity: color[3],
    transparent: color[3] < 1,
    depthWrite: color[3] === 1,
    side: DoubleSide,
  });
  const map = textures.findPlane(texture);
  if (map) material.map = map;
  const cube = textures.findCube(texture);
  if (cube) readCube(material, cube);
  return material;
}

/** The colour of a surface is that of a cube in the direction of its own place. */
function readCube(material: MeshStandardMaterial, cube: CubeTexture): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms['placeCube'] = { value: cube };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec3 place;\nvarying vec3 cubePlace;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\ncubePlace = place;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 cubePlace;\nuniform samplerCube placeCube;')
      .replace(
        '#include <color_fragment>',
        '#include <color_fragment>\ndiffuseColor *= textureCube(placeCube, cubePlace);',
      );
  };
}

function layGeometry(
  shape: DrawnShape,
  { meshes }: SceneDrawing,
  look: ModelLook,
  appearance: Look,
  isCube: boolean,
): BufferGeometry | undefined {
  const solid = SOLIDS[shape.kind]?.(shape.size);
  const own = look.texturedMeshes.find(({ mesh }) => mesh === shape.mesh);
  const drawn = meshes[shape.asset];
  const source = shape.kind === 'mesh' ? drawn && { positions: drawn.positions, normals: drawn.normals } : undefined;
  const surface = layOut(solid, source, isCube ? undefined : own, appearance, isCube);
  if (!surface) return undefined;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(surface.positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(surface.normals, 3));
  if (isCube) geometry.setAttribute('place', new BufferAttribute(surface.places, 3));
  else {
    const uv = new Float32Array((2 * surface.places.length) / 3);
    for (let i = 0; 2 * i < uv.length; i++) uv.set(surface.places.subarray(3 * i, 3 * i + 2), 2 * i);
    geometry.setAttribute('uv', new BufferAttribute(uv, 2));
  }
  return geometry;
}

/** An endless floor ends in haze under a sky, instead of fading. */
function addHaze({ material }: Ground, { haze = 0.3, hazeColor: [r, g, b, opacity] = [1, 1, 1, 1] }: SceneView): void {
  const before = material.onBeforeCompile;
  const hazeColor = new Color().setRGB(r, g, b, 'srgb');
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    Object.assign(shader.uniforms, {
      hazeColor: { value: hazeColor },
      hazePart: { value: new Vector2(Math.max(haze, 1e-6), opacity) },
    });
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nuniform vec3 hazeColor;\nuniform vec2 hazePart;')
      .replace('smoothstep(0.25 * fadeRadius', 'smoothstep(0.95 * fadeRadius')
      .replace(
        '#include <opaque_fragment>',
        `#include <opaque_fragment>
        float hazeWay = length(groundPoint - fadeCenter) / fadeRadius;
        gl_FragColor.rgb = mix(gl_FragColor.rgb, hazeColor,
          hazePart.y * clamp((hazeWay - 1.0 + hazePart.x) / hazePart.x, 0.0, 1.0));`,
      );
  };
  material.needsUpdate = true;
}

/** Solids of pictures by kind; what is missing here is laid out by its triangles, or not at all. */
const SOLIDS: Readonly<Partial<Record<DrawnKind, (size: DrawnShape['size']) => Solid>>> = {
  sphere: ([a]) => ({ kind: 'ellipsoid', radii: [a, a, a] }),
  ellipsoid: (radii) => ({ kind: 'ellipsoid', radii }),
  box: (halfSize) => ({ kind: 'box', halfSize }),
  capsule: ([radius, halfLength]) => ({ kind: 'capsule', radius, halfLength }),
  cylinder: ([radius, halfLength]) => ({ kind: 'cylinder', radius, halfLength }),
};

function dressGround(ground: Ground, shape: DrawnShape, appearance: Look, textures: FileTextures): void {
  const source = textures.findPlane(appearance.texture);
  const color = new Color().setRGB(shape.color[0], shape.color[1], shape.color[2], 'srgb');
  if (!source) {
    ground.wear(undefined, color);
    return;
  }
  const map = source.clone();
  map.needsUpdate = true;
  const across = layAlong(shape.size[0], ground.halfSize[0], appearance, 0);
  const down = layAlong(shape.size[1], ground.halfSize[1], appearance, 1);
  map.repeat.set(across.repeat, -down.repeat);
  map.offset.set(across.offset, down.offset + down.repeat);
  ground.wear(map, color);
}

/**
 * Place s = offset + repeat·u in the texture at the part u of a floor, 0 to 1, that is drawn as far as `drawn` from its middle. The texture
 * covers the floor r times from its edge, or lies r/2 times on a metre where it is uniform; on floors without end (half 0) it begins half a
 * texture beside the middle.
 */
export function layAlong(
  half: number,
  drawn: number,
  { textureRepeat = [1, 1], textureUniform = false }: Look,
  axis: 0 | 1,
): { repeat: number; offset: number } {
  const r = textureRepeat[axis];
  if (half === 0) return { repeat: r * drawn, offset: -0.5 * r * drawn - 0.5 };
  const times = textureUniform ? r * half : r;
  return { repeat: (times * drawn) / half, offset: (times * (half - drawn)) / (2 * half) };
}
