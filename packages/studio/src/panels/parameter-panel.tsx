import type { JSX } from 'preact';
import { PARAMETERS, type Parameter, spreadFriction } from '../parameters.ts';
import type { OpenedScene } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';

const AXES = ['x', 'y', 'z'] as const;

/** Time step, gravity, friction and the options of the formulation, to be changed while the scene runs. */
export function ParameterPanel({ studio, scene }: { studio: Studio; scene: OpenedScene }): JSX.Element {
  const { facts } = scene;
  const set = studio.source.value?.set ?? {};
  const isCompared = studio.comparison.value !== undefined;
  const friction = facts.options['contactOverride.friction'] as number[] | undefined;
  return (
    <div class="parameters">
      <NumberField
        path="timestep"
        label="Time step"
        unit="s"
        title="Length of one step in simulated time"
        value={facts.timestep}
        isChanged={'timestep' in set}
        onSet={(value) => void studio.setOption('timestep', value)}
      />
      {AXES.map((axis, k) => (
        <NumberField
          key={axis}
          path={`gravity.${axis}`}
          label={`Gravity ${axis}`}
          unit="m/s²"
          title={`Acceleration of free fall along ${axis}`}
          value={facts.gravity[k]}
          isChanged={'gravity' in set}
          onSet={(value) => void studio.setOption('gravity', facts.gravity.with(k, value ?? 0))}
        />
      ))}
      <NumberField
        path="friction"
        label="Friction"
        unit=""
        title="One coefficient of friction for all contacts; if empty, each contact uses its materials"
        value={friction?.[0]}
        placeholder="by material"
        isChanged={'contactOverride.friction' in set}
        onSet={(value) =>
          void studio.setOption('contactOverride.friction', value === undefined ? undefined : spreadFriction(value))
        }
      />
      {(PARAMETERS[facts.formulation] ?? []).map((parameter) => (
        <ParameterField
          key={parameter.path}
          studio={studio}
          parameter={parameter}
          value={facts.options[parameter.path]}
          isChanged={parameter.path in set}
        />
      ))}
      {isCompared && <p class="remark">Side by side, a change restarts all runs.</p>}
      <div class="chips">
        {(isCompared ? [] : (['continue', 'rerun'] as const)).map((mode) => (
          <button
            key={mode}
            type="button"
            class="chip"
            data-change-mode={mode}
            aria-pressed={studio.changeMode.value === mode}
            title={mode === 'continue' ? 'A change applies from the current state on' : 'A change restarts the run'}
            onClick={() => {
              studio.changeMode.value = mode;
            }}
          >
            {mode === 'continue' ? 'Continue' : 'Restart'}
          </button>
        ))}
        {Object.keys(set).length > 0 && (
          <button
            type="button"
            class="chip"
            data-role="own-options"
            title="Restart with the options of the scene"
            onClick={() => studio.dropOptions()}
          >
            As in the scene
          </button>
        )}
      </div>
    </div>
  );
}

interface ParameterFieldProps {
  studio: Studio;
  parameter: Parameter;
  value: unknown;
  isChanged: boolean;
}

function ParameterField({ studio, parameter, value, isChanged }: ParameterFieldProps): JSX.Element {
  const { path, label, unit, title, kind, choices = [], isOptional } = parameter;
  if (kind === 'number') {
    return (
      <NumberField
        path={path}
        label={label}
        unit={unit}
        title={title}
        value={isOptional && !isChanged ? undefined : (value as number)}
        isChanged={isChanged}
        {...(isOptional && { placeholder: 'adaptive' })}
        onSet={(next) => (next !== undefined || isOptional) && void studio.setOption(path, next)}
      />
    );
  }
  return (
    <div class={isChanged ? 'parameter changed' : 'parameter'} title={title}>
      <span>{label}</span>
      {kind === 'switch' ? (
        <input
          type="checkbox"
          aria-label={label}
          data-parameter={path}
          checked={value === true}
          onChange={({ currentTarget }) => void studio.setOption(path, currentTarget.checked)}
        />
      ) : (
        <select
          aria-label={label}
          data-parameter={path}
          value={String(value)}
          onChange={({ currentTarget }) => {
            currentTarget.blur();
            void studio.setOption(path, currentTarget.value);
          }}
        >
          {choices.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

interface NumberFieldProps {
  path: string;
  label: string;
  unit: string;
  title: string;
  value: number | undefined;
  placeholder?: string;
  isChanged: boolean;
  /** Undefined where the field was emptied. */
  onSet: (value: number | undefined) => void;
}

/** A number that applies when the field loses focus, or on Enter. */
function NumberField({
  path,
  label,
  unit,
  title,
  value,
  placeholder,
  isChanged,
  onSet,
}: NumberFieldProps): JSX.Element {
  const shown = value === undefined || !Number.isFinite(value) ? '' : String(Number(value.toPrecision(8)));
  return (
    <label class={isChanged ? 'parameter changed' : 'parameter'} title={title}>
      <span>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        data-parameter={path}
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
      <span class="unit">{unit}</span>
    </label>
  );
}
