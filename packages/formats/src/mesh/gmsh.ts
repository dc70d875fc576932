/**
 * Tetrahedra of a Gmsh file (MSH 4.1 and 2.2, ASCII and binary). Points, lines and triangles are the border of the solid and are
 * passed over, as are physical groups, entities, partitions and data. Nodes that no tetrahedron uses (centres of arcs, say) are
 * left out; the others keep their order.
 *
 *   2.2  $Nodes: count; number x y z each            $Elements: count; number kind #tags tags nodes each
 *        binary: int32 and float64; elements in blocks: kind, count, #tags, then number tags nodes each
 *   4.1  $Nodes: #blocks count min max; per block: dimension entity parametric count, tags, then x y z each
 *        $Elements: #blocks count min max; per block: dimension entity kind count, then tag nodes each
 *        binary: int32 for dimension, entity, parametric and kind, uint64 for counts and tags
 *
 * Source: Gmsh reference manual, sections "MSH file format" and "MSH file format version 2 (Legacy)".
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits, resolveLimits } from '../limits.ts';
import { GmshCursor } from './gmsh-cursor.ts';
import { countFlatNodes, nameSolid, TETRAHEDRON } from './gmsh-elements.ts';

/** Tetrahedra as a file holds them. */
export interface TetMeshData {
  /** x, y, z of each vertex, in the unit of the file. */
  vertices: number[];
  /** Four vertex indices per tetrahedron. */
  tetrahedra: number[];
}

/** Gmsh files share the extension `.msh` with MuJoCo's; they begin with a section name. */
export function isGmsh(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 11)) === '$MeshFormat';
}

/** Reads the tetrahedra of a Gmsh file. */
export function readGmsh(path: string, bytes: Uint8Array, choice?: Partial<ReadLimits>): TetMeshData {
  const limits = resolveLimits(choice);
  checkLimit(bytes.length, 'fileBytes', limits, 'bytes in one file', { file: path });
  if (!isGmsh(bytes)) {
    throw new NexdynError('malformed-mesh', 'this is not a Gmsh file: it does not begin with $MeshFormat', {
      file: path,
      hint: 'export the solid from Gmsh as MSH 4.1 or 2.2',
    });
  }
  const cursor = new GmshCursor(path, bytes);
  const version = readHeader(cursor);
  const mesh = new NumberedMesh(path, limits);
  let [hasNodes, hasElements] = [false, false];
  while (!cursor.isAtEnd) {
    const section = cursor.readLine();
    if (section === '') continue;
    if (!section.startsWith('$') || section.startsWith('$End')) {
      cursor.fail(`'${section.slice(0, 40)}' is not the beginning of a section`);
    }
    if (section === '$Nodes') {
      if (version === 2) readNodes2(cursor, mesh);
      else readNodes4(cursor, mesh);
      cursor.expectLine('$EndNodes');
      hasNodes = true;
    } else if (section === '$Elements') {
      if (!hasNodes) cursor.fail('the elements stand before the nodes');
      if (version === 2) readElements2(cursor, mesh);
      else readElements4(cursor, mesh);
      cursor.expectLine('$EndElements');
      hasElements = true;
    } else cursor.skipThrough(`$End${section.slice(1)}`);
  }
  if (!hasNodes || !hasElements) cursor.fail(`the file has no ${hasNodes ? '$Elements' : '$Nodes'}`);
  if (mesh.corners.length === 0) {
    cursor.fail('the file has no tetrahedra', 'mesh the volume (Mesh 3D), and save all elements or a physical volume');
  }
  return mesh.finish();
}

function readHeader(cursor: GmshCursor): 2 | 4 {
  cursor.readLine();
  const [version, type, size] = cursor.readLine().split(/\s+/);
  if (version !== '4.1' && version !== '2.2' && version !== '2.1' && version !== '2') {
    cursor.fail(`the file has version ${version}`, 'save it from Gmsh as MSH 4.1 or 2.2 (Mesh.MshFileVersion)');
  }
  if (type !== '0' && type !== '1') cursor.fail(`'${type}' is no file type: 0 is ASCII, 1 is binary`);
  if (size !== '8') cursor.fail(`numbers of ${size} bytes are not supported`, 'they must have 8');
  if (type === '1') {
    // the number one, as four bytes
    cursor.isBinary = true;
    const one = cursor.readInteger();
    cursor.isLittleEndian = one === 1;
    if (one !== 1 && one !== 0x01000000) cursor.fail('the byte order of the file is not known');
  }
  cursor.expectLine('$EndMeshFormat');
  return version === '4.1' ? 4 : 2;
}

/** Nodes by their tags, and the corners of tetrahedra. */
class NumberedMesh {
  readonly #indexOf = new Map<number, number>();
  readonly #points: number[] = [];
  readonly corners: number[] = [];
  readonly #path: string;
  readonly #limits: Readonly<ReadLimits>;

  constructor(path: string, limits: Readonly<ReadLimits>) {
    this.#path = path;
    this.#limits = limits;
  }

