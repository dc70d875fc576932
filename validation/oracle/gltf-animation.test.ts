/** A glTF animation played by three's loader and mixer: where it puts bodies must be where the simulation had them. */
import { readFileSync } from 'node:fs';
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { createMotion, type Motion, writeGlb } from '@nexdyn/formats';
import { AnimationMixer, type Mesh, Quaternion, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';

const EVERY = 10;

/** Runs a scene of the gallery for half a second. */
function record(name: string): Motion {
  const scene: Scene = JSON.parse(readFileSync(new URL(`../../scenes/${name}.json`, import.meta.url), 'utf8'));
  const simulation = new Simulation(compileModel(scene));
  const { body } = simulation.model.size;
  const steps = Math.round(0.5 / simulation.timestep);
  const frames = Math.floor(steps / EVERY) + 1;
  const soft = simulation.state.softPosition.length;
  const time = new Float64Array(frames);
  const position = new Float64Array(3 * body * frames);
  const orientation = new Float64Array(4 * body * frames);
  const softPosition = new Float64Array(soft * frames);
  for (let frame = 0; frame < frames; frame++) {
    time[frame] = simulation.time;
    position.set(simulation.bodyPosition, 3 * body * frame);
    orientation.set(simulation.bodyOrientation, 4 * body * frame);
    softPosition.set(simulation.state.softPosition, soft * frame);
    simulation.step(EVERY);
  }
  return createMotion(simulation.model, {
    name,
    time,
    columns: [
      { name: 'bodyPosition', unit: 'm', width: 3 * body, data: position },
      { name: 'bodyOrientation', unit: '1', width: 4 * body, data: orientation },
      ...(soft > 0 ? [{ name: 'softPosition', unit: 'm', width: soft, data: softPosition }] : []),
    ],
  });
}

async function load(motion: Motion) {
  const bytes = writeGlb(motion);
  const copy = Uint8Array.from(bytes);
  return new GLTFLoader().parseAsync(copy.buffer as ArrayBuffer, '');
}

describe('three', () => {
  test.each(['gripper', 'hill-tumble', 'touching-shapes'])('moves the bodies of %s as they were', async (name) => {
    const motion = record(name);
    const { scene, animations } = await load(motion);
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(animations[0]!).play();
    // the frame of glTF has y up: (x, y, z) is at (x, z, −y)
    const point = new Vector3();
    const turn = new Quaternion();
    const upright = new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2);
    const count = motion.bodies.length;
    for (const frame of [0, 7, motion.time.length - 2]) {
      mixer.setTime(motion.time[frame]!);
      scene.updateMatrixWorld(true);
      motion.bodies.forEach((body, b) => {
        if (b === 0) return;
        const node = scene.getObjectByName(body.name);
        expect(node, body.name).toBeDefined();
        node!.matrixWorld.decompose(point, turn, new Vector3());
        const at = frame * count + b;
        const [x, y, z] = motion.position.subarray(3 * at, 3 * at + 3) as unknown as [number, number, number];
        // files hold single precision
        expect(point.distanceTo(new Vector3(x, z, -y))).toBeLessThan(4e-7 * Math.max(1, Math.hypot(x, y, z)));
        const [w, a, c, d] = motion.orientation.subarray(4 * at, 4 * at + 4) as unknown as [
          number,
          number,
          number,
          number,
        ];
        const expected = upright.clone().multiply(new Quaternion(a, c, d, w));
        expect(1 - Math.abs(turn.dot(expected))).toBeLessThan(1e-6);
      });
    }
  });

  test('bends a soft body as it was', async () => {
    const motion = record('soft-gripper');
    const [surface] = motion.softSurfaces;
    const { scene, animations } = await load(motion);
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(animations[0]!).play();
    const mesh = scene.getObjectByName(surface!.name) as Mesh;
    const frame = motion.time.length - 2;
    mixer.setTime(motion.time[frame]!);
    scene.updateMatrixWorld(true);
    const width = 3 * surface!.vertexCount;
    const positions = surface!.positions.subarray(frame * width, (frame + 1) * width);
    // corners of the drawn surface are among the vertices, and every vertex of a face is drawn
    const drawn = new Vector3();
    const corners = mesh.geometry.getAttribute('position').count;
    expect(corners).toBeGreaterThan(3);
    let farthest = 0;
    for (let i = 0; i < corners; i++) {
      mesh.getVertexPosition(i, drawn);
      drawn.applyMatrix4(mesh.matrixWorld);
      let nearest = Number.POSITIVE_INFINITY;
      for (let v = 0; v < surface!.vertexCount; v++) {
        const [x, y, z] = positions.subarray(3 * v, 3 * v + 3) as unknown as [number, number, number];
        nearest = Math.min(nearest, drawn.distanceTo(new Vector3(x, z, -y)));
      }
      farthest = Math.max(farthest, nearest);
    }
    expect(farthest).toBeLessThan(1e-6);
  });
});
