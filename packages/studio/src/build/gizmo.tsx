import type { JSX, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Studio } from '../studio.ts';
import { type Frame, move, scale, turn } from './edits.ts';
import { directAxis, locateAnchor, moveAnchor, turnAxis } from './joint-edits.ts';
import type { Point } from './rotation.ts';
import { findThing } from './scene-items.ts';
import type { Tool, Workshop } from './workshop.ts';

/** Length of a handle and radius of its grip, pixels; fingers need more than a pointer. */
const LENGTH = 84;
const GRIP = 9;
const FINGER = 22;
/** Pixels across an axis for a turn of one radian. */
const ROLL = 60;
/** Turns end on this angle, rad. */
const NOTCH = Math.PI / 12;
const AXES = ['x', 'y', 'z'] as const;

interface Handle {
  axis: number;
  /** On the canvas, pixels. */
  from: [number, number];
  to: [number, number];
  /** Pixels per metre along the axis. */
  along: [number, number];
}

/** Handles at the chosen part: three arrows that move it, turn it or make it larger along an axis of the world; at a joint, its anchor and axis. */
export function Gizmo({ studio }: { studio: Studio }): JSX.Element | null {
  const held = useRef<{ handle: Handle; x: number; y: number }>(undefined);
  const workshop = studio.workshop.value;
  // drawn again with every picture: the camera may have moved
  void studio.pictures.value;
  const id = studio.selected.value;
  const scene = workshop?.read();
  const thing = scene && findThing(scene, id);
  const joint = workshop?.jointOf(id);
  const place = joint ? locateAnchor(joint.placed, joint.frame) : workshop?.frameOfThing(id)?.position;
  if (!workshop || !(thing || joint) || !place || studio.playing.value || studio.comparison.value) return null;
  const handles = AXES.flatMap((_, axis) => findHandle(studio, place, axis) ?? []);
  const origin = handles[0]?.from;
  if (!origin) return null;
  const drag = (event: TargetedPointerEvent<SVGElement>, isLast: boolean): void => {
    const start = held.current;
    if (!start) return;
    const shift: [number, number] = [event.clientX - start.x, event.clientY - start.y];
    if (joint) actOnJoint(workshop, joint, start.handle, shift, isLast);
    else if (thing) act(workshop, thing, start.handle, shift, isLast);
    if (isLast) held.current = undefined;
  };
  return (
    <svg class="gizmo" aria-hidden="true" data-role="gizmo">
      {joint && <JointAxis studio={studio} place={place} axis={directAxis(joint.placed, joint.frame)} />}
      {handles.map((handle) => (
        <g
          key={handle.axis}
          class={`axis-${AXES[handle.axis]}`}
          data-handle={AXES[handle.axis]}
          onPointerDown={(event) => {
            event.preventDefault();
            event.currentTarget.setPointerCapture(event.pointerId);
            held.current = { handle, x: event.clientX, y: event.clientY };
          }}
          onPointerMove={(event) => drag(event, false)}
          onPointerUp={(event) => drag(event, true)}
        >
          <line x1={handle.from[0]} y1={handle.from[1]} x2={handle.to[0]} y2={handle.to[1]} />
          <Grip tool={workshop.tool.value} at={handle.to} />
          <circle class="reach" cx={handle.to[0]} cy={handle.to[1]} r={FINGER} />
          <text x={handle.to[0]} y={handle.to[1] - GRIP - 4}>
            {AXES[handle.axis]}
          </text>
        </g>
      ))}
      <circle class="origin" cx={origin[0]} cy={origin[1]} r={4} />
    </svg>
  );
}

/** The axis of a joint, through its anchor. */
function JointAxis({
  studio,
  place,
  axis,
}: {
  studio: Studio;
  place: Point;
  axis: Point | undefined;
}): JSX.Element | null {
  const length = 2 * (studio.gridSpacing.value ?? 0.1);
  const ends = axis && [-length, length].map((far) => place.map((part, k) => part + far * axis[k]!) as Point);
  const [from, to] = ends?.map((end) => studio.viewport?.project(end)) ?? [];
  if (!from || !to) return null;
  return <line class="joint-axis" data-role="joint-axis" x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />;
}

function Grip({ tool, at: [x, y] }: { tool: Tool; at: [number, number] }): JSX.Element {
  if (tool === 'scale') return <rect class="grip" x={x - 7} y={y - 7} width={14} height={14} />;
  return <circle class={tool === 'turn' ? 'grip ring' : 'grip'} cx={x} cy={y} r={GRIP} />;
}

/** Where the handle of an axis is seen; none where the axis points at the eye. */
function findHandle({ viewport, gridSpacing }: Studio, place: Point, axis: number): Handle | undefined {
  const length = gridSpacing.value ?? 0.1;
  const from = viewport?.project(place);
  const to = viewport?.project(place.with(axis, place[axis]! + length) as Point);
  if (!from || !to) return undefined;
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const size = Math.hypot(dx, dy);
  if (size < 4) return undefined;
  return {
    axis,
    from,
    to: [from[0] + (LENGTH * dx) / size, from[1] + (LENGTH * dy) / size],
    along: [dx / length, dy / length],
  };
}

/** Metres along the axis of a handle, and radians about it, of a drag by some pixels. */
function measureDrag(workshop: Workshop, { from, to, along }: Handle, [dx, dy]: [number, number]): [number, number] {
  const snaps = workshop.snaps.value;
  const pixels = along[0] ** 2 + along[1] ** 2;
  const distance = (dx * along[0] + dy * along[1]) / pixels;
  // across the axis, as one rolls a rod under the finger
  const across = ((to[0] - from[0]) * dy - (to[1] - from[1]) * dx) / LENGTH;
  return [snapTo(distance, snaps ? workshop.spacing.value : 0), snapTo(across / ROLL, snaps ? NOTCH : 0)];
}

/** Moves the anchor of a joint or turns its axis; a joint has no size. */
function actOnJoint(
  workshop: Workshop,
  { id, frame }: { id: string; frame: Frame },
  handle: Handle,
  shift: [number, number],
  isLast: boolean,
): void {
  const { axis } = handle;
  const [distance, angle] = measureDrag(workshop, handle, shift);
  const tool = workshop.tool.value;
  if (tool === 'move')
    void workshop.edit((scene) => moveAnchor(scene, id, [0, 0, 0].with(axis, distance) as Point, frame), isLast);
  else if (tool === 'turn') void workshop.edit((scene) => turnAxis(scene, id, axis, angle, frame), isLast);
}

/** What a drag by some pixels does; every part of it begins at the text before. */
function act(
  workshop: Workshop,
  { id, parent }: { id: string; parent: number },
  handle: Handle,
  shift: [number, number],
  isLast: boolean,
): void {
  const { axis, from, to } = handle;
  const frame = workshop.frameOf(parent);
  const tool = workshop.tool.value;
  const [distance, angle] = measureDrag(workshop, handle, shift);
  if (tool === 'move') {
    void workshop.edit((scene) => move(scene, id, [0, 0, 0].with(axis, distance) as Point, frame), isLast);
  } else if (tool === 'turn') {
    void workshop.edit((scene) => turn(scene, id, axis, angle, frame), isLast);
  } else {
    const share = (shift[0] * (to[0] - from[0]) + shift[1] * (to[1] - from[1])) / LENGTH ** 2;
    const factor = Math.max(0.05, snapTo(1 + share, workshop.snaps.value ? 0.1 : 0));
    void workshop.edit((scene) => scale(scene, id, factor, axis), isLast);
  }
}

function snapTo(value: number, notch: number): number {
  return notch > 0 ? Math.round(value / notch) * notch : value;
}
