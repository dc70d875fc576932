/**
 * Leaves branches out of shader texts that no material of the page switches on: `#ifdef`, `#if`, `#elif` and `#else` whose condition
 * is known. Conditions that depend on anything else stay as they are.
 */

/** Switches that stay off: maps and layers of other materials, other shadows, and what the page does not have, as fog or skinning. */
const OFF =
  /^(?:USE_(?:TANGENT|CLEARCOAT\w*|IRIDESCENCE\w*|SHEEN\w*|RETROREFLECTION|ANISOTROPY\w*|DIFFUSE_ROUGHNESS\w*|ALPHA(?:MAP|HASH|TEST)|TRANSMISSION\w*|THICKNESSMAP|DISPERSION|LIGHTMAP|ENVMAP|DISPLACEMENTMAP|SPECULAR\w*|ROUGHNESSMAP|METALNESSMAP|EMISSIVEMAP|BATCHING\w*|AOMAP|SKINNING|NORMALMAP\w*|PACKED_NORMALMAP|BUMPMAP|FOG|MORPH\w*|INSTANCING_MORPH|MATCAP|GRADIENTMAP|LIGHT_PROBES\w*|LOGARITHMIC_DEPTH_BUFFER|REVERSED_DEPTH_BUFFER|POINTS_UV)|ENVMAP_\w+|ENV_WORLDPOS|IOR|PHYSICAL|LAMBERT|PHONG|FOG_EXP2|DITHERING|DECODE_VIDEO_TEXTURE\w*|ALPHA_TO_COVERAGE|SHADOWMAP_TYPE_(?:BASIC|VSM))$/;
/** Numbers that stay zero. */
const ZERO =
  /^NUM_(?:RECT_AREA_LIGHTS|CLIPPING_PLANES|LIGHT_PROBE_GRIDS|SUN_LIGHTS|SUN_LIGHT_SHADOWS|SPOT_LIGHT_MAPS)$/;

/** A part of the text between `#if` and `#endif`. */
interface Branching {
  /** Whether a condition is left in the text, which then needs its end. */
  isWritten: boolean;
  /** Whether the branch that is read stays. */
  isLive: boolean;
  /** Whether a branch before is always taken. */
  isDone: boolean;
}

export function dropUnusedBranches(text: string): string {
  const open: Branching[] = [];
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const [, word, rest = ''] = /^\s*#(ifdef|ifndef|if|elif|else|endif)\b(.*)$/.exec(line) ?? [];
    const isSeen = open.every(({ isLive }) => isLive);
    if (word === undefined) {
      if (isSeen) kept.push(line);
    } else if (word.startsWith('if')) {
      const known = isSeen ? judge(word, rest) : false;
      open.push({ isWritten: known === undefined, isLive: known !== false, isDone: known === true });
      if (known === undefined) kept.push(line);
    } else if (word === 'endif') {
      if (open.pop()!.isWritten) kept.push(line);
    } else if (open.slice(0, -1).every(({ isLive }) => isLive))
      turn(open.at(-1)!, word === 'else' ? true : judge('if', rest), rest, kept);
  }
  return kept.join('\n');
}

/** The next branch: `known` is its condition, where it is known. */
function turn(branching: Branching, known: boolean | undefined, condition: string, kept: string[]): void {
  branching.isLive = !branching.isDone && known !== false;
  if (!branching.isLive) return;
  if (known === true) branching.isDone = true;
  if (branching.isWritten) kept.push(known === true ? '#else' : `#elif${condition}`);
  else if (known === undefined) kept.push(`#if${condition}`);
  branching.isWritten ||= known === undefined;
}

/** Whether a condition holds; undefined where that depends on the material. */
function judge(word: string, condition: string): boolean | undefined {
  const name = condition.trim();
  if (word !== 'if') return OFF.test(name) ? word === 'ifndef' : undefined;
  let text = condition
    .replace(/defined\s*\(\s*(\w+)\s*\)/g, (_, switched: string) => (OFF.test(switched) ? '0' : '?'))
    .replace(/(\w+)\s*([<>]|==)\s*(\w+)/g, (_, a: string, sign: string, b: string) =>
      (ZERO.test(a) && sign === '>' && b === '0') || (ZERO.test(b) && sign === '<') ? '0' : '?',
    )
    .replace(/\s/g, '');
  while (/\([01?|&!]*\)/.test(text)) text = text.replace(/\(([01?|&!]*)\)/g, (_, inner: string) => reduce(inner));
  const result = reduce(text);
  return result === '0' ? false : result === '1' ? true : undefined;
}

/** The value of a condition without parentheses: 0, 1 or unknown. */
function reduce(text: string): string {
  const parts = text.split('||').map((sum) => {
    const factors = sum
      .split('&&')
      .map((f) => (f === '!0' ? '1' : f === '!1' ? '0' : f === '0' || f === '1' ? f : '?'));
    return factors.includes('0') ? '0' : factors.includes('?') ? '?' : '1';
  });
  return parts.includes('1') ? '1' : parts.includes('?') ? '?' : '0';
}
