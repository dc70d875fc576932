import type { JSX } from 'preact';

/** Line drawings on a 20 by 20 field. */
const PATHS = {
  play: 'M6.5 4.2v11.6c0 .5.5.8.9.5l8.9-5.8c.4-.2.4-.8 0-1L7.4 3.7c-.4-.3-.9 0-.9.5z',
  pause: 'M6 4h2.6v12H6zM11.4 4H14v12h-2.6z',
  step: 'M4 4.6v10.8c0 .4.4.6.7.4l7.6-5.4c.3-.2.3-.6 0-.8L4.7 4.2c-.3-.2-.7 0-.7.4zM14 4h2.2v12H14z',
  back: 'M16 4.6v10.8c0 .4-.4.6-.7.4l-7.6-5.4c-.3-.2-.3-.6 0-.8l7.6-5.4c.3-.2.7 0 .7.4zM3.8 4H6v12H3.8z',
  loop: 'M4 9.5V8a3 3 0 0 1 3-3h8.5M13 2.5 15.5 5 13 7.5M16 10.5V12a3 3 0 0 1-3 3H4.5M7 17.5 4.5 15 7 12.5',
  hand: 'M6.5 10.5V4.8a1.2 1.2 0 0 1 2.4 0V9V3.6a1.2 1.2 0 0 1 2.4 0V9V4.6a1.2 1.2 0 0 1 2.4 0v5-3a1.2 1.2 0 0 1 2.3 0v5.2c0 3.6-2 5.7-5 5.7-2.600 0-3.700-1.100-5-3.400l-2-3.600c-.8-1.500 1-2.400 2-1.200z',
  compare: 'M3 4h6v12H3zM11 4h6v12h-6z',
  link: 'M8.500 11.500a3 3 0 0 0 4.300 0l2.800-2.800a3 3 0 0 0-4.300-4.300l-1 1M11.500 8.500a3 3 0 0 0-4.300 0l-2.800 2.800a3 3 0 0 0 4.300 4.300l1-1',
  terminal: 'M3 4h14v12H3zM6 8l2.500 2L6 12M10.500 12.500h3.500',
  film: 'M3 4h14v12H3zM6.500 4v12M13.500 4v12M3 8h3.500M3 12h3.500M13.500 8H17M13.500 12H17',
  replay: 'M3 4h14v12H3zM8 7.5v5l4.500-2.500z',
  save: 'M4 3.500h9.500L16.500 6.500v10H3.500v-13zM7 3.500v4h5v-4M6.500 16.500v-5h7v5',
  panelLeft: 'M3 4h14v12H3zM8 4v12',
  panelRight: 'M3 4h14v12H3zM12 4v12',
  reset: 'M5.6 5.2A6.6 6.6 0 1 1 3.4 10M5.8 1.8v3.6h3.6',
  minus: 'M5 10h10',
  plus: 'M5 10h10M10 5v10',
  left: 'M12 4.5 6.5 10l5.5 5.5',
  right: 'M8 4.5 13.5 10 8 15.5',
  files: 'M5 2.5h6.5L15.5 6.5v11h-10.5zM11.5 2.5v4h4',
  folder: 'M2.5 5h5l1.6 2h8.4v9h-15z',
  camera: 'M3 6h3l1.4-2h5.2L14 6h3v10H3zM10 13.6a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6z',
  sun: 'M10 13.4a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8zM10 1.8v2M10 16.2v2M1.8 10h2M16.2 10h2M4.2 4.2l1.4 1.4M14.4 14.4l1.4 1.4M15.8 4.2l-1.4 1.4M5.6 14.4l-1.4 1.4',
  moon: 'M16.6 11.8A7 7 0 0 1 8.2 3.4a7 7 0 1 0 8.4 8.4z',
  help: 'M7.4 7.6a2.7 2.7 0 1 1 3.9 2.4c-.9.5-1.3 1-1.3 2.1M10 15.2v.1',
  frame: 'M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  close: 'M5 5l10 10M15 5 5 15',
  warning: 'M10 3 1.9 17h16.2zM10 8v4.4M10 14.8v.1',
} as const;

const FILLED: ReadonlySet<string> = new Set(['play', 'pause', 'step', 'back']);

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class={FILLED.has(name) ? 'icon filled' : 'icon'} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
