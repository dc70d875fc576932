import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { titleOf } from '../keys.ts';
import type { Studio } from '../studio.ts';

interface ConvergenceFoldProps {
  studio: Studio;
  /** Words of the button: to open, and to close again. */
  open: string;
  close: string;
  children: ComponentChildren;
}

/** What is known of the last solve, shown on demand. It lies far down: once opened, it comes into sight. */
export function ConvergenceFold({ studio, open, close, children }: ConvergenceFoldProps): JSX.Element {
  const isOpen = studio.convergenceOpen.value;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen && studio.isConvergenceAwaited) button.current?.scrollIntoView({ block: 'start' });
    studio.isConvergenceAwaited = false;
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="chip fold"
        title={titleOf('convergence')}
        aria-expanded={isOpen}
        onClick={() => studio.toggleConvergence()}
      >
        {isOpen ? close : open}
      </button>
      {isOpen && children}
    </>
  );
}
