/**
 * A motion as glTF 2.0 animation in one binary file: a node for each body under a root that turns z up into y up, below it a
 * node for each of its shapes; the nodes of bodies that move have samplers for translation and rotation over the times of
 * the frames. Soft bodies are meshes whose morph targets are their shapes at key times.
 */

import { GlbBuffer, packGlb } from './glb-container.ts';
import type { Motion } from './motion/motion.ts';
import type { SoftSurface } from './motion/soft-surface.ts';
import type { MotionPart, Solid } from './motion/solid.ts';
import { triangulate } from './motion/surface.ts';

/** Morph targets of a soft body at most: their weights take the square of it. */
const MOST_SOFT_SHAPES = 120;
/** Turns z up into y up: −90° about x. glTF writes quaternions x y z w. */
const Y_UP = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

interface Node {
  name: string;
  children?: number[];
  mesh?: number;
  translation?: number[];
  rotation?: number[];
}

interface Channel {
  sampler: number;
  target: { node: number; path: 'translation' | 'rotation' | 'weights' };
}

interface Sampler {
  input: number;
  output: number;
  interpolation: 'LINEAR';
}

/** The bytes of a `.glb` file; the same motion gives the same bytes. */
export function writeGlb(motion: Motion): Uint8Array {
  const buffer = new GlbBuffer();
  const meshes = new MeshTable(buffer);
  const nodes: Node[] = [{ name: motion.name, rotation: Y_UP, children: [] }];
  const channels: Channel[] = [];
  const samplers: Sampler[] = [];
  const addNode = (parent: number, node: Node): number => {
    (nodes[parent]!.children ??= []).push(nodes.length);
    return nodes.push(node) - 1;
  };

  // bodies at their first frame, each with its shapes
  const bodyNodes = motion.bodies.map(({ name }, body) => addNode(0, { name, ...readPose(motion, 0, body) }));
  for (const part of motion.parts) {
    const { name, position, orientation } = part;
    addNode(bodyNodes[part.body]!, {
      name,
      mesh: meshes.find(part),
      translation: position,
      rotation: toGltf(orientation),
    });
  }

  // times from the start, common to all samplers
  const isAnimated = motion.time.length > 1;
  const start = motion.time[0]!;
  const times = Float32Array.from(motion.time, (time) => time - start);
  let input: number | undefined;
  const animate = (node: number, path: Channel['target']['path'], output: number, at?: number): void => {
    input ??= buffer.add(times, 'SCALAR', { bounds: true });
    channels.push({
      sampler: samplers.push({ input: at ?? input, output, interpolation: 'LINEAR' }) - 1,
      target: { node, path },
    });
  };
  motion.bodies.forEach(({ isMoving }, body) => {
    if (!isMoving || !isAnimated) return;
    const { translations, rotations } = sampleBody(motion, body);
    animate(bodyNodes[body]!, 'translation', buffer.add(translations, 'VEC3'));
    animate(bodyNodes[body]!, 'rotation', buffer.add(rotations, 'VEC4'));
  });

  // soft bodies are in the world
  for (const surface of motion.softSurfaces) {
    const keys = chooseKeys(motion.time.length);
    const node = addNode(0, { name: surface.name, mesh: meshes.addSoft(surface, keys) });
    if (keys.length < 2) continue;
    const keyTimes = buffer.add(
      Float32Array.from(keys, (frame) => times[frame]!),
      'SCALAR',
      { bounds: true },
    );
    animate(node, 'weights', buffer.add(weighKeys(keys.length), 'SCALAR'), keyTimes);
  }

  return packGlb(
    {
      asset: { version: '2.0', generator: 'NexDyn' },
      scene: 0,
      scenes: [{ name: motion.name, nodes: [0] }],
      nodes,
      ...(meshes.meshes.length > 0 && { meshes: meshes.meshes, materials: meshes.materials }),
      ...(channels.length > 0 && { animations: [{ name: motion.name, channels, samplers }] }),
    },
    buffer,
  );
}

interface Primitive {
  attributes: Record<string, number>;
  indices: number;
  material: number;
  targets?: { POSITION: number }[];
}

/** Meshes and materials, each stored once. */
class MeshTable {
  readonly meshes: { primitives: Primitive[]; weights?: number[] }[] = [];
  readonly materials: object[] = [];
  readonly #buffer: GlbBuffer;
  readonly #surfaces = new Map<Solid, Pick<Primitive, 'attributes' | 'indices'>>();
  readonly #meshOf = new Map<string, number>();
  readonly #materialOf = new Map<string, number>();
  readonly #solidNumber = new Map<Solid, number>();

  constructor(buffer: GlbBuffer) {
    this.#buffer = buffer;
  }

