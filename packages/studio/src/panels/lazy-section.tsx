import { useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { Icon } from './icon.tsx';
import { LazyPanel } from './lazy-panel.tsx';

interface LazySectionProps<P> {
  name: string;
  /** Hover text. */
  title: string;
  /** Mark by which the heading is found. */
  mark: string;
  load: () => Promise<FunctionComponent<P>>;
  with: P;
  /** Beside the name. */
  children?: ComponentChildren;
}

/** A section behind a heading; its script comes when it is opened. */
export function LazySection<P extends object>(props: LazySectionProps<P>): JSX.Element {
  const { name, title, mark, load, with: given, children } = props;
  const isOpen = useSignal(false);
  return (
    <section aria-label={name}>
      <h2 class="folding">
        <button
          type="button"
          class="heading"
          aria-expanded={isOpen.value}
          title={title}
          data-role={mark}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <Icon name="right" />
          {name}
          {children}
        </button>
      </h2>
      {isOpen.value && <LazyPanel load={load} with={given} />}
    </section>
  );
}
