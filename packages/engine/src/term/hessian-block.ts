/** Checks of the blocks that terms hand over. */
import { NexdynError } from '../error.ts';
import { LARGEST_BLOCK } from '../linear-algebra/project-psd.ts';

/** Most unknowns of a block: eight bodies, or sixteen vertices. */
export const LARGEST_TERM_BLOCK: number = LARGEST_BLOCK;

/** Number of unknowns of a block; refuses one that does not fit its lists. */
export function requireBlockSize(
  name: string,
  bodies: ArrayLike<number>,
  vertices: ArrayLike<number>,
  block: ArrayLike<number>,
): number {
  const n = 6 * bodies.length + 3 * vertices.length;
  if (n <= LARGEST_TERM_BLOCK && block.length === n * n) return n;
  const reason =
    n > LARGEST_TERM_BLOCK
      ? `a block of the Hessian of term '${name}' has ${n} unknowns`
      : `a block of the Hessian of term '${name}' has ${block.length} numbers for ${n} unknowns`;
  const hint =
    n > LARGEST_TERM_BLOCK
      ? `split it: at most ${LARGEST_TERM_BLOCK}`
      : `six unknowns per body, three per vertex: ${n * n}`;
  throw new NexdynError('invalid-argument', reason, { hint });
}
