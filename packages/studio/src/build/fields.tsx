import type { JSX } from 'preact';

interface NumberProps {
  label: string;
  /** Mark by which the field is found. */
  mark: string;
  value: number | undefined;
  unit?: string;
  title?: string;
  placeholder?: string;
  onSet: (value: number | undefined) => void;
}

/** A number that applies on Enter, or when the field loses the focus. */
export function NumberField({ label, mark, value, unit = '', title, placeholder, onSet }: NumberProps): JSX.Element {
  const shown = value === undefined ? '' : String(Number(value.toPrecision(9)));
  return (
    <label class="build-number" title={title ?? (unit ? `${label}, ${unit}` : label)}>
      <span>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        data-build={mark}
        value={shown}
        placeholder={placeholder ?? ''}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
        onChange={({ currentTarget }) => {
          const text = currentTarget.value.trim().replace('−', '-').replace(',', '.');
          const next = Number(text);
          if (text === '') onSet(undefined);
          else if (Number.isFinite(next)) onSet(next);
          currentTarget.value = shown;
        }}
      />
    </label>
  );
}

interface TripleProps {
  label: string;
  mark: string;
  unit: string;
  values: readonly number[];
  onSet: (values: number[]) => void;
}

/** Three numbers side by side. */
export function TripleField({ label, mark, unit, values, onSet }: TripleProps): JSX.Element {
  return (
    <fieldset class="build-triple">
      <legend>
        {label} <span class="unit">{unit}</span>
      </legend>
      {values.map((value, k) => (
        <NumberField
          key={['x', 'y', 'z'][k]}
          label={['x', 'y', 'z'][k]!}
          mark={`${mark}.${k}`}
          unit={unit}
          title={`${label} ${['x', 'y', 'z'][k]}, ${unit}`}
          value={value}
          onSet={(next) => next !== undefined && onSet(values.with(k, next))}
        />
      ))}
    </fieldset>
  );
}

interface SliderProps {
  label: string;
  mark: string;
  unit?: string;
  title?: string;
  value: number | undefined;
  /** Shown where there is no value. */
  fallback: number;
  low: number;
  high: number;
  isLogarithmic?: boolean;
  /** `isLast` when the slider is let go. */
  onSet: (value: number | undefined, isLast: boolean) => void;
}

const STEPS = 200;

/** A slider with its number; an empty number leaves the value to the scene. */
export function SliderField(props: SliderProps): JSX.Element {
  const { label, mark, unit = '', title, value, fallback, low, high, isLogarithmic = false, onSet } = props;
  const place = (number: number): number =>
    isLogarithmic ? Math.log(number / low) / Math.log(high / low) : (number - low) / (high - low);
  const read = (share: number): number =>
    Number((isLogarithmic ? low * (high / low) ** share : low + (high - low) * share).toPrecision(3));
  const shown = Math.min(1, Math.max(0, place(value ?? fallback)));
  return (
    <div class="build-slider" title={title ?? (unit ? `${label}, ${unit}` : label)}>
      <span class="build-label">{label}</span>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={Math.round(STEPS * shown)}
        aria-label={label}
        data-build-slider={mark}
        onInput={({ currentTarget }) => onSet(read(Number(currentTarget.value) / STEPS), false)}
        onChange={({ currentTarget }) => onSet(read(Number(currentTarget.value) / STEPS), true)}
      />
      <NumberField
        label=""
        mark={mark}
        title={`${label}${unit && `, ${unit}`}; empty: the default`}
        value={value}
        placeholder={String(fallback)}
        onSet={(next) => onSet(next, true)}
      />
      <span class="unit">{unit}</span>
    </div>
  );
}