  /** Mesh of a solid in a colour. */
  find({ solid, color }: MotionPart): number {
    const material = this.#findMaterial(color, solid.kind === 'rectangle' || solid.kind === 'mesh');
    if (!this.#solidNumber.has(solid)) this.#solidNumber.set(solid, this.#solidNumber.size);
    const key = `${this.#solidNumber.get(solid)} ${material}`;
    const known = this.#meshOf.get(key);
    if (known !== undefined) return known;
    const mesh = this.meshes.push({ primitives: [{ ...this.#findSurface(solid), material }] }) - 1;
    this.#meshOf.set(key, mesh);
    return mesh;
  }

  /** Mesh of a soft body: its first shape, and the displacement to each key shape as a morph target. */
  addSoft({ positions, vertexCount, faces, color, isSheet = false }: SoftSurface, keys: readonly number[]): number {
    const width = 3 * vertexCount;
    const first = positions.subarray(0, width);
    const targets = keys.slice(1).map((frame) => {
      const way = Float32Array.from({ length: width }, (_, i) => positions[frame * width + i]! - first[i]!);
      return { POSITION: this.#buffer.add(way, 'VEC3', { bounds: true, target: 'vertices' }) };
    });
    const primitive: Primitive = {
      attributes: { POSITION: this.#buffer.add(first, 'VEC3', { bounds: true, target: 'vertices' }) },
      indices: this.#buffer.add(faces, 'SCALAR', { target: 'indices' }),
      material: this.#findMaterial(color, isSheet),
    };
    const isMorphed = targets.length > 0;
    return (
      this.meshes.push({
        primitives: [{ ...primitive, ...(isMorphed && { targets }) }],
        ...(isMorphed && { weights: targets.map(() => 0) }),
      }) - 1
    );
  }

  #findSurface(solid: Solid): Pick<Primitive, 'attributes' | 'indices'> {
    const known = this.#surfaces.get(solid);
    if (known) return known;
    const { positions, normals, indices } = triangulate(solid);
    const surface = {
      attributes: {
        POSITION: this.#buffer.add(positions, 'VEC3', { bounds: true, target: 'vertices' }),
        NORMAL: this.#buffer.add(normals, 'VEC3', { target: 'vertices' }),
      },
      indices: this.#buffer.add(indices, 'SCALAR', { target: 'indices' }),
    };
    this.#surfaces.set(solid, surface);
    return surface;
  }

  #findMaterial(color: MotionPart['color'], doubleSided: boolean): number {
    const key = `${color.join(' ')} ${doubleSided}`;
    const known = this.#materialOf.get(key);
    if (known !== undefined) return known;
    const [red, green, blue, opacity] = color;
    const material =
      this.materials.push({
        pbrMetallicRoughness: {
          baseColorFactor: [toLinear(red), toLinear(green), toLinear(blue), opacity],
          metallicFactor: 0,
          roughnessFactor: 0.7,
        },
        ...(opacity < 1 && { alphaMode: 'BLEND' }),
        ...(doubleSided && { doubleSided }),
      }) - 1;
    this.#materialOf.set(key, material);
    return material;
  }
}

/** From the colours of a screen (sRGB) to amounts of light. */
function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** From w x y z to x y z w. */
function toGltf([w, x, y, z]: ArrayLike<number> & Iterable<number>): number[] {
  return [x!, y!, z!, w!];
}

function readPose({ position, orientation, bodies }: Motion, frame: number, body: number) {
  const at = frame * bodies.length + body;
  return {
    translation: [...position.subarray(3 * at, 3 * at + 3)],
    rotation: toGltf(orientation.subarray(4 * at, 4 * at + 4)),
  };
}

/** Poses of a body in all frames; of the two quaternions of a rotation the one next to that of the frame before. */
function sampleBody(motion: Motion, body: number): { translations: Float32Array; rotations: Float32Array } {
  const frames = motion.time.length;
  const translations = new Float32Array(3 * frames);
  const rotations = new Float32Array(4 * frames);
  let before: number[] | undefined;
  for (let frame = 0; frame < frames; frame++) {
    const { translation, rotation } = readPose(motion, frame, body);
    const cosine = before?.reduce((sum, part, k) => sum + part * rotation[k]!, 0) ?? 1;
    before = cosine < 0 ? rotation.map((part) => -part) : rotation;
    translations.set(translation, 3 * frame);
    rotations.set(before, 4 * frame);
  }
  return { translations, rotations };
}

/** Frames whose shapes are kept: all, or some at equal distances with the first and the last among them. */
function chooseKeys(frames: number): number[] {
  const count = Math.min(frames, MOST_SOFT_SHAPES + 1);
  return Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (frames - 1)) / (count - 1)) : 0));
}

/** At key k the target k − 1 has weight one; at key 0 none has. */
function weighKeys(keys: number): Float32Array {
  const weights = new Float32Array(keys * (keys - 1));
  for (let key = 1; key < keys; key++) weights[key * (keys - 1) + key - 1] = 1;
  return weights;
}
