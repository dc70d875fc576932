import type { JSX } from 'preact';

interface SwatchProps {
  /** Name of a colour of the style sheet. */
  color: string;
  /** Lengths of dashes and gaps, pixels. Default: a solid line. */
  dash?: readonly number[] | undefined;
}

/** A piece of a curve as it is in the plot. */
export function Swatch({ color, dash }: SwatchProps): JSX.Element {
  return (
    <svg class="swatch" viewBox="0 0 16 4" aria-hidden="true">
      <path d="M0 2h16" style={{ stroke: `var(${color})` }} stroke-dasharray={dash?.join(' ')} />
    </svg>
  );
}
