/** What went wrong, with its place and the ways on; few sessions need it. */
import type { JSX } from 'preact';
import { sayProblem } from '../complaint.ts';
import { formatRound, formatTime } from '../quantity.ts';
import type { Problem, Stop } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { Icon } from './icon.tsx';

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
export function ProblemCard({ problem, others, onOpen, onFolder, onClose }: ProblemCardProps): JSX.Element {
  const { file, line, column, path, hint, excerpt } = problem;
  const words = sayProblem(problem);
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return (
    <div class="notice bad" role="alert" data-code={problem.code}>
      <div class="words">
        <strong>{words}</strong>
        {(place || (path && words === problem.reason)) && (
          <p class="place">
            {place && <code>{place}</code>} {path && words === problem.reason && <code>{path}</code>}
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
  if (reason === 'unstable') return `energy appeared from nowhere${name ? ` in ${name}` : ''}`;
  const owner = name ? ` of ${name}` : index !== undefined ? ` number ${index}` : '';
  return `the ${quantity ?? 'state'}${owner} is no longer a finite number`;
}

/** The simulation broke: where, and the ways on. */
export function StopCard({ studio, stop, time }: StopCardProps): JSX.Element {
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
          {run && studio.wanted && studio.wanted.length > 2 && ` Remove ${run.formulation} to continue the others.`}
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
