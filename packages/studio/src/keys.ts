/** The one table of commands: keys, titles of buttons and the help sheet all come from here. */
import type { BuiltInFormulationId } from '@nexdyn/engine';
import { FORMULATIONS } from './address.ts';
import { openNeighbour } from './opening.ts';
import type { Studio } from './studio.ts';

export type CommandId =
  | 'play'
  | 'step'
  | 'stepBack'
  | 'oldest'
  | 'newest'
  | 'loop'
  | 'hand'
  | 'reset'
  | 'faster'
  | 'slower'
  | BuiltInFormulationId
  | 'compare'
  | 'previous'
  | 'next'
  | 'openFiles'
  | 'openFolder'
  | 'frame'
  | 'contacts'
  | 'forces'
  | 'longerForces'
  | 'shorterForces'
  | 'convergence'
  | 'drive'
  | 'parts'
  | 'build'
  | 'json'
  | 'lesson'
  | 'overlay'
  | 'orbitLeft'
  | 'orbitRight'
  | 'orbitUp'
  | 'orbitDown'
  | 'gallery'
  | 'measurements'
  | 'copyLink'
  | 'copyCommand'
  | 'screenshot'
  | 'saveReplay'
  | 'saveRun'
  | 'saveFilm'
  | 'saveAs'
  | 'theme'
  | 'help';

export interface Command {
  id: CommandId;
  group: 'Simulation' | 'Scene' | 'View' | 'Page';
  /** What it does, as a sentence without its full stop. */
  label: string;
  /** Values of `KeyboardEvent.key`, letters in lower case, `Shift+` in front where it matters. */
  keys: readonly string[];
  /** The key as people call it; none where the command has no key. */
  shown: string;
  /** Holding the key down repeats it. */
  repeats?: boolean;
  run(studio: Studio): void;
}

/** Angle of one press of an orbit key, rad. */
const ORBIT = Math.PI / 24;

/** Exports are in a separate script. */
async function share(take: (sharing: typeof import('./sharing.ts')) => Promise<void>): Promise<void> {
  await take(await import('./sharing.ts'));
}

