/** `<visual>` and `<collision>` to shapes. */
import { NexdynError, type Shape } from '@nexdyn/engine';
import type { UnsupportedItem } from '../loaded-scene.ts';
import type { XmlElement } from '../xml/xml.ts';
import {
  failAt,
  findChild,
  parseNumbers,
  placeOf,
  readNumber,
  readOrigin,
  requireChild,
  requireText,
} from './attribute.ts';
import type { MeshLibrary } from './mesh-library.ts';

/** Layers of the viewer: pictures are shown, what collides starts hidden. */
const VISUAL_LAYER = 1;
const COLLISION_LAYER = 3;

/** Mesh formats that are read; others are listed as unsupported. */
const MESH_FORMATS = /\.(obj|dae|stl|msh|glb|gltf)$/i;

/** Errors that leave a picture out. */
const UNDRAWN: ReadonlySet<string> = new Set(['file-not-found', 'malformed-mesh', 'invalid-value']);

type Color = [number, number, number, number];

/** Turns the geometry of links into shapes; knows the materials, the meshes and the names in use. */
export class ShapeReader {
  readonly unsupported: UnsupportedItem[] = [];
  readonly #colors: Map<string, Color> = new Map();
  readonly #names: Set<string> = new Set();
  readonly #meshes: MeshLibrary;
  readonly #discardVisual: boolean;

  constructor(robot: XmlElement, meshes: MeshLibrary, discardVisual: boolean) {
    this.#meshes = meshes;
    this.#discardVisual = discardVisual;
    this.#collectColors(robot);
  }

  /** All shapes of a link, in the order of the file. */
  readShapes(link: XmlElement): Shape[] {
    const shapes: Shape[] = [];
    for (const element of link.children) {
      const isVisual = element.name === 'visual';
      if ((!isVisual && element.name !== 'collision') || (isVisual && this.#discardVisual)) continue;
      const form = this.#readForm(requireChild(element, 'geometry'), isVisual);
      if (!form) continue;
      const name = this.#takeName(element);
      const color = this.#readColor(element);
      shapes.push({
        ...form,
        ...(name !== undefined && { name }),
        ...readOrigin(element),
        mass: 0,
        ...(isVisual ? { collisionGroups: 0, collisionMask: 0, layer: VISUAL_LAYER } : { layer: COLLISION_LAYER }),
        ...(color && { color }),
      });
    }
    return shapes;
  }

  /** Kind and size; undefined where the geometry is not supported and is listed as such. */
  #readForm(geometry: XmlElement, isVisual: boolean): Shape | undefined {
    const [form, ...rest] = geometry.children;
    const second = rest.find(({ name }) => name === 'mesh' || FORMS.has(name));
    if (!form) return failAt(geometry, 'missing-value', '<geometry> is empty', 'give a box, sphere, cylinder or mesh');
    if (second) failAt(second, 'invalid-value', '<geometry> holds more than one shape', 'use one element for each');
    const read = (): Shape | undefined =>
      form.name === 'mesh' ? this.#readMesh(form, isVisual) : FORMS.get(form.name)?.(form);
    if (!isVisual) return read();
    try {
      return read();
    } catch (error) {
      // a picture that cannot be drawn does not keep a robot from moving
      if (!(error instanceof NexdynError) || !UNDRAWN.has(error.code)) throw error;
      const message = `It is not drawn: ${error.reason}.`;
      this.unsupported.push({ ...placeOf(form), element: form.name, affects: 'visual', message });
      return undefined;
    }
  }

  #readMesh(form: XmlElement, isVisual: boolean): Shape | undefined {
    const filename = requireText(form, 'filename');
    if (!MESH_FORMATS.test(filename)) {
      this.unsupported.push({
        ...placeOf(form, 'filename'),
        element: 'mesh',
        affects: isVisual ? 'visual' : 'physics',
        message: `The format of '${filename}' is not read; convert it to OBJ or STL.`,
      });
      return undefined;
    }
    return { kind: isVisual ? 'triangleMesh' : 'convexMesh', mesh: this.#meshes.add(form) };
  }

  /** The name of a shape where no other has it; URDF does not ask for unique names. */
  #takeName(element: XmlElement): string | undefined {
    const wanted = element.attributes.get('name')?.value.trim();
    if (!wanted) return undefined;
    let name = wanted;
    for (let i = 2; this.#names.has(name); i++) name = `${wanted}_${i}`;
    this.#names.add(name);
    return name;
  }

  #readColor(element: XmlElement): Color | undefined {
    const material = findChild(element, 'material');
    if (!material) return undefined;
    const color = findChild(material, 'color');
    if (color) return this.#parseColor(color);
    if (findChild(material, 'texture')) return undefined;
    const name = requireText(material, 'name');
    const known = this.#colors.get(name);
    if (!known) {
      this.unsupported.push({
        ...placeOf(material, 'name'),
        element: 'material',
        affects: 'visual',
        message: `No material '${name}' is defined; the default colour is used.`,
      });
    }
    return known;
  }

  #collectColors(robot: XmlElement): void {
    // a material defined anywhere can be used anywhere
    const pending = [robot];
    for (let element = pending.pop(); element; element = pending.pop()) {
      for (const child of element.children) pending.push(child);
      const name = element.attributes.get('name')?.value.trim();
      if (element.name !== 'material' || !name || this.#colors.has(name)) continue;
      const color = findChild(element, 'color');
      if (color) this.#colors.set(name, clampColor(parseNumbers(color, 'rgba', 4)));
    }
  }

  #parseColor(element: XmlElement): Color {
    const given = parseNumbers(element, 'rgba', 4);
    const color = clampColor(given);
    if (given.some((value, i) => value !== color[i])) {
      this.unsupported.push({
        ...placeOf(element, 'rgba'),
        element: 'color',
        attribute: 'rgba',
        affects: 'visual',
        message: 'Colours go from 0 to 1; numbers beyond are cut off.',
      });
    }
    return color;
  }
}

function clampColor(numbers: number[]): Color {
  return numbers.map((value) => Math.min(Math.max(value, 0), 1)) as Color;
}

function readLength(element: XmlElement, attribute: string): number {
  const length = readNumber(element, attribute);
  if (length > 0) return length;
  return failAt(element, 'invalid-value', `the ${attribute} ${length} is not above 0`, 'give metres', attribute);
}

/** Primitives of URDF, by the names of their elements. */
const FORMS: ReadonlyMap<string, (form: XmlElement) => Shape> = new Map<string, (form: XmlElement) => Shape>([
  ['box', readBox],
  ['sphere', (form) => ({ kind: 'sphere', radius: readLength(form, 'radius') })],
  ['cylinder', (form) => ({ kind: 'cylinder', ...readRod(form) })],
  ['capsule', (form) => ({ kind: 'capsule', ...readRod(form) })],
]);

function readBox(form: XmlElement): Shape {
  const size = parseNumbers(form, 'size', 3) as [number, number, number];
  if (size.some((length) => length <= 0))
    failAt(form, 'invalid-value', 'a box needs lengths above 0', 'give three lengths in metres', 'size');
  return { kind: 'box', halfSize: [size[0] / 2, size[1] / 2, size[2] / 2] };
}

function readRod(form: XmlElement): { radius: number; halfLength: number } {
  return { radius: readLength(form, 'radius'), halfLength: readLength(form, 'length') / 2 };
}
