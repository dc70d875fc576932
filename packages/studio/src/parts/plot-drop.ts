/** Numbers and parts that are dragged onto the panel beside the view: what is dropped there is plotted. */
import type { PartFact, Quantity } from '../session/inspect/quantity-key.ts';
import type { Studio } from '../studio.ts';

/** What is dragged, as types of the drag: a type can be read while the drag is under way, its data only at its end. */
const QUANTITY = 'application/x-nexdyn-quantity';
const PART = 'application/x-nexdyn-part';

export function dragQuantity({ dataTransfer }: DragEvent, quantity: Quantity): void {
  dataTransfer?.setData(QUANTITY, JSON.stringify(quantity));
  if (dataTransfer) dataTransfer.effectAllowed = 'copy';
}

export function dragPart({ dataTransfer }: DragEvent, id: string): void {
  dataTransfer?.setData(PART, id);
  if (dataTransfer) dataTransfer.effectAllowed = 'copy';
}

/** Let the panel take what is dropped on it, and show that it would; ends when the answer is called. */
export function listenToPlotDrops(studio: Studio, panel: HTMLElement): () => void {
  const isMeant = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer?.types.some((type) => type === QUANTITY || type === PART) === true;
  const show = (event: DragEvent): void => {
    if (!isMeant(event)) return;
    panel.classList.add('takes-plots');
    // a part that vanishes while it is dragged never says that the drag is over; the mouse moves again only then
    addEventListener('mousemove', hide, { once: true });
  };
  const hide = (): void => panel.classList.remove('takes-plots');
  // what can be dragged takes the focus when it is pressed; Space goes on to mean play and pause
  const leave = (): void => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.draggable) activeElement.blur();
  };
  const end = (): void => {
    hide();
    leave();
  };
  const over = (event: DragEvent): void => {
    if (!isMeant(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  };
  const drop = (event: DragEvent): void => {
    hide();
    if (!isMeant(event)) return;
    event.preventDefault();
    event.stopPropagation();
    void plotDropped(studio, event.dataTransfer!.getData(QUANTITY), event.dataTransfer!.getData(PART));
  };
  const listeners = [
    [document, 'dragstart', show],
    [document, 'dragend', end],
    [document, 'drop', end],
    [document, 'pointerup', leave],
    [panel, 'dragover', over],
    [panel, 'drop', drop],
  ] as const;
  for (const [target, name, run] of listeners) target.addEventListener(name, run as EventListener);
  return () => {
    hide();
    for (const [target, name, run] of listeners) target.removeEventListener(name, run as EventListener);
  };
}

async function plotDropped(studio: Studio, quantity: string, part: string): Promise<void> {
  const wanted = quantity ? [JSON.parse(quantity) as Quantity] : chooseMain(await studio.runs.describePart(part));
  if (wanted.length === 0) studio.say('This part has no number to plot.');
  const watched = new Set(studio.watches.value.map(({ key }) => key));
  for (const one of wanted) if (!watched.has(one.key)) studio.toggleWatch(one);
}

/** What is plotted of a part: the speed of a body, the stress of a soft one, else the first line with numbers. */
export function chooseMain(facts: readonly PartFact[]): Quantity[] {
  const all = facts.flatMap(({ plots }) => plots);
  const main = all.find(({ key }) => /:(speed|stress)$/.test(key));
  return main ? [main] : (facts.find(({ plots }) => plots.length > 0)?.plots ?? []).slice(0, 3);
}
