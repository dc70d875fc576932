import type { LessonSlider } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { formatRound } from '../quantity.ts';

interface SliderProps {
  slider: LessonSlider;
  value: number;
  /** `isLast` when it is let go. */
  onSet: (value: number, isLast: boolean) => void;
}

const STEPS = 100;

/** Units that people use with prefixes: 400 kPa, 5 ms; speeds, masses and angles are read as they are. */
const PREFIXED = /^(?:J|N|N\/m|Pa|s)$/;

/** A large slider of a lesson, or a button for each of its choices. */
export function LargeSlider({ slider, value, onSet }: SliderProps): JSX.Element {
  const { name, label, unit = '', minimum, maximum, step, logarithmic, choices } = slider;
  if (choices) {
    return (
      <fieldset class="lesson-slider" data-lesson-slider={name}>
        <legend>{label}</legend>
        <div class="chips">
          {choices.map((choice, i) => (
            <button
              key={choice}
              type="button"
              class="chip"
              title={`${label}: ${choice}`}
              aria-pressed={value === i}
              onClick={() => onSet(i, true)}
            >
              {choice}
            </button>
          ))}
        </div>
      </fieldset>
    );
  }
  const ratio = maximum / minimum;
  const read = (place: number): number =>
    logarithmic ? Number((minimum * ratio ** (place / STEPS)).toPrecision(3)) : Number(place.toPrecision(9));
  const place = logarithmic ? (STEPS * Math.log(value / minimum)) / Math.log(ratio) : value;
  const set = (text: string, isLast: boolean): void =>
    onSet(Math.min(maximum, Math.max(minimum, read(Number(text)))), isLast);
  return (
    <label class="lesson-slider" title={`${label}${unit && `, ${unit}`}, ${minimum} to ${maximum}`}>
      <span>
        {label}
        <output data-role={`lesson-${name}`}>
          {PREFIXED.test(unit) ? formatRound(value, unit) : `${Number(value.toPrecision(4))} ${unit}`}
        </output>
      </span>
      <input
        type="range"
        data-lesson-slider={name}
        min={logarithmic ? 0 : minimum}
        max={logarithmic ? STEPS : maximum}
        step={logarithmic ? 1 : (step ?? (maximum - minimum) / STEPS)}
        value={place}
        onInput={({ currentTarget }) => set(currentTarget.value, false)}
        onChange={({ currentTarget }) => set(currentTarget.value, true)}
      />
    </label>
  );
}
