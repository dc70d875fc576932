/**
 * The JSON of a glTF 2.0 file, checked: every index names something, every count is a count, every range lies inside its buffer,
 * and nodes form trees. What passes can be used without further tests.
 * Source: Khronos, glTF 2.0 specification, sections 3.5 (scenes, nodes), 3.6 (buffers, accessors), 3.7 (meshes), 4.4 (GLB).
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { locateJson, parseJson, type TextPlace } from '../scene-json/json-text.ts';

/** Fields of an object that was read. */
type Fields = Readonly<Record<string, unknown>>;

/** A node: what hangs below it, and where it stands. */
export interface GltfNode {
  readonly children: readonly number[];
  readonly mesh: number | undefined;
  readonly matrix: readonly number[] | undefined;
  readonly translation: readonly number[];
  readonly rotation: readonly number[];
  readonly scale: readonly number[];
}

/** Part of a mesh. */
export interface GltfPrimitive {
  readonly mode: number;
  /** Accessor of the positions. */
  readonly position: number | undefined;
  /** Accessor of the vertex numbers; undefined where vertices are taken as they come. */
  readonly indices: number | undefined;
}

/** Numbers in a buffer. */
export interface GltfAccessor {
  readonly buffer: number;
  /** Byte of the first number in the buffer, and bytes from one item to the next. */
  readonly start: number;
  readonly stride: number;
  readonly count: number;
  readonly componentType: number;
  readonly type: string;
}

/** Bytes of the component types that positions and vertex numbers have. */
export const COMPONENT_SIZE: ReadonlyMap<number, number> = new Map([
  [5121, 1],
  [5123, 2],
  [5125, 4],
  [5126, 4],
]);

const HINT = 'export the mesh again as .glb with triangles';

/** Access to the parts of a document; each is checked when it is asked for. */
export class GltfDocument {
  readonly #path: string;
  readonly #text: string;
  readonly #limits: Readonly<ReadLimits>;
  readonly #fields: Fields;

  constructor(path: string, text: string, limits: Readonly<ReadLimits>) {
    this.#path = path;
    this.#text = text;
    this.#limits = limits;
    this.#fields = this.#object(parseDocument(text, path, limits), '');
  }

  /** Extensions without which the file cannot be read. */
  get requiredExtensions(): readonly string[] {
    const { extensionsRequired: list } = this.#fields;
    return list === undefined ? [] : this.#list(list, 'extensionsRequired').map(String);
  }

  /** Nodes where the default scene begins; all that are no child of another where the file has no scene. */
  listRoots(): number[] {
    const scenes = this.#optionalList('scenes');
    const count = this.#count('nodes');
    if (scenes.length === 0) {
      const isChild = new Set<number>();
      for (let n = 0; n < count; n++) for (const child of this.readNode(n).children) isChild.add(child);
      const roots = Array.from({ length: count }, (_, n) => n).filter((n) => !isChild.has(n));
      if (count > 0 && roots.length === 0) this.fail('its nodes run in a circle', 'nodes', 'a node has one parent');
      return roots;
    }
    const chosen = this.#index(this.#fields['scene'] ?? 0, 'scene', scenes.length);
    const path = `scenes[${chosen}]`;
    const { nodes } = this.#object(scenes[chosen], path);
    return nodes === undefined ? [] : this.#indices(nodes, `${path}.nodes`, count);
  }

  readNode(number: number): GltfNode {
    const path = `nodes[${number}]`;
    const node = this.#object(this.#optionalList('nodes')[number], path);
    const numbers = (key: string, length: number, otherwise: readonly number[]): readonly number[] =>
      node[key] === undefined ? otherwise : this.#numbers(node[key], `${path}.${key}`, length);
    return {
      children:
        node['children'] === undefined ? [] : this.#indices(node['children'], `${path}.children`, this.#count('nodes')),
      mesh: node['mesh'] === undefined ? undefined : this.#index(node['mesh'], `${path}.mesh`, this.#count('meshes')),
      matrix: node['matrix'] === undefined ? undefined : this.#numbers(node['matrix'], `${path}.matrix`, 16),
      translation: numbers('translation', 3, [0, 0, 0]),
      rotation: numbers('rotation', 4, [0, 0, 0, 1]),
      scale: numbers('scale', 3, [1, 1, 1]),
    };
  }

