import type { JSX } from 'preact';
import { type Course, CourseChart } from '../panels/course-chart.tsx';
import { countIterations, readIterations, relateCosts, relateResiduals } from '../panels/solve-course.ts';
import { Swatch } from '../panels/swatch.tsx';
import type { Comparison } from './comparison.ts';
import { styleRun } from './run-style.ts';

const CHARTS = [
  {
    name: 'Residual',
    label: 'Residual after each iteration of the step shown, relative to the first, for each formulation',
    relate: relateResiduals,
  },
  {
    name: 'Cost above its minimum',
    label: 'Cost above the lowest value of the solve after each iteration, relative to the first, for each formulation',
    relate: relateCosts,
  },
] as const;

/** The step that is shown: residual and cost against iteration in the hardest island, all formulations over each other. */
export function CompareConvergence({ comparison }: { comparison: Comparison }): JSX.Element {
  const solves = comparison.runs.flatMap(({ formulation, frame }) => {
    const iterations = frame?.trace ? readIterations(frame.trace) : [];
    return frame?.trace && iterations.length > 0
      ? [{ formulation, iterations, count: countIterations(frame.trace) }]
      : [];
  });
  const charts = CHARTS.map(({ name, label, relate }) => ({
    name,
    label,
    courses: solves.map(({ formulation, iterations }): Course => {
      const numbers = iterations.map(({ number }) => number);
      return { key: formulation, ...styleRun(formulation), iterations: numbers, values: relate(iterations) };
    }),
  })).filter(({ courses }) => courses.some(({ values }) => values.some((value) => value > 0)));
  if (charts.length === 0) return <p class="remark">Nothing was left to solve in this step.</p>;
  return (
    <>
      <ul class="legend compared">
        {solves.map(({ formulation, count }) => (
          <li key={formulation} title={`Iterations of ${formulation} in the hardest island of this step`}>
            <Swatch {...styleRun(formulation)} />
            <span>{formulation}</span>
            <output>{count === 1 ? '1 iteration' : `${count} iterations`}</output>
          </li>
        ))}
      </ul>
      {charts.map(({ name, label, courses }) => (
        <div key={name} class="chosen-plot">
          <h3 title={label}>{name}</h3>
          <CourseChart width={400} height={140} label={label} courses={courses} />
        </div>
      ))}
      <p class="remark">Over iterations, relative to the first value; each solver has its own measure.</p>
    </>
  );
}
