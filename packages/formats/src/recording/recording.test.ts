import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { listCsvLines, listRaggedCsvLines, readCsv, writeCsv } from './csv.ts';
import { readNpy, writeNpy } from './npy.ts';
import { readNpz, writeNpz } from './npz.ts';
import type { Recording } from './recording.ts';

const EXAMPLE: Recording = {
  name: 'swing',
  time: Float64Array.of(0, 0.1, 0.2),
  columns: [
    { name: 'position', unit: 'rad', width: 2, labels: ['hip', 'knee, left'], data: Float64Array.of(1, 2, 3, 4, 5, 6) },
    { name: 'velocity', unit: 'rad/s', width: 2, data: Float64Array.of(0.1, -0, 1e-300, 1e300, Number.NaN, -Infinity) },
    { name: 'energy', unit: 'J', width: 1, data: Float64Array.of(1 / 3, 2 / 3, 5e-324) },
    {
      name: 'pose',
      unit: 'm or 1',
      units: ['m', '1'],
      width: 2,
      labels: ['box.x', 'box.qw'],
      data: Float64Array.of(0, 1, 2, 3, 4, 5),
    },
    { name: 'contacts', unit: '', width: 1, data: Float64Array.of(0, 1, 2) },
  ],
};

/** Recordings with any numbers. */
const arbitraryRecording: fc.Arbitrary<Recording> = fc
  .record({
    frames: fc.nat(5),
    columns: fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^[a-z][a-z0-9_.-]{0,5}$/),
        unit: fc.constantFrom('', 'm', 'N m', 'kg m²', '1/s'),
        width: fc.integer({ min: 1, max: 4 }),
        labelled: fc.boolean(),
      }),
      { maxLength: 5, selector: (column) => column.name },
    ),
    label: fc.stringMatching(/^[a-z ,"\]]{1,5}$/),
    values: fc.array(fc.double(), { minLength: 100, maxLength: 100 }),
  })
  .map(({ frames, columns, label, values }) => ({
    name: label,
    time: Float64Array.from({ length: frames }, (_, i) => values[i]),
    columns: columns
      .filter(({ name }) => name !== 'time')
      .map(({ name, unit, width, labelled }, c) => ({
        name,
        unit,
        width,
        ...(labelled && { labels: Array.from({ length: width }, (_, i) => `${label}${i + 1}`) }),
        data: Float64Array.from({ length: frames * width }, (_, i) => values[(7 * c + i) % 100]),
      })),
  }));