export const COMMANDS: readonly Command[] = [
  { id: 'play', group: 'Simulation', label: 'Play or pause', keys: [' '], shown: 'Space', run: (s) => s.togglePlay() },
  {
    id: 'step',
    group: 'Simulation',
    label: 'Advance by one time step',
    keys: ['ArrowRight'],
    shown: '→',
    repeats: true,
    run: (s) => s.step(1),
  },
  {
    id: 'stepBack',
    group: 'Simulation',
    label: 'Go back by one time step',
    keys: ['ArrowLeft'],
    shown: '←',
    repeats: true,
    run: (s) => s.step(-1),
  },
  {
    id: 'oldest',
    group: 'Simulation',
    label: 'Go to the start of the timeline',
    keys: ['Home'],
    shown: 'Home',
    run: (s) => s.seek(s.frame.value?.timeline.firstStep ?? 0),
  },
  {
    id: 'newest',
    group: 'Simulation',
    label: 'Go to the end of the timeline',
    keys: ['End'],
    shown: 'End',
    run: (s) => s.seek(s.frame.value?.timeline.lastStep ?? 0),
  },
  {
    id: 'loop',
    group: 'Simulation',
    label: 'Loop the timeline',
    keys: ['l'],
    shown: 'L',
    run: (s) => s.toggleLoop(),
  },
  {
    id: 'hand',
    group: 'Simulation',
    label: 'Pull bodies by dragging them, without Ctrl',
    keys: ['h'],
    shown: 'H',
    run: (s) => s.toggleHand(),
  },
  {
    id: 'drive',
    group: 'Simulation',
    label: 'Drive actuators and joints with sliders',
    keys: ['d'],
    shown: 'D',
    run: (s) => s.toggleDrive(),
  },
  {
    id: 'reset',
    group: 'Simulation',
    label: 'Reset to the initial state',
    keys: ['r'],
    shown: 'R',
    run: (s) => s.reset(),
  },
  { id: 'faster', group: 'Simulation', label: 'Faster', keys: ['+', '='], shown: '+', run: (s) => s.changeSpeed(1) },
  { id: 'slower', group: 'Simulation', label: 'Slower', keys: ['-', '_'], shown: '−', run: (s) => s.changeSpeed(-1) },
  ...FORMULATIONS.map(
    (formulation, i): Command => ({
      id: formulation as CommandId,
      group: 'Simulation',
      label: `Run under ${formulation}`,
      keys: [String(i + 1)],
      shown: String(i + 1),
      run: (s) => s.chooseFormulation(formulation),
    }),
  ),
  {
    id: 'compare',
    group: 'Simulation',
    label: 'Compare formulations side by side',
    keys: ['x'],
    shown: 'X',
    run: (s) => s.toggleCompare(),
  },
  {
    id: 'overlay',
    group: 'Simulation',
    label: 'Compare in one view: the others as ghosts',
    keys: ['y'],
    shown: 'Y',
    run: (s) => s.toggleOverlay(),
  },
  {
    id: 'lesson',
    group: 'Scene',
    label: 'Show or hide the lesson of the scene',
    keys: ['q'],
    shown: 'Q',
    run: (s) => s.toggleLesson(),
  },
  {
    id: 'previous',
    group: 'Scene',
    label: 'Previous scene',
    keys: ['['],
    shown: '[',
    run: (s) => openNeighbour(s, -1),
  },
  { id: 'next', group: 'Scene', label: 'Next scene', keys: [']'], shown: ']', run: (s) => openNeighbour(s, 1) },
  { id: 'openFiles', group: 'Scene', label: 'Open files', keys: ['o'], shown: 'O', run: (s) => s.chooseFiles() },
  {
    id: 'openFolder',
    group: 'Scene',
    label: 'Open folder',
    keys: ['Shift+O'],
    shown: 'Shift + O',
    run: (s) => s.chooseFolder(),
  },
  {
    id: 'build',
    group: 'Scene',
    label: 'Build: add, move and change parts',
    keys: ['a'],
    shown: 'A',
    run: (s) => s.toggleBuild(),
  },
  { id: 'json', group: 'Scene', label: 'Edit the scene as JSON', keys: ['j'], shown: 'J', run: (s) => s.toggleJson() },
  {
    id: 'frame',
    group: 'View',
    label: 'Fit the scene into the view',
    keys: ['f'],
    shown: 'F',
    run: (s) => s.frameView(),
  },
  {
    id: 'contacts',
    group: 'View',
    label: 'Show or hide contacts',
    keys: ['c'],
    shown: 'C',
    run: (s) => s.toggleContacts(),
  },
  {
    id: 'forces',
    group: 'View',
    label: 'Show or hide contact forces',
    keys: ['g'],
    shown: 'G',
    run: (s) => s.toggleForces(),
  },
  {
    id: 'longerForces',
    group: 'View',
    label: 'Longer force arrows',
    keys: ['.', '>'],
    shown: '.',
    run: (s) => s.zoomForces(1),
  },
  {
    id: 'shorterForces',
    group: 'View',
    label: 'Shorter force arrows',
    keys: [',', '<'],
    shown: ',',
    run: (s) => s.zoomForces(-1),
  },
  {
    id: 'convergence',
    group: 'View',
    label: 'Show or hide the iterations of this step',
    keys: ['v'],
    shown: 'V',
    run: (s) => s.toggleConvergence(),
  },
  {
    id: 'parts',
    group: 'View',
    label: 'Show or hide the parts of the scene',
    keys: ['i'],
    shown: 'I',
    run: (s) => s.toggleParts(),
  },
  {
    id: 'orbitLeft',
    group: 'View',
    label: 'Orbit to the left',
    keys: ['Shift+ArrowLeft'],
    shown: 'Shift + ←',
    repeats: true,
    run: (s) => s.orbit(-ORBIT, 0),
  },
  {
    id: 'orbitRight',
    group: 'View',
    label: 'Orbit to the right',
    keys: ['Shift+ArrowRight'],
    shown: 'Shift + →',
    repeats: true,
    run: (s) => s.orbit(ORBIT, 0),
  },
  {
    id: 'orbitUp',
    group: 'View',
    label: 'Orbit upwards',
    keys: ['Shift+ArrowUp'],
    shown: 'Shift + ↑',
    repeats: true,
    run: (s) => s.orbit(0, ORBIT),
  },
  {
    id: 'orbitDown',
    group: 'View',
    label: 'Orbit downwards',
    keys: ['Shift+ArrowDown'],
    shown: 'Shift + ↓',
    repeats: true,
    run: (s) => s.orbit(0, -ORBIT),
  },
  {
    id: 'gallery',
    group: 'Page',
    label: 'Show or hide the scenes',
    keys: ['b'],
    shown: 'B',
    run: (s) => s.togglePanel('gallery'),
  },
  {
    id: 'measurements',
    group: 'Page',
    label: 'Show or hide the measurements',
    keys: ['n'],
    shown: 'N',
    run: (s) => s.togglePanel('side'),
  },
  {
    id: 'copyLink',
    group: 'Page',
    label: 'Copy a link to this run, time and camera',
    keys: ['k'],
    shown: 'K',
    run: (s) => void share((sharing) => sharing.copyLink(s)),
  },
  {
    id: 'copyCommand',
    group: 'Page',
    label: 'Copy the command for the same run',
    keys: ['Shift+K'],
    shown: 'Shift + K',
    run: (s) => void share((sharing) => sharing.copyCommand(s)),
  },
  {
    id: 'screenshot',
    group: 'Page',
    label: 'Save a picture of the view',
    keys: ['p'],
    shown: 'P',
    run: (s) => void share((sharing) => sharing.saveScreenshot(s)),
  },
  {
    id: 'saveReplay',
    group: 'Page',
    label: 'Save the run as a replay page',
    keys: ['e'],
    shown: 'E',
    run: (s) => void share((sharing) => sharing.saveReplay(s)),
  },
  {
    id: 'saveRun',
    group: 'Page',
    label: 'Save the run with all inputs, for exact replay',
    keys: ['s'],
    shown: 'S',
    run: (s) => void share((sharing) => sharing.saveRunFile(s)),
  },
  {
    id: 'saveFilm',
    group: 'Page',
    label: 'Save the run as a video',
    keys: ['m'],
    shown: 'M',
    run: (s) => void share((sharing) => sharing.saveFilm(s)),
  },
  {
    id: 'saveAs',
    group: 'Page',
    label: 'Save pictures, videos and data of the run',
    keys: ['Shift+S'],
    shown: 'Shift + S',
    run: (s) => s.toggleSave(),
  },
  {
    id: 'theme',
    group: 'Page',
    label: 'Switch between dark and light',
    keys: ['t'],
    shown: 'T',
    run: (s) => s.toggleTheme(),
  },
  { id: 'help', group: 'Page', label: 'Show all keys', keys: ['?'], shown: '?', run: (s) => s.toggleHelp() },
];

