import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Studio } from '../studio.ts';

const STORED = 'nexdyn-welcomed';

/** Whether the page has said it before. */
function isKnown(): boolean {
  try {
    return localStorage.getItem(STORED) !== null;
  } catch {
    return true;
  }
}

/** What sets the page apart, said once, with a button that shows it. */
export function Welcome({ studio }: { studio: Studio }): JSX.Element | null {
  const isOpen = useSignal(!isKnown());
  const scene = studio.scene.value;
  // whoever has begun to choose needs no invitation
  const isChoosing = studio.wanted !== undefined || studio.source.value?.formulation !== undefined;
  if (!isOpen.value || !scene || isChoosing || studio.problem.value) return null;
  const close = (): void => {
    isOpen.value = false;
    try {
      localStorage.setItem(STORED, 'yes');
    } catch {
      // asked again next time
    }
  };
  return (
    <section class="welcome" aria-label="Welcome">
      <p>
        <strong>One scene, five contact models.</strong>{' '}
        <span class="more">Switch above, or run four side by side and measure where they differ.</span>
      </p>
      <p>
        <button
          type="button"
          class="button primary"
          data-role="welcome-compare"
          title="Compare formulations side by side"
          onClick={() => {
            close();
            studio.toggleCompare();
          }}
        >
          Compare<span class="more"> side by side</span>
        </button>
        <button type="button" class="button" data-role="welcome-close" title="Hide this note" onClick={close}>
          Not now
        </button>
      </p>
    </section>
  );
}
