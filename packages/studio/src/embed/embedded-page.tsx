/** The page inside another one: the view, the formulations and the controls, and a way to the whole studio. */
import type { JSX } from 'preact';
import { CanvasView } from '../panels/canvas-view.tsx';
import { FormulationChoice } from '../panels/formulation-choice.tsx';
import { LazyPanel } from '../panels/lazy-panel.tsx';
import { Notices } from '../panels/notices.tsx';
import { Transport } from '../panels/transport.tsx';
import { formatStudioAddress } from '../sharing.ts';
import type { Studio } from '../studio.ts';
import './embed.css';

const loadLabels = async () => (await import('../comparison/compare-view.ts')).PaneLabels;

export function EmbeddedPage({ studio }: { studio: Studio }): JSX.Element {
  const comparison = studio.comparison.value;
  return (
    <div class={comparison ? 'studio embedded comparing' : 'studio embedded'}>
      <main class="view" id="view" tabIndex={-1}>
        <div class="view-top">
          <FormulationChoice studio={studio} />
          <button
            type="button"
            class="whole-page"
            title="Open this scene in the studio"
            onClick={() => openWhole(studio)}
          >
            <span>{studio.scene.value?.facts.name ?? 'NexDyn'}</span> ↗
          </button>
        </div>
        <CanvasView studio={studio} />
        {comparison && (
          <LazyPanel key={comparison.formulations.join()} load={loadLabels} with={{ studio, comparison }} />
        )}
        <Notices studio={studio} />
        <Transport studio={studio} />
      </main>
    </div>
  );
}

function openWhole(studio: Studio): void {
  void formatStudioAddress(studio).then((address) => window.open(address, '_blank', 'noopener'));
}
