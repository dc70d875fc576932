import { type ComponentChildren, Fragment, type JSX, type TargetedEvent } from 'preact';
import { pickFromInput } from './files/picked-files.ts';
import { isLesson, openGalleryId } from './gallery.ts';
import { openPicked } from './opening.ts';
import { CanvasView } from './panels/canvas-view.tsx';
import { FormulationChoice } from './panels/formulation-choice.tsx';
import { GalleryPanel } from './panels/gallery-panel.tsx';
import { LazyPanel } from './panels/lazy-panel.tsx';
import { LazySection } from './panels/lazy-section.tsx';
import { Notices, UnresolvedNote } from './panels/notices.tsx';
import { RunFacts, SceneFactsPanel } from './panels/run-facts.tsx';
import { TopBar } from './panels/top-bar.tsx';
import { Transport } from './panels/transport.tsx';
import { ViewOptionsPanel } from './panels/view-options.tsx';
import type { Studio } from './studio.ts';

const loadLabels = async () => (await import('./comparison/compare-view.ts')).PaneLabels;
const loadComparison = async () => (await import('./comparison/compare-view.ts')).ComparePanel;
const loadParameters = async () => (await import('./panels/parameter-panel.tsx')).ParameterPanel;
const loadDrive = async () => (await import('./drive/drive-panel.tsx')).DrivePanel;
const loadParts = async () => (await import('./parts/parts-panel.tsx')).PartsPanel;
const loadWatches = async () => (await import('./parts/watch-plots.tsx')).WatchPlots;
const loadSave = async () => (await import('./save/save-sheet.tsx')).SaveSheet;
const loadLesson = async () => (await import('./lesson/lesson-panel.tsx')).LessonPanel;
const loadBuild = async () => (await import('./build/build-panel.tsx')).BuildPanel;
const loadWelcome = async () => (await import('./panels/welcome.tsx')).Welcome;
const loadUnsupported = async () => (await import('./panels/unsupported-list.tsx')).UnsupportedList;
const loadHelp = async () => (await import('./panels/help-sheet.tsx')).HelpSheet;
/** Curves wait for the first picture: it comes sooner without them. */
const loadRunPanels = async (studio: Studio) => {
  await studio.firstPicture;
  return (await import('./panels/run-panels.tsx')).RunPanels;
};

/** Whoever comes by a link knows what to look at. */
const isPlainAddress = location.hash === '' && location.search === '';

export function App({ studio }: { studio: Studio }): JSX.Element {
  const scene = studio.scene.value;
  const comparison = studio.comparison.value;
  const { gallery, side } = studio.panels.value;
  const layout = ['studio', ...(gallery ? [] : ['no-gallery']), ...(side ? [] : ['no-side'])];
  if (studio.driveOpen.value || studio.buildOpen.value) layout.push('handling');
  if (scene ? scene.lesson : isLesson(openGalleryId(studio.source.value))) layout.push('teaching');
  // the frame changes with the wish, the panels with the runs
  if (comparison || studio.wanted) layout.push('comparing');
  else if (studio.buildOpen.value && studio.jsonOpen.value) layout.push('writing');
  return (
    <div class={layout.join(' ')}>
      <button type="button" class="skip" title="Skip scenes and tools" onClick={skipToView}>
        Skip to the simulation
      </button>
      <TopBar studio={studio} />
      <main class="view" id="view" tabIndex={-1}>
        <div class="view-top">
          <FormulationChoice studio={studio} />
          <UnresolvedNote studio={studio} />
        </div>
        <CanvasView studio={studio} />
        {comparison && (
          <LazyPanel key={comparison.formulations.join()} load={loadLabels} with={{ studio, comparison }} />
        )}
        {isPlainAddress && <LazyPanel load={loadWelcome} with={{ studio }} />}
        <Notices studio={studio} />
        <Transport studio={studio} />
        <p class="hint">
          Drag to orbit · <kbd>Ctrl</kbd> and drag to pull a body · <kbd>?</kbd> for all keys
        </p>
      </main>
      <GalleryPanel studio={studio} />
      <aside class="side" aria-label="Measurements">
        {(scene || studio.problem.value) && <SidePanels studio={studio} />}
      </aside>
      {studio.saveAsked.value && <LazyPanel load={loadSave} with={{ studio }} />}
      {studio.helpAsked.value && <LazyPanel load={loadHelp} with={{ studio }} />}
      {studio.dragging.value && <div class="drop-target">Drop a scene with its files</div>}
      <FileInputs studio={studio} />
    </div>
  );
}

