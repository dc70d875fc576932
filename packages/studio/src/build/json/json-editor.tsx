import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import schema from '../../../../../docs/schema/scene.schema.json';
import type { Studio } from '../../studio.ts';
import type { Workshop } from '../workshop.ts';
import './json-editor.css';
import { JsonColors } from './json-colors.tsx';
import { type Completion, type Completions, completeJson } from './json-completion.ts';
import type { SchemaNode } from './schema-walk.ts';

/** Time without typing after which the scene follows the text, ms. */
const PAUSE = 350;
/** As the style sheet has it, pixels: a line, and a character by its height. */
const LINE = 18;
const PADDING = 8;

/** The scene as text, with completion from its schema; the page shows what it says as soon as it is a scene. */
export function JsonEditor({ workshop }: { studio: Studio; workshop: Workshop }): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const back = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [offers, setOffers] = useState<Completions | undefined>(undefined);
  const [chosen, setChosen] = useState(0);
  const text = typed ?? workshop.text;
  const problem = typed === undefined ? workshop.problem.value : undefined;
  useEffect(() => () => clearTimeout(timer.current), []);
  const applied = useRef<string>(undefined);
  // a change by hand takes the place of what was typed and not yet taken
  useEffect(() => {
    if (workshop.text === applied.current) return;
    clearTimeout(timer.current);
    setTyped(undefined);
  }, [workshop.text]);
  const apply = (next: string): void => {
    clearTimeout(timer.current);
    applied.current = next;
    void workshop.type(next).then(() => setTyped((now) => (now === next ? undefined : now)));
  };
  const take = (next: string): void => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(next), PAUSE);
  };
  const offer = (next: string, caret: number): void => {
    const found = completeJson(schema as unknown as SchemaNode, next, caret);
    setOffers(found.options.length > 0 ? found : undefined);
    setChosen(0);
  };
  const insert = ({ insert: words, caret }: Completion): void => {
    if (!offers || !area.current) return;
    // a quote that the editor or the user has closed already is not doubled
    const end = area.current.selectionEnd;
    const rest = dropWord(text.slice(end), words.endsWith(': '));
    const next = text.slice(0, offers.start) + words + rest;
    // at once: keys that follow find the caret where it belongs
    area.current.value = next;
    area.current.focus();
    area.current.setSelectionRange(offers.start + caret, offers.start + caret);
    take(next);
    setOffers(undefined);
  };
  const lines = text.split('\n');
  return (
    <div class="json-editor">
      <div class="json-box">
        <div class="json-back" ref={back} aria-hidden="true">
          <ol class="json-lines">
            {lines.map((_, i) => (
              <li key={i} class={problem?.line === i + 1 ? 'wrong' : ''} />
            ))}
          </ol>
          <pre>
            <JsonColors text={text} />
            {'\n'}
          </pre>
        </div>
        <textarea
          ref={area}
          class="json-text"
          aria-label="The scene as JSON"
          title="The scene as JSON; Ctrl + Space completes"
          data-role="json-text"
          spellcheck={false}
          autocomplete="off"
          wrap="off"
          value={text}
          onScroll={({ currentTarget }) => {
            if (back.current) {
              back.current.scrollTop = currentTarget.scrollTop;
              back.current.scrollLeft = currentTarget.scrollLeft;
            }
            setOffers(undefined);
          }}
          onInput={({ currentTarget }) => {
            const { value, selectionEnd } = currentTarget;
            take(value);
            if (/["\w]/.test(value[selectionEnd - 1] ?? '')) offer(value, selectionEnd);
            else setOffers(undefined);
          }}
          onBlur={() => setOffers(undefined)}
          onKeyDown={(event) => {
            const isCommand = event.ctrlKey || event.metaKey;
            const list = offers?.options ?? [];
            if (isCommand && event.key === ' ') offer(text, event.currentTarget.selectionEnd);
            else if (isCommand && event.key.toLowerCase() === 'z') {
              if (typed !== undefined) apply(typed);
              setTyped(undefined);
              void (event.shiftKey ? workshop.redo() : workshop.undo());
            } else if (list.length > 0 && event.key === 'ArrowDown') setChosen((chosen + 1) % list.length);
            else if (list.length > 0 && event.key === 'ArrowUp') setChosen((chosen + list.length - 1) % list.length);
            else if (list.length > 0 && (event.key === 'Enter' || event.key === 'Tab')) insert(list[chosen]!);
            else if (list.length > 0 && event.key === 'Escape') setOffers(undefined);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {offers && area.current && (
          <Offers offers={offers} chosen={chosen} place={findPlace(text, offers.start, area.current)} onTake={insert} />
        )}
      </div>
      {problem && (
        <p class="json-problem" data-role="json-problem">
          Line {problem.line ?? '–'}
          {problem.column !== undefined && `, column ${problem.column}`}: {problem.path} {problem.reason}
        </p>
      )}
    </div>
  );
}

/** Text behind the caret without the rest of the word that the caret stands in, and without its colon where one is inserted. */
function dropWord(text: string, hasColon: boolean): string {
  const [word = ''] = /^\w+"?|^"(?=\s*[:,}\]\n])/.exec(text) ?? [];
  const rest = text.slice(word.length);
  return word !== '' && hasColon ? rest.replace(/^\s*:\s*/, '') : rest;
}

interface OffersProps {
  offers: Completions;
  chosen: number;
  place: { left: number; top: number };
  onTake: (completion: Completion) => void;
}

function Offers({ offers, chosen, place, onTake }: OffersProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div class="json-offers" role="listbox" aria-label="Completions" ref={list} style={place}>
      {offers.options.map((option, i) => (
        <div
          key={option.label}
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

/** Where a place of the text is in the box, below its line, pixels. */
function findPlace(text: string, at: number, area: HTMLTextAreaElement): { left: number; top: number } {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n') - 1;
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = getComputedStyle(area).font;
  const width = context?.measureText('0').width ?? 7;
  const left = Number.parseFloat(getComputedStyle(area).paddingLeft) + column * width - area.scrollLeft;
  const top = PADDING + line * LINE - area.scrollTop;
  return {
    left: Math.max(0, Math.min(left, area.clientWidth - 240)),
    top: Math.min(Math.max(top, LINE), area.clientHeight - LINE),
  };
}
