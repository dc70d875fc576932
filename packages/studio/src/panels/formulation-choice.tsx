import type { FormulationId } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { titleOf } from '../keys.ts';
import { FORMULATIONS, type Studio } from '../studio.ts';

const WORDS: Readonly<Record<FormulationId, string>> = {
  mujoco: 'Acceleration level, soft contacts as MuJoCo has them',
  sap: 'Velocity level, semi-analytic primal',
  ccp: 'Impulse level, cone complementarity',
  ipc: 'Position level, incremental potential contact',
};

/** The same scene under another formulation: choosing one begins anew. */
export function FormulationChoice({ studio }: { studio: Studio }): JSX.Element | null {
  const scene = studio.scene.value;
  if (!scene) return null;
  return (
    <fieldset class="formulations" aria-label="Formulation">
      {FORMULATIONS.map((formulation) => (
        <button
          key={formulation}
          type="button"
          class="segment"
          data-formulation={formulation}
          aria-pressed={scene.facts.formulation === formulation}
          title={`${WORDS[formulation]}. ${titleOf(formulation)}`}
          onClick={() => studio.chooseFormulation(formulation)}
        >
          {formulation}
        </button>
      ))}
    </fieldset>
  );
}
