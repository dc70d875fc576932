import type { CommandIo } from './command-io.ts';
import { formatMarkdownTable } from './markdown-table.ts';
import { createProgram } from './program.ts';

const SILENT: CommandIo = {
  writeData: () => {},
  writeMessage: () => {},
  isTerminal: false,
  isDataTerminal: false,
  columns: 110,
};

const INTRODUCTION = `# Command line

In a clone, \`npx nexdyn\` runs the command line; it installs and compiles what is missing first.

- Data goes to stdout, everything said to a person (progress, what is not supported, errors) to stderr.
- Errors read \`error[code] file:line:column path: reason\`, with a \`hint:\` on the next line. With \`--json\` the same stands
  on stdout as \`{"error": {"code", "reason", "file", "line", "column", "path", "hint"}}\`.
- Everything in a file that NexDyn does not support is listed as \`unsupported[physics|sensor|visual] file:line:column\`.
- A scene that comes with NexDyn can be given by its name; a part of the name or a typing error is enough.

${formatMarkdownTable(
  ['exit code', 'meaning'],
  [
    ['0', 'done'],
    ['1', 'wrong usage, or the output cannot be written'],
    ['2', 'bad file or bad scene'],
    ['3', 'a step did not converge (the output is written)'],
    ['4', 'diverged (what existed is written)'],
    ['5', 'a repeated run differs from its recording'],
    ['70', 'a defect of NexDyn'],
    ['130', 'interrupted by ctrl-C (what existed is written)'],
  ],
)}
The texts below are what \`--help\` prints.
`;

const COLUMNS = [
  'time',
  'position',
  'velocity',
  'activation',
  'control',
  'energy',
  'iterations',
  'residual',
  'status',
  'contactCount',
  'penetration',
  'normalForce',
  'bodyPosition',
  'bodyOrientation',
  'softPosition',
  'softVelocity',
];

const RUN_NOTES = `The folder of \`--out\` appears only when it is complete:

${formatMarkdownTable(
  ['file', 'content'],
  [
    [
      '`manifest.json`',
      'versions, hash of the scene, options, inputs, machine: what one needs to repeat the run; SHA-256 of the other files',
    ],
    ['`scene.json`', 'the scene as it ran, with its meshes'],
    ['`hashes.csv`', 'step, time and hash of the state of every frame: what `nexdyn replay` compares with'],
    [
      '`summary.json`',
      'status, time, speed, energy, iterations and residual, contacts with penetration and force, hash of the final state, what was not resolved or not supported',
    ],
    ['`frames.npz`', `for NumPy, an array each per frame: ${COLUMNS.map((name) => `\`${name}\``).join(', ')}`],
    ['`frames.csv`', 'the same without the poses of bodies and the vertices of soft bodies'],
    [
      '`frames.mcap`',
      'with `--format mcap`, for Foxglove: shapes on `/scene`, poses on `/tf`, soft bodies on `/soft`, all else on `/quantities`',
    ],
    [
      '`motion.glb`',
      'with `--format glb`, glTF animation for viewers and modelling programs: shapes and how they move',
    ],
  ],
)}
\`iterations\`, \`residual\`, \`status\` (0 converged, 1 iteration limit, 2 stalled; 3 in a last frame after which a step diverged) and the contacts of a frame are those of the step that led to
it: number of contact points, depth of the deepest (m), sum of normal forces (N). A step that does not converge is taken and
counted; the run says how many there were and ends with exit code 3.

\`--set\` replaces any option of the scene ([schema](schema/scene.schema.json), \`options\`): \`--set mujoco.iterations=50\`, \`--set gravity=0,0,-1.62\`,
\`--set 'disable=["limit"]'\`. \`--solver\` and \`--cone\` are short for the same under the formulation that runs. What the scene then runs with stands in
\`manifest.json\` as \`sceneOptions\`.
`;

const INSPECT_NOTES = `\`--contacts\` lists the contacts of the state in which a run would start: the two shapes as \`body/shape\`, what the contact does
(\`open\` without force, \`stick\` inside the friction cone, \`slide\` on it), the gap (negative where they overlap), the normal force and the friction force,
the point half way between the surfaces and the normal from the first shape to the second. With \`--json\` they stand under \`contacts\`, with the
force of the first shape on the second (N, world axes), friction and margin; \`keyframe\` and \`formulation\` say what they belong to.
`;

const REPLAY_NOTES = `The same input gives the same bytes: a replay compiles \`scene.json\`, repeats the steps with the inputs of \`manifest.json\` and compares the hash of the
state with \`hashes.csv\` at every frame. It ends at the first frame that differs, with exit code 5, and says by how much where \`frames.npz\` is there.
The manifest has the SHA-256 of every other file: one that was changed is named, and the exit code is 5 even where all states are the same (\`altered\`). Files that a replay
does not need may be missing.
Inputs are what a user did on the way: \`{"kind": "pull", "step", "body", "force", "point"}\` is a force during one step (N, world),
\`{"kind": "write", "step", "field", "start", "values"}\` sets numbers of the state.

A run that was saved in the studio (\`.run.json\`) has its scene, its drags and the hash of its end, which is compared.
`;

const COMPARE_NOTES = `Every step of every formulation is measured by the same definitions ([one ruler](ruler.md)). The table has the largest of all steps and, behind it, the mean.
The report is one HTML file with nothing from outside. With \`--json\` each line has

${formatMarkdownTable(
  ['field', 'content'],
  [
    [
      '`formulation`, `status`',
      '`completed`, `not-converged`, `diverged`, `interrupted`, or `not-applicable` with the `reason`',
    ],
    [
      '`metrics`',
      'per metric `label`, `unit`, `max`, `mean` and `last`; null where it has no meaning or is too large for a number',
    ],
    ['`cost`', 'time of a step and of its phases (ms), speed in multiples of real time'],
    [
      '`difference`',
      'largest and last distance of a mark on a body (centre of mass, and three at the radius of gyration) from where the first formulation has it (m)',
    ],
    ['`refinement`', 'per time step the distance at the end to the finest run (m), and the observed order'],
    [
      '`energy`, `finalHash`',
      'as the scene places bodies, where the first step begins (`ipc` moves apart what touches), end and change (J); hash of the final state',
    ],
  ],
)}
The exit code is the worst of all formulations; one that does not apply does not count. After ctrl-C it is 130: what ran until then is in the table and the report, and formulations that had no turn are \`interrupted\` without numbers.
`;

const VALIDATE_NOTES = `The table with all formulas, sources and tolerances is on [its page](validation.md), which \`npm run validate\` writes. A case that needs data that is not there says so
and does not count.
`;

const NOTES: Readonly<Record<string, string>> = {
  run: RUN_NOTES,
  compare: COMPARE_NOTES,
  validate: VALIDATE_NOTES,
  replay: REPLAY_NOTES,
  inspect: INSPECT_NOTES,
};

/** The page of the command line: what the parser knows, so that it cannot be out of date. */
export function formatHelpPage(): string {
  const { program } = createProgram(SILENT);
  const sections = program.commands.map((command) => {
    const notes = NOTES[command.name()];
    const help = command.helpInformation().trimEnd();
    return `## nexdyn ${command.name()}\n\n\`\`\`text\n${help}\n\`\`\`\n${notes ? `\n${notes}` : ''}`;
  });
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}