describe('NPZ', () => {
  test('a recording survives exactly, every NaN and minus zero', () => {
    expect(readNpz(writeNpz(EXAMPLE))).toStrictEqual(EXAMPLE);
    fc.assert(
      fc.property(arbitraryRecording, (recording) => {
        expect(readNpz(writeNpz(recording))).toStrictEqual(recording);
      }),
    );
  });

  test('rows that come and go come back with their frames, and every member is an array', () => {
    const [frames] = [EXAMPLE.time.length];
    const splits = Float64Array.from({ length: frames + 1 }, (_, i) => (i * (i + 1)) / 2);
    const rows = splits.at(-1)!;
    const force = Float64Array.from({ length: 3 * rows }, (_, i) => i / 7);
    const columns = [{ name: 'touchForce', unit: 'N', width: 3, labels: ['x', 'y', 'z'], data: force }];
    const recording = { ...EXAMPLE, ragged: [{ name: 'touch', splits, columns }] };
    const bytes = writeNpz(recording);
    expect(readNpz(bytes)).toEqual(recording);
    expect(Buffer.from(bytes).toString('latin1')).not.toContain('.json');
    const lines = [...listRaggedCsvLines(recording, recording.ragged[0]!)];
    expect(lines).toHaveLength(1 + rows);
    expect(lines[0]).toBe('time (s),touchForce[x] (N),touchForce[y] (N),touchForce[z] (N)\n');
    expect(() => writeNpz({ ...recording, ragged: [{ name: 'touch', splits: splits.subarray(1), columns }] })).toThrow(
      'no rows for each frame',
    );
  });

  test('the same recording gives the same bytes', () => {
    expect(writeNpz(EXAMPLE)).toEqual(writeNpz(structuredClone(EXAMPLE)));
  });

  test('the bytes are those of the NumPy format, read by the letter of its definition', () => {
    // find the members by their local headers, inflate with Node's zlib, parse the header by hand
    const bytes = Buffer.from(writeNpz(EXAMPLE));
    const members = new Map<string, Buffer>();
    for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
      const [packed, name, extra] = [
        bytes.readUInt32LE(at + 18),
        bytes.readUInt16LE(at + 26),
        bytes.readUInt16LE(at + 28),
      ];
      const start = at + 30 + name + extra;
      const content = bytes.subarray(start, start + packed);
      const method = bytes.readUInt16LE(at + 8);
      members.set(bytes.toString('utf8', at + 30, at + 30 + name), method === 8 ? inflateRawSync(content) : content);
      at = start + packed;
    }
    expect([...members.keys()]).toEqual([
      'time.npy',
      'position.npy',
      'velocity.npy',
      'energy.npy',
      'pose.npy',
      'contacts.npy',
      'description.npy',
    ]);
    const velocity = members.get('velocity.npy')!;
    expect(velocity.toString('latin1', 0, 8)).toBe('\x93NUMPY\x01\x00');
    const length = velocity.readUInt16LE(8);
    expect((10 + length) % 64).toBe(0);
    expect(velocity.toString('latin1', 10, 10 + length)).toMatch(
      /^\{'descr': '<f8', 'fortran_order': False, 'shape': \(3, 2\), \} *\n$/,
    );
    const numbers = Array.from({ length: 6 }, (_, i) => velocity.readDoubleLE(10 + length + 8 * i));
    expect(numbers).toEqual([0.1, -0, 1e-300, 1e300, Number.NaN, -Infinity]);
    expect(velocity.length).toBe(10 + length + 48);
    expect(members.get('time.npy')!.toString('latin1')).toContain("'shape': (3,), }");
  });

  const python = process.env['NEXDYN_PYTHON'] ?? 'python3';
  test.skipIf(!hasNumpy(python))('NumPy reads what we write and we read what NumPy writes (Python with numpy)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'npz-'));
    try {
      writeFileSync(join(folder, 'ours.npz'), writeNpz(EXAMPLE));
      const program = `
import numpy, json, sys
ours = numpy.load(sys.argv[1] + '/ours.npz')
about = json.loads(ours['description'].tobytes())
shapes = {name: [list(ours[name].shape), str(ours[name].dtype)] for name in ours.files if name != 'description'}
numbers = {name: [float(x).hex() for x in ours[name].ravel()] for name in shapes}
numpy.savez_compressed(sys.argv[1] + '/theirs.npz', **{name: ours[name] for name in shapes},
  single=numpy.arange(3, dtype='<f4'), whole=numpy.arange(6, dtype='<i8').reshape(3, 2), cube=numpy.arange(12.0).reshape(3, 2, 2))
print(json.dumps([shapes, numbers, about]))`;
      const output = execFileSync(python, ['-c', program, folder], { encoding: 'utf8' });
      const [shapes, numbers, about] = JSON.parse(output) as [
        Record<string, unknown>,
        Record<string, string[]>,
        object,
      ];
      expect(about).toMatchObject({ name: EXAMPLE.name });
      expect(shapes).toEqual({
        time: [[3], 'float64'],
        position: [[3, 2], 'float64'],
        velocity: [[3, 2], 'float64'],
        energy: [[3, 1], 'float64'],
        pose: [[3, 2], 'float64'],
        contacts: [[3, 1], 'float64'],
      });
      expect(numbers.velocity.slice(1)).toEqual(['-0x0.0p+0', expect.anything(), expect.anything(), 'nan', '-inf']);
      const theirs = readNpz(new Uint8Array(readFileSync(join(folder, 'theirs.npz'))));
      for (const column of EXAMPLE.columns) {
        expect(theirs.columns.find(({ name }) => name === column.name)!.data).toEqual(column.data);
      }
      expect(theirs.columns.find(({ name }) => name === 'single')).toMatchObject({
        width: 1,
        data: Float64Array.of(0, 1, 2),
      });
      expect(theirs.columns.find(({ name }) => name === 'whole')!.data).toEqual(Float64Array.of(0, 1, 2, 3, 4, 5));
      expect(theirs.columns.find(({ name }) => name === 'cube')!.width).toBe(4);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a member that claims 4 GB is refused before anything is allocated', () => {
    const bytes = Buffer.from(writeNpz(EXAMPLE));
    // the size stands 24 bytes into the first record of the central directory
    bytes.writeUInt32LE(0xfffffff0, bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 24);
    expect(() => readNpz(new Uint8Array(bytes))).toThrow(/'time.npy' claims 4/);
  });

  const array = writeNpy({ shape: [2], data: Float64Array.of(1, 2) });
  const edit = (from: string, to: string): Uint8Array =>
    new Uint8Array(Buffer.from(Buffer.from(array).toString('latin1').replace(from, to), 'latin1'));
  test.each<[name: string, bytes: Uint8Array, reason: RegExp]>([
    ['not a zip', Uint8Array.of(1, 2, 3), /not a zip archive/],
    ['cut off', writeNpz(EXAMPLE).subarray(0, 300), /not a zip archive/],
    ['no time', zipSync({ 'a.npy': array }), /'time'/],
    ['not an array', zipSync({ 'time.npy': Uint8Array.of(1, 2, 3) }), /not a NumPy array/],
    ['header cut off', zipSync({ 'time.npy': array.subarray(0, 20) }), /header is cut off/],
    ['numbers cut off', zipSync({ 'time.npy': array.subarray(0, array.length - 1) }), /does not fit/],
    [
      'a shape of ten million',
      zipSync({ 'time.npy': edit('(2,), }      ', '(9999999,), }') }),
      /\(9999999\) does not fit 16/,
    ],
    ['complex numbers', zipSync({ 'time.npy': edit('<f8', '<c8') }), /'<c8'/],
    ['big endian', zipSync({ 'time.npy': edit('<f8', '>f8') }), /'>f8'/],
    [
      'frames that differ',
      zipSync({ 'time.npy': array, 'a.npy': writeNpy({ shape: [3, 1], data: Float64Array.of(1, 2, 3) }) }),
      /3 frames, time has 2/,
    ],
    [
      'columns first',
      zipSync({
        'time.npy': array,
        'a.npy': new Uint8Array(
          Buffer.from(
            Buffer.from(writeNpy({ shape: [2, 1], data: Float64Array.of(1, 2) }))
              .toString('latin1')
              .replace('False', 'True '),
            'latin1',
          ),
        ),
      }),
      /stored by columns/,
    ],
    [
      'bad description',
      zipSync({ 'time.npy': array, 'recording.json': new TextEncoder().encode('{,}') }),
      /description.npy:1:2/,
    ],
  ])('%s', (_name, bytes, reason) => {
    expect(() => readNpz(bytes, 'r.npz')).toThrow(expect.objectContaining({ name: 'NexdynError' }));
    expect(() => readNpz(bytes, 'r.npz')).toThrow(reason);
  });

  test('one number has no index', () => {
    expect(readNpy(writeNpy({ shape: [], data: Float64Array.of(7) }), '')).toEqual({
      shape: [],
      data: Float64Array.of(7),
    });
  });
});

