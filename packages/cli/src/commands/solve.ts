import { readFileSync, statSync } from 'node:fs';
import { NexdynError } from '@nexdyn/engine';
import {
  type ConeMethodName,
  ConeSolver,
  CoulombLoop,
  findCoulombShift,
  measureComplementarity,
  OUTCOME,
  SolveTrace,
  type StoredProgram,
} from '@nexdyn/engine/solvers';
import { createContactProgram, type ReadLimits, readContactProblem } from '@nexdyn/formats';
import { type Command, Option } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { createLimitOption, parseCount, parsePositive } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { formatNumber } from '../run/summary.ts';
import { escapeName } from '../terminal-text.ts';

// written as a record, so that the compiler misses none
const SOLVERS: Record<ConeMethodName, true> = { apgd: true, spg: true, pgs: true, admm: true };
/** Share of the tolerance to which the cone programs of a Coulomb problem are solved. */
const INNER_SHARE = 0.1;

interface SolveOptions {
  solver: ConeMethodName;
  tolerance: number;
  velocityTolerance: number;
  iterations: number;
  coulomb?: boolean;
  loops: number;
  scaling?: boolean;
  limit?: Partial<ReadLimits>;
  json?: boolean;
}

/** What a solve came to. */
interface Solution {
  name: string;
  /** Number of blocks, and of rows. */
  blocks: number;
  rows: number;
  solver: ConeMethodName;
  /** Whether Coulomb's law was asked for, or the minimum. */
  coulomb: boolean;
  converged: boolean;
  status: 'converged' | 'iteration-limit' | 'stalled';
  /** ½ rᵀ W r + qᵀ r. */
  objective: number;
  /** |r − P(r − u)| / max(|q|, |r|, |u|) with W/λmax and q/|q|; the same over |q| alone. */
  residual: number;
  velocityResidual: number;
  /** Until the residual met the tolerance; all, with those until the velocities were right. */
  iterations: number;
  totalIterations: number;
  /** Cone programs solved. */
  loops: number;
  /** Products with W. */
  products: number;
  lambdaMax: number;
  coneViolation: number;
  dualViolation: number;
  complementarity: number;
  /** s. */
  wallTime: number;
  u: number[];
  r: number[];
}

export function addSolveCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('solve')
    .summary('Solve a frictional contact problem given as data.')
    .description(
      'Solve a frictional contact problem given as data: minimise ½ rᵀ W r + qᵀ r over impulses r in the friction cones, u = W r + q. ' +
        'The file is JSON with name, dim, contacts, mu, q and W (dense-rows or coo-zero-based-full). ' +
        'The residual is |r - P(r - u)| / max(|q|, |r|, |u|) in units in which λmax(W) = |q| = 1. ' +
        'Exit codes: 0 converged, 3 not converged (the best point is printed), 2 bad file.',
    )
    .argument('<file>', 'problem file (.json)')
    .addOption(new Option('--solver <name>', 'method').choices(Object.keys(SOLVERS)).default('apgd'))
    .option('--tolerance <number>', 'residual to reach', parsePositive, 1e-8)
    .option(
      '--velocity-tolerance <number>',
      'also continue until |r - P(r - u)| is this fraction of |q|, within --iterations',
      parsePositive,
      1e-6,
    )
    .option('--iterations <count>', 'largest number of iterations (of each cone program)', parseCount, 50_000)
    .option('--scaling', 'scale contacts to the same size first (for bodies of very different mass)')
    .option('--coulomb', "solve Coulomb's and Signorini's problem: u_N + μ|u_T| in place of u_N in the cone condition")
    .option('--loops <count>', 'largest number of cone programs with --coulomb', parseCount, 200)
    .addOption(createLimitOption())
    .option('--json', 'print one JSON object, with u and r')
    .action((file: string, options: SolveOptions) => {
      result.exitCode = solveFile(file, options, io);
    });
}

function solveFile(file: string, options: SolveOptions, io: CommandIo): ExitCode {
  const problem = readContactProblem(readProblemText(file), file, options.limit);
  const solution = solveProgram(createContactProgram(problem), problem.name, options);
  if (solution.converged && solution.velocityResidual > options.velocityTolerance) {
    io.writeMessage(
      `velocities are right to ${formatNumber(solution.velocityResidual)} |q| only: impulses are large against what they change; ` +
        'more --iterations, --scaling or another --solver may help\n',
    );
  }
  io.writeData(options.json ? `${JSON.stringify(solution)}\n` : formatSolution(solution, options));
  return solution.converged ? EXIT.ok : EXIT.notConverged;
}

