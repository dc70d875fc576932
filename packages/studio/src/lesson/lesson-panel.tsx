import type { Lesson } from '@nexdyn/engine';
import { readClosedForm, startValues } from '@nexdyn/engine/formulas';
import { effect, untracked, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { styleRun } from '../comparison/run-style.ts';
import { roomyRange } from '../log-ticks.ts';
import { Swatch } from '../panels/swatch.tsx';
import { TimePlot } from '../panels/time-plot.tsx';
import { formatRound, formatShort } from '../quantity.ts';
import type { Studio } from '../studio.ts';
import { FormulaText } from './formula-text.tsx';
import './lesson.css';
import { LargeSlider } from './lesson-slider.tsx';

/** The same words as in session/inspect/formula-quantity.ts, which lives in the worker. */
const FORMULA = 'formula:';

/** Text, question, sliders, and the measured number beside the closed form. */
export function LessonPanel({ studio, lesson }: { studio: Studio; lesson: Lesson }): JSX.Element {
  const answer = useSignal<number | undefined>(undefined);
  const set = studio.source.value?.set?.['lesson.values'];
  const held = useSignal<number[] | undefined>(undefined);
  const applied = Array.isArray(set) && set.length === lesson.sliders.length ? (set as number[]) : startValues(lesson);
  const values = held.value ?? applied;
  const { text, sliders, question, measure, formulations = [] } = lesson;
  const names = Object.fromEntries(sliders.map(({ name }, i) => [name, applied[i]!]));
  const key = FORMULA + JSON.stringify({ formula: measure.formula, values: names });
  useMeasure(studio, lesson, key);
  usePauseAtEnd(studio, lesson);
  const apply = async (next: number[]): Promise<void> => {
    held.value = next;
    const { setValues } = await import('../option-change.ts');
    await setValues(studio, { 'lesson.values': next });
    if (held.value === next) held.value = undefined;
  };
  const isAnswered = answer.value !== undefined;
  return (
    <div class="lesson" data-role="lesson-panel">
      <h3>{lesson.title}</h3>
      {text.map((paragraph) => (
        <p key={paragraph}>
          <FormulaText text={paragraph} />
        </p>
      ))}
      <fieldset class="lesson-question">
        <legend>{question.text}</legend>
        {question.answers.map((words, i) => (
          <button
            key={words}
            type="button"
            class={isAnswered && i === question.correct ? 'answer right' : 'answer'}
            title={isAnswered ? words : `Answer: ${words}`}
            data-answer={i}
            aria-pressed={answer.value === i}
            onClick={() => {
              answer.value = i;
              if (!studio.playing.value && (studio.frame.value?.time ?? 0) === 0) studio.togglePlay();
            }}
          >
            {words}
          </button>
        ))}
        <p role="status" data-role="lesson-reason">
          {isAnswered && (
            <>
              <strong>{answer.value === question.correct ? 'Right.' : 'Not quite.'}</strong> {question.reason}
            </>
          )}
        </p>
      </fieldset>
      {sliders.map((slider, i) => (
        <LargeSlider
          key={slider.name}
          slider={slider}
          value={values[i]!}
          onSet={(value, isLast) => {
            const next = values.with(i, value);
            if (isLast) void apply(next);
            else held.value = next;
          }}
        />
      ))}
      <LessonPlot studio={studio} lesson={lesson} values={applied} watch={key} />
      {formulations.length > 1 && (
        <button
          type="button"
          class="chip"
          data-role="lesson-compare"
          title={`Run ${formulations.join(', ')} together`}
          aria-pressed={studio.comparison.value !== undefined}
          onClick={() => {
            studio.playing.value = true;
            void studio.compare(studio.comparison.value ? undefined : formulations);
          }}
        >
          Compare {formulations.join(', ')}
        </button>
      )}
    </div>
  );
}

/** Lets every state carry the measured number. */
function useMeasure(studio: Studio, { measure }: Lesson, key: string): void {
  useEffect(() => {
    const others = studio.watches.value.filter((watch) => !watch.key.startsWith(FORMULA));
    studio.watches.value = [...others, { key, label: measure.label, unit: measure.unit ?? '' }];
    void studio.runs.watch(studio.watches.value.map((watch) => watch.key));
    return () => {
      studio.watches.value = studio.watches.value.filter((watch) => watch.key !== key);
    };
  }, [studio, key, studio.scene.value, studio.comparison.value]);
}

/** A lesson stops where it ends; whoever goes on from there goes on. */
function usePauseAtEnd(studio: Studio, { duration }: Lesson): void {
  useEffect(() => {
    // a panel that is shown again at the end has stopped there before
    let hasStopped = (studio.frame.peek()?.time ?? 0) >= duration;
    return effect(() => {
      const time = studio.frame.value?.time ?? 0;
      if (time < duration) hasStopped = false;
      else if (!hasStopped) {
        hasStopped = true;
        untracked(() => {
          if (!studio.playing.value) return;
          studio.togglePlay();
          // states come in pieces, and the last may lie beyond
          studio.seekTime(duration);
        });
      }
    });
  }, [studio, duration]);
}

interface LessonPlotProps {
  studio: Studio;
  lesson: Lesson;
  values: readonly number[];
  watch: string;
}

/** Least height of the plot, in its unit: what is smaller is rounding, not motion. */
const LEAST_SPAN = 1e-6;

function visibleRange(min: number, max: number): [number, number] {
  const middle = (min + max) / 2;
  return max - min < LEAST_SPAN ? roomyRange(middle - LEAST_SPAN / 2, middle + LEAST_SPAN / 2) : roomyRange(min, max);
}

/** Points of the closed form from the start to the end. */
const POINTS = 160;

function LessonPlot({ studio, lesson, values, watch }: LessonPlotProps): JSX.Element {
  void studio.historyVersion.value;
  const { measure, closedForm, duration } = lesson;
  const unit = measure.unit ?? '';
  const { watchCurves } = studio;
  const closed = readClosedForm(lesson, values);
  const runs = studio.comparison.value?.runs.filter(({ scene }) => scene).map(({ formulation }) => formulation) ?? [''];
  const curves = [
    ...runs.map((run) => ({ label: run || 'measured', ...(run ? styleRun(run) : { color: '--accent', dash: [] }) })),
    ...(closedForm ? [{ label: closedForm.label, color: '--plot-total', dash: [3, 4] as const, width: 2 }] : []),
  ];
  const data = (): [number[], ...(number | null)[][]] => {
    const measured = watchCurves.times;
    const last = measured.at(-1) ?? -1;
    const ahead = Array.from({ length: POINTS + 1 }, (_, i) => (duration * i) / POINTS).filter((time) => time > last);
    const times = [...measured, ...ahead];
    const theory = times.map((time) => {
      const value = closed(time);
      return Number.isFinite(value) ? value : null;
    });
    const pad = ahead.map(() => null);
    return [times, ...runs.map((run) => [...watchCurves.column(watch, run), ...pad]), ...(closedForm ? [theory] : [])];
  };
  // numbers are those of the state that is shown
  const time = studio.frame.value?.time ?? 0;
  const column = studio.watches.value.findIndex(({ key }) => key === watch);
  const readNow = (run: string): number | undefined => {
    const compared = studio.comparison.value?.runs.find(({ formulation }) => formulation === run);
    return (run === '' ? studio.frame.value : compared?.frame)?.watched?.[column];
  };
  const theoryNow = closed(time);
  return (
    <div class="chosen-plot" data-role="lesson-plot">
      <h3>
        {measure.label} <span class="unit">{unit}</span>
      </h3>
      <ul class="legend compared">
        {curves.map((curve, i) => {
          const value = i < runs.length ? readNow(runs[i]!) : theoryNow;
          const isShown = typeof value === 'number' && Number.isFinite(value);
          return (
            <li key={curve.label} title={`${measure.label}, ${curve.label}`}>
              <Swatch {...curve} />
              <span>{curve.label}</span>
              <output data-role={`lesson-value-${i < runs.length ? runs[i] || 'now' : 'theory'}`}>
                {isShown ? formatShort(value, unit).trim() : '–'}
              </output>
            </li>
          );
        })}
      </ul>
      <TimePlot
        key={`${runs.join()} ${values.join()}`}
        studio={studio}
        name={measure.label}
        label={measure.label}
        title={`${measure.label} over simulated time, measured and in theory`}
        height={150}
        curves={curves}
        data={data}
        range={visibleRange}
        formatTick={(value) => (value === 0 ? `0 ${unit}`.trim() : formatRound(value, unit))}
      />
    </div>
  );
}
