import { expect, test } from 'vitest';
import { droppedSource } from './dropped-source.ts';

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

test('a file is found by its path, else by its name where only one has it', () => {
  const source = droppedSource({ 'arm.xml': 'model', 'link.stl': 'mesh', 'left/foot.obj': 'l', 'right/foot.obj': 'r' });
  expect(text(source.read('arm.xml'))).toBe('model');
  expect(text(source.read('assets/link.stl'))).toBe('mesh');
  expect(text(source.read('left/foot.obj'))).toBe('l');
  expect(source.read('meshes/foot.obj')).toBeUndefined();
  expect(source.read('assets/other.stl')).toBeUndefined();
  expect(source.read('toString')).toBeUndefined();
});