  listPrimitives(mesh: number): GltfPrimitive[] {
    const path = `meshes[${mesh}]`;
    const { primitives } = this.#object(this.#optionalList('meshes')[mesh], path);
    if (primitives === undefined) this.fail(`${path} has no primitives`, path);
    const accessors = this.#count('accessors');
    return this.#list(primitives, `${path}.primitives`).map((item, p) => {
      const at = `${path}.primitives[${p}]`;
      const primitive = this.#object(item, at);
      if (primitive['attributes'] === undefined) this.fail('a primitive has no attributes', at);
      const { POSITION: position } = this.#object(primitive['attributes'], `${at}.attributes`);
      const { indices, mode } = primitive;
      return {
        mode: mode === undefined ? 4 : this.#index(mode, `${at}.mode`, 7),
        position: position === undefined ? undefined : this.#index(position, `${at}.attributes.POSITION`, accessors),
        indices: indices === undefined ? undefined : this.#index(indices, `${at}.indices`, accessors),
      };
    });
  }

  /** An accessor whose numbers lie inside a buffer; `measure` gives the length of a buffer in bytes. */
  readAccessor(number: number, width: number, measure: (buffer: number) => number): GltfAccessor {
    const path = `accessors[${number}]`;
    const accessor = this.#object(this.#optionalList('accessors')[number], path);
    if (accessor['sparse'] !== undefined || accessor['bufferView'] === undefined)
      this.fail(`accessor ${number} has no buffer of its own`, path);
    const views = this.#optionalList('bufferViews');
    const view = this.#index(accessor['bufferView'], `${path}.bufferView`, views.length);
    const viewPath = `bufferViews[${view}]`;
    const fields = this.#object(views[view], viewPath);
    const { componentType, type } = accessor;
    const size = COMPONENT_SIZE.get(componentType as number);
    if (size === undefined || typeof type !== 'string')
      return this.fail(`accessor ${number} is ${describe(type)} of component type ${describe(componentType)}`, path);
    const count = this.#size(accessor['count'], `${path}.count`);
    const offset = this.#size(accessor['byteOffset'] ?? 0, `${path}.byteOffset`);
    const viewStart = this.#size(fields['byteOffset'] ?? 0, `${viewPath}.byteOffset`);
    const viewLength = this.#size(fields['byteLength'], `${viewPath}.byteLength`);
    const item = width * size;
    const stride = this.#size(fields['byteStride'] ?? item, `${viewPath}.byteStride`);
    if (stride < item)
      this.fail(`${stride} bytes from one item to the next, which has ${item}`, `${viewPath}.byteStride`);
    const buffer = this.#index(fields['buffer'], `${viewPath}.buffer`, this.#count('buffers'));
    checkLimit(count / 3, 'faces', this.#limits, 'triangles or vertices', () => this.#place(path));
    const end = count === 0 ? offset : offset + stride * (count - 1) + item;
    if (viewStart + viewLength > measure(buffer)) this.fail(`buffer view ${view} reaches beyond its buffer`, viewPath);
    if (end > viewLength) this.fail(`accessor ${number} reaches beyond its buffer view`, path);
    return { buffer, start: viewStart + offset, stride, count, componentType: componentType as number, type };
  }

  /** The text that stands for a buffer; undefined where its bytes are those of the container. */
  readUri(buffer: number): string | undefined {
    const path = `buffers[${buffer}]`;
    const { uri } = this.#object(this.#optionalList('buffers')[buffer], path);
    if (uri === undefined || typeof uri === 'string') return uri;
    return this.fail(`the address of buffer ${buffer} is ${describe(uri)}`, `${path}.uri`);
  }

  /** Raises an error at a value of the document. */
  fail(reason: string, path: string, hint: string = HINT): never {
    throw new NexdynError('malformed-mesh', `not a glTF file that can be used: ${reason}`, {
      ...this.#place(path),
      hint,
    });
  }

  #place(path: string): TextPlace & { file: string; path?: string } {
    return { file: this.#path, ...locateJson(this.#text, path), ...(path && { path }) };
  }

  #count(key: string): number {
    return this.#optionalList(key).length;
  }

  #optionalList(key: string): readonly unknown[] {
    const value = this.#fields[key];
    return value === undefined ? [] : this.#list(value, key);
  }

  #object(value: unknown, path: string): Fields {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    return this.fail(`${path || 'the document'} is ${describe(value)}, not an object`, path);
  }

  #list(value: unknown, path: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.fail(`${path} is ${describe(value)}, not a list`, path);
  }

  #numbers(value: unknown, path: string, length: number): readonly number[] {
    const list = this.#list(value, path);
    if (list.length === length && list.every((item) => typeof item === 'number')) return list as number[];
    return this.fail(`${path} is not ${length} numbers`, path);
  }

  #indices(value: unknown, path: string, count: number): number[] {
    return this.#list(value, path).map((item, i) => this.#index(item, `${path}[${i}]`, count));
  }

  /** A number that counts from 0 and is below `count`. */
  #index(value: unknown, path: string, count: number): number {
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < count) return value as number;
    return this.fail(`${path} is ${describe(value)}: there are ${count}, counted from 0`, path);
  }

  /** A number of bytes or items. */
  #size(value: unknown, path: string): number {
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    return this.fail(`${path} is ${describe(value)}, not a whole number of 0 or more`, path);
  }
}

/** The value of the JSON; text that is none is a fault of the mesh. */
function parseDocument(text: string, file: string, limits: Readonly<ReadLimits>): unknown {
  try {
    return parseJson(text, file, limits);
  } catch (error) {
    if (!(error instanceof NexdynError) || error.code !== 'malformed-json') throw error;
    const { line = 1, column = 1, hint = HINT } = error;
    throw new NexdynError(
      'malformed-mesh',
      `not a glTF file that can be used: its JSON cannot be read: ${error.reason}`,
      {
        file,
        line,
        column,
        hint,
      },
    );
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 40);
}
