import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { LazyPanel } from '../panels/lazy-panel.tsx';
import { fileNameOf, saveFile } from '../save-file.ts';
import type { OpenedScene } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import './build.css';
import { listenToBuildKeys } from './build-keys.ts';
import { addChild, addShape, duplicateBeside, remove, repeatAlong, repeatAround } from './edits.ts';
import { NumberField } from './fields.tsx';
import { Gizmo } from './gizmo.tsx';
import { findJoint } from './joint-edits.ts';
import { emptyScene, PALETTE, type PaletteEntry, SHAPES } from './palette.ts';
import { Properties } from './properties.tsx';
import type { Point } from './rotation.ts';
import { findThing } from './scene-items.ts';
import { formatSceneText } from './scene-text.ts';
import { readSceneText, type Tool, Workshop } from './workshop.ts';

const loadEditor = async () => (await import('./json/json-editor.tsx')).JsonEditor;

const TOOLS: readonly (readonly [Tool, string])[] = [
  ['move', 'Move'],
  ['turn', 'Turn'],
  ['scale', 'Scale'],
];

/** Add, move, turn, scale, copy and delete what the scene is made of. */
export function BuildPanel({ studio, scene }: { studio: Studio; scene: OpenedScene }): JSX.Element {
  const workshop = studio.workshop.value;
  useEffect(() => {
    if (!studio.workshop.value) void beginWorkshop(studio);
  }, [studio, scene, workshop]);
  useEffect(() => {
    studio.overlay.value = Gizmo;
    const stop = listenToBuildKeys(studio);
    return () => {
      stop();
      studio.overlay.value = undefined;
    };
  }, [studio]);
  if (!workshop) return <p class="remark">Reading the scene…</p>;
  return <Bench studio={studio} workshop={workshop} />;
}

/** Take the open scene to the bench: at its start, and at rest. */
export async function beginWorkshop(studio: Studio): Promise<void> {
  const source = studio.source.value;
  if (!source) return;
  if (studio.playing.value) studio.togglePlay();
  studio.reset();
  const text = await readSceneText(studio, source);
  if (studio.source.value?.files === source.files && !studio.workshop.value)
    studio.workshop.value = new Workshop(studio, source, text);
}

