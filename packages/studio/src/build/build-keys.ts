/** Keys of the bench: they act on the chosen part while the panel is open, and come before those of the page. */
import type { Studio } from '../studio.ts';
import { duplicateBeside, move, remove } from './edits.ts';
import type { Point } from './rotation.ts';
import { findThing } from './scene-items.ts';

/** Directions of the keys, in the world. */
const NUDGES: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

/** Listens until what it returns is called. */
export function listenToBuildKeys(studio: Studio): () => void {
  const listen = (event: KeyboardEvent): void => {
    const target = event.target as Element;
    if (target.closest?.('input, select, textarea') || event.altKey) return;
    if (obey(studio, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  addEventListener('keydown', listen, { capture: true });
  return () => removeEventListener('keydown', listen, { capture: true });
}

function obey(studio: Studio, { key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  const workshop = studio.workshop.value;
  if (!workshop) return false;
  const isCommand = ctrlKey || metaKey;
  const letter = key.toLowerCase();
  if (isCommand && (letter === 'y' || (letter === 'z' && shiftKey))) {
    void workshop.redo();
    return true;
  }
  if (isCommand && letter === 'z') {
    void workshop.undo();
    return true;
  }
  const scene = workshop.read();
  const thing = scene && findThing(scene, studio.selected.value);
  if (!thing) return false;
  const { id, parent } = thing;
  if (isCommand && letter === 'd') {
    void workshop.edit((next) => duplicateBeside(next, id, workshop.spacing.value));
    return true;
  }
  if (isCommand || shiftKey) return false;
  if (key === 'Delete' || key === 'Backspace') {
    studio.select(undefined);
    void workshop.edit((next) => remove(next, id));
    return true;
  }
  const nudge = NUDGES[key];
  if (!nudge) return false;
  const frame = workshop.frameOf(parent);
  void workshop.edit((next) => move(next, id, nudge.map((part) => part * workshop.spacing.value) as Point, frame));
  return true;
}
