/** Contact problems as cone programs of the engine, and back. */
import { CONE, type ConeProgram, ConeTable, StoredProgram } from '@nexdyn/engine/solvers';
import type { ContactBlock, ContactProblem } from './contact-problem.ts';

/** Arrays of the garbage-collected heap. */
const HEAP = {
  f64: (length: number): Float64Array => new Float64Array(length),
  i32: (length: number): Int32Array => new Int32Array(length),
};

/** The program whose minimum, or whose solution under Coulomb's law, solves the problem. */
export function createContactProgram(problem: ContactProblem): StoredProgram {
  const cones = new ConeTable(HEAP);
  for (const block of problem.blocks) addBlock(cones, block);
  const { matrix, linear } = problem;
  return matrix.kind === 'dense'
    ? StoredProgram.fromDense(matrix.rows.flat(), linear, cones, HEAP)
    : new StoredProgram(matrix, linear, cones, HEAP);
}

function addBlock(cones: ConeTable, block: ContactBlock): void {
  if (block.kind === 'free') cones.addFree(block.rows);
  else if (block.kind === 'nonnegative') cones.addNonnegative(1);
  else if (block.kind === 'box') cones.addBounds(block.lower, block.upper);
  else if (block.spinning === undefined && block.rolling === undefined) cones.addFriction(block.friction);
  else cones.addRolling(block.friction, block.spinning, block.rolling);
}

/** The problem of any program: W from its products with the columns of the identity, entries that are 0 left out. */
export function captureContactProblem(program: ConeProgram, name: string): ContactProblem {
  const { size: n, cones } = program;
  const unit = new Float64Array(n);
  const column = new Float64Array(n);
  // columns that are rounded differently must not make W asymmetric: both triangles get the mean
  const dense = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    unit[j] = 1;
    program.multiply(column, unit);
    unit[j] = 0;
    for (let i = 0; i < n; i++) {
      dense[i * n + j]! += 0.5 * column[i]!;
      dense[j * n + i]! += 0.5 * column[i]!;
    }
  }
  const matrix = { kind: 'sparse' as const, row: [] as number[], column: [] as number[], value: [] as number[] };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const value = dense[i * n + j]!;
      if (value === 0) continue;
      matrix.row.push(i);
      matrix.column.push(j);
      matrix.value.push(value);
    }
  }
  const blocks: ContactBlock[] = [];
  for (let b = 0; b < cones.count; b++) blocks.push(...captureBlock(program, b));
  return { name, blocks, matrix, linear: Array.from(program.linear.subarray(0, n)), notes: {} };
}

/** A block of the engine; rows with bounds become a block each. */
function captureBlock({ cones }: ConeProgram, b: number): ContactBlock[] {
  const first = cones.rowStart[b]!;
  const rows = cones.rowStart[b + 1]! - first;
  const friction = cones.friction[b]!;
  switch (cones.kind[b]) {
    case CONE.free:
      return [{ kind: 'free', rows }];
    case CONE.nonnegative:
      return Array.from({ length: rows }, () => ({ kind: 'nonnegative' }));
    case CONE.box:
      return Array.from({ length: rows }, (_, i) => ({
        kind: 'box',
        lower: cones.lower[first + i]!,
        upper: cones.upper[first + i]!,
      }));
    case CONE.rolling:
      return [
        {
          kind: 'contact',
          friction,
          ...((rows === 4 || rows === 6) && { spinning: cones.spinning[b]! }),
          ...(rows >= 5 && { rolling: cones.rolling[b]! }),
        },
      ];
    default:
      return [{ kind: 'contact', friction }];
  }
}
