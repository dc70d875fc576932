import type { JSX } from 'preact';
import { STATUS_WORDS } from '../panels/status-words.ts';
import { formatQuantity } from '../quantity.ts';
import { layoutPanes } from '../view3d/pane-layout.ts';
import type { Comparison } from './comparison.ts';
import { RUN_STYLE } from './run-style.ts';

/** Names of the runs over their panes, and what keeps one from running. */
export function PaneLabels({ comparison }: { comparison: Comparison }): JSX.Element {
  void comparison.version.value;
  const rects = layoutPanes(comparison.runs.length);
  return (
    <div class="panes">
      {comparison.runs.map(({ formulation, frame, problem, stepTime }, i) => {
        const { left, top, width, height } = rects[i]!;
        const status = frame?.stop ? 'diverged' : frame?.solve.status;
        const place = {
          left: `${100 * left}%`,
          top: `${100 * top}%`,
          width: `${100 * width}%`,
          height: `${100 * height}%`,
        };
        return (
          <div key={formulation} class="pane" style={place} data-pane={formulation}>
            <p class="pane-name">
              <i style={{ background: `var(${RUN_STYLE[formulation].color})` }} />
              <strong>{formulation}</strong>
              {frame && <span title="Time of computation per step">{formatQuantity(stepTime / 1000, 's')}</span>}
              {status && status !== 'converged' && (
                <span class={`status ${status}`} title={STATUS_WORDS[status].title}>
                  {STATUS_WORDS[status].label}
                </span>
              )}
            </p>
            {problem && (
              <p class="pane-problem" role="note">
                {problem.reason}
                {problem.hint && <small>{problem.hint}</small>}
              </p>
            )}
          </div>
        );
      })}
    </div>
  );
}
