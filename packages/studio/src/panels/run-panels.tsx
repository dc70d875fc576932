import type { JSX } from 'preact';
import type { Studio } from '../studio.ts';
import { ContactPanel } from './contact-panel.tsx';
import { EnergyPlot } from './energy-plot.tsx';
import { LazySection } from './lazy-section.tsx';
import { SolverPanel } from './solver-panel.tsx';

const loadAim = async () => (await import('./aim-panel.tsx')).AimPanel;
const loadPlots = async () => (await import('./plot-panel.tsx')).PlotPanel;

/** Contacts and curves of one run; they come after the first picture. */
export function RunPanels({ studio }: { studio: Studio }): JSX.Element {
  const scene = studio.scene.value;
  const showsContacts = studio.view.value.contacts || studio.view.value.forces;
  return (
    <>
      {scene && showsContacts && <ContactPanel studio={studio} scene={scene} />}
      <EnergyPlot studio={studio} />
      <SolverPanel studio={studio} />
      <LazySection
        name="Aim"
        title="Throw a body at a goal: gradients of the miss under each formulation, and steps that make it land"
        mark="aim"
        load={loadAim}
        with={{ studio }}
      />
      <LazySection
        name="More plots"
        title="Momentum, penetration, contacts, time per phase; log scale; save as CSV or PNG"
        mark="more-plots"
        load={loadPlots}
        with={{ studio }}
      />
    </>
  );
}
