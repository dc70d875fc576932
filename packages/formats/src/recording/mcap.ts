/**
 * A motion as MCAP with Foxglove's messages in JSON. Topics: `/scene` has the shapes, once, fixed to the frames of
 * their bodies; `/tf` the poses of these frames in every frame of the recording; `/quantities` all else that was recorded,
 * for plots, and contacts on `/contact`, a row each. Soft bodies are on `/soft`, with all their triangles in every frame. Times count from the start of the run.
 */
import { createRotation, createSoftEntity, createVector, listEntities, type Timestamp } from './foxglove-scene.ts';
import { FRAME_TRANSFORMS, type JsonSchema, SCENE_UPDATE } from './foxglove-schema.ts';
import type { Motion } from './motion/motion.ts';
import type { RaggedColumns, RecordingColumn } from './recording.ts';

/** The bytes of an `.mcap` file; the same motion gives the same bytes. */
export async function writeMcap(motion: Motion): Promise<Uint8Array> {
  const { McapWriter, TempBuffer } = await import('@mcap/core');
  const file = new TempBuffer();
  const writer = new McapWriter({ writable: file });
  await writer.start({ profile: '', library: 'nexdyn' });
  await writer.addMetadata({ name: 'nexdyn', metadata: new Map([['scene', motion.name]]) });

  const encoder = new TextEncoder();
  const schemaIds = new Map<JsonSchema, number>();
  const registerSchema = async (schema: JsonSchema, name: string): Promise<number> => {
    const known = schemaIds.get(schema);
    if (known !== undefined) return known;
    const data = encoder.encode(JSON.stringify(schema));
    const id = await writer.registerSchema({ name, encoding: 'jsonschema', data });
    schemaIds.set(schema, id);
    return id;
  };
  const register = async (
    topic: string,
    schema: JsonSchema,
  ): Promise<(frame: number, message: object) => Promise<void>> => {
    const schemaId = await registerSchema(schema, schema.title ?? topic);
    const channelId = await writer.registerChannel({ topic, schemaId, messageEncoding: 'json', metadata: new Map() });
    return async (frame, message) => {
      const logTime = toNanoseconds(motion.time[frame]!);
      const data = encoder.encode(JSON.stringify(message));
      await writer.addMessage({ channelId, sequence: frame, logTime, publishTime: logTime, data });
    };
  };

  const writeScene = await register('/scene', SCENE_UPDATE);
  const writePoses = await register('/tf', FRAME_TRANSFORMS);
  const writeSoft = motion.softSurfaces.length > 0 ? await register('/soft', SCENE_UPDATE) : undefined;
  const writeQuantities = await register('/quantities', describeQuantities(motion.quantities));
  const { ragged = [] } = motion;
  const writeRows = await Promise.all(ragged.map((group) => register(`/${group.name}`, describeRows(group))));
  await writeScene(0, { deletions: [], entities: listEntities(motion, toTimestamp(motion.time[0]!)) });
  for (let frame = 0; frame < motion.time.length; frame++) {
    const timestamp = toTimestamp(motion.time[frame]!);
    await writePoses(frame, { transforms: listTransforms(motion, frame, timestamp) });
    await writeQuantities(frame, readQuantities(motion.quantities, frame));
    for (const [i, group] of ragged.entries()) await writeRows[i]!(frame, { rows: listRows(group, frame) });
    await writeSoft?.(frame, {
      deletions: [],
      entities: motion.softSurfaces.map((surface) =>
        createSoftEntity(surface, motion.bodies[0]!.name, frame, timestamp),
      ),
    });
  }
  await writer.end();
  return file.get();
}

/** Poses of all bodies but the world; those at rest too, so that a viewer may begin anywhere. */
function listTransforms({ bodies, position, orientation }: Motion, frame: number, timestamp: Timestamp): object[] {
  return bodies.slice(1).map(({ name }, i) => {
    const at = frame * bodies.length + i + 1;
    return {
      timestamp,
      parent_frame_id: bodies[0]!.name,
      child_frame_id: name,
      translation: createVector(position.subarray(3 * at, 3 * at + 3)),
      rotation: createRotation(orientation.subarray(4 * at, 4 * at + 4)),
    };
  });
}

/** One number by the name of its column, left out where it is not known; several as an object by their labels, or as a list. */
function readQuantities(columns: readonly RecordingColumn[], frame: number): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(({ name, width, labels, data }) => {
      // JSON has no NaN
      const values = Array.from(data.subarray(frame * width, (frame + 1) * width), (value) =>
        Number.isFinite(value) ? value : undefined,
      );
      if (labels) return [name, Object.fromEntries(labels.map((label, i) => [label, values[i]]))];
      return [name, width === 1 ? values[0] : values];
    }),
  );
}

function listRows({ splits, columns }: RaggedColumns, frame: number): object[] {
  const count = splits[frame + 1]! - splits[frame]!;
  return Array.from({ length: count }, (_, i) => readQuantities(columns, splits[frame]! + i));
}

function describeRows({ name, columns }: RaggedColumns): JsonSchema {
  const items = { ...describeQuantities(columns), title: `nexdyn.${name}` };
  return { title: `nexdyn.${name}.Rows`, type: 'object', properties: { rows: { type: 'array', items } } };
}

function describeQuantities(columns: readonly RecordingColumn[]): JsonSchema {
  const number: JsonSchema = { type: 'number' };
  return {
    title: 'nexdyn.Quantities',
    type: 'object',
    properties: Object.fromEntries(
      columns.map(({ name, unit, units, width, labels }): [string, JsonSchema] => {
        const description = unit;
        if (labels) {
          const properties = Object.fromEntries(
            labels.map((label, i) => [label, units ? { ...number, description: units[i]! } : number]),
          );
          return [name, { type: 'object', description, properties }];
        }
        return [name, width === 1 ? { ...number, description } : { type: 'array', description, items: number }];
      }),
    ),
  };
}

function toNanoseconds(seconds: number): bigint {
  return BigInt(Math.max(0, Math.round(seconds * 1e9)));
}

function toTimestamp(seconds: number): Timestamp {
  const all = toNanoseconds(seconds);
  return { sec: Number(all / 1_000_000_000n), nsec: Number(all % 1_000_000_000n) };
}
