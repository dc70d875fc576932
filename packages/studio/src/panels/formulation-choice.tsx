import type { FormulationId } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { FORMULATIONS } from '../address.ts';
import { titleOf } from '../keys.ts';
import type { Studio } from '../studio.ts';
import { Icon } from './icon.tsx';

const WORDS: Readonly<Record<FormulationId, string>> = {
  mujoco: 'Acceleration level, soft contacts as MuJoCo has them',
  sap: 'Velocity level, semi-analytic primal',
  ccp: 'Impulse level, cone complementarity',
  ipc: 'Position level, incremental potential contact',
};

/** The same scene under another formulation, which begins anew; or, side by side, which formulations there are. */
export function FormulationChoice({ studio }: { studio: Studio }): JSX.Element | null {
  const scene = studio.scene.value;
  if (!scene) return null;
  const compared = studio.comparison.value?.formulations;
  return (
    <>
      <fieldset class="formulations" aria-label={compared ? 'Formulations side by side' : 'Formulation'}>
        {FORMULATIONS.map((formulation) => (
          <button
            key={formulation}
            type="button"
            class="segment"
            data-formulation={formulation}
            aria-pressed={compared ? compared.includes(formulation) : scene.facts.formulation === formulation}
            title={`${WORDS[formulation]}. ${titleOf(formulation)}`}
            onClick={() => studio.chooseFormulation(formulation)}
          >
            {formulation}
          </button>
        ))}
      </fieldset>
      <button
        type="button"
        class="compare-button"
        data-command="compare"
        aria-pressed={compared !== undefined}
        title={titleOf('compare')}
        onClick={() => studio.toggleCompare()}
      >
        <Icon name="compare" />
        Compare
      </button>
    </>
  );
}
