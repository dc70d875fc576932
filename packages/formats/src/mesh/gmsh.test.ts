import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { readGmsh } from './gmsh.ts';
import { readMesh } from './mesh.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

// node 3 is used by a point alone; two tetrahedra share a face
const NODES: [tag: number, x: number, y: number, z: number][] = [
  [1, 0, 0, 0],
  [3, 9, 9, 9],
  [10, 1, 0, 0],
  [5, 0, 1, 0],
  [7, 0, 0, 1],
  [8, 0.1, -1.5, 0.25],
];
const TETRAHEDRA = [
  [1, 10, 5, 7],
  [1, 8, 10, 7],
];
const EXPECTED = {
  vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, -1.5, 0.25],
  tetrahedra: [0, 1, 2, 3, 0, 4, 1, 3],
};

const TEXT_2 = `$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "body"
$EndPhysicalNames
$Nodes
6
${NODES.map((node) => node.join(' ')).join('\n')}
$EndNodes
$Elements
4
1 15 2 0 1 3
2 2 2 0 1 1 10 5
3 4 2 1 1 1 10 5 7
4 4 3 1 1 0 1 8 10 7
$EndElements
`;

const TEXT_4 = `$MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
1 0 0 0
1 9 9 9 0
$EndEntities
$Nodes
2 6 1 10
0 1 0 2
1
3
0 0 0
9 9 9
2 1 1 4
10
5
7
8
1 0 0 0.5 0.5
0 1 0 0.25 0
0 0 1 1 1
0.1 -1.5 0.25 0 0
$EndNodes
$Elements
3 4 1 4
0 1 15 1
1 3
2 1 2 1
2 1 10 5
3 1 4 2
3 1 10 5 7
4 1 8 10 7
$EndElements
`;

/** Bytes: text as it is, i int32, s uint64, d float64. */
function pack(isLittle: boolean, ...parts: (string | ['i' | 's' | 'd', ...number[]])[]): Uint8Array {
  const bytes: number[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      bytes.push(...encode(part));
      continue;
    }
    const [kind, ...values] = part;
    for (const value of values) {
      const view = new DataView(new ArrayBuffer(kind === 'i' ? 4 : 8));
      if (kind === 'i') view.setInt32(0, value, isLittle);
      else if (kind === 's') view.setBigUint64(0, BigInt(value), isLittle);
      else view.setFloat64(0, value, isLittle);
      bytes.push(...new Uint8Array(view.buffer));
    }
  }
  return Uint8Array.from(bytes);
}

function makeBinary2(isLittle: boolean): Uint8Array {
  return pack(
    isLittle,
    '$MeshFormat\n2.2 1 8\n',
    ['i', 1],
    '\n$EndMeshFormat\n$Nodes\n6\n',
    ...NODES.flatMap(([tag, ...x]): ['i' | 'd', ...number[]][] => [
      ['i', tag],
      ['d', ...x],
    ]),
    '\n$EndNodes\n$Elements\n4\n',
    ['i', 15, 1, 2, 1, 0, 1, 3],
    ['i', 2, 1, 2, 2, 0, 1, 1, 10, 5],
    ['i', 4, 2, 2, 3, 1, 1, ...TETRAHEDRA[0]!, 4, 1, 1, ...TETRAHEDRA[1]!],
    '\n$EndElements\n',
  );
}

function makeBinary4(isLittle: boolean): Uint8Array {
  return pack(
    isLittle,
    '$MeshFormat\n4.1 1 8\n',
    ['i', 1],
    '\n$EndMeshFormat\n$Nodes\n',
    ['s', 2, 6, 1, 10],
    ['i', 0, 1, 0],
    ['s', 2, 1, 3],
    ['d', 0, 0, 0, 9, 9, 9],
    ['i', 3, 1, 0],
    ['s', 4, 10, 5, 7, 8],
    ['d', ...NODES.slice(2).flatMap(([, ...x]) => x)],
    '\n$EndNodes\n$Elements\n',
    ['s', 2, 3, 1, 4],
    ['i', 2, 1, 2],
    ['s', 1, 2, 1, 10, 5],
    ['i', 3, 1, 4],
    ['s', 2, 3, ...TETRAHEDRA[0]!, 4, ...TETRAHEDRA[1]!],
    '\n$EndElements\n',
  );
}

