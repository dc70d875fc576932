import type { JSX } from 'preact';

/** Line drawings on a 20 by 20 field. */
const PATHS = {
  play: 'M6.5 4.2v11.6c0 .5.5.8.9.5l8.9-5.8c.4-.2.4-.8 0-1L7.4 3.7c-.4-.3-.9 0-.9.5z',
  pause: 'M6 4h2.6v12H6zM11.4 4H14v12h-2.6z',
  step: 'M4 4.6v10.8c0 .4.4.6.7.4l7.6-5.4c.3-.2.3-.6 0-.8L4.7 4.2c-.3-.2-.7 0-.7.4zM14 4h2.2v12H14z',
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
  close: 'M5 5l10 10M15 5 5 15',
  warning: 'M10 3 1.9 17h16.2zM10 8v4.4M10 14.8v.1',
} as const;

const FILLED: ReadonlySet<string> = new Set(['play', 'pause', 'step']);

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class={FILLED.has(name) ? 'icon filled' : 'icon'} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