/** Everything beside the view, from the lesson down to how the scene is drawn. */
function SidePanels({ studio }: { studio: Studio }): JSX.Element {
  const scene = studio.scene.value;
  const comparison = studio.comparison.value;
  if (comparison) {
    return (
      <Fragment key="several">
        <LessonSection studio={studio}>
          <RunFacts studio={studio} isShort />
          <DriveSection studio={studio} />
          <PartsSection studio={studio} />
          <LazyPanel key={comparison.formulations.join()} load={loadComparison} with={{ studio, comparison }}>
            <SettingSections studio={studio} />
          </LazyPanel>
        </LessonSection>
      </Fragment>
    );
  }
  return (
    <Fragment key="one">
      <LessonSection studio={studio}>
        {scene && <SceneFactsPanel studio={studio} scene={scene} />}
        <RunFacts studio={studio} />
        <BuildSection studio={studio} />
        <DriveSection studio={studio} />
        <PartsSection studio={studio} />
        <LazyPanel load={() => loadRunPanels(studio)} with={{ studio }}>
          <SettingSections studio={studio} />
        </LazyPanel>
      </LessonSection>
    </Fragment>
  );
}

/** Options of the scene and of the view, and what a file asked for in vain. */
function SettingSections({ studio }: { studio: Studio }): JSX.Element {
  const scene = studio.scene.value;
  const changed = Object.keys(studio.source.value?.set ?? {}).length;
  return (
    <>
      {scene && (
        <LazySection
          name="Parameters"
          title="Time step, gravity, friction and the options of the formulation"
          mark="parameters"
          load={loadParameters}
          with={{ studio, scene }}
        >
          {changed > 0 && <span class="count">{changed} changed</span>}
        </LazySection>
      )}
      <ViewOptionsPanel studio={studio} />
      {scene && scene.unsupported.length > 0 && (
        <LazyPanel load={loadUnsupported} with={{ items: scene.unsupported }} />
      )}
    </>
  );
}

/** The tree of parts, and the plots of what was chosen in it. */
function PartsSection({ studio }: { studio: Studio }): JSX.Element | null {
  const scene = studio.scene.value;
  if (!scene) return null;
  return (
    <>
      <LazySection
        name="Parts"
        title="Bodies, joints, shapes, soft bodies, actuators and sensors: select one to see and plot its values (I)"
        mark="parts"
        load={loadParts}
        with={{ studio, scene }}
        isOpen={studio.partsOpen}
        onToggle={() => studio.toggleParts()}
      />
      {studio.watches.value.some(({ key }) => !key.startsWith('formula:')) && (
        <LazyPanel load={loadWatches} with={{ studio }} />
      )}
    </>
  );
}

/** The lesson of the scene, where it has one, and everything below it. */
function LessonSection({ studio, children }: { studio: Studio; children: ComponentChildren }): JSX.Element {
  const lesson = studio.scene.value?.lesson;
  const id = studio.source.value?.galleryId;
  if (!lesson) return <>{children}</>;
  return (
    <LazySection
      key={id ?? lesson.title}
      name="Lesson"
      title="The lesson of this scene (Q)"
      mark="lesson"
      load={loadLesson}
      with={{ studio, lesson }}
      isOpen={studio.lessonOpen}
      onToggle={() => studio.toggleLesson()}
      below={children}
    />
  );
}

/** The bench on which the scene is built. */
function BuildSection({ studio }: { studio: Studio }): JSX.Element | null {
  const scene = studio.scene.value;
  if (!scene) return null;
  return (
    <LazySection
      name="Build"
      title="Add, move, turn, scale, copy and delete parts; edit the scene as JSON (A)"
      mark="build"
      load={loadBuild}
      with={{ studio, scene }}
      isOpen={studio.buildOpen}
      onToggle={() => studio.toggleBuild()}
    />
  );
}

/** Sliders of actuators and joints, where the scene has any. */
function DriveSection({ studio }: { studio: Studio }): JSX.Element | null {
  const scene = studio.scene.value;
  const { actuators, joints } = scene?.facts.driven ?? { actuators: [], joints: [] };
  const count = actuators.length + joints.length;
  if (!scene || count === 0) return null;
  return (
    <LazySection
      key={scene.facts.name}
      name="Drive"
      title="Sliders for actuators and joints (D)"
      mark="drive"
      load={loadDrive}
      with={{ studio, scene }}
      isOpen={studio.driveOpen}
      onToggle={() => studio.toggleDrive()}
    >
      <span class="count" title="Actuators and joints">
        {count}
      </span>
    </LazySection>
  );
}

function skipToView(): void {
  document.getElementById('view')?.focus();
}

/** Two inputs that are never seen: the buttons and keys open them. */
function FileInputs({ studio }: { studio: Studio }): JSX.Element {
  const open = (event: TargetedEvent<HTMLInputElement>): void => {
    void openPicked(studio, pickFromInput(event.currentTarget));
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
        aria-label="Open files"
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
        aria-label="Open a folder"
        ref={(element) => {
          element?.setAttribute('webkitdirectory', '');
          if (element) studio.folderInput = element;
        }}
        onChange={open}
      />
    </>
  );
}
