import type { JSX } from 'preact';
import { openFiles } from '../opening.ts';
import { formatLength, formatRound, formatShort, formatTime } from '../quantity.ts';
import type { Problem, Stop } from '../session/protocol.ts';
import { SOFT_LABELS } from '../soft-quantity.ts';
import type { Studio } from '../studio.ts';
import { MAP_GRADIENT } from '../view3d/color-map.ts';
import { Icon } from './icon.tsx';

/** What lies over the view: what went wrong, what was clicked, the scales of grid and forces. */
export function Notices({ studio }: { studio: Studio }): JSX.Element {
  const { problem, stop, opening } = studio;
  const refused = studio.refused.value;
  const picked = studio.picked.value;
  const spacing = studio.gridSpacing.value;
  return (
    <>
      <div class="notices">
        {problem.value && (
          <ProblemCard
            problem={problem.value}
            others={refused?.choices.filter((path) => path !== refused.path) ?? []}
            onOpen={(path) => refused && void openFiles(studio, refused, path)}
            onFolder={() => studio.chooseFolder()}
            onClose={() => studio.closeOverlays()}
          />
        )}
        {stop.value && <StopCard studio={studio} stop={stop.value} time={studio.frame.value?.time ?? 0} />}
      </div>
      {studio.toast.value && (
        <p class="toast" role="status" data-role="toast">
          {studio.toast.value}
        </p>
      )}
      <div class="view-corner">
        {opening.value && <p class="opening">Opening…</p>}
        {spacing !== undefined && <Scales studio={studio} spacing={spacing} />}
        {picked && (
          <p class="picked" role="status" title="The body that was clicked, and its shape if it has a name">
            {picked.bodyName || 'unnamed body'}
            {picked.shapeName && <span>{picked.shapeName}</span>}
            {!studio.partsOpen.value && (
              <button
                type="button"
                class="chip"
                title="Pose, velocity, mass and forces of this part (I)"
                data-role="inspect"
                onClick={() => studio.toggleParts()}
              >
                Inspect
              </button>
            )}
          </p>
        )}
      </div>
    </>
  );
}

/** What the lines of the grid and the lengths of arrows stand for. */
function Scales({ studio, spacing }: { studio: Studio; spacing: number }): JSX.Element | null {
  const { grid, forces, softQuantity } = studio.view.value;
  const frame = studio.frame.value;
  const stress = studio.view.value.stress && frame?.soft ? studio.viewport?.fullStress : undefined;
  const pressure = frame?.contacts?.patch.pressure ?? 0;
  if (!grid && !forces && stress === undefined) return null;
  const showsForces = forces && studio.scene.value?.facts.resolvesContacts;
  return (
    <>
      {grid && (
        <p class="scale grid-scale" title="Distance between neighbouring lines of the grid">
          Grid {formatLength(spacing)}
        </p>
      )}
      {showsForces && (
        <p class="scale" title="Force of an arrow of this length" data-role="force-scale">
          Forces {formatRound(studio.newtonsPerCell.value, 'N')} per {formatLength(spacing)}
        </p>
      )}
      {stress !== undefined && <ColorScale of="stress" {...SOFT_LABELS[softQuantity]} full={stress} />}
      {pressure > 0 && (
        <ColorScale of="pressure" label="Pressure" title="Pressure of contact patches" full={pressure} unit="Pa" />
      )}
    </>
  );
}

interface ColorScaleProps {
  of: string;
  label: string;
  title: string;
  full: number;
  unit: string;
}

/** What the colours of soft bodies and patches stand for; of quantities with a sign they show the size. */
function ColorScale({ of, label, title, full, unit }: ColorScaleProps): JSX.Element {
  return (
    <p class="scale" title={title} data-role={`scale-${of}`}>
      {label} 0 <i class="color-scale" style={{ background: MAP_GRADIENT }} /> {formatShort(full, unit)}
    </p>
  );
}

/** What this scene has and the formulation leaves out. */
export function UnresolvedNote({ studio }: { studio: Studio }): JSX.Element | null {
  const scene = studio.scene.value;
  if (!scene || scene.unresolved.length === 0) return null;
  return (
    <p class="unresolved" role="note" title="What this scene asks for and the formulation does not resolve">
      <Icon name="warning" />
      <span>Not resolved in this version: {scene.unresolved.map(describeUnresolved).join(', ')}.</span>
    </p>
  );
}

