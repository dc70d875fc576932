import type { CommandIo } from './command-io.ts';
import { formatMarkdownTable } from './markdown-table.ts';
import { createProgram } from './program.ts';

const SILENT: CommandIo = {
  writeData: () => {},
  writeMessage: () => {},
  redrawLine: () => {},
  isTerminal: false,
  isDataTerminal: false,
  columns: 110,
};

const INTRODUCTION = `# Command line

In a clone, \`npx nexdyn\` runs the command line; it installs and compiles what is missing first.

- Data goes to stdout; messages (progress, unsupported elements, errors) go to stderr.
- Errors read \`error[code] file:line:column path: reason\`, with a \`hint:\` on the next line. With \`--json\` the same appears
  on stdout as \`{"error": {"code", "reason", "file", "line", "column", "path", "hint"}}\`.
- Everything in a file that NexDyn does not support is listed as \`unsupported[physics|sensor|visual] file:line:column\`.
- A scene of the gallery can be given by name; a part of the name is enough, and typos are corrected.

${formatMarkdownTable(
  ['exit code', 'meaning'],
  [
    ['0', 'done'],
    ['1', 'invalid usage, or the output cannot be written'],
    ['2', 'bad file or bad scene'],
    ['3', 'a step did not converge (the output is written)'],
    ['4', 'diverged, unstable or timed out (the results so far are written)'],
    ['5', 'a repeated run differs from its recording'],
    ['70', 'a bug in NexDyn   '],
    ['130', 'interrupted by ctrl-C (the results so far are written)'],
  ],
)}
The texts below are the output of \`--help\`.
`;

const COLUMNS = [
  'time',
  'position',
  'velocity',
  'activation',
  'control',
  'energy',
  'termEnergy',
  'termForce',
  'termTorque',
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
      'versions, hash of the scene, options, inputs, machine: everything needed to repeat the run; SHA-256 of the other files',
    ],
    ['`scene.json`', 'the scene as it ran, with its meshes'],
    ['`hashes.csv`', 'step, time and hash of the state of every frame, for `nexdyn replay`'],
    [
      '`summary.json`',
      'status, time, speed, energy, iterations and residual, contacts with penetration and force, hash of the final state, what contradicts what in infeasible steps, bodies that overlapped, features that were unresolved or unsupported',
    ],
    [
      '`frames.npz`',
      `for NumPy, one array per quantity over all frames: ${COLUMNS.map((name) => `\`${name}\``).join(', ')}`,
    ],
    ['`frames.csv`', 'the same without poses of bodies and vertices of soft bodies'],
    [
      '`frames.mcap`',
      'with `--format mcap`, for Foxglove: shapes on `/scene`, poses on `/tf`, soft bodies on `/soft`, everything else on `/quantities`',
    ],
    ['`motion.glb`', 'with `--format glb`, glTF animation for viewers and modelling programs: shapes and their motion'],
  ],
)}
\`iterations\`, \`residual\`, \`status\` (0 converged, 1 iteration limit, 2 stalled, 4 infeasible; 3 diverged, 5 unstable and 6 timed out only in the last frame, after which no step was taken) and the contacts of a frame are those of the step that led to
it: number of contact points, depth of the deepest (m), sum of normal forces (N). Steps that do not converge are accepted and
counted; the run prints their number and ends with exit code 3.

\`--set\` replaces any option of the scene ([schema](schema/scene.schema.json), \`options\`): \`--set mujoco.iterations=50\`, \`--set gravity=0,0,-1.62\`,
\`--set 'disable=["limit"]'\`. Paths that begin with \`bodies\`, \`shapes\`, \`joints\`, \`materials\`, \`actuators\`, \`softBodies\` or another list of the scene
replace fields of the item with that name, and \`*\` those of all items: \`--set bodies.arm.mass=2\` (the inertia grows in proportion), \`--set 'shapes.*.friction=0.4'\`,
\`--set softBodies.beam.E=1e6\`. \`--solver\` and \`--cone\` are short forms for the chosen formulation. \`manifest.json\` records the
resulting options as \`sceneOptions\`.

\`--checkpoint 60s\` keeps the state and all frames so far in a file beside the folder of \`--out\` (its name with \`.checkpoint\`). After a crash, the same command with \`--resume\` continues from there and produces the
same frames and hashes as an uninterrupted run; without a checkpoint it starts from the beginning. The file is removed when the run is complete. Where a checkpoint takes long, the next one waits, so that they take at most a tenth of the time.

\`--force\` replaces a folder only if its \`manifest.json\` says that NexDyn wrote it, and in it only files that are as they were written. Everything else is kept; if you
have changed a file, or your own file has the name of a new one, the command refuses. If a run was killed while writing, the next command names the temporary files, and they are removed by [\`nexdyn clean\`](#nexdyn-clean).
`;

