import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, FunctionComponent, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { fetchPanel, LazyPanel } from './lazy-panel.tsx';

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
  /** Whether it is open, where something else decides it too, and what its heading does then. */
  isOpen?: Signal<boolean>;
  onToggle?: () => void;
  /** Shown below the section; where that begins open, not before its panel is there. */
  below?: ComponentChildren;
}

/** What is too high for its room shows its heading. */
function bringIntoSight(section: HTMLElement | null): void {
  if (!section) return;
  section.scrollIntoView({ block: 'nearest' });
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (section.getBoundingClientRect().top < covered) section.scrollIntoView({ block: 'start' });
}

/** A section behind a heading; its script comes when it is opened. */
export function LazySection<P extends object>(props: LazySectionProps<P>): JSX.Element {
  const { name, title, mark, load, with: given, children, onToggle, below } = props;
  const own = useSignal(false);
  const isOpen = props.isOpen ?? own;
  const prepare = (): void => void fetchPanel(load);
  const isReady = useSignal(!isOpen.value);
  const section = useRef<HTMLElement>(null);
  const wasOpen = useRef(isOpen.value);
  // opened by a key it comes into sight, and again with its panel
  const isAsked = useRef(false);
  useEffect(() => {
    isAsked.current = isOpen.value && !wasOpen.current;
    if (isAsked.current) bringIntoSight(section.current);
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  return (
    <>
      <section aria-label={name} ref={section}>
        <h2 class="folding">
          <button
            type="button"
            class="heading"
            aria-expanded={isOpen.value}
            title={title}
            data-role={mark}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={() => {
              if (onToggle) onToggle();
              else isOpen.value = !isOpen.value;
            }}
          >
            <Icon name="right" />
            {name}
            {children}
          </button>
        </h2>
        {isOpen.value && (
          <LazyPanel
            load={load}
            with={given}
            onReady={() => {
              isReady.value = true;
              if (isAsked.current) requestAnimationFrame(() => bringIntoSight(section.current));
            }}
          />
        )}
      </section>
      {isReady.value && below}
    </>
  );
}
