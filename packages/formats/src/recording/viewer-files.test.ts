/** Files for viewers, read back: what they say must be what was simulated. */
import { McapIndexedReader, TempBuffer } from '@mcap/core';
import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { writeGlb } from './glb.ts';
import { writeMcap } from './mcap.ts';
import { createMotion, type Motion } from './motion/motion.ts';
import type { SoftSurface } from './motion/soft-surface.ts';

const FRAMES = 21;

/** A spinning, falling box, a pendulum and a floor; a frame every ten steps. */
function simulate(): { motion: Motion; bodies: number } {
  const world = scene('fall').timestep(0.01);
  world.plane('floor');
  world
    .body('box', { position: [0, 0, 20] })
    .free()
    .box({ halfSize: [0.1, 0.2, 0.3], color: [1, 0.5, 0, 0.5] });
  world
    .body('arm', { position: [2, 0, 3] })
    .hinge('shoulder', { axis: [0, 1, 0] })
    .capsule({ from: [0, 0, 0], to: [0.5, 0, 0], radius: 0.03 });
  world.body('post', { position: [3, 0, 0] }).cylinder({ radius: 0.1, halfLength: 1 });
  const simulation = new Simulation(compileModel(world.build()));
  // two and a half turns, so that quaternions change sign on the way
  simulation.state.velocity.set([0, 0, 0, 0, 0, 2.5 * Math.PI]);
  const bodies = simulation.model.size.body;
  const time = new Float64Array(FRAMES);
  const position = new Float64Array(3 * bodies * FRAMES);
  const orientation = new Float64Array(4 * bodies * FRAMES);
  const energy = new Float64Array(2 * FRAMES);
  for (let frame = 0; frame < FRAMES; frame++) {
    time[frame] = simulation.time;
    position.set(simulation.bodyPosition, 3 * bodies * frame);
    orientation.set(simulation.bodyOrientation, 4 * bodies * frame);
    energy.set([simulation.energy().kinetic, simulation.energy().potential], 2 * frame);
    simulation.step(10);
  }
  const columns = [
    { name: 'energy', unit: 'J', width: 2, labels: ['kinetic', 'potential'], data: energy },
    { name: 'bodyPosition', unit: 'm', width: 3 * bodies, data: position },
    { name: 'bodyOrientation', unit: '1', width: 4 * bodies, data: orientation },
  ];
  return { motion: createMotion(simulation.model, { name: 'fall', time, columns }), bodies };
}

/** A triangle that grows: one vertex goes from x = 1 m to x = 1 m + frame. */
function growTriangle(frames: number): SoftSurface {
  const positions = new Float32Array(9 * frames);
  for (let frame = 0; frame < frames; frame++) positions.set([0, 0, 0, 1 + frame, 0, 0, 0, 1, 0], 9 * frame);
  return { name: 'jelly', color: [0.2, 0.4, 0.6, 1], faces: Uint32Array.of(0, 1, 2), vertexCount: 3, positions };
}

