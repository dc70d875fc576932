import type { JSX, TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Studio } from '../studio.ts';
import { move, scale, turn } from './edits.ts';
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

/** Handles at the chosen part: three arrows that move it, turn it or make it larger along an axis of the world. */
export function Gizmo({ studio }: { studio: Studio }): JSX.Element | null {
  const held = useRef<{ handle: Handle; x: number; y: number }>(undefined);
  const workshop = studio.workshop.value;
  // drawn again with every picture: the camera may have moved
  void studio.pictures.value;
  const id = studio.selected.value;
  const scene = workshop?.read();
  const thing = scene && findThing(scene, id);
  const place = workshop?.frameOfThing(id)?.position;
  if (!workshop || !thing || !place || studio.playing.value || studio.comparison.value) return null;
  const handles = AXES.flatMap((_, axis) => findHandle(studio, place, axis) ?? []);
  const origin = handles[0]?.from;
  if (!origin) return null;
  const drag = (event: TargetedPointerEvent<SVGElement>, isLast: boolean): void => {
    const start = held.current;
    if (!start) return;
    const shift: [number, number] = [event.clientX - start.x, event.clientY - start.y];
    act(workshop, thing, start.handle, shift, isLast);
    if (isLast) held.current = undefined;
  };
  return (
    <svg class="gizmo" aria-hidden="true" data-role="gizmo">
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

/** What a drag by some pixels does; every part of it begins at the text before. */
function act(
  workshop: Workshop,
  { id, parent }: { id: string; parent: number },
  { axis, from, to, along }: Handle,
  [dx, dy]: [number, number],
  isLast: boolean,
): void {
  const snaps = workshop.snaps.value;
  const frame = workshop.frameOf(parent);
  const pixels = along[0] ** 2 + along[1] ** 2;
  const tool = workshop.tool.value;
  if (tool === 'move') {
    const distance = snapTo((dx * along[0] + dy * along[1]) / pixels, snaps ? workshop.spacing.value : 0);
    void workshop.edit((scene) => move(scene, id, [0, 0, 0].with(axis, distance) as Point, frame), isLast);
  } else if (tool === 'turn') {
    // across the axis, as one rolls a rod under the finger
    const across = ((to[0] - from[0]) * dy - (to[1] - from[1]) * dx) / LENGTH;
    const turned = snapTo(across / ROLL, snaps ? NOTCH : 0);
    void workshop.edit((scene) => turn(scene, id, axis, turned, frame), isLast);
  } else {
    const share = (dx * (to[0] - from[0]) + dy * (to[1] - from[1])) / LENGTH ** 2;
    const factor = Math.max(0.05, snapTo(1 + share, snaps ? 0.1 : 0));
    void workshop.edit((scene) => scale(scene, id, factor, axis), isLast);
  }
}

function snapTo(value: number, notch: number): number {
  return notch > 0 ? Math.round(value / notch) * notch : value;
}
