import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandFolder } from './commands/command-folder.ts';
import { escapeControls, escapeName } from './terminal-text.ts';

// a clear screen, a title, an answer typed into the terminal, a C1 control sequence, a reversed name, a forged line
const EVIL =
  '\u001b[2J\u001b]0;title\u0007\u001b[6n\u009b31m\u202egnp.exe\u2066\r\u0008\u007f\u2028\ufeffok\nerror[forged] line';
const RAW = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u;

describe('text for a terminal', () => {
  test('every character that a terminal obeys is written as its code', () => {
    expect(escapeControls('\u001b[31mred\u0000\u009b\u202e\n\tplain é 漢 😀')).toBe(
      '\\u001b[31mred\\u0000\\u009b\\u202e\n\tplain é 漢 😀',
    );
    expect(escapeName('a\nb\tc')).toBe('a\\u000ab\\u0009c');
    for (let code = 0; code < 0x3000; code++) expect(escapeName(String.fromCharCode(code))).not.toMatch(RAW);
  });

  test('JSON stays the same value', () => {
    expect(JSON.parse(escapeControls(JSON.stringify({ [EVIL]: EVIL })))).toEqual({ [EVIL]: EVIL });
  });
});

describe('names from files', () => {
  const folder = new CommandFolder();
  beforeEach(() => folder.create());
  afterEach(() => folder.remove());

  const scene = {
    format: 'nexdyn-scene',
    version: 1,
    name: EVIL,
    bodies: [
      {
        name: EVIL,
        position: [0, 0, 0.0999],
        joints: [{ kind: 'free', name: EVIL }],
        shapes: [{ kind: 'sphere', radius: 0.1, density: 1000, name: EVIL }],
      },
    ],
    shapes: [{ kind: 'plane', name: `${EVIL} floor` }],
    keyframes: [{ name: EVIL }],
  };

  test('reach no stream raw, in results or in errors', async () => {
    folder.write('evil.json', JSON.stringify(scene));
    folder.write('unknown.json', JSON.stringify({ ...scene, [EVIL]: 1 }));
    folder.write('twice.json', JSON.stringify({ ...scene, bodies: [scene.bodies[0], scene.bodies[0]] }));
    folder.write('kind.json', JSON.stringify({ ...scene, shapes: [{ kind: EVIL }] }));
    folder.write('broken.json', `{"name": "${EVIL}"`);
    folder.write(
      'evil.xml',
      `<mujoco model="&#27;[2J&#155;&#8238;"><worldbody><geom name="&#27;[2J" type="&#155;x"/></worldbody></mujoco>`,
    );
    folder.write('element.xml', '<mujoco><\u009bbad a="1"/><option \u202ebad="2"/></mujoco>');
    for (const args of [
      ['inspect', 'evil.json'],
      ['inspect', 'evil.json', '--json'],
      ['inspect', 'evil.json', '--contacts'],
      ['convert', 'evil.json', '-'],
      ['run', 'evil.json', '--seconds', '0.01'],
      ['run', 'evil.json', '--seconds', '0.01', '--json', '--out', 'out'],
      ['replay', 'out'],
      ['run', 'evil.json', '--keyframe', EVIL, '--seconds', '0'],
      ['run', 'evil.json', '--keyframe', `${EVIL}x`],
      ['run', 'unknown.json'],
      ['run', 'twice.json'],
      ['run', 'kind.json'],
      ['run', 'broken.json'],
      ['run', 'evil.xml'],
      ['inspect', 'element.xml'],
      ['run', EVIL.replaceAll('\u0000', '')],
      ['run', 'ball.xml', '--out', 'ball.xml', '--set', EVIL],
      [EVIL],
      ['run', '--set', EVIL, 'ball.xml'],
    ]) {
      const { stdout, stderr, status } = await folder.run(...args);
      expect(status, args.join(' ')).not.toBe(70);
      expect(stdout, args.join(' ')).not.toMatch(RAW);
      expect(stderr, args.join(' ')).not.toMatch(RAW);
      expect(stderr, args.join(' ')).not.toMatch(/^error\[forged\]/m);
      expect(stdout, args.join(' ')).not.toMatch(/^error\[forged\]/m);
    }
  });
});