describe('glTF', () => {
  /** Document and a reader of its accessors. */
  function parse(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    expect(new TextDecoder().decode(bytes.subarray(0, 4))).toBe('glTF');
    expect([view.getUint32(4, true), view.getUint32(8, true)]).toEqual([2, bytes.length]);
    const jsonLength = view.getUint32(12, true);
    expect([jsonLength % 4, bytes.length % 4]).toEqual([0, 0]);
    const document = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonLength)));
    expect(view.getUint32(20 + jsonLength, true)).toBe(document.buffers[0].byteLength);
    const read = (accessor: number): number[] => {
      const { bufferView, componentType, count, type } = document.accessors[accessor];
      const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type as 'SCALAR'];
      const { byteOffset, byteLength } = document.bufferViews[bufferView];
      expect(byteLength).toBe(4 * width * count);
      return Array.from({ length: width * count }, (_, i) => {
        const at = 28 + jsonLength + byteOffset + 4 * i;
        return componentType === 5126 ? view.getFloat32(at, true) : view.getUint32(at, true);
      });
    };
    return { document, read };
  }

  test('bodies that move have samplers whose poses are those of the simulation', () => {
    const { motion, bodies } = simulate();
    const { document, read } = parse(writeGlb(motion));
    const [animation] = document.animations;
    const named = (name: string): number => document.nodes.findIndex((node: { name: string }) => node.name === name);
    const targets = animation.channels.map(
      ({ target }: { target: { node: number; path: string } }) => `${document.nodes[target.node].name} ${target.path}`,
    );
    expect(targets).toEqual(['box translation', 'box rotation', 'arm translation', 'arm rotation']);
    for (const { sampler, target } of animation.channels) {
      const { input, output, interpolation } = animation.samplers[sampler];
      expect(interpolation).toBe('LINEAR');
      const times = read(input);
      expect(times).toHaveLength(FRAMES);
      for (const [frame, time] of times.entries()) expect(time).toBeCloseTo(0.1 * frame, 6);
      expect(document.accessors[input]).toMatchObject({ min: [0], max: [Math.fround(motion.time[FRAMES - 1]!)] });
      const values = read(output);
      const body = motion.bodies.findIndex(({ name }) => name === document.nodes[target.node].name);
      const width = target.path === 'translation' ? 3 : 4;
      expect(values).toHaveLength(width * FRAMES);
      let previous: number[] | undefined;
      for (let frame = 0; frame < FRAMES; frame++) {
        const value = values.slice(width * frame, width * (frame + 1));
        const at = frame * bodies + body;
        if (width === 3) {
          for (const [k, part] of value.entries()) expect(part).toBeCloseTo(motion.position[3 * at + k]!, 5);
          continue;
        }
        // the same rotation, as x y z w and up to the sign, which never jumps
        const [w, x, y, z] = motion.orientation.subarray(4 * at, 4 * at + 4);
        const cosine = value[0]! * x! + value[1]! * y! + value[2]! * z! + value[3]! * w!;
        expect(Math.abs(cosine)).toBeCloseTo(1, 6);
        expect(Math.hypot(...value)).toBeCloseTo(1, 6);
        if (previous) expect(previous.reduce((sum, part, k) => sum + part * value[k]!, 0)).toBeGreaterThan(0);
        previous = value;
      }
    }
    // the root turns z up into y up: z goes to y
    const [x, y, z, w] = document.nodes[0].rotation;
    expect([x, y, z, w]).toEqual([-Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    expect(2 * (y * z - w * x)).toBeCloseTo(1, 12);
    expect(document.nodes[named('post')].translation).toEqual([3, 0, 0]);
  });

  test('shapes hang below their bodies, indices are in range, colours are linear', () => {
    const { motion } = simulate();
    const { document, read } = parse(writeGlb(motion));
    const box = document.nodes.find((node: { name: string }) => node.name === 'box');
    expect(box.children).toHaveLength(1);
    const mesh = document.meshes[document.nodes[box.children[0]].mesh];
    const [primitive] = mesh.primitives;
    const { count, min, max } = document.accessors[primitive.attributes.POSITION];
    expect(min.map((value: number) => Math.round(1000 * value))).toEqual([-100, -200, -300]);
    expect(max.map((value: number) => Math.round(1000 * value))).toEqual([100, 200, 300]);
    expect(document.accessors[primitive.attributes.NORMAL].count).toBe(count);
    const indices = read(primitive.indices);
    expect(indices).toHaveLength(36);
    expect(Math.max(...indices)).toBe(count - 1);
    // sRGB 0.5 is 0.2140 of full light
    const { baseColorFactor } = document.materials[primitive.material].pbrMetallicRoughness;
    expect(baseColorFactor.map((value: number) => Number(value.toFixed(3)))).toEqual([1, 0.214, 0, 0.5]);
    expect(document.materials[primitive.material].alphaMode).toBe('BLEND');
  });

  test('a body that flew off is finite in every number: viewers refuse others', () => {
    const { motion, bodies } = simulate();
    motion.position.fill(1e300, 3 * bodies * (FRAMES - 1) + 3, 3 * bodies * (FRAMES - 1) + 6);
    const { document, read } = parse(writeGlb(motion));
    const numbers = document.accessors.flatMap((_: unknown, index: number) => read(index));
    expect(numbers.every(Number.isFinite)).toBe(true);
    expect(Math.max(...numbers)).toBe((2 - 2 ** -23) * 2 ** 127);
  });

  test('one frame is a scene without animation', () => {
    const { motion, bodies } = simulate();
    const still = { ...motion, time: motion.time.subarray(0, 1), position: motion.position.subarray(0, 3 * bodies) };
    expect(parse(writeGlb(still)).document.animations).toBeUndefined();
  });

  test('soft bodies morph through their shapes', () => {
    const { motion } = simulate();
    const { document, read } = parse(writeGlb({ ...motion, softSurfaces: [growTriangle(FRAMES)] }));
    const node = document.nodes.findIndex(({ name }: { name: string }) => name === 'jelly');
    const [primitive] = document.meshes[document.nodes[node].mesh].primitives;
    const [animation] = document.animations;
    const { sampler } = animation.channels.find(
      (channel: { target: { node: number } }) => channel.target.node === node,
    );
    const { input, output } = animation.samplers[sampler];
    const keys = read(input).length;
    const weights = read(output);
    expect(weights).toHaveLength(keys * primitive.targets.length);
    const first = read(primitive.attributes.POSITION);
    // position at a key = first + Σ weight × way
    for (const key of [0, 7, keys - 1]) {
      const x = primitive.targets.reduce(
        (sum: number, target: { POSITION: number }, t: number) =>
          sum + weights[key * primitive.targets.length + t]! * read(target.POSITION)[3]!,
        first[3]!,
      );
      expect(x).toBeCloseTo(1 + key, 6);
    }
  });
});

