import type { ComponentChildren, JSX } from 'preact';

interface FactProps {
  label: string;
  /** Hover text. */
  title: string;
  /** Mark by which the value is found. */
  mark: string;
  children: ComponentChildren;
}

/** A name and a value. */
export function Fact({ label, title, mark, children }: FactProps): JSX.Element {
  return (
    <div class="fact" title={title}>
      <dt>{label}</dt>
      <dd data-role={mark}>{children}</dd>
    </div>
  );
}
