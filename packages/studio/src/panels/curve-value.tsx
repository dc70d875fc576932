import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { Studio } from '../studio.ts';

interface CurveValueProps {
  studio: Studio;
  /** The curve, one value per time of the history. */
  column: () => readonly (number | null)[];
  /** The value of now, where it is known better than from the curve. */
  now?: () => number | undefined;
  format: (value: number) => string;
  /** Mark by which the value is found. */
  mark?: string;
}

/** Value of a curve at the time under the pointer, else where the run stands. */
export function CurveValue({ studio, column, now, format, mark }: CurveValueProps): JSX.Element {
  const text = useComputed(() => {
    const frame = studio.frame.value;
    const hovered = studio.hoverTime.value;
    const time = hovered ?? frame?.time;
    if (time === undefined) return '–';
    if (hovered === undefined && now) {
      const value = now();
      return value === undefined ? '–' : format(value);
    }
    const value = column()[studio.history.placeAt(time)];
    return value === undefined || value === null ? '–' : format(value);
  });
  return <output data-role={mark}>{text}</output>;
}
