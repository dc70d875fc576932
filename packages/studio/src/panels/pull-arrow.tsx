import type { JSX } from 'preact';
import { formatQuantity } from '../quantity.ts';
import { placeGrab, placeInWorld } from '../session/mouse-spring.ts';
import type { Frame } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';

/** The spring between the pointer and a body: an arrow with its force, in each run. */
export function PullArrow({ studio }: { studio: Studio }): JSX.Element | null {
  void studio.pictures.value;
  const frames = studio.comparison.value?.runs.map(({ frame }) => frame) ?? [studio.frame.value];
  const arrows = frames.map(
    (frame, place) => frame && <Arrow key={place} studio={studio} frame={frame} place={place} />,
  );
  if (!studio.grab.value && !frames.some((frame) => frame?.pull)) return null;
  return (
    <svg class="pull" aria-hidden="true">
      <defs>
        <marker id="pull-head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 10 5 0 10z" />
        </marker>
      </defs>
      {arrows}
    </svg>
  );
}

/** The arrow in one pane. */
function Arrow({ studio, frame, place }: { studio: Studio; frame: Frame; place: number }): JSX.Element | null {
  const ends = findEnds(studio, frame);
  const foot = ends && studio.viewport?.project(ends.point, place);
  const head = ends && studio.viewport?.project(ends.target, place);
  if (!foot || !head) return null;
  const force = frame.pull ? Math.hypot(...frame.pull.force) : undefined;
  const length = Math.hypot(head[0] - foot[0], head[1] - foot[1]);
  return (
    <g>
      <circle cx={foot[0]} cy={foot[1]} r="5" />
      {length > 8 && <line x1={foot[0]} y1={foot[1]} x2={head[0]} y2={head[1]} marker-end="url(#pull-head)" />}
      <text x={head[0] + 12} y={head[1] - 8} data-role="pull-force">
        {force === undefined ? 'pulls once the scene runs' : formatQuantity(force, 'N')}
      </text>
    </g>
  );
}

const NOWHERE = { bodyPosition: [], bodyOrientation: [] };

/** Where the held point is, and where it is pulled to. */
function findEnds(
  studio: Studio,
  { pull, poses, soft }: Frame,
): { point: [number, number, number]; target: [number, number, number] } | undefined {
  const grab = studio.grab.value;
  if (!grab) return pull && { point: pull.point, target: pull.target };
  if (grab.soft) return { point: placeGrab(NOWHERE, soft, grab), target: grab.target };
  const o = 7 * grab.body;
  const pose = { bodyPosition: poses.subarray(o, o + 3), bodyOrientation: poses.subarray(o + 3, o + 7) };
  return { point: placeInWorld(pose, { body: 0, point: grab.point }), target: grab.target };
}
