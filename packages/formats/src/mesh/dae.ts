/**
 * Collada (DAE): the triangles of the visual scene as one mesh, placed by its nodes (matrix, translate, rotate, scale, in the order of the
 * file) and in metres by the unit of the file. Axes are those of the file, as in RViz: `up_axis` is not applied. Polygons are cut into
 * triangles; lines, curves, skins and morphs are refused or left to the parts that they are made of.
 */
import { NexdynError } from '@nexdyn/engine';
import type { ReadLimits } from '../limits.ts';
import { checkLimit } from '../limits.ts';
import { decodeText } from '../text-file.ts';
import { parseXml, type XmlElement } from '../xml/xml.ts';
import type { MeshData } from './mesh.ts';
import { triangulatePolygon } from './polygon.ts';

/** Row by row, the last row left out. */
type Transform = readonly number[];

const IDENTITY: Transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const LARGEST_POLYGON = 1024;
const MOST_CUTS = 3e7;
/** Nodes that are opened: a node may be used by many others. */
const MOST_NODES = 100_000;

/** Reads a Collada file. */
export function readDae(path: string, bytes: Uint8Array, limits: Readonly<ReadLimits>): MeshData {
  const root = parseXml(decodeText(path, bytes, 'malformed-mesh'), path, limits);
  if (root.name !== 'COLLADA')
    refuse(root, `the root element is <${root.name}>`, 'a Collada file begins with <COLLADA>');
  const reader = new DaeReader(root, limits);
  const unit = Number(find(find(root, 'asset'), 'unit')?.attributes.get('meter')?.value ?? 1);
  const meters = Number.isFinite(unit) && unit > 0 ? unit : 1;
  reader.read();
  if (reader.vertices.length === 0)
    throw new NexdynError('malformed-mesh', 'the mesh has no triangles', { file: path, hint: 'export the mesh again' });
  return { vertices: reader.vertices.map((value) => Math.fround(value * meters)), faces: reader.faces };
}

class DaeReader {
  readonly vertices: number[] = [];
  readonly faces: number[] = [];
  readonly #root: XmlElement;
  readonly #limits: Readonly<ReadLimits>;
  readonly #byId: Map<string, XmlElement> = new Map();
  #nodes = 0;
  readonly #budget = { left: MOST_CUTS };

