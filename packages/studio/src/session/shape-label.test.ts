import { compileModel, scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { labelShapes } from './shape-label.ts';

test('a shape is called by its name, else by its body where it is alone, else by its kind and body', () => {
  const world = scene('labels').plane('floor');
  world
    .body('crate')
    .free()
    .box({ halfSize: [1, 1, 1] })
    .sphere('knob', { radius: 0.1 });
  world.body().free().capsule({ radius: 0.1, halfLength: 1 });
  world.body('ball').free().sphere({ radius: 1 });
  world.sphere({ radius: 1 });
  expect(labelShapes(compileModel(world.build())).sort()).toEqual([
    'ball',
    'box of crate',
    'capsule 4',
    'floor',
    'knob',
    'sphere of world',
  ]);
});
