import type { JSX } from 'preact';
import { formatPower, logRange, logTicks } from '../log-ticks.ts';

/** One solve: values after iterations; what is not above zero has no place on the axis. */
export interface Course {
  key: string;
  /** Name of a colour of the style sheet. */
  color: string;
  dash?: readonly number[] | undefined;
  /** Numbers of the iterations, from 1 on. */
  iterations: readonly number[];
  values: readonly number[];
}

interface CourseChartProps {
  courses: readonly Course[];
  /** What is drawn, for those who cannot see it, and as hover text. */
  label: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** Room beside the axes, for the numbers; the last one of iterations stands half outside. */
const EDGE = { left: 40, right: 16, top: 8, bottom: 22 };
/** Points of a course that has no dots. */
const MANY = 40;

/** Courses of solves over each other: values in powers of ten against iterations. */
export function CourseChart({ courses, label, width, height }: CourseChartProps): JSX.Element | null {
  const drawn = courses.map((course) => ({
    ...course,
    points: course.values.flatMap((value, i) => (value > 0 ? [[course.iterations[i]! - 1, value] as const] : [])),
  }));
  const all = drawn.flatMap(({ points }) => points.map(([, value]) => value));
  if (all.length === 0) return null;
  const [low, high] = logRange(Math.min(...all), Math.max(...all));
  const longest = Math.max(...courses.map(({ iterations }) => iterations.at(-1) ?? 0), 2);
  const { left, right, top, bottom } = EDGE;
  const x = (k: number): number => left + ((width - left - right) * k) / (longest - 1);
  const y = (value: number): number =>
    top + ((height - top - bottom) * Math.log10(high / value)) / Math.log10(high / low);
  return (
    <svg class="course" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {logTicks(low, high, 4).map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 4}>
            {formatPower(tick)}
          </text>
        </g>
      ))}
      {listIterations(longest).map((iteration) => (
        <text key={iteration} class="iteration" x={x(iteration - 1)} y={height - 6}>
          {iteration}
        </text>
      ))}
      {drawn.map(({ key, color, dash, points }) => (
        <g key={key} style={{ stroke: `var(${color})`, fill: `var(${color})` }} data-curve={key}>
          <polyline
            points={points.map(([k, value]) => `${x(k)},${y(value)}`).join(' ')}
            stroke-dasharray={dash?.join(' ')}
          />
          {points.length <= MANY && points.map(([k, value]) => <circle key={k} cx={x(k)} cy={y(value)} r="2.5" />)}
        </g>
      ))}
    </svg>
  );
}

/** Numbers of iterations under the axis: the first, the last, and some round ones between. */
function listIterations(longest: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => longest / size <= 6) ?? 5000;
  const round = Array.from({ length: Math.floor(longest / step) }, (_, i) => step * (i + 1));
  return step === 1 ? round : [1, ...round];
}