describe('Gmsh files', () => {
  test.each([
    ['2.2 ASCII', encode(TEXT_2)],
    ['2.2 ASCII with CRLF', encode(TEXT_2.replaceAll('\n', '\r\n'))],
    ['2.2 binary', makeBinary2(true)],
    ['2.2 binary, big endian', makeBinary2(false)],
    ['4.1 ASCII', encode(TEXT_4)],
    ['4.1 ASCII with CRLF', encode(TEXT_4.replaceAll('\n', '\r\n'))],
    ['4.1 binary', makeBinary4(true)],
    ['4.1 binary, big endian', makeBinary4(false)],
  ])('%s: tetrahedra, and the nodes they use', (_, bytes) => {
    expect(readGmsh('a.msh', bytes)).toEqual(EXPECTED);
  });

  test('a view into a larger buffer', () => {
    const inner = makeBinary4(true);
    const outer = new Uint8Array(inner.length + 9);
    outer.set(inner, 5);
    expect(readGmsh('a.msh', outer.subarray(5, 5 + inner.length))).toEqual(EXPECTED);
  });

  test('read as a surface it is refused by name', () => {
    expect(() => readMesh('a.msh', encode(TEXT_4))).toThrow(/Gmsh/);
  });

  const bad: [what: string, bytes: Uint8Array, line: number | undefined, says: RegExp][] = [
    ['MuJoCo mesh', new Uint8Array(16), undefined, /not a Gmsh file/],
    ['version 4.0', encode(TEXT_4.replace('4.1', '4.0')), 3, /version 4.0/],
    ['version 1', encode(TEXT_2.replace('2.2', '1.0')), 3, /version 1.0/],
    ['unknown file type', encode(TEXT_2.replace('2.2 0', '2.2 7')), 3, /no file type/],
    ['short numbers', encode(TEXT_2.replace('2.2 0 8', '2.2 0 4')), 3, /4 bytes/],
    ['no end of the header', encode('$MeshFormat\n2.2 0 8\n$Nodes\n'), 4, /\$EndMeshFormat/],
    ['header alone', encode('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n'), 4, /no \$Nodes/],
    ['no elements', encode(TEXT_2.split('$Elements')[0]!), 17, /no \$Elements/],
    [
      'elements before nodes',
      encode('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n0\n$EndElements\n'),
      5,
      /before the nodes/,
    ],
    ['text between sections', encode(TEXT_2.replace('$Nodes', 'x\n$Nodes')), 9, /'x' is not the beginning/],
    ['a section without end', encode(TEXT_2.replace('$EndPhysicalNames', '')), 24, /\$EndPhysicalNames.*missing/],
    ['a word for a coordinate', encode(TEXT_2.replace('0.1 -1.5', 'abc -1.5')), 15, /'abc' is not a number/],
    ['an infinite coordinate', encode(TEXT_2.replace('0.1 -1.5', 'Infinity -1.5')), 15, /not finite/],
    ['half a tag', encode(TEXT_2.replace('8 0.1', '8.5 0.1')), 15, /'8.5' is not a whole number/],
    ['a node twice', encode(TEXT_2.replace('8 0.1', '7 0.1')), 15, /two nodes 7/],
    [
      'a node that is not there',
      encode(TEXT_2.replace('1 8 10 7', '1 99 10 7')),
      22,
      /tetrahedron 4 refers to the node 99/,
    ],
    ['a huge count of nodes', encode(TEXT_2.replace('$Nodes\n6', '$Nodes\n600000')), 10, /600000 nodes/],
    ['a negative count', encode(TEXT_2.replace('$Nodes\n6', '$Nodes\n-6')), 10, /-6 nodes/],
    ['no count', encode(TEXT_2.replace('$Nodes\n6', '$Nodes\nsix')), 10, /NaN nodes/],
    ['more nodes than counted', encode(TEXT_2.replace('$Nodes\n6', '$Nodes\n5')), 16, /\$EndNodes/],
    ['hexahedra', encode(TEXT_2.replace('4 4 3 1 1 0', '4 5 3 1 1 0')), 22, /hexahedra: only tetrahedra/],
    ['second order', encode(TEXT_4.replace('3 1 4 2', '3 1 11 2')), 32, /second order/],
    ['an unknown element', encode(TEXT_4.replace('3 1 4 2', '3 1 777 2')), 32, /type 777/],
    [
      'nodes of version 4 that do not add up',
      encode(TEXT_4.replace('2 6 1 10', '2 7 1 10')),
      23,
      /6 nodes instead of 7/,
    ],
    [
      'a surface alone',
      encode(TEXT_4.replace('3 4 1 4', '2 2 1 4').replace(/3 1 4 2\n.*\n.*\n/, '')),
      32,
      /no tetrahedra/,
    ],
    ['binary cut off', makeBinary4(true).subarray(0, 200), undefined, /ends too early|more than it can hold/],
    ['binary 2.2 cut off', makeBinary2(true).subarray(0, 150), undefined, /ends too early|more than it can hold/],
  ];
  test.each(bad)('%s is an error with its line', (_, bytes, line, says) => {
    let caught: unknown;
    try {
      readGmsh('parts/a.msh', bytes);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(NexdynError);
    const error = caught as NexdynError;
    expect(error.code).toBe('malformed-mesh');
    expect(error.reason).toMatch(says);
    expect(error.file).toBe('parts/a.msh');
    if (line !== undefined) expect(error.line).toBe(line);
    expect(error.hint).toBeTruthy();
  });

  test('cut off anywhere, every file is an error and nothing else', () => {
    for (const bytes of [encode(TEXT_2), encode(TEXT_4), makeBinary2(true), makeBinary4(true)]) {
      for (let end = 0; end < bytes.length - 1; end++) {
        expect(() => readGmsh('a.msh', bytes.subarray(0, end))).toThrow(NexdynError);
      }
    }
  });
});