function readProblemText(file: string): string {
  try {
    if (!statSync(file).isFile()) throw new Error('not a plain file');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new NexdynError('file-not-found', 'there is no such file', { file, hint: 'check the path' });
    }
    throw new NexdynError('file-unreadable', `it cannot be read (${code ?? message})`, {
      file,
      hint: 'give the path of a JSON file in UTF-8',
    });
  }
}

function solveProgram(program: StoredProgram, name: string, options: SolveOptions): Solution {
  const n = program.size;
  const memory = program.memory;
  const impulse = new Float64Array(n);
  const velocity = new Float64Array(n);
  const trace = new SolveTrace();
  const loopTrace = new SolveTrace();
  const solver = new ConeSolver(options.solver, memory);
  const { tolerance, velocityTolerance, iterations } = options;
  const inner = {
    iterations,
    tolerance,
    velocityTolerance,
    scaling: options.scaling === true,
    curvature: 0,
    reference: 'all',
  } as const;
  const start = performance.now();
  const report = options.coulomb
    ? new CoulombLoop(solver, memory).solve(
        program,
        impulse,
        velocity,
        { loops: options.loops, tolerance },
        { ...inner, tolerance: INNER_SHARE * tolerance },
        trace,
        loopTrace,
      )
    : { ...solver.solve(program, impulse, velocity, inner, trace), loops: 1 };
  const wallTime = (performance.now() - start) / 1000;

  // the condition on velocities, with the term of Coulomb's law where it is asked for
  const dual = velocity.slice();
  if (options.coulomb) {
    const shift = new Float64Array(program.cones.count);
    findCoulombShift(shift, velocity, program.cones);
    for (let b = 0; b < shift.length; b++) dual[program.cones.rowStart[b]!]! += shift[b]!;
  }
  const converged = report.residual <= tolerance;
  return {
    name,
    blocks: program.cones.count,
    rows: n,
    solver: options.solver,
    coulomb: options.coulomb === true,
    converged,
    status: converged ? 'converged' : report.outcome === OUTCOME.stalled ? 'stalled' : 'iteration-limit',
    objective: report.objective,
    residual: report.residual,
    velocityResidual: report.velocityResidual,
    iterations: options.coulomb ? report.iterations : countIterations(trace, tolerance),
    totalIterations: report.iterations,
    loops: report.loops,
    products: report.products,
    lambdaMax: report.curvature,
    ...measureComplementarity(impulse, dual, program.cones),
    wallTime,
    u: [...velocity],
    r: [...impulse],
  };
}

/** Iterations until the residual first met the tolerance; all of them where it never did. */
function countIterations(trace: SolveTrace, tolerance: number): number {
  for (let k = 0; k < trace.count; k++) if (trace.residual[k]! <= tolerance) return k + 1;
  return trace.count;
}

/** The solution for people. */
function formatSolution(solution: Solution, { tolerance }: SolveOptions): string {
  const { iterations, totalIterations, loops } = solution;
  const more = totalIterations > iterations ? `, ${totalIterations} until velocities were right` : '';
  const rows: [string, string][] = [
    ['problem', `${solution.name || '(unnamed)'}: ${formatCount(solution.blocks, 'contact')}, ${solution.rows} rows`],
    ['solver', `${solution.solver}${solution.coulomb ? `, Coulomb's law in ${loops} loops` : ''}`],
    ['status', solution.status],
    ['objective', String(solution.objective)],
    ['residual', `${formatNumber(solution.residual)} (asked: ${formatNumber(tolerance)})`],
    ['velocities', `right to ${formatNumber(solution.velocityResidual)} |q|`],
    ['iterations', `${iterations}${more}; ${solution.products} products`],
    ['cones', `r outside by ${formatNumber(solution.coneViolation)}, u by ${formatNumber(solution.dualViolation)}`],
    ['r·u', `${formatNumber(solution.complementarity)} at most`],
    ['time', `${formatNumber(solution.wallTime)} s`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(12)}${escapeName(value)}\n`).join('');
}
