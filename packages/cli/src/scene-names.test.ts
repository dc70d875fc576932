import { describe, expect, test } from 'vitest';
import { matchScenes, type NamedScene } from './scene-names.ts';

const scenes: NamedScene[] = ['pendulum', 'double-pendulum', 'robot-arm', 'robot-hand', 'dzhanibekov'].map((name) => ({
  name,
  file: `${name}.json`,
}));
const match = (name: string): string[] => matchScenes(name, scenes).map((scene) => scene.name);

describe('scene names', () => {
  test('the same name wins over names that contain it', () => {
    expect(match('pendulum')).toEqual(['pendulum']);
    expect(match('Double_Pendulum')).toEqual(['double-pendulum']);
  });

  test('a beginning or a part is enough', () => {
    expect(match('dzhan')).toEqual(['dzhanibekov']);
    expect(match('arm')).toEqual(['robot-arm']);
  });

  test('several scenes that fit are all returned', () => {
    expect(match('robot')).toEqual(['robot-arm', 'robot-hand']);
  });

  test('two typing errors are forgiven, three are not', () => {
    expect(match('pendlm')).toEqual(['pendulum']);
    expect(match('djanibekov')).toEqual(['dzhanibekov']);
    expect(match('pndlm')).toEqual([]);
    expect(match('')).toEqual([]);
  });
});
