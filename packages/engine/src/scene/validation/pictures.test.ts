import { describe, expect, test } from 'vitest';
import type { NexdynError } from '../../error.ts';
import type { Scene } from '../scene.ts';
import { validateScene } from '../validate.ts';

const scene = (changes: Partial<Scene>): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  bodies: [{ name: 'b', shapes: [{ kind: 'sphere', radius: 1 }] }],
  ...changes,
});

const skin = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], faces: [0, 1, 2] };

const FAULTS: [what: string, changes: Partial<Scene>, code: string, path: string][] = [
  ['no target', { cameras: [{ mode: 'target' }] }, 'missing-value', 'cameras[0]'],
  ['unknown target', { lights: [{ mode: 'target', target: 'c' }] }, 'unknown-reference', 'lights[0].target'],
  ['two of a name', { cameras: [{ name: 'a' }, { name: 'a' }] }, 'duplicate-name', 'cameras[1].name'],
  ['no focal length', { cameras: [{ sensorSize: [1, 1] }] }, 'invalid-value', 'cameras[0].sensorSize'],
  [
    'two fields of view',
    { cameras: [{ sensorSize: [1, 1], focalLength: [1, 1], fieldOfView: 1 }] },
    'invalid-value',
    'cameras[0].fieldOfView',
  ],
  ['unknown texture', { appearances: [{ name: 'a', texture: 't' }] }, 'unknown-reference', 'appearances[0].texture'],
  ['unknown look', { sites: [{ appearance: 'a' }] }, 'unknown-reference', 'sites[0].appearance'],
  [
    'unknown bone',
    { skins: [{ ...skin, bones: [{ body: 'x', vertices: [], weights: [] }] }] },
    'unknown-reference',
    'skins[0].bones[0].body',
  ],
  [
    'too few weights',
    { skins: [{ ...skin, bones: [{ body: 'b', vertices: [0, 1], weights: [1] }] }] },
    'invalid-mesh',
    'skins[0].bones[0].weights',
  ],
  ['a face too far', { skins: [{ ...skin, faces: [0, 1, 3], bones: [] }] }, 'invalid-mesh', 'skins[0].faces[2]'],
  [
    'half a texture',
    { skins: [{ ...skin, textureCoordinates: [0, 0], bones: [] }] },
    'invalid-mesh',
    'skins[0].textureCoordinates',
  ],
];

describe('pictures of a scene', () => {
  test.each(FAULTS)('%s', (_, changes, code, path) => {
    expect(() => validateScene(scene(changes))).toThrow(
      expect.objectContaining<Partial<NexdynError>>({ code: code as never, path }),
    );
  });

  test('are sound where they name what exists', () => {
    const sound = scene({
      cameras: [{ name: 'a', mode: 'targetCenter', target: 'b' }],
      lights: [{ name: 'a', mode: 'track' }],
      textures: [{ name: 't', kind: '2d', pattern: 'flat', width: 2, height: 2 }],
      appearances: [{ name: 'm', texture: 't' }],
      skins: [{ ...skin, appearance: 'm', bones: [{ body: 'b', vertices: [0, 1, 2], weights: [1, 1, 1] }] }],
    });
    expect(validateScene(sound)).toBe(sound);
  });
});
