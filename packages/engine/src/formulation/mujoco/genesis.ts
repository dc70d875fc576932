/**
 * The variant of the method that Genesis uses, where it differs from MuJoCo's:
 *   contacts     a pyramid of four edges, always; one coefficient of friction, the larger of the two, at least 0.01
 *   equalities   a_ref without J̇ v
 *   cg           β of Polak and Ribière
 * Source: the open sources of Genesis, its rigid constraint solver and collider.
 */
import type { Model } from '../../model/model.ts';
import { listAnisotropic, listRolling } from '../pair-friction.ts';

/** Least friction of a contact. */
export const GENESIS_LEAST_FRICTION = 1e-2;
/** Normal and two tangents. */
export const GENESIS_DIMENSION = 3;

export function isGenesis({ options }: Model): boolean {
  return options.mujoco.variant === 'genesis';
}

/** What a model asks for and this variant has not, in words. */
export function listWithoutGenesis(model: Model): string[] {
  if (!isGenesis(model)) return [];
  const { shape, options } = model;
  const parts: string[] = [];
  if (options.mujoco.cone === 'elliptic') parts.push('elliptic friction cones (genesis has pyramids)');
  if (options.mujoco.pyramidEdges !== 4) parts.push('pyramids with more than four edges (genesis has four)');
  if (options.mujoco.impedanceRatio !== 1) parts.push('the impedance ratio (genesis has none)');
  for (const part of [...listRolling(model), ...listAnisotropic(model)]) parts.push(`${part} (genesis has none)`);
  if (shape.condim.some((condim) => condim === 1)) parts.push('frictionless contacts (genesis has none)');
  return parts;
}
