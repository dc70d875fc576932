import type { JSX } from 'preact';
import { formatShort } from '../quantity.ts';
import { SOFT_LABELS } from '../soft-quantity.ts';
import type { Studio } from '../studio.ts';

/** Distance of the label from the pointer, pixels. */
const BESIDE = 14;

/** The value of a soft body under the pointer; it changes with the pointer and with the state. */
export function SoftProbe({ studio }: { studio: Studio }): JSX.Element | null {
  const pointer = studio.pointer.value;
  const { stress, softQuantity } = studio.view.value;
  if (!pointer || !stress || !studio.frame.value?.soft) return null;
  const reading = studio.viewport?.probe(pointer.x, pointer.y);
  if (!reading) return null;
  const { label, title, unit } = SOFT_LABELS[softQuantity];
  const place = { left: `${pointer.x + BESIDE}px`, top: `${pointer.y + BESIDE}px` };
  return (
    <p class="soft-probe" style={place} title={title} data-role="soft-probe">
      <span>{reading.name}</span> {label} {formatShort(reading.value, unit)}
    </p>
  );
}
