import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Studio } from '../studio.ts';
import { Viewport } from '../view3d/viewport.ts';

/** Movement of the pointer between press and release that still makes a click, pixels. */
const SLIP = 4;

/** The canvas of the 3D view. */
export function CanvasView({ studio }: { studio: Studio }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pressed = useRef<{ x: number; y: number }>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  useEffect(() => {
    try {
      const viewport = new Viewport(canvas.current!, studio.theme.peek());
      studio.attach(viewport);
      return () => viewport.dispose();
    } catch (error) {
      setFailure(String(error));
      return undefined;
    }
  }, [studio]);
  return (
    <div class="canvas">
      <canvas
        ref={canvas}
        tabIndex={0}
        onPointerDown={({ offsetX, offsetY }) => {
          pressed.current = { x: offsetX, y: offsetY };
        }}
        onClick={({ offsetX, offsetY }) => {
          // a press that moved has turned the camera and means nothing else
          const { x, y } = pressed.current ?? { x: offsetX, y: offsetY };
          if (Math.hypot(offsetX - x, offsetY - y) <= SLIP) studio.pick(offsetX, offsetY);
        }}
        aria-label="3D view: drag to orbit, right drag to move, wheel to zoom, shift and arrow keys to orbit"
      />
      {failure && <p class="no-webgl">This browser cannot draw in 3D (WebGL 2): {failure}</p>}
    </div>
  );
}