  constructor(root: XmlElement, limits: Readonly<ReadLimits>) {
    this.#root = root;
    this.#limits = limits;
    const pending = [root];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const id = next.attributes.get('id')?.value;
      if (id !== undefined) this.#byId.set(id, next);
      pending.push(...next.children);
    }
  }

  /** The scene that the file shows; without one all its geometries. */
  read(): void {
    const shown = find(find(this.#root, 'scene'), 'instance_visual_scene');
    const scene = shown ? this.#follow(shown, 'url') : find(find(this.#root, 'library_visual_scenes'), 'visual_scene');
    if (scene) {
      const nodes = scene.children.filter(({ name }) => name === 'node');
      const pending = nodes.reverse().map((node) => ({ node, frame: IDENTITY, depth: 0 }));
      for (let next = pending.pop(); next; next = pending.pop()) pending.push(...this.#open(next));
    } else {
      for (const geometry of find(this.#root, 'library_geometries')?.children ?? []) this.#add(geometry, IDENTITY);
    }
  }

  /** Adds what is in a node; returns its children. */
  #open({ node, frame, depth }: { node: XmlElement; frame: Transform; depth: number }): {
    node: XmlElement;
    frame: Transform;
    depth: number;
  }[] {
    if (++this.#nodes > MOST_NODES || depth > 1000)
      refuse(node, 'the scene has too many nodes, or uses itself', 'export the mesh as one object');
    let placed = frame;
    const children: { node: XmlElement; frame: Transform; depth: number }[] = [];
    for (const child of node.children) {
      const step = readStep(child);
      if (step) placed = multiply(placed, step);
    }
    for (const child of node.children) {
      if (child.name === 'instance_geometry') this.#add(this.#follow(child, 'url'), placed);
      else if (child.name === 'node') children.push({ node: child, frame: placed, depth: depth + 1 });
      else if (child.name === 'instance_node')
        children.push({ node: this.#follow(child, 'url'), frame: placed, depth: depth + 1 });
      else if (child.name === 'instance_controller')
        refuse(child, 'skins and morphs are not supported', 'apply the modifiers and export plain meshes');
    }
    return children.reverse();
  }

  #add(geometry: XmlElement, frame: Transform): void {
    const mesh = find(geometry, 'mesh');
    if (!mesh) return;
    for (const part of mesh.children) {
      if (part.name === 'triangles' || part.name === 'polylist' || part.name === 'polygons') this.#addPart(part, frame);
      else if (part.name === 'tristrips' || part.name === 'trifans')
        refuse(part, `<${part.name}> is not supported`, 'export the mesh as triangles');
    }
  }

  #addPart(part: XmlElement, frame: Transform): void {
    const inputs = part.children.filter(({ name }) => name === 'input');
    const offsets = inputs.map((input) => Number(input.attributes.get('offset')?.value ?? 0));
    const stride = Math.max(0, ...offsets) + 1;
    const at = inputs.findIndex((input) => input.attributes.get('semantic')?.value === 'VERTEX');
    if (at < 0 || !(stride < 64)) refuse(part, 'the triangles have no vertices', 'export the mesh again');
    const positions = this.#readPositions(inputs[at]!);
    const counts = part.name === 'polylist' ? readNumbers(find(part, 'vcount')) : undefined;
    const lists = part.children.filter(({ name }) => name === 'p').map((list) => readNumbers(list));
    const first = this.vertices.length / 3;
    for (let i = 0; i + 2 < positions.length; i += 3) this.vertices.push(...transform(frame, positions, i));
    checkLimit(this.vertices.length / 3, 'vertices', this.#limits, 'vertices', { file: part.file, line: part.line });
    // mirrored parts would look inwards
    const mirrored = determinant(frame) < 0;
    for (const indices of lists) {
      const corners = indices.filter((_, k) => k % stride === offsets[at]);
      const sizes =
        counts ?? (part.name === 'polygons' ? [corners.length] : Array(Math.floor(corners.length / 3)).fill(3));
      let start = 0;
      for (const size of sizes) {
        const polygon = corners.slice(start, start + size).map((index) => first + index);
        start += size;
        if (!(size >= 3 && size <= LARGEST_POLYGON))
          refuse(part, `a polygon has ${size} corners`, 'export the mesh as triangles');
        const wrong = polygon.find((index) => !(index >= first && 3 * index < this.vertices.length));
        if (wrong !== undefined || polygon.length !== size)
          refuse(part, 'a triangle names a vertex that is not there', 'export the mesh again');
        triangulatePolygon(this.vertices, mirrored ? polygon.reverse() : polygon, this.faces, this.#budget);
        if (this.#budget.left < 0) refuse(part, 'the polygons are too large to cut', 'export the mesh as triangles');
        checkLimit(this.faces.length / 3, 'faces', this.#limits, 'triangles', { file: part.file, line: part.line });
      }
    }
  }

  /** x, y and z of each vertex: VERTEX names <vertices>, which names the source of POSITION. */
  #readPositions(input: XmlElement): number[] {
    const vertices = this.#follow(input, 'source');
    const position = vertices.children.find((child) => child.attributes.get('semantic')?.value === 'POSITION');
    if (!position) refuse(vertices, 'the vertices have no positions', 'export the mesh again');
    const source = this.#follow(position, 'source');
    const values = readNumbers(find(source, 'float_array'));
    const accessor = find(find(source, 'technique_common'), 'accessor');
    const stride = Number(accessor?.attributes.get('stride')?.value ?? 3);
    if (!(stride >= 3 && stride <= 16)) refuse(source, `a stride of ${stride} is no position`, 'export the mesh again');
    return stride === 3 ? values : values.filter((_, k) => k % stride < 3);
  }

  #follow(element: XmlElement, attribute: string): XmlElement {
    const reference = element.attributes.get(attribute)?.value ?? '';
    const target = reference.startsWith('#') ? this.#byId.get(reference.slice(1)) : undefined;
    return target ?? refuse(element, `there is no '${reference.slice(0, 60)}'`, 'parts must be in the same file');
  }
}

function find(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent?.children.find((child) => child.name === name);
}

function refuse(at: XmlElement, reason: string, hint: string): never {
  throw new NexdynError('malformed-mesh', reason, { file: at.file, line: at.line, column: at.column, hint });
}

function readNumbers(element: XmlElement | undefined): number[] {
  const text = element?.text.trim();
  if (!element || !text) return [];
  const numbers = text.split(/\s+/).map(Number);
  if (numbers.some((value) => !Number.isFinite(value)))
    refuse(element, 'a number is not finite', 'export the mesh again');
  return numbers;
}

/** One step of the pose of a node. */
function readStep(element: XmlElement): Transform | undefined {
  const steps: Record<string, { count: number; make: (v: readonly number[]) => Transform }> = {
    matrix: { count: 16, make: (v) => v.slice(0, 12) },
    translate: { count: 3, make: ([x, y, z]) => [1, 0, 0, x!, 0, 1, 0, y!, 0, 0, 1, z!] },
    scale: { count: 3, make: ([x, y, z]) => [x!, 0, 0, 0, 0, y!, 0, 0, 0, 0, z!, 0] },
    rotate: { count: 4, make: ([x, y, z, degrees]) => rotation([x!, y!, z!], (degrees! * Math.PI) / 180) },
  };
  const step = Object.hasOwn(steps, element.name) ? steps[element.name] : undefined;
  if (!step) return undefined;
  const numbers = readNumbers(element);
  if (numbers.length !== step.count)
    refuse(element, `<${element.name}> needs ${step.count} numbers, got ${numbers.length}`, 'export the mesh again');
  return step.make(numbers);
}

function rotation(axis: readonly [number, number, number], angle: number): Transform {
  const length = Math.hypot(...axis);
  if (length === 0) return IDENTITY;
  const [x, y, z] = axis.map((value) => value / length) as [number, number, number];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    ...[c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0],
    ...[y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0],
    ...[z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0],
  ];
}

function multiply(a: Transform, b: Transform): Transform {
  return Array.from({ length: 12 }, (_, i) => {
    const [row, column] = [Math.floor(i / 4), i % 4];
    let sum = column === 3 ? a[4 * row + 3]! : 0;
    for (let k = 0; k < 3; k++) sum += a[4 * row + k]! * b[4 * k + column]!;
    return sum;
  });
}

function transform(m: Transform, p: readonly number[], i: number): [number, number, number] {
  const [x, y, z] = [p[i]!, p[i + 1]!, p[i + 2]!];
  const row = (r: number): number => m[4 * r]! * x + m[4 * r + 1]! * y + m[4 * r + 2]! * z + m[4 * r + 3]!;
  return [row(0), row(1), row(2)];
}

function determinant(m: Transform): number {
  return (
    m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
    m[1]! * (m[4]! * m[10]! - m[6]! * m[8]!) +
    m[2]! * (m[4]! * m[9]! - m[5]! * m[8]!)
  );
}
