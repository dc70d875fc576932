/** What makes two motions differ, in a sentence: a solver that stopped early, a contact that one alone has, the law, or the model. */
import { findFormulation } from '@nexdyn/engine';
import type { FirstDifference } from './first-difference.ts';
import type { FieldDifference } from './model-difference.ts';

export function describeCause({ solvers, pairs }: FirstDifference, fields: readonly FieldDifference[]): string {
  const short = ['first', 'second'].filter((_, k) => solvers[k]!.status !== 'converged');
  if (short.length > 0) return `the solver of ${join(short)} did not converge; its residual may be all the difference`;
  const laws = fields.find(({ field }) => field === 'options.formulation');
  const isTouching = pairs.some(({ force }) => force.some((value) => (value ?? 0) > 0));
  if (laws && isTouching) {
    const names = [laws.first, laws.second].map((id) => `${id} (${lowerFirst(findFormulation(id).title)})`);
    return `both solvers converged; their contact laws differ: ${names.join(' and ')}`;
  }
  if (laws) return 'both solvers converged and nothing presses: the two integrate motion or joints differently';
  if (fields.length > 0) return 'both solvers converged, and the models differ in the fields above';
  return 'the models are the same and both solvers converged: the runs begin in different states, or round-off has grown';
}

function join(names: readonly string[]): string {
  return names.length > 1 ? 'both' : `the ${names[0]}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
