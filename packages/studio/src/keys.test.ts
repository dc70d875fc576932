import { describe, expect, test } from 'vitest';
import { COMMANDS, findCommand, type KeyPress, titleOf } from './keys.ts';

function press(key: string, change: Partial<KeyPress> = {}): KeyPress {
  return { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false, ...change };
}

describe('keys', () => {
  test.each([
    [' ', 'play'],
    ['ArrowRight', 'step'],
    ['r', 'reset'],
    ['R', 'reset'],
    ['+', 'faster'],
    ['=', 'faster'],
    ['-', 'slower'],
    ['f', 'frame'],
    ['c', 'contacts'],
    ['g', 'forces'],
    ['v', 'convergence'],
    ['1', 'mujoco'],
    ['4', 'ipc'],
    ['5', 'penalty'],
    ['[', 'previous'],
    [']', 'next'],
    ['p', 'screenshot'],
    ['?', 'help'],
  ])('%s is %s', (key, id) => {
    expect(findCommand(press(key))?.id).toBe(id);
  });

  test('characters typed with shift are themselves, letters and arrows with shift are others', () => {
    expect(findCommand(press('+', { shiftKey: true }))?.id).toBe('faster');
    expect(findCommand(press('?', { shiftKey: true }))?.id).toBe('help');
    expect(findCommand(press('ArrowRight', { shiftKey: true }))?.id).toBe('orbitRight');
    expect(findCommand(press('O', { shiftKey: true }))?.id).toBe('openFolder');
    expect(findCommand(press('R', { shiftKey: true }))).toBeUndefined();
  });

  test('keys of the browser stay with the browser', () => {
    expect(findCommand(press('r', { ctrlKey: true }))).toBeUndefined();
    expect(findCommand(press('f', { metaKey: true }))).toBeUndefined();
    expect(findCommand(press('ArrowRight', { altKey: true }))).toBeUndefined();
  });

  test('holding a key repeats steps and nothing that toggles', () => {
    expect(findCommand(press('ArrowRight', { repeat: true }))?.id).toBe('step');
    expect(findCommand(press(' ', { repeat: true }))).toBeUndefined();
  });

  test('no key has two commands, and every command has a title with its key', () => {
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { id, shown } of COMMANDS) expect(titleOf(id)).toContain(`(${shown})`);
  });
});
