import { type Model, NexdynError } from '@nexdyn/engine';
import { suggestWord } from './spelling.ts';

/** The keyframe to start from: the one asked for by name or number, else the first; null is the initial pose. */
export function chooseKeyframe(model: Model, wanted: string | undefined): string | number | null {
  const names = model.keyframe.name;
  if (wanted === undefined) return names.length > 0 ? names[0] || 0 : null;
  if (names.includes(wanted)) return wanted;
  if (wanted === 'none') return null;
  if (/^\d+$/.test(wanted) && Number(wanted) < names.length) return Number(wanted);
  const known = names.map((name, index) => name || `${index}`);
  throw new NexdynError('invalid-argument', `no keyframe "${wanted}"`, {
    hint:
      names.length === 0
        ? 'the scene has no keyframes: leave --keyframe out'
        : (suggestWord(wanted, known) ?? `choose from ${known.join(', ')}, or none`),
  });
}
