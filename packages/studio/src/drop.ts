import { pickFromDrop } from './files/picked-files.ts';
import { openPicked } from './opening.ts';
import type { Studio } from './studio.ts';

/** Take files dropped anywhere on the page. */
export function listenToDrops(studio: Studio): void {
  // entering a child comes before leaving its parent, so depth counts both
  let depth = 0;
  addEventListener('dragenter', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    depth += 1;
    studio.dragging.value = true;
  });
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) studio.dragging.value = false;
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    studio.dragging.value = false;
    if (event.dataTransfer) void pickFromDrop(event.dataTransfer).then((picked) => openPicked(studio, picked));
  });
}