const INSPECT_NOTES = `\`--contacts\` lists the contacts of the initial state of a run: the two shapes as \`body/shape\`, the state of the contact
(\`open\` without force, \`stick\` inside the friction cone, \`slide\` on it), the gap (negative where they overlap), the normal force and the friction force,
the point midway between the surfaces and the normal from the first shape to the second. With \`--json\` they are under \`contacts\`, with the
force of the first shape on the second (N, world axes), friction and margin; \`keyframe\` and \`formulation\` name the state and the formulation.
`;

const RENDER_NOTES = `Frame n shows the last state at or before simulated time n/fps (times the speed), without any panels. Several formulations are shown side by side, each with its name. \`--set\` also takes the sliders of a lesson, as in \`lesson.values=[0.1175]\`. The video is H.264 where the browser has
an encoder for it, else VP9. The page of the studio saves the same videos (\`M\`).
`;

const REPLAY_NOTES = `The same input gives the same bytes: a replay compiles \`scene.json\`, repeats the steps with the inputs of \`manifest.json\` and compares the hash of the
state with \`hashes.csv\` at every frame. It ends at the first frame that differs, with exit code 5, and prints the difference if \`frames.npz\` is present.
The manifest has the SHA-256 of every other file: a changed file is named, and the exit code is 5 even if all states agree (\`altered\`). Files that a replay
does not need may be missing.
Inputs are the user's actions during the run: \`{"kind": "pull", "step", "body", "force", "point"}\` is a force during one step (N, world),
\`{"kind": "write", "step", "field", "start", "values"}\` sets numbers of the state.

A run saved in the studio (\`.run.json\`) contains its scene, its inputs and its final hash, which is compared.
`;

const COMPARE_NOTES = `Every step of every formulation is measured with the same definitions ([the ruler](ruler.md)). The table has the largest value over all steps and, in brackets, the mean. Rows that do not apply to the scene give the reason beside their name. The row
\`guarantee\` names what a formulation guarantees in every scene, and whether the run kept it: no intersection, forces exactly in the friction cone, or nothing. A verdict in sentences follows the table. An order of convergence is called noise where the errors do not shrink as they should.
The report is one self-contained HTML file. With \`--json\` each line has

${formatMarkdownTable(
  ['field', 'content'],
  [
    [
      '`formulation`, `status`',
      '`completed`, `not-converged`, `diverged`, `unstable`, `timed-out`, `interrupted`, or `not-applicable` with the `reason`',
    ],
    [
      '`metrics`',
      'per metric `label`, `unit`, `max`, `mean` and `last`; null if it has no meaning or is too large for a number',
    ],
    ['`cost`', 'time of a step and of its phases (ms), speed in multiples of real time'],
    [
      '`difference`',
      'largest and last distance of a marker on a body (centre of mass and three points at the radius of gyration) from the same marker under the first formulation (m)',
    ],
    ['`refinement`', 'for each time step, the distance at the end from the finest run (m), and the observed order'],
    [
      '`energy`, `finalHash`',
      'as the scene places bodies, at the start of the first step (`ipc` separates bodies that touch), at the end, and the change (J); hash of the final state',
    ],
  ],
)}
The exit code is the worst of all formulations; those that do not apply do not count. After ctrl-C it is 130: the table and the report contain the results so far, and formulations that were not run are \`interrupted\` without numbers.
`;

const VALIDATE_NOTES = `The table with all formulas, sources and tolerances is on [its page](validation.md), which \`npm run validate\` writes. A case whose data is missing says so
and is not counted.
`;

const NOTES: Readonly<Record<string, string>> = {
  run: RUN_NOTES,
  compare: COMPARE_NOTES,
  validate: VALIDATE_NOTES,
  replay: REPLAY_NOTES,
  render: RENDER_NOTES,
  inspect: INSPECT_NOTES,
};

/** The page of the command line: what the parser knows, so that it cannot be out of date. */
export function formatHelpPage(): string {
  const { program } = createProgram(SILENT);
  const sections = program.commands.map((command) => {
    const notes = NOTES[command.name()];
    const parts = [command, ...command.commands];
    const help = parts.map((part) => part.helpInformation().trimEnd()).join('\n\n');
    return `## nexdyn ${command.name()}\n\n\`\`\`text\n${help}\n\`\`\`\n${notes ? `\n${notes}` : ''}`;
  });
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}
