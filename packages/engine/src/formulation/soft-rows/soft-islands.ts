/** Islands with soft bodies. */
import type { Islands } from '../../objective/islands.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';

/** What is known of the sizes of soft bodies. */
export type FactorChoice = Pick<SoftBodies, 'usesFactor'>;

/** Whether all soft bodies of an island are small enough for factors of their matrices. */
export function areFactored({ tree, treeStart, forest }: Islands, island: number, soft: FactorChoice): boolean {
  // soft bodies come last
  for (let s = treeStart[island + 1] - 1; s >= treeStart[island] && tree[s] >= forest.rigidCount; s--)
    if (!soft.usesFactor(tree[s] - forest.rigidCount)) return false;
  return true;
}

/** Has A of all soft bodies that constraints touch assembled: rows of terms ask for it without measuring it. */
export function requireMetrics({ tree, treeStart, forest, count }: Islands, soft: SoftBodies): void {
  for (let s = 0; s < treeStart[count]; s++)
    if (tree[s] >= forest.rigidCount) soft.requireMetric(tree[s] - forest.rigidCount);
}