  addNode(cursor: GmshCursor, tag: number): void {
    if (this.#indexOf.has(tag)) cursor.fail(`there are two nodes ${tag}`);
    this.#indexOf.set(tag, this.#points.length / 3);
    checkLimit(this.#indexOf.size, 'vertices', this.#limits, 'nodes', { file: this.#path });
    this.#points.push(cursor.readNumber(), cursor.readNumber(), cursor.readNumber());
  }

  addCorner(cursor: GmshCursor, element: number, tag: number): void {
    const index = this.#indexOf.get(tag);
    if (index === undefined) cursor.fail(`tetrahedron ${element} refers to the node ${tag}, which does not exist`);
    this.corners.push(index);
    checkLimit(this.corners.length / 4, 'faces', this.#limits, 'tetrahedra', { file: this.#path });
  }

  /** Nodes in use, renumbered in their order. */
  finish(): TetMeshData {
    const number = new Int32Array(this.#points.length / 3).fill(-1);
    for (const v of this.corners) number[v] = 0;
    const vertices: number[] = [];
    number.forEach((use, v) => {
      if (use < 0) return;
      number[v] = vertices.length / 3;
      vertices.push(this.#points[3 * v]!, this.#points[3 * v + 1]!, this.#points[3 * v + 2]!);
    });
    return { vertices, tetrahedra: this.corners.map((v) => number[v]!) };
  }
}

// a count that the rest of the file can hold: every item takes at least two bytes
function checkCount(cursor: GmshCursor, count: number, what: string): number {
  if (!(count >= 0 && 2 * count <= cursor.left + 2))
    cursor.fail(`the file claims ${count} ${what}, more than it can hold`);
  return count;
}

function readNodes2(cursor: GmshCursor, mesh: NumberedMesh): void {
  const count = checkCount(cursor, Number.parseInt(cursor.readLine(), 10), 'nodes');
  for (let i = 0; i < count; i++) mesh.addNode(cursor, cursor.readInteger());
}

function readElements2(cursor: GmshCursor, mesh: NumberedMesh): void {
  const count = checkCount(cursor, Number.parseInt(cursor.readLine(), 10), 'elements');
  for (let done = 0; done < count; ) {
    // in text: number, kind, tags of one element; in binary: kind, number of elements, tags of a block
    const first = cursor.readInteger();
    const second = cursor.readInteger();
    const kind = cursor.isBinary ? first : second;
    const inBlock = cursor.isBinary ? second : 1;
    const tagCount = checkCount(cursor, cursor.readInteger(), 'tags');
    if (inBlock < 1 || done + inBlock > count) cursor.fail(`a block of ${inBlock} elements does not fit into ${count}`);
    for (let i = 0; i < inBlock; i++, done++) {
      const element = cursor.isBinary ? cursor.readInteger() : first;
      for (let t = 0; t < tagCount; t++) cursor.readInteger();
      readElement(cursor, mesh, kind, element, () => cursor.readInteger());
    }
  }
}

function readNodes4(cursor: GmshCursor, mesh: NumberedMesh): void {
  const blocks = checkCount(cursor, cursor.readSize(), 'blocks of nodes');
  const total = checkCount(cursor, cursor.readSize(), 'nodes');
  cursor.readSize();
  cursor.readSize();
  let found = 0;
  for (let b = 0; b < blocks; b++) {
    const dimension = cursor.readInteger();
    cursor.readInteger();
    const isParametric = cursor.readInteger();
    if (dimension < 0 || dimension > 3) cursor.fail(`an entity has ${dimension} dimensions`);
    const count = checkCount(cursor, cursor.readSize(), 'nodes');
    const tags = Array.from({ length: count }, () => cursor.readSize());
    for (const tag of tags) {
      mesh.addNode(cursor, tag);
      // parameters on the entity, one per dimension
      if (isParametric !== 0) for (let k = 0; k < dimension; k++) cursor.readNumber();
    }
    found += count;
  }
  if (found !== total) cursor.fail(`the blocks have ${found} nodes instead of ${total}`);
}

function readElements4(cursor: GmshCursor, mesh: NumberedMesh): void {
  const blocks = checkCount(cursor, cursor.readSize(), 'blocks of elements');
  const total = checkCount(cursor, cursor.readSize(), 'elements');
  cursor.readSize();
  cursor.readSize();
  let found = 0;
  for (let b = 0; b < blocks; b++) {
    cursor.readInteger();
    cursor.readInteger();
    const kind = cursor.readInteger();
    const count = checkCount(cursor, cursor.readSize(), 'elements');
    for (let i = 0; i < count; i++) readElement(cursor, mesh, kind, cursor.readSize(), () => cursor.readSize());
    found += count;
  }
  if (found !== total) cursor.fail(`the blocks have ${found} elements instead of ${total}`);
}

function readElement(
  cursor: GmshCursor,
  mesh: NumberedMesh,
  kind: number,
  element: number,
  readTag: () => number,
): void {
  if (kind === TETRAHEDRON) {
    for (let k = 0; k < 4; k++) mesh.addCorner(cursor, element, readTag());
    return;
  }
  const nodes = countFlatNodes(kind);
  if (nodes === undefined) {
    cursor.fail(
      `the file has ${nameSolid(kind)}: only tetrahedra with four nodes are supported`,
      'mesh with tetrahedra of first order (Mesh.ElementOrder = 1, no recombination)',
    );
  }
  for (let k = 0; k < nodes; k++) readTag();
}
