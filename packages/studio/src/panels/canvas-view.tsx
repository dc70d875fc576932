import { useComputed } from '@preact/signals';
import type { JSX, TargetedPointerEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeError } from '../complaint.ts';
import type { SoftGrip } from '../session/input-log.ts';
import type { Studio } from '../studio.ts';
import { ownerOf } from '../view3d/soft-surfaces.ts';
import { Viewport } from '../view3d/viewport.ts';
import { LazyPanel } from './lazy-panel.tsx';

/** Movement of the pointer between press and release that still makes a click, pixels. */
const SLIP = 4;

const loadPull = async () => (await import('./pull-arrow.tsx')).PullArrow;
const loadProbe = async () => (await import('./soft-probe.tsx')).SoftProbe;

/** Whether a body is held, or was in the state that is shown. */
function isPulled({ grab, frame, comparison }: Studio): boolean {
  const frames = comparison.value?.runs.map((run) => run.frame) ?? [frame.value];
  return grab.value !== undefined || frames.some((shown) => shown?.pull);
}

/** The canvas of the 3D view: orbit, name what is clicked, pull what is dragged with Ctrl or with the hand. */
export function CanvasView({ studio }: { studio: Studio }): JSX.Element {
  const isHeld = useComputed(() => isPulled(studio));
  const canvas = useRef<HTMLCanvasElement>(null);
  const pressed = useRef<{ x: number; y: number }>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    try {
      const viewport = new Viewport(canvas.current!, studio.theme.peek());
      studio.attach(viewport);
      return () => viewport.dispose();
    } catch (error) {
      setFailure(describeError(error));
      return undefined;
    }
  }, [studio]);
  const release = (): void => {
    // also where another scene has come meanwhile
    studio.viewport?.endDrag();
    if (studio.grab.value) studio.hold(undefined);
  };
  const Overlay = studio.overlay.value;
  return (
    <div class="canvas">
      <canvas
        ref={canvas}
        class={studio.hand.value ? 'hand' : ''}
        tabIndex={0}
        onPointerDown={(event) => {
          const { offsetX, offsetY } = event;
          pressed.current = { x: offsetX, y: offsetY };
          if (event.button === 0 && (event.ctrlKey || event.metaKey || studio.hand.value)) seize(studio, event);
        }}
        onPointerMove={({ offsetX, offsetY, buttons }) => {
          const grab = studio.grab.value;
          studio.pointer.value = buttons === 0 ? { x: offsetX, y: offsetY } : undefined;
          const target = grab && studio.viewport?.dragTo(offsetX, offsetY);
          if (grab && target) studio.hold({ ...grab, target });
        }}
        onPointerUp={release}
        onPointerLeave={() => {
          studio.pointer.value = undefined;
        }}
        onPointerCancel={release}
        onContextMenu={(event) => event.preventDefault()}
        onClick={({ offsetX, offsetY }) => {
          // a press that moved has turned the camera or pulled a body and means nothing else
          const { x, y } = pressed.current ?? { x: offsetX, y: offsetY };
          if (Math.hypot(offsetX - x, offsetY - y) <= SLIP) studio.pick(offsetX, offsetY);
        }}
        aria-label="3D view: drag to orbit, right drag to pan, wheel to zoom, shift and arrow keys to orbit, Ctrl and drag to pull a body"
      />
      {isHeld.value && <LazyPanel load={loadPull} with={{ studio }} />}
      {studio.scene.value?.facts.isSoft && <LazyPanel load={loadProbe} with={{ studio }} />}
      {Overlay && <Overlay studio={studio} />}
      {failure && <p class="no-webgl">This browser cannot draw in 3D (WebGL 2): {failure}</p>}
    </div>
  );
}

/** Hold the body under the pointer, where there is one that moves. */
function seize(studio: Studio, event: TargetedPointerEvent<HTMLCanvasElement>): void {
  const { viewport } = studio;
  const picked = viewport?.pick(event.offsetX, event.offsetY);
  if (!viewport || !picked) return;
  const { drawing } = studio.scene.value ?? {};
  const soft = picked.soft === undefined ? undefined : gripVertices(studio, picked.soft, picked.point);
  if (!soft && !drawing?.isMoving[picked.body]) {
    // dragging the ground turns the camera: with the hand nobody means to pull it
    const isGround = picked.body === 0 && studio.hand.value && !event.ctrlKey && !event.metaKey;
    const name = (picked.body === 0 ? picked.shapeName : picked.bodyName) || 'This part';
    if (!isGround) studio.say(`${name} is fixed and cannot be pulled.`);
    return;
  }
  event.currentTarget.setPointerCapture(event.pointerId);
  viewport.beginDrag(picked.point, event.offsetX, event.offsetY);
  studio.hold({ body: picked.body, soft, point: picked.local, target: picked.point });
}

/** Vertices that are held together: one alone would be drawn out to a needle. */
const GRIP = 12;

/** The vertices of a soft body nearest to a point. */
function gripVertices(studio: Studio, body: number, point: readonly number[]): SoftGrip | undefined {
  const drawn = studio.scene.value?.drawing.softBodies[body];
  const positions = studio.frame.value?.soft?.positions;
  if (!drawn || !positions) return undefined;
  const surface = [...new Set(Array.from(drawn.triangles, (vertex) => ownerOf(drawn, vertex)))];
  const distance = (vertex: number): number => {
    const o = 3 * (drawn.firstVertex + vertex);
    return Math.hypot(positions[o]! - point[0]!, positions[o + 1]! - point[1]!, positions[o + 2]! - point[2]!);
  };
  const vertices = surface.sort((a, b) => distance(a) - distance(b)).slice(0, GRIP);
  return { body, firstVertex: drawn.firstVertex, vertices };
}