describe('CSV', () => {
  test('a header with parts and units, one line per frame', () => {
    expect(writeCsv(EXAMPLE).split('\n')).toEqual([
      'time (s),position[hip] (rad),"position[knee, left] (rad)",velocity[0] (rad/s),velocity[1] (rad/s),energy (J),pose[box.x] (m),pose[box.qw] (1),contacts',
      '0,1,2,0.1,-0,0.3333333333333333,0,1,0',
      '0.1,3,4,1e-300,1e+300,0.6666666666666666,2,3,1',
      '0.2,5,6,NaN,-Infinity,5e-324,4,5,2',
      '',
    ]);
    expect([...listCsvLines(EXAMPLE)]).toHaveLength(4);
  });

  test('a recording survives exactly, its name apart', () => {
    expect(readCsv(writeCsv(EXAMPLE))).toStrictEqual({ ...EXAMPLE, name: '' });
    fc.assert(
      fc.property(arbitraryRecording, (recording) => {
        expect(readCsv(writeCsv(recording))).toStrictEqual({ ...recording, name: '' });
      }),
    );
  });

  test('what spreadsheets write: carriage returns, a byte order mark, empty cells', () => {
    const recording = readCsv('\ufefftime (s),a (m)\r\n0,1\r\n1,\r\n');
    expect(recording.time).toEqual(Float64Array.of(0, 1));
    expect(recording.columns[0].data).toEqual(Float64Array.of(1, Number.NaN));
  });

  test.each<[name: string, text: string, line: number, reason: RegExp]>([
    ['empty', '', 1, /not the time/],
    ['no time', 'a,b\n1,2\n', 1, /not the time/],
    ['cut off', 'time (s),a\n0,1\n1\n', 3, /1 cells/],
    ['words', 'time (s),a\n0,x\n', 2, /'x' is not a number/],
    ['decimal comma', 'time (s),a\n0,"1,5"\n', 2, /'1,5' is not a number/],
  ])('%s', (_name, text, line, reason) => {
    expect(() => readCsv(text, 'r.csv')).toThrow(
      expect.objectContaining({ code: 'file-unreadable', file: 'r.csv', line }),
    );
    expect(() => readCsv(text, 'r.csv')).toThrow(reason);
  });
});

test.each<[name: string, change: Partial<Recording['columns'][number]>, path: string]>([
  ['too few numbers', { data: Float64Array.of(1) }, 'columns[1].data'],
  ['a name that is taken', { name: 'position' }, 'columns[1].name'],
  ['the name of the time', { name: 'time' }, 'columns[1].name'],
  ['a name that is a path', { name: '../x' }, 'columns[1].name'],
  ['no width', { width: 0 }, 'columns[1].width'],
  ['too few labels', { labels: ['a'] }, 'columns[1].labels'],
])('a recording with %s is refused', (_name, change, path) => {
  const [first, second, ...rest] = EXAMPLE.columns;
  const recording = { ...EXAMPLE, columns: [first, { ...second, ...change }, ...rest] };
  for (const write of [writeNpz, writeCsv]) {
    expect(() => write(recording)).toThrow(expect.objectContaining({ code: 'invalid-argument', path }));
  }
});

function hasNumpy(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import numpy'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
