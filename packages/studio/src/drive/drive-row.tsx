import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { DrivenPart } from '../session/drive/driven-parts.ts';
import type { Studio } from '../studio.ts';

interface DriveRowProps {
  studio: Studio;
  kind: 'control' | 'joint';
  part: DrivenPart;
  index: number;
}

/** Steps of a slider from end to end. */
const FINENESS = 400;

/** A slider with its number. While it is held it shows where it is dragged to, else the value of the run. */
export function DriveRow({ studio, kind, part, index }: DriveRowProps): JSX.Element {
  const { name, low, high, unit, isLimited } = part;
  const held = useSignal<number | undefined>(undefined);
  const value = useComputed(() => {
    const drives = studio.frame.value?.drives;
    return held.value ?? (kind === 'control' ? drives?.controls : drives?.joints)?.[index] ?? 0;
  });
  // a number that is being typed is not overwritten by the run
  const typed = useSignal<string | undefined>(undefined);
  const text = useComputed(() => typed.value ?? formatNumber(value.value));
  const set = (next: number): void => {
    if (Number.isFinite(next)) studio.drive({ kind, index, value: next });
  };
  const enter = (words: string): void => {
    const number = words.trim() === '' ? Number.NaN : Number(words.replace(',', '.').replace('−', '-'));
    set(isLimited ? Math.min(Math.max(number, low), high) : number);
  };
  const release = (): void => {
    held.value = undefined;
  };
  const limits = isLimited ? `, from ${formatNumber(low)} to ${formatNumber(high)} ${unit}` : ', without limits';
  const title = `${part.kind} of ${part.group}${limits}`;
  return (
    <div class="drive-row" title={title} data-drive={`${kind}:${name}`}>
      <span class="drive-name">
        {splitName(name).map((part) => (
          <>
            {part}
            <wbr />
          </>
        ))}
      </span>
      <span class="drive-slider">
        <input
          type="range"
          aria-label={`${name}, ${unit}`}
          min={Math.min(low, value.value)}
          max={Math.max(high, value.value)}
          step={(high - low) / FINENESS}
          value={value}
          onInput={({ currentTarget }) => {
            held.value = Number(currentTarget.value);
            set(held.value);
          }}
          onChange={release}
          onPointerUp={release}
          onBlur={release}
        />
        {isLimited && (
          <span class="drive-limits" aria-hidden="true">
            <span>{formatShortly(low)}</span>
            <span>{formatShortly(high)}</span>
          </span>
        )}
      </span>
      <input
        type="text"
        inputMode="decimal"
        aria-label={`${name}, ${unit}`}
        value={text}
        onFocus={({ currentTarget }) => {
          typed.value = currentTarget.value;
          currentTarget.select();
        }}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') enter(currentTarget.value);
          if (key === 'Enter' || key === 'Escape') currentTarget.blur();
        }}
        onBlur={() => {
          typed.value = undefined;
        }}
      />
      <span class="unit">{unit}</span>
    </div>
  );
}

/** Pieces of a name between which a line may break: shoulder·Servo, left_·hip. */
function splitName(name: string): string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[_\-./])/);
}

/** An end of a slider, in the little room below it. */
function formatShortly(value: number): string {
  return String(Number(value.toPrecision(3))).replace('-', '−');
}

function formatNumber(value: number): string {
  const text = value.toFixed(3);
  return Number(text) === 0 ? '0' : String(Number(text)).replace('-', '−');
}
