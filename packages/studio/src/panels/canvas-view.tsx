import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Studio } from '../studio.ts';
import { Viewport } from '../view3d/viewport.ts';

/** The canvas of the 3D view. */
export function CanvasView({ studio }: { studio: Studio }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
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
        aria-label="3D view: drag to orbit, right drag to move, wheel to zoom, shift and arrow keys to orbit"
      />
      {failure && <p class="no-webgl">This browser cannot draw in 3D (WebGL 2): {failure}</p>}
    </div>
  );
}
