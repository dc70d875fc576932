/**
 * The scene as text. The browser edits it, in a text area whose letters are transparent; behind it lies what is seen. Editors such as
 * CodeMirror insert style sheets while they run, which the content policy of the page forbids, and are ten times as large.
 */
import type { Scene } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import schema from '../../../../../docs/schema/scene.schema.json';
import type { Problem } from '../../session/protocol.ts';
import type { Studio } from '../../studio.ts';
import { findJoint } from '../joint-edits.ts';
import { findThing } from '../scene-items.ts';
import type { Workshop } from '../workshop.ts';
import './json-editor.css';
import { type Completion, type Completions, completeJson } from './json-completion.ts';
import { JsonFind } from './json-find.tsx';
import { JsonLayer, type Scrolled } from './json-layer.tsx';
import { JsonOffers } from './json-offers.tsx';
import type { SchemaNode } from './schema-walk.ts';
import { breakLine, findChange, findOffset, findTextPlace, findWord, LINE } from './text-place.ts';

/** Time without typing after which the scene follows the text, ms. */
const PAUSE = 350;

/** The scene as text, with completion from its schema; the page shows what it says as soon as it is a scene. */
export function JsonEditor({ workshop, studio }: { workshop: Workshop; studio: Studio }): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [offers, setOffers] = useState<Completions | undefined>(undefined);
  const [chosen, setChosen] = useState(0);
  const [scrolled, setScrolled] = useState<Scrolled>({ top: 0, left: 0, height: 420 });
  const [word, setWord] = useState<string | undefined>(undefined);
  const [found, setFound] = useState(-1);
  const text = typed ?? workshop.text;
  const lines = useMemo(() => text.split('\n'), [text]);
  const places = useMemo(() => findWord(text, word ?? ''), [text, word]);
  const problem = typed === undefined ? workshop.problem.value : undefined;
  useEffect(() => {
    // whoever opens the text wants to write; on a phone the keyboard would cover it
    area.current?.setSelectionRange(0, 0);
    if (matchMedia('(hover: hover)').matches) area.current?.focus({ preventScroll: true });
    return () => clearTimeout(timer.current);
  }, []);
  const part = studio.selected.value;
  // what is selected in the view is found in the text
  useEffect(() => {
    const scene = part === undefined ? undefined : workshop.read();
    const thing = scene && (findThing(scene, part) ?? findThing(scene, bodyOfJoint(scene, part)));
    const mark = thing?.item.name === undefined ? undefined : `"name": ${JSON.stringify(thing.item.name)}`;
    const at = mark === undefined ? -1 : text.indexOf(mark);
    if (at >= 0 && mark) select(text, at, at + mark.length);
  }, [part]);
  useLayoutEffect(() => measure(), []);
  const applied = useRef<string>(undefined);
  // a change by hand takes the place of what was typed and not yet taken
  useEffect(() => {
    if (workshop.text === applied.current) return;
    clearTimeout(timer.current);
    setTyped(undefined);
  }, [workshop.text]);
  const measure = (): void => {
    const { scrollTop: top, scrollLeft: left, clientHeight: height } = area.current!;
    setScrolled({ top, left, height });
  };
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
    const completions = completeJson(schema as unknown as SchemaNode, next, caret);
    setOffers(completions.options.length > 0 ? completions : undefined);
    setChosen(0);
  };
  /** Puts a text and a caret, at once: keys that follow find the caret where it belongs. */
  const put = (next: string, caret: number): void => {
    area.current!.value = next;
    area.current!.focus();
    select(next, caret, caret);
    setOffers(undefined);
  };
  /** Selects a part of the text and brings it into sight. */
  const select = (all: string, from: number, to: number): void => {
    const box = area.current!;
    box.setSelectionRange(from, to);
    const { line } = findTextPlace(all, from);
    const top = LINE * line;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 3 * LINE) {
      box.scrollTop = top - box.clientHeight / 3;
      box.scrollLeft = 0;
    }
  };
  const insert = ({ insert: words, caret }: Completion): void => {
    if (!offers || !area.current) return;
    // a quote that the editor or the user has closed already is not doubled
    const rest = dropWord(text.slice(area.current.selectionEnd), words.endsWith(': '));
    const next = text.slice(0, offers.start) + words + rest;
    put(next, offers.start + caret);
    take(next);
  };
  const goBack = (way: 'undo' | 'redo'): void => {
    if (typed !== undefined) apply(typed);
    setTyped(undefined);
    void workshop[way]();
    put(workshop.text, findChange(text, workshop.text).end);
  };
  const goTo = (index: number): void => {
    if (places.length === 0) return;
    const next = (index + places.length) % places.length;
    setFound(next);
    select(text, places[next]!, places[next]! + word!.length);
  };
  const look = (next: string): void => {
    setWord(next);
    const from = area.current!.selectionStart;
    const all = findWord(text, next);
    const first = Math.max(
      0,
      all.findIndex((at) => at >= from),
    );
    setFound(all.length > 0 ? first : -1);
    if (all.length > 0) select(text, all[first]!, all[first]! + next.length);
  };
  const openFind = (): void => {
    const { selectionStart, selectionEnd } = area.current!;
    const marked = text.slice(selectionStart, selectionEnd);
    look(marked.includes('\n') ? '' : marked);
  };
  const closeFind = (): void => {
    setWord(undefined);
    area.current?.focus();
  };
  const obey = (event: KeyboardEvent): boolean => {
    const { selectionStart, selectionEnd } = area.current!;
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    const list = offers?.options ?? [];
    if (isCommand && event.key === ' ') offer(text, selectionEnd);
    else if (isCommand && letter === 'f') openFind();
    else if (isCommand && (letter === 'y' || (letter === 'z' && event.shiftKey))) goBack('redo');
    else if (isCommand && letter === 'z') goBack('undo');
    else if (isCommand) return false;
    else if (list.length > 0 && event.key === 'ArrowDown') setChosen((chosen + 1) % list.length);
    else if (list.length > 0 && event.key === 'ArrowUp') setChosen((chosen + list.length - 1) % list.length);
    else if (list.length > 0 && (event.key === 'Enter' || event.key === 'Tab')) insert(list[chosen]!);
    else if (list.length > 0 && event.key === 'Escape') setOffers(undefined);
    else if (event.key === 'Escape') document.getElementById('view')?.focus();
    else if (event.key === 'Enter') {
      const broken = breakLine(text, selectionStart, selectionEnd);
      put(broken.text, broken.caret);
      take(broken.text);
    } else return false;
    return true;
  };
  const isOffering = offers !== undefined && area.current !== null;
  return (
    <div
      class="json-editor"
      aria-busy={typed !== undefined}
      style={{ '--json-gutter': `calc(${Math.max(3, String(lines.length).length)}ch + 16px)` }}
    >
      {word !== undefined && (
        <JsonFind
          word={word}
          count={places.length}
          at={found}
          onWord={look}
          onGo={(way) => goTo(found + way)}
          onClose={closeFind}
        />
      )}
      <div class="json-box">
        <JsonLayer
          lines={lines}
          scrolled={scrolled}
          wrong={problem?.line}
          word={word ?? ''}
          found={places[found] === undefined ? undefined : findTextPlace(text, places[found]!)}
        />
        <textarea
          ref={area}
          class="json-text"
          aria-label="The scene as JSON"
          aria-autocomplete="list"
          aria-controls={isOffering ? 'json-offers' : undefined}
          aria-activedescendant={isOffering ? `json-offer-${chosen}` : undefined}
          title="The scene as JSON. Ctrl + Space completes, Ctrl + F finds, Esc returns to the view"
          data-role="json-text"
          spellcheck={false}
          autocomplete="off"
          wrap="off"
          value={text}
          onScroll={() => {
            measure();
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
            if (!obey(event)) return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {isOffering && (
          <JsonOffers
            offers={offers}
            chosen={chosen}
            text={text}
            scrolled={scrolled}
            width={area.current!.clientWidth}
            onTake={insert}
          />
        )}
      </div>
      {problem && (
        <ProblemLine
          problem={problem}
          onGo={(line, column) => {
            const at = findOffset(text, { line: line - 1, column: column - 1 });
            area.current!.focus();
            select(text, at, at);
          }}
        />
      )}
    </div>
  );
}

/** The body that a joint moves, as a part. */
function bodyOfJoint(scene: Scene, id: string | undefined): string | undefined {
  const joint = findJoint(scene, id);
  return joint && `body:${joint.body}`;
}

/** Text behind the caret without the rest of the word that the caret stands in, and without its colon where one is inserted. */
function dropWord(text: string, hasColon: boolean): string {
  const [word = ''] = /^\w+"?|^"(?=\s*[:,}\]\n])/.exec(text) ?? [];
  const rest = text.slice(word.length);
  return word !== '' && hasColon ? rest.replace(/^\s*:\s*/, '') : rest;
}

interface ProblemLineProps {
  problem: Problem;
  onGo: (line: number, column: number) => void;
}

/** What is wrong with the text, and the way to it. */
function ProblemLine({ problem, onGo }: ProblemLineProps): JSX.Element {
  const { line, column, path, reason, hint } = problem;
  return (
    <p class="json-problem" role="alert" data-role="json-problem">
      {line !== undefined && (
        <button type="button" title="Go to this line" onClick={() => onGo(line, column ?? 1)}>
          Line {line}
          {column !== undefined && `, column ${column}`}
        </button>
      )}{' '}
      {path && <code>{path}</code>} {reason}
      {hint && `: ${hint}`}
    </p>
  );
}
