/** The state of the page as signals: the open scene, overlays and panels, appearance. It has no behaviour. */
import type { FormulationId, Vec3 } from '@nexdyn/engine';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import type { Workshop } from './build/workshop.ts';
import type { Comparison } from './comparison/comparison.ts';
import type { AimResult } from './session/aim-shots.ts';
import type { Quantity } from './session/inspect/quantity-key.ts';
import type { Grab } from './session/mouse-spring.ts';
import type { Frame, OpenedScene, OptionValues, Problem, SceneFiles } from './session/protocol.ts';
import type { Studio } from './studio.ts';
import { recallTheme } from './theme.ts';
import { chooseForceScale } from './view3d/force-scale.ts';
import type { Theme } from './view3d/palette.ts';
import type { PickedShape } from './view3d/stage.ts';
import type { ViewOptions } from './view3d/viewport.ts';

/** Where the open scene came from. */
export interface Source {
  /** Mark of the gallery scene, or undefined for files of the user. */
  galleryId: string | undefined;
  /** Address of the model on the web, where it was fetched from one. */
  address?: string | undefined;
  files: SceneFiles;
  path: string;
  /** Other scenes among the same files. */
  choices: string[];
  /** Chosen in place of the scene's own. */
  formulation?: FormulationId | undefined;
  /** Options chosen in place of the scene's own, by their path. */
  set?: OptionValues | undefined;
}

/** Shots of a body at a goal, one per formulation. */
export interface ShownAims {
  readonly body: string;
  /** World, m. */
  readonly goal: Vec3;
  readonly results: readonly AimResult[];
}

/** Whether a changed option holds from now on, or from the start of a new run. */
export type ChangeMode = 'continue' | 'rerun';

export class PageState {
  readonly scene: Signal<OpenedScene | undefined> = signal(undefined);
  readonly source: Signal<Source | undefined> = signal(undefined);
  readonly problem: Signal<Problem | undefined> = signal(undefined);
  /** What could not be opened. */
  readonly refused: Signal<Source | undefined> = signal(undefined);
  readonly opening: Signal<boolean> = signal(false);
  /** Whether the choice of what to save is shown, and whether it ever was. */
  readonly saveOpen: Signal<boolean> = signal(false);
  readonly saveAsked: Signal<boolean> = signal(false);
  readonly frame: Signal<Frame | undefined> = signal(undefined);
  readonly playing: Signal<boolean> = signal(false);
  readonly looping: Signal<boolean> = signal(false);
  readonly speed: Signal<number> = signal(1);
  readonly changeMode: Signal<ChangeMode> = signal('continue');
  /** Several formulations side by side, where that is what is shown. */
  readonly comparison: Signal<Comparison | undefined> = signal(undefined);
  /** Formulations the user wants side by side; the comparison follows as soon as it can. */
  readonly #wanted: Signal<readonly FormulationId[] | undefined> = signal(undefined);
  get wanted(): readonly FormulationId[] | undefined {
    return this.#wanted.value;
  }
  set wanted(formulations: readonly FormulationId[] | undefined) {
    this.#wanted.value = formulations;
  }
  /** Whether dragging a body pulls it, without a key. */
  readonly hand: Signal<boolean> = signal(false);
  /** The body that is held, and where. */
  readonly grab: Signal<Grab | undefined> = signal(undefined);
  /** Panels that are shown beside the view. */
  readonly panels: Signal<{ gallery: boolean; side: boolean }> = signal({ gallery: true, side: true });
  /** A message that disappears by itself. */
  readonly toast: Signal<string | undefined> = signal(undefined);
  /** Time under the pointer in a plot, s. */
  readonly hoverTime: Signal<number | undefined> = signal(undefined);
  /** Counts pictures, while something is drawn over them. */
  readonly pictures: Signal<number> = signal(0);
  /** Number of the keyframe at which the scene begins; undefined where it has none. */
  readonly keyframe: Signal<number | undefined> = signal(undefined);
  readonly theme: Signal<Theme> = signal(recallTheme());
  readonly helpOpen: Signal<boolean> = signal(false);
  /** Whether the sheet of keys was ever opened. */
  readonly helpAsked: Signal<boolean> = signal(false);
  readonly dragging: Signal<boolean> = signal(false);
  readonly gridSpacing: Signal<number | undefined> = signal(undefined);
  readonly thumbnails: Signal<ReadonlyMap<string, string>> = signal(new Map());
  readonly view: Signal<ViewOptions> = signal({
    layers: new Set(),
    sites: false,
    grid: true,
    shadows: true,
    follow: false,
    contacts: false,
    forces: false,
    stress: true,
    softQuantity: 'vonMises',
  });
  /** Steps by which arrows of forces are longer than usual. */
  readonly forceZoom: Signal<number> = signal(0);
  /** Newtons per grid cell of an arrow. */
  readonly newtonsPerCell: ReadonlySignal<number> = computed(() => {
    const facts = this.scene.value?.facts;
    return facts ? chooseForceScale(facts.usualForce, facts.trees, this.forceZoom.value) : 1;
  });
  /** Whether the course of the last solve is shown. */
  readonly convergenceOpen: Signal<boolean> = signal(false);
  /** Whether the user asked for the iterations and they are not in sight yet: their panel may still be on its way. */
  isConvergenceAwaited = false;
  /** The part of the scene that is chosen, by its id. */
  readonly selected: Signal<string | undefined> = signal(undefined);
  /** Numbers that are plotted. */
  readonly watches: Signal<readonly Quantity[]> = signal([]);
  /** Whether the tree of parts is shown. */
  readonly partsOpen: Signal<boolean> = signal(false);
  /** The scene while it is being built; undefined until the panel was opened. */
  readonly workshop: Signal<Workshop | undefined> = signal(undefined);
  readonly buildOpen: Signal<boolean> = signal(false);
  /** Whether the lesson of the scene is shown. */
  readonly lessonOpen: Signal<boolean> = signal(true);
  /** Whether runs side by side lie over each other in one view. */
  readonly overlaid: Signal<boolean> = signal(false);
  /** Whether the scene is shown as text. */
  readonly jsonOpen: Signal<boolean> = signal(false);
  /** Whether the sliders of actuators and joints are shown. */
  readonly driveOpen: Signal<boolean> = signal(false);
  /** Where the pointer is over the view, pixels from its left upper corner; undefined where it is not, or is dragging. */
  readonly pointer: Signal<{ x: number; y: number } | undefined> = signal(undefined);
  /** The shape that was clicked last. */
  readonly picked: Signal<PickedShape | undefined> = signal(undefined);
  /** Shots at a goal that are shown. */
  readonly aims: Signal<ShownAims | undefined> = signal(undefined);
  /** What a panel draws over the picture. */
  readonly overlay: Signal<FunctionComponent<{ studio: Studio }> | undefined> = signal(undefined);
  readonly stop: ReadonlySignal<Frame['stop']> = computed(() => this.frame.value?.stop);
}