describe('MCAP', () => {
  async function open(motion: Motion) {
    const reader = await McapIndexedReader.Initialize({
      readable: new TempBuffer(Uint8Array.from(await writeMcap(motion))),
    });
    const channels = [...reader.channelsById.values()];
    const schemaOf = (topic: string) =>
      reader.schemasById.get(channels.find((channel) => channel.topic === topic)!.schemaId)!;
    const readTopic = async (topic: string) => {
      const messages = [];
      for await (const { logTime, data } of reader.readMessages({ topics: [topic], validateCrcs: true })) {
        messages.push({ logTime, value: JSON.parse(new TextDecoder().decode(data)) });
      }
      return messages;
    };
    return { reader, channels, schemaOf, readTopic };
  }

  test('topics carry the names and encodings by which Foxglove knows them', async () => {
    const { motion } = simulate();
    const { channels, schemaOf, reader } = await open(motion);
    expect(channels.map(({ topic }) => topic).sort()).toEqual(['/quantities', '/scene', '/tf']);
    expect(channels.every(({ messageEncoding }) => messageEncoding === 'json')).toBe(true);
    expect(schemaOf('/tf')).toMatchObject({ name: 'foxglove.FrameTransforms', encoding: 'jsonschema' });
    expect(schemaOf('/scene')).toMatchObject({ name: 'foxglove.SceneUpdate', encoding: 'jsonschema' });
    const schema = JSON.parse(new TextDecoder().decode(schemaOf('/scene').data));
    expect(schema).toMatchObject({ title: 'foxglove.SceneUpdate', type: 'object' });
    expect(reader.statistics!.messageCount).toBe(BigInt(2 * FRAMES + 1));
  });

  test('transforms are the poses of the simulation at its times', async () => {
    const { motion, bodies } = simulate();
    const { readTopic } = await open(motion);
    const messages = await readTopic('/tf');
    expect(messages).toHaveLength(FRAMES);
    messages.forEach(({ logTime, value }, frame) => {
      expect(logTime).toBe(BigInt(Math.round(motion.time[frame]! * 1e9)));
      expect(value.transforms.map((one: { child_frame_id: string }) => one.child_frame_id)).toEqual([
        'box',
        'arm',
        'post',
      ]);
      value.transforms.forEach(
        (
          one: {
            parent_frame_id: string;
            timestamp: object;
            translation: Record<string, number>;
            rotation: Record<string, number>;
          },
          i: number,
        ) => {
          const at = frame * bodies + i + 1;
          expect(one.parent_frame_id).toBe('world');
          expect(one.timestamp).toEqual({ sec: Math.floor(frame / 10), nsec: 1e8 * (frame % 10) });
          const { x, y, z } = one.translation;
          expect([x, y, z]).toEqual([...motion.position.subarray(3 * at, 3 * at + 3)]);
          const { rotation } = one;
          expect([rotation['w'], rotation['x'], rotation['y'], rotation['z']]).toEqual([
            ...motion.orientation.subarray(4 * at, 4 * at + 4),
          ]);
        },
      );
    });
  });

  test('shapes are drawn once, fixed to the frames of their bodies', async () => {
    const { motion } = simulate();
    const { readTopic, schemaOf } = await open(motion);
    const [{ value }] = (await readTopic('/scene')) as unknown as [{ value: { entities: Record<string, never>[] } }];
    const entity = (id: string) => value.entities.find((one) => one['id'] === id)!;
    expect(value.entities.map((one) => one['id'])).toEqual(['world', 'box', 'arm', 'post']);
    // every field that the schema names is there
    const schema = JSON.parse(new TextDecoder().decode(schemaOf('/scene').data));
    for (const one of value.entities) {
      expect(Object.keys(one).sort()).toEqual(Object.keys(schema.properties.entities.items.properties).sort());
    }
    expect(entity('box')).toMatchObject({
      frame_id: 'box',
      frame_locked: true,
      lifetime: { sec: 0, nsec: 0 },
      cubes: [{ size: { x: 0.2, y: 0.4, z: 0.6 }, color: { r: 1, g: 0.5, b: 0, a: 0.5 } }],
    });
    expect(entity('post')).toMatchObject({ cylinders: [{ size: { x: 0.2, y: 0.2, z: 2 }, bottom_scale: 1 }] });
    // a capsule from the origin to x = 0.5 m: its balls are at its ends
    const { spheres } = entity('arm') as unknown as { spheres: { pose: { position: Record<string, number> } }[] };
    const ends = spheres.map(({ pose }) => pose.position['x']!).sort((a, b) => a - b);
    expect(ends[0]).toBeCloseTo(0, 12);
    expect(ends[1]).toBeCloseTo(0.5, 12);
    expect(entity('world')).toMatchObject({ triangles: [{ indices: [0, 1, 2, 0, 2, 3] }] });
  });

  test('other quantities can be plotted, soft bodies are drawn in every frame', async () => {
    const { motion } = simulate();
    const { readTopic, schemaOf } = await open({ ...motion, softSurfaces: [growTriangle(FRAMES)] });
    const quantities = await readTopic('/quantities');
    const [energy] = motion.quantities;
    expect(quantities[5]!.value).toEqual({ energy: { kinetic: energy!.data[10], potential: energy!.data[11] } });
    expect(schemaOf('/soft').name).toBe('foxglove.SceneUpdate');
    const soft = await readTopic('/soft');
    expect(soft).toHaveLength(FRAMES);
    expect(soft[4]!.value.entities[0]).toMatchObject({
      id: 'jelly',
      frame_id: 'world',
      triangles: [{ indices: [0, 1, 2] }],
    });
    expect(soft[4]!.value.entities[0].triangles[0].points[1]).toEqual({ x: 5, y: 0, z: 0 });
  });
});