function Bench({ studio, workshop }: { studio: Studio; workshop: Workshop }): JSX.Element {
  const scene = workshop.read();
  const chosen = scene && findThing(scene, studio.selected.value);
  const id = chosen?.id;
  // a joint is shown with its body
  const joint = scene && !chosen ? findJoint(scene, studio.selected.value) : undefined;
  const thing = joint ? findThing(scene!, `body:${joint.body}`) : chosen;
  const problem = workshop.problem.value;
  return (
    <div class="build">
      <fieldset class="chips">
        <legend>Add</legend>
        {PALETTE.map(({ id: kind, label, title, add }) => (
          <button
            key={kind}
            type="button"
            class="chip"
            title={title}
            data-add={kind}
            onClick={() => void put(studio, workshop, add)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <fieldset class="chips">
        <legend>Handles</legend>
        {TOOLS.map(([tool, label]) => (
          <button
            key={tool}
            type="button"
            class="chip"
            title={`${label} the selected part with the handles in the view`}
            data-tool={tool}
            aria-pressed={workshop.tool.value === tool}
            onClick={() => {
              workshop.tool.value = tool;
            }}
          >
            {label}
          </button>
        ))}
        <span class="snap">
          <button
            type="button"
            class="chip"
            title="Snap moves to a grid and turns to 15 degrees"
            data-build="snap"
            aria-pressed={workshop.snaps.value}
            onClick={() => {
              workshop.snaps.value = !workshop.snaps.value;
            }}
          >
            Snap
          </button>
          <NumberField
            label="to"
            mark="spacing"
            unit="m"
            title="Grid spacing for moves, m"
            value={workshop.spacing.value}
            onSet={(value) => {
              if (value && value > 0) workshop.spacing.value = value;
            }}
          />
          <span class="unit">m</span>
        </span>
      </fieldset>
      <fieldset class="chips">
        <legend>Edit</legend>
        <Act mark="undo" words="Undo" title="Undo (Ctrl + Z)" isOff={!workshop.canUndo} run={() => workshop.undo()} />
        <Act
          mark="redo"
          words="Redo"
          title="Redo (Ctrl + Shift + Z)"
          isOff={!workshop.canRedo}
          run={() => workshop.redo()}
        />
        <Act
          mark="duplicate"
          words="Copy"
          title="Copy the selected part and put the copy beside it (Ctrl + D)"
          isOff={!id}
          run={() => workshop.edit((next) => duplicateBeside(next, id!, workshop.spacing.value))}
        />
        <Act
          mark="delete"
          words="Delete"
          title="Delete the selected part and everything that refers to it (Delete)"
          isOff={!id}
          run={() => {
            studio.select(undefined);
            return workshop.edit((next) => remove(next, id!));
          }}
        />
        <Act
          mark="new"
          words="Empty scene"
          title="Start over with an empty floor"
          run={async () => {
            await workshop.type(formatSceneText(emptyScene()));
            studio.frameView();
          }}
        />
        <Act mark="save" words="Save" title="Save the scene as a JSON file" run={() => save(studio, workshop)} />
        <Act
          mark="json"
          words={studio.jsonOpen.value ? 'Close JSON' : 'JSON'}
          title="Edit the scene as JSON (J)"
          run={async () => {
            studio.jsonOpen.value = !studio.jsonOpen.value;
          }}
        />
      </fieldset>
      {problem && !studio.jsonOpen.value && (
        <p class="build-problem" role="alert" data-role="build-problem">
          {[problem.line, problem.column].filter((part) => part !== undefined).join(':')} {problem.path}{' '}
          {problem.reason}
          {problem.hint && `: ${problem.hint}`}
        </p>
      )}
      {studio.jsonOpen.value && <LazyPanel load={loadEditor} with={{ workshop, studio }} />}
      {!thing && <p class="remark">Click a part in the view, or select one under Parts.</p>}
      {scene && thing && <Properties key={thing.id} studio={studio} workshop={workshop} scene={scene} thing={thing} />}
      {chosen?.kind === 'body' && <BodyParts workshop={workshop} id={chosen.id} />}
      {chosen && <Copies workshop={workshop} id={chosen.id} />}
    </div>
  );
}

/** Add something where there is room for it, and see it. */
async function put(studio: Studio, workshop: Workshop, add: PaletteEntry['add']): Promise<void> {
  await workshop.edit((scene) => add(scene, (near, radius) => workshop.findRoom(near, radius)));
  workshop.showPlace(studio.selected.value);
}

interface ActProps {
  mark: string;
  words: string;
  title: string;
  isOff?: boolean;
  run: () => Promise<void>;
}

function Act({ mark, words, title, isOff = false, run }: ActProps): JSX.Element {
  return (
    <button type="button" class="chip" title={title} data-act={mark} disabled={isOff} onClick={() => void run()}>
      {words}
    </button>
  );
}

/** Further shapes of a body, and bodies that hang on it. */
function BodyParts({ workshop, id }: { workshop: Workshop; id: string }): JSX.Element {
  return (
    <>
      <fieldset class="chips" aria-label="Add a shape to this body">
        {Object.entries(SHAPES).map(([kind, { label, shape }]) => (
          <button
            key={kind}
            type="button"
            class="chip"
            title={`Add a shape to this body: ${label.toLowerCase()}`}
            data-add-shape={kind}
            onClick={() => void workshop.edit((scene) => addShape(scene, id, shape))}
          >
            + {label}
          </button>
        ))}
      </fieldset>
      <div class="chips">
        <button
          type="button"
          class="chip"
          title="Add a body attached to this one by a joint"
          data-act="child"
          onClick={() => void workshop.edit((scene) => addChild(scene, id, SHAPES['box']!.shape, [0, 0, -0.2]))}
        >
          Add a jointed part
        </button>
      </div>
    </>
  );
}

/** Copies in a row or around a circle. */
function Copies({ workshop, id }: { workshop: Workshop; id: string }): JSX.Element {
  const count = useSignal(5);
  const degrees = useSignal(180);
  const distance = useSignal<Point>([0.25, 0, 0]);
  const whole = (value: number | undefined): number => Math.min(100, Math.max(2, Math.round(value ?? 2)));
  return (
    <fieldset class="copies">
      <legend>Copies</legend>
      <div class="build-pair">
        <NumberField
          label="Count"
          mark="count"
          title="Total number, including the original"
          value={count.value}
          onSet={(value) => {
            count.value = whole(value);
          }}
        />
        <NumberField
          label="Over"
          mark="degrees"
          unit="°"
          title="Angle over which the copies are spread, degrees"
          value={degrees.value}
          onSet={(value) => {
            degrees.value = value ?? 180;
          }}
        />
        <NumberField
          label="Distance"
          mark="distance"
          unit="m"
          title="Distance along x from one to the next, m"
          value={distance.value[0]}
          onSet={(value) => {
            distance.value = [value ?? 0.25, 0, 0];
          }}
        />
      </div>
      <div class="chips">
        <button
          type="button"
          class="chip"
          title="Copies on a circle about the origin, from x towards z"
          data-act="around"
          onClick={() => void workshop.edit((scene) => repeatAround(scene, id, count.value, degrees.value, [0, 0, 0]))}
        >
          Copies around
        </button>
        <button
          type="button"
          class="chip"
          title="Copies in a row along x"
          data-act="along"
          onClick={() => void workshop.edit((scene) => repeatAlong(scene, id, count.value, distance.value))}
        >
          Copies in a row
        </button>
      </div>
    </fieldset>
  );
}

/** The text as a file, and the command that runs it. */
async function save(studio: Studio, workshop: Workshop): Promise<void> {
  const name = fileNameOf(workshop.path);
  saveFile(new Blob([workshop.text], { type: 'application/json' }), name);
  const formulation = studio.source.value?.formulation;
  studio.say(`Saved. Run it with: nexdyn run ${name}${formulation ? ` --formulation ${formulation}` : ''}`);
}
