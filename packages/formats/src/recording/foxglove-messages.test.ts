/**
 * Messages against the fields of Foxglove's own schemas. Source of the table: package @foxglove/schemas 2.1.0 (MIT), JSON
 * schemas SceneUpdate and FrameTransforms, in which every field is required and none but these is known.
 */
import { McapIndexedReader, TempBuffer } from '@mcap/core';
import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { FRAME_TRANSFORMS, type JsonSchema, SCENE_UPDATE } from './foxglove-schema.ts';
import { writeMcap } from './mcap.ts';
import { createMotion } from './motion/motion.ts';

/** Fields by type; a type in capitals is a row of this table, `[]` a list. */
const TYPES: Record<string, Record<string, string>> = {
  SceneUpdate: { deletions: 'Deletion[]', entities: 'Entity[]' },
  FrameTransforms: { transforms: 'Transform[]' },
  Transform: {
    timestamp: 'Time',
    parent_frame_id: 'string',
    child_frame_id: 'string',
    translation: 'Vector3',
    rotation: 'Quaternion',
  },
  Deletion: { timestamp: 'Time', type: 'integer', id: 'string' },
  Entity: {
    timestamp: 'Time',
    frame_id: 'string',
    id: 'string',
    lifetime: 'Time',
    frame_locked: 'boolean',
    metadata: 'Pair[]',
    arrows: 'Arrow[]',
    cubes: 'Sized[]',
    spheres: 'Sized[]',
    cylinders: 'Cylinder[]',
    lines: 'Line[]',
    triangles: 'Triangles[]',
    texts: 'Text[]',
    models: 'Model[]',
  },
  Pair: { key: 'string', value: 'string' },
  Arrow: {
    pose: 'Pose',
    shaft_length: 'number',
    shaft_diameter: 'number',
    head_length: 'number',
    head_diameter: 'number',
    color: 'Color',
  },
  Sized: { pose: 'Pose', size: 'Vector3', color: 'Color' },
  Cylinder: { pose: 'Pose', size: 'Vector3', bottom_scale: 'number', top_scale: 'number', color: 'Color' },
  Line: {
    type: 'integer',
    pose: 'Pose',
    thickness: 'number',
    scale_invariant: 'boolean',
    points: 'Vector3[]',
    color: 'Color',
    colors: 'Color[]',
    indices: 'integer[]',
  },
  Triangles: { pose: 'Pose', points: 'Vector3[]', color: 'Color', colors: 'Color[]', indices: 'integer[]' },
  Text: {
    pose: 'Pose',
    billboard: 'boolean',
    font_size: 'number',
    scale_invariant: 'boolean',
    color: 'Color',
    text: 'string',
  },
  Model: {
    pose: 'Pose',
    scale: 'Vector3',
    color: 'Color',
    override_color: 'boolean',
    url: 'string',
    media_type: 'string',
    data: 'string',
  },
  Pose: { position: 'Vector3', orientation: 'Quaternion' },
  Vector3: { x: 'number', y: 'number', z: 'number' },
  Quaternion: { x: 'number', y: 'number', z: 'number', w: 'number' },
  Color: { r: 'number', g: 'number', b: 'number', a: 'number' },
  Time: { sec: 'integer', nsec: 'integer' },
};

/** Places where a message is not of a type. */
function listFaults(value: unknown, type: string, place: string): string[] {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((one, i) => listFaults(one, type.slice(0, -2), `${place}[${i}]`));
  }
  const fields = TYPES[type];
  if (!fields) {
    const isRight = type === 'integer' ? Number.isInteger(value) : typeof value === type;
    return isRight && (typeof value !== 'number' || Number.isFinite(value)) ? [] : [`${place} is not ${type}`];
  }
  const record = Object(value) as Record<string, unknown>;
  const unknown = Object.keys(record).filter((key) => !(key in fields));
  const faults = unknown.map((key) => `${place}.${key} is not known`);
  if (type === 'Time' && !((record['nsec'] as number) < 1e9)) faults.push(`${place}.nsec is a second or more`);
  return [
    ...faults,
    ...Object.entries(fields).flatMap(([key, own]) => listFaults(record[key], own, `${place}.${key}`)),
  ];
}

/** A schema in the words of the table, for what is not a row of it. */
function describeSchema(schema: JsonSchema): unknown {
  if (schema.type === 'array') return [describeSchema(schema.items!)];
  if (schema.type !== 'object') return schema.type;
  return Object.fromEntries(Object.entries(schema.properties!).map(([key, own]) => [key, describeSchema(own)]));
}

function expandType(type: string): unknown {
  if (type.endsWith('[]')) return [expandType(type.slice(0, -2))];
  const fields = TYPES[type];
  return fields ? Object.fromEntries(Object.entries(fields).map(([key, own]) => [key, expandType(own)])) : type;
}

describe('Foxglove', () => {
  test.each([
    ['SceneUpdate', SCENE_UPDATE],
    ['FrameTransforms', FRAME_TRANSFORMS],
  ] as const)('the schema of %s has the fields of the official one', (type, schema) => {
    expect(schema.title).toBe(`foxglove.${type}`);
    expect(describeSchema(schema)).toEqual(expandType(type));
  });

  test('every message of a recording has all fields of its type and no other', async () => {
    const world = scene('every kind of shape').timestep(0.01);
    world.plane('floor');
    world.body('post', { position: [3, 0, 0] }).cylinder({ radius: 0.1, halfLength: 1 });
    const piece = world.body('piece', { position: [0, 0, 2] }).free();
    piece.box({ halfSize: [0.1, 0.2, 0.3] }).sphere({ radius: 0.2 });
    piece.capsule({ from: [0, 0, 0], to: [0.5, 0, 0], radius: 0.03 });
    const simulation = new Simulation(compileModel(world.build()));
    const bodies = simulation.model.size.body;
    const frames = 12;
    const time = new Float64Array(frames);
    const position = new Float64Array(3 * bodies * frames);
    const orientation = new Float64Array(4 * bodies * frames);
    for (let frame = 0; frame < frames; frame++) {
      time[frame] = simulation.time;
      position.set(simulation.bodyPosition, 3 * bodies * frame);
      orientation.set(simulation.bodyOrientation, 4 * bodies * frame);
      simulation.step(10);
    }
    const motion = createMotion(simulation.model, {
      name: 'shapes',
      time,
      columns: [
        { name: 'bodyPosition', unit: 'm', width: 3 * bodies, data: position },
        { name: 'bodyOrientation', unit: '1', width: 4 * bodies, data: orientation },
      ],
    });
    motion.softSurfaces.push({
      name: 'jelly',
      color: [0.2, 0.4, 0.6, 1],
      faces: Uint32Array.of(0, 1, 2),
      vertexCount: 3,
      positions: new Float32Array(9 * frames).fill(0.1),
    });
    const reader = await McapIndexedReader.Initialize({
      readable: new TempBuffer(Uint8Array.from(await writeMcap(motion))),
    });
    const checked: Record<string, number> = {};
    for await (const { channelId, data } of reader.readMessages({ validateCrcs: true })) {
      const { topic, schemaId } = reader.channelsById.get(channelId)!;
      const { name } = reader.schemasById.get(schemaId)!;
      if (!name.startsWith('foxglove.')) continue;
      const message = JSON.parse(new TextDecoder().decode(data));
      expect(listFaults(message, name.slice('foxglove.'.length), topic)).toEqual([]);
      checked[topic] = (checked[topic] ?? 0) + 1;
    }
    expect(checked).toEqual({ '/scene': 1, '/tf': frames, '/soft': frames });
  });
});
