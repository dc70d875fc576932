import { describe, expect, test } from 'vitest';
import { fileNameOf, folderOf, resolvePath } from './path.ts';

describe('resolvePath', () => {
  test.each([
    ['', 'a.stl', 'a.stl'],
    ['meshes', 'a.stl', 'meshes/a.stl'],
    ['meshes', '../a.stl', 'a.stl'],
    ['a/b', './../c//d.obj', 'a/c/d.obj'],
    ['', 'meshes\\arm\\a.stl', 'meshes/arm/a.stl'],
    ['a', '..', ''],
  ])('%j + %j = %j', (folder, reference, expected) => {
    expect(resolvePath(folder, reference)).toBe(expected);
  });

  test.each([
    ['', '../a.stl', '../a.stl'],
    ['a', '../../b/c.stl', '../b/c.stl'],
    ['a', '..\\..\\c.stl', '../c.stl'],
    ['', '/etc/passwd', '/etc/passwd'],
    ['a', '/x/../y', '/y'],
    ['', 'C:\\windows\\a.stl', 'C:/windows/a.stl'],
    ['', 'http://host/a.stl', 'http://host/a.stl'],
    ['', 'a/../../b', '../b'],
  ])('%j + %j leaves the root', (folder, reference, outside) => {
    expect(() => resolvePath(folder, reference, { place: { file: 'm.xml', line: 3, column: 4 } })).toThrowError(
      expect.objectContaining({ code: 'path-outside-folder', file: 'm.xml', line: 3, column: 4 }),
    );
    expect(resolvePath(folder, reference, { allowOutside: true })).toBe(outside);
  });

  test('splits paths', () => {
    expect([folderOf('a/b/c.xml'), folderOf('c.xml'), folderOf('/c.xml')]).toEqual(['a/b', '', '/']);
    expect([fileNameOf('a/b/c.xml'), fileNameOf('a\\c.xml'), fileNameOf('c.xml')]).toEqual(['c.xml', 'c.xml', 'c.xml']);
  });
});
