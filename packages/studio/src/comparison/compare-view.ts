/** What a comparison shows, in a script of its own. */
export { ComparePanel } from './compare-panel.tsx';
export { PaneLabels } from './pane-labels.tsx';
