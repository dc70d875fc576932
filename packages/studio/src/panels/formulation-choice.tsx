import { findFormulation } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { FORMULATIONS } from '../address.ts';
import { type CommandId, titleOf } from '../keys.ts';
import type { Studio } from '../studio.ts';
import { Icon } from './icon.tsx';

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
            title={`${findFormulation(formulation).title}. ${titleOf(formulation as CommandId)}`}
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
        aria-label="Compare"
        aria-pressed={compared !== undefined}
        title={titleOf('compare')}
        onClick={() => studio.toggleCompare()}
      >
        <Icon name="compare" />
        <span>Compare</span>
      </button>
    </>
  );
}