/** What a keyboard event has that matters here. */
export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
}

/** The command of a key press, if it has one. */
export function findCommand(press: KeyPress): Command | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const { key, shiftKey } = press;
  const isLetterOrName = /^[a-z]$/i.test(key) || key.length > 1;
  // shift is part of characters such as + and ?, and a modifier of letters and named keys
  const wanted = isLetterOrName && shiftKey ? `Shift+${key}` : key.length === 1 ? key.toLowerCase() : key;
  const command = COMMANDS.find(({ keys }) => keys.includes(wanted));
  return press.repeat && !command?.repeats ? undefined : command;
}

/** Hover text of a button: what it does, and its key. */
export function titleOf(id: CommandId): string {
  const { label, shown } = COMMANDS.find((command) => command.id === id)!;
  return `${label} (${shown})`;
}

/** Obey keys everywhere but in fields, and leave Space and Enter to a button that has the focus. */
export function listenToKeys(studio: Studio): void {
  addEventListener('keydown', (event) => {
    const target = event.target as Element;
    const field = target.closest?.('input, select, textarea');
    // a slider has arrows and the like for itself; everything else of it obeys as the page does
    const isSlider = field?.getAttribute('type') === 'range' && !/^(Arrow|Home|End|Page)/.test(event.key);
    if (field && !isSlider) return;
    if (event.key === ' ' && target.closest?.('button, a, summary')) return;
    if (event.key === 'Escape') studio.closeOverlays();
    const command = findCommand(event);
    if (!command) return;
    event.preventDefault();
    command.run(studio);
  });
}
