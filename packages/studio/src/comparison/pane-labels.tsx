import type { JSX } from 'preact';
import { sayProblem } from '../complaint.ts';
import '../ghost/ghost.css';
import { STATUS_WORDS } from '../panels/status-words.ts';
import { Swatch } from '../panels/swatch.tsx';
import { formatShort } from '../quantity.ts';
import type { Studio } from '../studio.ts';
import type { Comparison } from './comparison.ts';
import { styleRun } from './run-style.ts';

/** Names of the runs over their panes, and what keeps one from running. */
export function PaneLabels({ studio, comparison }: { studio: Studio; comparison: Comparison }): JSX.Element {
  void comparison.version.value;
  const isOverlaid = studio.overlaid.value;
  return (
    <div class={isOverlaid ? 'panes overlaid' : 'panes'} data-count={comparison.runs.length}>
      {comparison.runs.map(({ formulation, frame, problem, stepTime }) => {
        const status = frame?.stop?.reason ?? frame?.solve.status;
        return (
          <div key={formulation} class="pane" data-pane={formulation}>
            <p class="pane-name">
              <Swatch {...styleRun(formulation)} />
              <strong>{formulation}</strong>
              {!frame && !problem && <span>opening …</span>}
              {frame && stepTime >= 0 && (
                <span title="Mean computation time per step">
                  {formatShort(stepTime / 1000, 's')}
                  <span class="roomy"> per step</span>
                </span>
              )}
              {status && status !== 'converged' && (
                <span class={`status ${status}`} title={STATUS_WORDS[status].title}>
                  {STATUS_WORDS[status].label}
                </span>
              )}
            </p>
            {problem && (
              <p class="pane-problem" role="note">
                {sayProblem(problem)}
                {problem.hint && <small>{problem.hint}</small>}
              </p>
            )}
          </div>
        );
      })}
    </div>
  );
}
