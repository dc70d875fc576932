import type { Model } from '@nexdyn/engine';

/** The keyframe to start from: the one asked for by name or number, else the first; null is the initial pose. */
export function chooseKeyframe(model: Model, wanted: string | undefined): string | number | null {
  const names = model.keyframe.name;
  if (wanted === undefined) return names.length > 0 ? names[0] || 0 : null;
  if (names.includes(wanted)) return wanted;
  if (wanted === 'none') return null;
  return /^\d+$/.test(wanted) ? Number(wanted) : wanted;
}
