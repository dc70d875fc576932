/**
 * The records of an MCAP file one by one, by the rules of its specification and of `mcap doctor`: what an index says of a
 * chunk must be so, schemas and channels come before what refers to them and once, times do not go back, and the summary
 * repeats the file. Source: MCAP specification, version 0 (sections Records and Summary); `doctor` of the MCAP command line.
 */
import { McapStreamReader, type McapTypes } from '@mcap/core';
import { describe, expect, test } from 'vitest';
import { writeMcap } from './mcap.ts';
import type { Motion } from './motion/motion.ts';

const FRAMES = 600;
const BODIES = 8;

/** Bodies that move, with so many frames that the file has several chunks. */
function createLongMotion(): Motion {
  const count = FRAMES * BODIES;
  return {
    name: 'long',
    time: Float64Array.from({ length: FRAMES }, (_, frame) => frame / 300),
    bodies: Array.from({ length: BODIES }, (_, i) => ({ name: i === 0 ? 'world' : `body${i}`, isMoving: i > 0 })),
    position: Float64Array.from({ length: 3 * count }, (_, i) => Math.sin(i)),
    orientation: Float64Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    parts: [],
    softSurfaces: [
      {
        name: 'jelly',
        color: [1, 0, 0, 1],
        faces: Uint32Array.of(0, 1, 2),
        vertexCount: 3,
        positions: new Float32Array(9 * FRAMES).fill(0.5),
      },
    ],
    quantities: [
      { name: 'speed', unit: 'm/s', width: 1, data: new Float64Array(FRAMES).fill(2) },
      // not known in the first frame
      { name: 'residual', unit: '1', width: 1, data: new Float64Array(FRAMES).fill(1e-9).fill(Number.NaN, 0, 1) },
    ],
    undrawn: [],
  };
}

function listRecords(bytes: Uint8Array): McapTypes.TypedMcapRecord[] {
  const reader = new McapStreamReader({ includeChunks: true, validateCrcs: true });
  reader.append(bytes);
  const records: McapTypes.TypedMcapRecord[] = [];
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) records.push(record);
  expect(reader.done()).toBe(true);
  return records;
}

describe('records of an MCAP file', async () => {
  const records = listRecords(await writeMcap(createLongMotion()));
  const all = <T extends McapTypes.TypedMcapRecord['type']>(type: T) =>
    records.filter((record): record is Extract<McapTypes.TypedMcapRecord, { type: T }> => record.type === type);
  const end = records.findIndex(({ type }) => type === 'DataEnd');
  const [statistics] = all('Statistics');

  test('begin with a header and end with a footer, data first and then the summary', () => {
    expect(records[0]).toMatchObject({ type: 'Header', profile: '', library: expect.stringContaining('nexdyn') });
    expect(records.at(-1)!.type).toBe('Footer');
    const ofData = ['Header', 'Metadata', 'Chunk', 'MessageIndex', 'Schema', 'Channel', 'Message'];
    for (const { type } of records.slice(0, end)) expect(ofData).toContain(type);
    const ofSummary = ['Schema', 'Channel', 'Statistics', 'MetadataIndex', 'ChunkIndex', 'SummaryOffset', 'Footer'];
    for (const { type } of records.slice(end + 1)) expect(ofSummary).toContain(type);
    const [footer] = all('Footer');
    expect(footer!.summaryStart).toBeGreaterThan(0n);
    expect(footer!.summaryCrc).not.toBe(0);
  });

  test('schemas and channels stand before their messages, once, and again in the summary', () => {
    const known = { Schema: new Set<number>(), Channel: new Set<number>() };
    let last = 0n;
    for (const record of records.slice(0, end)) {
      if (record.type === 'Schema' || record.type === 'Channel') {
        expect(known[record.type].has(record.id)).toBe(false);
        known[record.type].add(record.id);
      }
      if (record.type === 'Schema') expect([record.id > 0, record.encoding]).toEqual([true, 'jsonschema']);
      if (record.type === 'Channel') expect(known.Schema.has(record.schemaId)).toBe(true);
      if (record.type !== 'Message') continue;
      expect(known.Channel.has(record.channelId)).toBe(true);
      expect(record.logTime).toBeGreaterThanOrEqual(last);
      last = record.logTime;
    }
    const inSummary = records.slice(end + 1);
    for (const type of ['Schema', 'Channel'] as const) {
      const ids = inSummary.flatMap((record) => (record.type === type ? [record.id] : []));
      expect(new Set(ids)).toEqual(known[type]);
    }
    // two topics draw, with one schema
    const names = all('Schema').slice(0, known.Schema.size);
    expect(new Set(names.map(({ name }) => name)).size).toBe(known.Schema.size);
  });

  test('each chunk has the times of its messages, its indices and its entry in the summary', () => {
    const chunks = all('Chunk');
    const indexes = all('ChunkIndex');
    expect(chunks.length).toBeGreaterThan(1);
    expect(indexes).toHaveLength(chunks.length);
    let messages = 0;
    let at = 0;
    for (const [k, chunk] of chunks.entries()) {
      // from a chunk to the next: its own records, then one index per channel
      const from = records.indexOf(chunk);
      const to = k + 1 < chunks.length ? records.indexOf(chunks[k + 1]!) : end;
      const times = records.slice(at, to).flatMap((record) => (record.type === 'Message' ? [record.logTime] : []));
      const entries = records
        .slice(from, to)
        .flatMap((record) => (record.type === 'MessageIndex' ? record.records : []));
      at = to;
      expect([chunk.messageStartTime, chunk.messageEndTime]).toEqual([times[0], times.at(-1)]);
      expect(entries.map(([time]) => time).sort()).toEqual([...times].sort());
      expect(indexes[k]).toMatchObject({
        messageStartTime: chunk.messageStartTime,
        messageEndTime: chunk.messageEndTime,
        compression: '',
        uncompressedSize: chunk.uncompressedSize,
      });
      messages += times.length;
    }
    expect(BigInt(messages)).toBe(statistics!.messageCount);
  });

  test('the statistics are those of the file, times in nanoseconds', () => {
    expect(all('Statistics')).toHaveLength(1);
    expect(statistics).toMatchObject({
      messageCount: BigInt(1 + 3 * FRAMES),
      schemaCount: 3,
      channelCount: 4,
      metadataCount: 1,
      attachmentCount: 0,
      chunkCount: all('Chunk').length,
      messageStartTime: 0n,
      messageEndTime: BigInt(Math.round(((FRAMES - 1) / 300) * 1e9)),
    });
    const counts = [...statistics!.channelMessageCounts.values()].sort((a, b) => Number(a - b));
    expect(counts).toEqual([1n, ...new Array(3).fill(BigInt(FRAMES))]);
  });

  test('numbers that are not known are left out', () => {
    const channel = all('Channel').find(({ topic }) => topic === '/quantities')!;
    const [first, second] = all('Message')
      .filter(({ channelId }) => channelId === channel.id)
      .map(({ data }) => JSON.parse(new TextDecoder().decode(data)));
    expect(first).toEqual({ speed: 2 });
    expect(second).toEqual({ speed: 2, residual: 1e-9 });
  });
});
