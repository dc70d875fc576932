/** Pictures of a run: the poses of its timeline, evenly thinned to a number. */
import type { Course } from './course.ts';
import { packPoses } from './pose-frame.ts';
import type { Film } from './protocol.ts';
import type { SoftFrame } from './soft-frame.ts';

export function filmTimeline(course: Course, most: number): Film {
  const { timeline, simulation } = course;
  const every = Math.max(1, Math.ceil(timeline.length / most));
  const entries = Array.from({ length: Math.ceil(timeline.length / every) }, (_, k) => timeline.at(k * every)!);
  const present = simulation.snapshot();
  const width = 7 * (simulation.bodyPosition.length / 3);
  const poses = new Float32Array(width * entries.length);
  const first = course.soft;
  const soft: SoftFrame | undefined = first && {
    positions: new Float32Array(first.positions.length * entries.length),
    values: new Float32Array(first.values.length * entries.length),
  };
  entries.forEach(({ state }, k) => {
    simulation.restore(state);
    poses.set(packPoses(simulation), width * k);
    const now = soft && course.soft;
    if (now) soft.positions.set(now.positions, now.positions.length * k);
    if (now) soft.values.set(now.values, now.values.length * k);
  });
  simulation.restore(present);
  return { times: Float64Array.from(entries, ({ time }) => time), poses, soft };
}
