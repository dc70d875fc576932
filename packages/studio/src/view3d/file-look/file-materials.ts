/** Materials of a file on the shapes, floors and sites of a stage. */
import type { Appearance, ModelLook } from '@nexdyn/engine';
import { layOut, type Solid } from '@nexdyn/formats';
import { BufferAttribute, BufferGeometry, Color, type CubeTexture, DoubleSide, MeshStandardMaterial } from 'three';
import type { DrawnShape, SceneDrawing } from '../../session/scene-drawing.ts';
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
  const solid = solidOf(shape);
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

function solidOf({ kind, size: [a, b, c] }: DrawnShape): Solid | undefined {
  if (kind === 'sphere') return { kind: 'ellipsoid', radii: [a, a, a] };
  if (kind === 'ellipsoid') return { kind: 'ellipsoid', radii: [a, b, c] };
  if (kind === 'box') return { kind: 'box', halfSize: [a, b, c] };
  if (kind === 'capsule' || kind === 'cylinder') return { kind, radius: a, halfLength: b };
  return undefined;
}

/** Coordinates of the rectangle go from 0 to 1; those of the texture are of its place in metres, or of its size. */
function dressGround(ground: Ground, shape: DrawnShape, appearance: Look, textures: FileTextures): void {
  const source = textures.findPlane(appearance.texture);
  const color = new Color().setRGB(shape.color[0], shape.color[1], shape.color[2], 'srgb');
  if (!source) {
    ground.wear(undefined, color);
    return;
  }
  const { textureRepeat: [rx, ry] = [1, 1], textureUniform } = appearance;
  const [hx, hy] = ground.halfSize;
  const map = source.clone();
  map.needsUpdate = true;
  if (shape.size[0] === 0) {
    map.repeat.set(rx * hx, -ry * hy);
    map.offset.set(-0.5 * rx * hx - 0.5, 0.5 * ry * hy - 0.5);
  } else {
    const [x, y] = textureUniform ? [rx * hx, ry * hy] : [rx, ry];
    map.repeat.set(x, -y);
    map.offset.set(0, y);
  }
  ground.wear(map, color);
}
