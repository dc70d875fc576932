import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Completion, Completions } from './json-completion.ts';
import type { Scrolled } from './json-layer.tsx';
import { findTextPlace, LINE, PADDING, widthBefore } from './text-place.ts';

/** Most pixels of the list, as the style sheet has them. */
const WIDTH = 280;
const HEIGHT = 200;

interface JsonOffersProps {
  offers: Completions;
  chosen: number;
  text: string;
  scrolled: Scrolled;
  /** Width of the editor, pixels. */
  width: number;
  onTake: (completion: Completion) => void;
}

/** Completions, below the word that they complete, or above it where there is no room below. */
export function JsonOffers({ offers, chosen, text, scrolled, width, onTake }: JsonOffersProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const { line, column } = findTextPlace(text, offers.start);
  const start = offers.start - column;
  const left = `calc(var(--json-gutter) + ${PADDING}px + ${widthBefore(text.slice(start, offers.start), column)}ch - ${scrolled.left}px)`;
  const top = PADDING + LINE * (line + 1) - scrolled.top;
  const isBelow = top + HEIGHT < scrolled.height || top < HEIGHT;
  return (
    <div
      class="json-offers"
      id="json-offers"
      role="listbox"
      aria-label="Completions"
      ref={list}
      style={{
        left: `clamp(0px, ${left}, ${Math.max(0, width - WIDTH)}px)`,
        ...(isBelow ? { top: `${top}px` } : { bottom: `${scrolled.height - top + LINE}px` }),
      }}
    >
      {offers.options.map((option, i) => (
        <div
          key={option.label}
          id={`json-offer-${i}`}
          tabIndex={-1}
          role="option"
          aria-selected={i === chosen}
          title={option.description}
          // the text keeps the focus
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(option);
          }}
        >
          <code>{option.label}</code>
          <small>{option.description}</small>
        </div>
      ))}
    </div>
  );
}
