import type { JSX } from 'preact';

/** A mark or an arrow as it is in the view: full, a ring, or small; with a solid or a dashed shaft. */
export function ContactMark({ form, color }: { form: string; color: number }): JSX.Element {
  return <i class={`mark ${form}`} style={{ '--mark': `#${color.toString(16).padStart(6, '0')}` }} />;
}
