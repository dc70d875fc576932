import type { JSX } from 'preact';
import { styleRun } from '../comparison/run-style.ts';
import type { Studio } from '../studio.ts';

type Point = [number, number, number];

/** Length of the longest arrow, m per metre of the throw. */
const ARROW = 0.35;

/** Over the picture: the goal, the way of the throw under each formulation, and at its start the arrow along which the miss falls fastest. */
export function AimOverlay({ studio }: { studio: Studio }): JSX.Element | null {
  void studio.pictures.value;
  const aims = studio.aims.value;
  const { viewport } = studio;
  if (!aims || !viewport || studio.comparison.value) return null;
  const shown = aims.results.filter(({ path }) => path && path.length > 0);
  const first = shown[0]?.path;
  const start: Point | undefined = first && [first[0]!, first[1]!, first[2]!];
  const goal = viewport.project(aims.goal);
  const reach = start ? Math.hypot(...aims.goal.map((x, k) => x - start[k]!)) : 0;
  const steepest = Math.max(...shown.map(({ velocityGradient = [] }) => Math.hypot(...velocityGradient)), 1e-12);
  return (
    <svg class="aim-overlay" data-role="aim-overlay" aria-hidden="true">
      <defs>
        {shown.map(({ formulation }) => (
          <marker
            key={formulation}
            id={`aim-${formulation}`}
            viewBox="0 0 10 10"
            refX="7"
            refY="5"
            markerWidth="5"
            markerHeight="5"
            orient="auto"
          >
            <path d="M0 0 10 5 0 10z" style={{ fill: `var(${styleRun(formulation).color})` }} />
          </marker>
        ))}
      </defs>
      {shown.map(({ formulation, path, velocityGradient = [] }) => {
        const { color, dash } = styleRun(formulation);
        const stroke = `var(${color})`;
        const points = projectPath(viewport, path!);
        const foot = start && viewport.project(start);
        // downhill: against the gradient
        const scale = (-ARROW * reach) / steepest;
        const tip = start && velocityGradient.length === 3 && start.map((x, k) => x + scale * velocityGradient[k]!);
        const head = tip && viewport.project(tip as Point);
        return (
          <g key={formulation} data-formulation={formulation} style={{ stroke }}>
            <polyline points={points} stroke-dasharray={dash.join(' ')} />
            {foot && head && (
              <line
                class="gradient"
                x1={foot[0]}
                y1={foot[1]}
                x2={head[0]}
                y2={head[1]}
                marker-end={`url(#aim-${formulation})`}
              />
            )}
          </g>
        );
      })}
      {goal && (
        <g class="goal">
          <circle cx={goal[0]} cy={goal[1]} r="9" />
          <path d={`M${goal[0] - 15} ${goal[1]}h30M${goal[0]} ${goal[1] - 15}v30`} />
        </g>
      )}
    </svg>
  );
}

function projectPath(viewport: NonNullable<Studio['viewport']>, path: Float64Array): string {
  const points: string[] = [];
  for (let k = 0; k < path.length; k += 3) {
    const at = viewport.project([path[k]!, path[k + 1]!, path[k + 2]!]);
    if (at) points.push(`${at[0].toFixed(1)},${at[1].toFixed(1)}`);
  }
  return points.join(' ');
}
