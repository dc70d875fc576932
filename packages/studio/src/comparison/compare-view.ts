/** What a comparison shows, in its own script. */
export { ComparePanel } from './compare-panel.tsx';
export { PaneLabels } from './pane-labels.tsx';