/** Contacts are not resolved, but they are found: say how to see them. */
function describeUnresolved(part: string): string {
  return part === 'contacts' ? 'contacts (C shows them)' : part;
}

interface ProblemCardProps {
  problem: Problem;
  /** Scenes among the same files that may do better. */
  others: readonly string[];
  onOpen: (path: string) => void;
  /** Lets the user pick a folder. */
  onFolder: () => void;
  onClose: () => void;
}

/** An error with its place, the line it points at and a hint. */
function ProblemCard({ problem, others, onOpen, onFolder, onClose }: ProblemCardProps): JSX.Element {
  const { reason, file, line, column, path, hint, excerpt } = problem;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return (
    <div class="notice bad" role="alert" data-code={problem.code}>
      <div class="words">
        <strong>{reason}</strong>
        {(place || path) && (
          <p class="place">
            {place && <code>{place}</code>} {path && <code>{path}</code>}
          </p>
        )}
        {excerpt && (
          <pre>
            {excerpt.text}
            {excerpt.caret !== undefined && `\n${' '.repeat(excerpt.caret)}^`}
          </pre>
        )}
        {hint && <p>{hint}</p>}
        {problem.code === 'file-not-found' && (
          <p class="others">
            <button type="button" class="chip" title="Open a folder (Shift + O)" onClick={onFolder}>
              Open the folder
            </button>
          </p>
        )}
        {others.length > 0 && (
          <p class="others">
            Other scenes in these files:
            {others.map((path) => (
              <button key={path} type="button" class="chip" title={`Open ${path}`} onClick={() => onOpen(path)}>
                {path}
              </button>
            ))}
          </p>
        )}
      </div>
      <button type="button" class="button plain" title="Dismiss (Esc)" aria-label="Dismiss" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

interface StopCardProps {
  studio: Studio;
  stop: Stop;
  /** s. */
  time: number;
}

const REFUSED_WORDS: Readonly<Record<Stop['reason'], string>> = {
  diverged: 'diverged',
  unstable: 'became unstable',
  'timed-out': 'timed out',
};

/** Why the last step was not taken. */
function describeStop({ reason, quantity, name, index }: Stop): string {
  if (reason === 'timed-out') return 'the step took longer than allowed';
  if (reason === 'unstable') return `energy appeared without a cause${name ? ` in ${name}` : ''}`;
  const owner = name ? ` of ${name}` : index !== undefined ? ` number ${index}` : '';
  return `the ${quantity ?? 'state'}${owner} is no longer a finite number`;
}

/** The simulation broke: where, and the ways on. */
function StopCard({ studio, stop, time }: StopCardProps): JSX.Element {
  const timestep = studio.scene.value?.facts.timestep ?? 0;
  const { run } = stop;
  return (
    <div class="notice bad" role="alert" data-code={stop.reason}>
      <div class="words">
        <strong>
          {run ? `Under ${run.formulation} the` : 'The'} simulation {REFUSED_WORDS[stop.reason]} at{' '}
          {formatTime(run?.time ?? time)}: {describeStop(stop)}
        </strong>
        <p>
          {stop.reason === 'timed-out'
            ? 'A looser tolerance or a simpler scene often helps.'
            : 'A smaller time step or more damping often helps.'}
          {run && studio.wanted && studio.wanted.length > 2 && ` Without ${run.formulation} the others go on.`}
        </p>
        <p class="ways">
          <button
            type="button"
            class="chip"
            data-role="step-back-10"
            title="Go back by ten time steps and stay there"
            onClick={() => studio.step(-10)}
          >
            Step back 10
          </button>
          {!studio.comparison.value && (
            <button
              type="button"
              class="chip"
              data-role="smaller-step"
              title="Go back by ten time steps and continue with half the time step"
              onClick={() => void studio.halveStep()}
            >
              Smaller step: {formatRound(timestep / 2, 's')}
            </button>
          )}
        </p>
      </div>
      <button type="button" class="button primary" title="Back to the initial state (R)" onClick={() => studio.reset()}>
        <Icon name="reset" />
        <span>Reset</span>
      </button>
    </div>
  );
}
