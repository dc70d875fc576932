/** Which overlays a gallery scene opens with: some are pointless without contacts or forces. */
import { effect, untracked } from '@preact/signals';
import type { Studio } from './studio.ts';

type Overlay = 'contacts' | 'forces';

const SUGGESTED: Readonly<Record<string, Overlay>> = {
  'box-stack': 'forces',
  arch: 'forces',
  incline: 'forces',
  conveyor: 'forces',
  gripper: 'forces',
  'pressure-plate': 'contacts',
  'hill-tumble': 'contacts',
  'touching-shapes': 'contacts',
};

/** Switch on the overlays that a scene needs, and off those that only the previous scene needed. */
export function followSuggestions(studio: Studio): () => void {
  let known: string | undefined;
  let given: Overlay | undefined;
  return effect(() => {
    const id = studio.source.value?.galleryId;
    if (id === known) return;
    known = id;
    untracked(() => {
      const view = studio.view.value;
      const change: Partial<Record<Overlay, boolean>> = {};
      if (given && view[given]) change[given] = false;
      given = undefined;
      const wanted = id === undefined || isSettled(id) ? undefined : SUGGESTED[id];
      if (wanted) {
        if (!view[wanted]) given = wanted;
        change[wanted] = true;
      }
      if (Object.keys(change).length > 0) studio.setView(change);
    });
  });
}

/** Whether the address says itself what is shown of a scene. */
function isSettled(id: string): boolean {
  return location.hash.startsWith(`#${id}?`) && /[?&](show|t)=/.test(location.hash);
}
