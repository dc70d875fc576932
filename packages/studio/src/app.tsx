import type { JSX, TargetedEvent } from 'preact';
import { pickFromInput } from './files/picked-files.ts';
import { CanvasView } from './panels/canvas-view.tsx';
import { ContactPanel } from './panels/contact-panel.tsx';
import { EnergyPlot } from './panels/energy-plot.tsx';
import { FormulationChoice } from './panels/formulation-choice.tsx';
import { GalleryPanel } from './panels/gallery-panel.tsx';
import { HelpSheet } from './panels/help-sheet.tsx';
import { Notices, UnresolvedNote } from './panels/notices.tsx';
import { RunFacts, SceneFactsPanel } from './panels/run-facts.tsx';
import { SolverPanel } from './panels/solver-panel.tsx';
import { TopBar } from './panels/top-bar.tsx';
import { Transport } from './panels/transport.tsx';
import { UnsupportedList } from './panels/unsupported-list.tsx';
import { ViewOptionsPanel } from './panels/view-options.tsx';
import type { Studio } from './studio.ts';

export function App({ studio }: { studio: Studio }): JSX.Element {
  const scene = studio.scene.value;
  const showsContacts = studio.view.value.contacts || studio.view.value.forces;
  return (
    <div class="studio">
      <TopBar studio={studio} />
      <GalleryPanel studio={studio} />
      <main class="view">
        <CanvasView studio={studio} />
        <div class="view-top">
          <FormulationChoice studio={studio} />
          <UnresolvedNote studio={studio} />
        </div>
        <Notices studio={studio} />
        <Transport studio={studio} />
      </main>
      <aside class="side" aria-label="Measurements">
        {scene && <SceneFactsPanel studio={studio} scene={scene} />}
        <RunFacts studio={studio} />
        {scene && showsContacts && <ContactPanel studio={studio} scene={scene} />}
        <EnergyPlot studio={studio} />
        <SolverPanel studio={studio} />
        <ViewOptionsPanel studio={studio} />
        {scene && <UnsupportedList items={scene.unsupported} />}
      </aside>
      <HelpSheet studio={studio} />
      {studio.dragging.value && <div class="drop-target">Drop a scene with its files</div>}
      <FileInputs studio={studio} />
    </div>
  );
}

/** Two inputs that are never seen: the buttons and keys open them. */
function FileInputs({ studio }: { studio: Studio }): JSX.Element {
  const open = (event: TargetedEvent<HTMLInputElement>): void => {
    void studio.openPicked(pickFromInput(event.currentTarget));
    // the same file can be picked again after it was changed
    event.currentTarget.value = '';
  };
  return (
    <>
      <input
        type="file"
        multiple
        hidden
        id="files"
        ref={(element) => {
          if (element) studio.fileInput = element;
        }}
        onChange={open}
      />
      <input
        type="file"
        multiple
        hidden
        id="folder"
        ref={(element) => {
          element?.setAttribute('webkitdirectory', '');
          if (element) studio.folderInput = element;
        }}
        onChange={open}
      />
    </>
  );
}
