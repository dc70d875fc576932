import type { FormulationId, Vec3 } from '@nexdyn/engine';
import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { FORMULATIONS } from '../address.ts';
import { styleRun } from '../comparison/run-style.ts';
import { formatQuantity } from '../quantity.ts';
import type { AimResult } from '../session/aim-shots.ts';
import type { Studio } from '../studio.ts';
import { AimOverlay } from './aim-overlay.tsx';
import './aim.css';

/** Most Gauss-Newton steps of a press on `Land it`. */
const ROUNDS = 20;

const ACTS = [
  { mark: 'aim-show', words: 'Show gradients', title: 'Draw the paths and the gradients of the miss', rounds: 0 },
  { mark: 'aim-step', words: 'Gauss-Newton step', title: 'Improve the start once', rounds: 1 },
  { mark: 'aim-land', words: 'Land it', title: 'Improve the start until the body hits the goal', rounds: ROUNDS },
] as const;

/** Throw a body at a goal: what the miss says of the start, under each formulation, and steps that make it land. */
export function AimPanel({ studio }: { studio: Studio }): JSX.Element {
  const body = useSignal<string | undefined>(undefined);
  const goal = useSignal<Vec3>([1, 0, 0.2]);
  const seconds = useSignal(0.8);
  const isBusy = useSignal(false);
  const { picked, aims, overlay, scene } = studio;
  const clicked = picked.value;
  // a body that was clicked is the one to throw; the world is not
  useEffect(() => {
    if (clicked && clicked.body > 0 && clicked.bodyName) body.value = clicked.bodyName;
  }, [clicked]);
  useEffect(() => {
    overlay.value = AimOverlay;
    return () => {
      overlay.value = undefined;
      aims.value = undefined;
    };
  }, []);
  // without the world
  const names = (scene.value?.drawing.bodyNames ?? []).slice(1).filter(Boolean);
  // another scene has other bodies
  const title = scene.value?.facts.name;
  const opened = useSignal(title);
  useEffect(() => {
    if (opened.value === title) return;
    opened.value = title;
    body.value = undefined;
    aims.value = undefined;
  }, [title]);

  const shoot = async (rounds: number): Promise<void> => {
    if (!body.value || isBusy.value) return;
    isBusy.value = true;
    const before = aims.value;
    const isSame = before && before.body === body.value;
    const shots: Partial<Record<FormulationId, AimResult['shot']>> = {};
    if (isSame) for (const { formulation, shot } of before.results) if (shot) shots[formulation] = shot;
    const request = { formulations: FORMULATIONS, body: body.value, goal: goal.value, seconds: seconds.value };
    try {
      const results = await studio.session.aim({ ...request, shots, rounds });
      aims.value = { body: request.body, goal: request.goal, results };
    } catch (error) {
      studio.say(`Could not aim: ${error instanceof Error ? error.message : error}`);
    } finally {
      isBusy.value = false;
    }
  };
  const setGoal = (axis: number, value: number): void => {
    if (Number.isFinite(value)) goal.value = goal.value.map((x, k) => (k === axis ? value : x)) as Vec3;
  };

  return (
    <div class="aim" data-role="aim-panel">
      <div class="aim-row">
        <label>
          Throw
          <select
            data-role="aim-body"
            title="You can also click a body"
            value={body.value ?? ''}
            onChange={(event) => {
              body.value = event.currentTarget.value || undefined;
            }}
          >
            <option value="">click a body</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="aim-row">
        <span>Goal</span>
        {(['x', 'y', 'z'] as const).map((axis, k) => (
          <label key={axis}>
            {axis}
            <input
              type="number"
              step="0.05"
              data-role={`goal-${axis}`}
              value={goal.value[k]}
              onChange={(event) => setGoal(k, event.currentTarget.valueAsNumber)}
            />
          </label>
        ))}
        <span>m</span>
      </div>
      <div class="aim-row">
        <label>
          after
          <input
            type="number"
            min="0.05"
            step="0.05"
            data-role="goal-time"
            value={seconds.value}
            onChange={(event) => {
              if (event.currentTarget.valueAsNumber > 0) seconds.value = event.currentTarget.valueAsNumber;
            }}
          />
          s
        </label>
        <button
          type="button"
          class="chip"
          disabled={!clicked}
          title="Use the point you clicked last as the goal"
          onClick={() => {
            if (clicked) goal.value = clicked.point.map((x) => Number(x.toFixed(3))) as Vec3;
          }}
        >
          Goal at last click
        </button>
      </div>
      <div class="aim-row">
        {ACTS.map(({ mark, words, title, rounds }) => (
          <button
            key={mark}
            type="button"
            class="chip"
            title={title}
            data-role={mark}
            disabled={!body.value || isBusy.value}
            onClick={() => shoot(rounds)}
          >
            {words}
          </button>
        ))}
      </div>
      {aims.value && <AimTable results={aims.value.results} />}
    </div>
  );
}

function AimTable({ results }: { results: readonly AimResult[] }): JSX.Element {
  const digits = (values: readonly number[] | undefined): string =>
    values && values.length > 0 ? values.map((x) => x.toFixed(2)).join(' ') : '–';
  return (
    <table class="aim-table">
      <thead>
        <tr>
          <th />
          <th>misses by</th>
          <th title="Start velocity, m/s">start, m/s</th>
          <th title="Gradient of the miss with respect to the start velocity, s">gradient, s</th>
          <th title="Gradient of the miss with respect to the controls, m per unit">controls</th>
        </tr>
      </thead>
      <tbody>
        {results.map(({ formulation, distance, shot, velocityGradient, controlGradient, problem }) => (
          <tr key={formulation} data-formulation={formulation}>
            <th scope="row" style={{ color: `var(${styleRun(formulation).color})` }}>
              {formulation}
            </th>
            {problem || distance === undefined ? (
              <td colSpan={4} class="problem">
                {problem}
              </td>
            ) : (
              <>
                <td data-role="miss" data-value={distance}>
                  {formatQuantity(distance, 'm')}
                </td>
                <td>{digits(shot?.velocity)}</td>
                <td data-role="gradient">{digits(velocityGradient)}</td>
                <td>{digits(controlGradient)}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
