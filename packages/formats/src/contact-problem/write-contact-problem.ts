import { NexdynError } from '@nexdyn/engine';
import { type ContactBlock, type ContactProblem, countRows, type ProblemMatrix } from './contact-problem.ts';
import { ROW_ORDER } from './read-contact-problem.ts';

/**
 * The problem as JSON text (read-contact-problem.ts tells the format). A row of W to a line; numbers in the shortest form that
 * reads back as the same number.
 */
export function writeContactProblem(problem: ContactProblem): string {
  const { name, blocks, matrix, linear, notes } = problem;
  const fields: [string, string][] = [
    ['name', writeValue(name, 'name')],
    ...Object.entries(notes)
      .filter(([, value]) => typeof value === 'string')
      .map(([key, value]): [string, string] => [key, writeValue(value, key)]),
    ...writeBlocks(blocks, linear.length),
    ['q', writeValue(linear, 'q')],
    ['W', writeMatrix(matrix)],
    ...Object.entries(notes)
      .filter(([, value]) => typeof value !== 'string' && value !== undefined)
      .map(([key, value]): [string, string] => [key, writeValue(value, key)]),
  ];
  return `{\n${fields.map(([key, text]) => `  ${JSON.stringify(key)}: ${text}`).join(',\n')}\n}\n`;
}

/** Contacts of one kind as lists of coefficients, anything else block by block. */
function writeBlocks(blocks: readonly ContactBlock[], n: number): [string, string][] {
  const first = blocks[0] ?? { kind: 'contact', friction: 0 };
  const dimension = countRows(first);
  const isUniform =
    (first.kind === 'contact' || first.kind === 'nonnegative') &&
    blocks.every((block) => block.kind === first.kind && hasSameRows(block, first));
  if (!isUniform) {
    const list = blocks.map((block, b) => `    ${writeValue(toRecord(block), `blocks[${b}]`)}`);
    return [
      ['n', String(n)],
      ['blocks', `[\n${list.join(',\n')}\n  ]`],
    ];
  }
  const collect = (read: (block: ContactBlock & { kind: 'contact' }) => number | undefined): number[] =>
    blocks.map((block) => (block.kind === 'contact' ? read(block) : undefined) ?? 0);
  const hasSpin = first.kind === 'contact' && first.spinning !== undefined;
  const hasRoll = first.kind === 'contact' && first.rolling !== undefined;
  return [
    ['dim', String(dimension)],
    ['contacts', String(blocks.length)],
    ['n', String(n)],
    ['row_order', JSON.stringify(ROW_ORDER[dimension])],
    [
      'mu',
      writeValue(
        collect((block) => block.friction),
        'mu',
      ),
    ],
    ...(hasSpin
      ? [
          [
            'mu_s',
            writeValue(
              collect((block) => block.spinning),
              'mu_s',
            ),
          ] as [string, string],
        ]
      : []),
    ...(hasRoll
      ? [
          [
            'mu_r',
            writeValue(
              collect((block) => block.rolling),
              'mu_r',
            ),
          ] as [string, string],
        ]
      : []),
  ];
}

function hasSameRows(a: ContactBlock, b: ContactBlock): boolean {
  return countRows(a) === countRows(b) && 'spinning' in a === 'spinning' in b && 'rolling' in a === 'rolling' in b;
}

/** A block under the names of the file. */
function toRecord(block: ContactBlock): Record<string, unknown> {
  if (block.kind === 'contact') {
    const { friction, spinning, rolling } = block;
    return {
      kind: 'contact',
      mu: friction,
      ...(spinning !== undefined && { mu_s: spinning }),
      ...(rolling !== undefined && { mu_r: rolling }),
    };
  }
  if (block.kind !== 'box') return { ...block };
  const { lower, upper } = block;
  return {
    kind: 'box',
    lower: lower === Number.NEGATIVE_INFINITY ? null : lower,
    upper: upper === Number.POSITIVE_INFINITY ? null : upper,
  };
}

function writeMatrix(matrix: ProblemMatrix): string {
  if (matrix.kind === 'sparse') {
    const lists = (['row', 'column', 'value'] as const).map(
      (key, k) => `    "${'ijx'[k]}": ${writeValue(matrix[key], `W.${'ijx'[k]}`)}`,
    );
    return `{\n    "format": "coo-zero-based-full",\n${lists.join(',\n')}\n  }`;
  }
  const rows = matrix.rows.map((row, i) => `      ${writeValue(row, `W.rows[${i}]`)}`);
  return `{\n    "format": "dense-rows",\n    "rows": [\n${rows.join(',\n')}\n    ]\n  }`;
}

/** JSON in one line; refuses what JSON would silently turn into null. */
function writeValue(value: unknown, path: string): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'number' || Number.isFinite(item)) return item;
    throw new NexdynError('invalid-value', `${item} cannot be written`, {
      path,
      hint: 'JSON has no NaN and no infinity; give finite numbers',
    });
  });
}
