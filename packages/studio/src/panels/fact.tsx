import type { ComponentChildren, JSX } from 'preact';

interface FactProps {
  label: string;
  /** Hover text. */
  title: string;
  /** Mark by which the value is found. */
  mark: string;
  /** Long names have two columns. */
  isWide?: boolean;
  children: ComponentChildren;
}

/** A name and a value. */
export function Fact({ label, title, mark, isWide = false, children }: FactProps): JSX.Element {
  return (
    <div class={isWide ? 'fact wide' : 'fact'} title={title}>
      <dt>{label}</dt>
      <dd data-role={mark}>{children}</dd>
    </div>
  );
}
