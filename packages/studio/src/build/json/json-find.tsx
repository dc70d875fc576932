import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../panels/icon.tsx';

interface JsonFindProps {
  word: string;
  /** Number of places, and which of them was gone to, from 0; -1 for none. */
  count: number;
  at: number;
  onWord: (word: string) => void;
  /** To the next place, or to the one before. */
  onGo: (way: 1 | -1) => void;
  onClose: () => void;
}

/** A field to find a word in the text. */
export function JsonFind({ word, count, at, onWord, onGo, onClose }: JsonFindProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <search class="json-find">
      <input
        ref={field}
        type="search"
        data-role="json-find"
        aria-label="Find in the text"
        title="Find in the text; Enter goes to the next match"
        placeholder="Find"
        value={word}
        onInput={({ currentTarget }) => onWord(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onGo(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') field.current?.select();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <output title="Matches" data-role="json-matches">
        {word !== '' && (count === 0 ? 'No matches' : `${at + 1} of ${count}`)}
      </output>
      <FindButton title="Previous match (Shift + Enter)" isOff={count === 0} icon="left" onClick={() => onGo(-1)} />
      <FindButton title="Next match (Enter)" isOff={count === 0} icon="right" onClick={() => onGo(1)} />
      <FindButton title="Close (Esc)" isOff={false} icon="close" onClick={onClose} />
    </search>
  );
}

interface FindButtonProps {
  title: string;
  icon: 'left' | 'right' | 'close';
  isOff: boolean;
  onClick: () => void;
}

function FindButton({ title, icon, isOff, onClick }: FindButtonProps): JSX.Element {
  return (
    <button type="button" class="button plain" title={title} aria-label={title} disabled={isOff} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
