import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../panels/icon.tsx';
import type { ScenePart } from '../session/inspect/quantity-key.ts';
import type { OpenedScene } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { PartInspector } from './part-inspector.tsx';
import { dragPart, listenToPlotDrops } from './plot-drop.ts';
import './parts.css';

/** Parts from which on there is a field to search them, and from which on branches begin folded. */
const MANY = 12;
const TOO_MANY = 40;

/** The parts of the scene as a tree; the chosen one is highlighted in the view, and what is known of it stands below. */
export function PartsPanel({ studio, scene }: { studio: Studio; scene: OpenedScene }): JSX.Element {
  const [parts, setParts] = useState<readonly ScenePart[]>([]);
  const wanted = useSignal('');
  useEffect(() => {
    let isWanted = true;
    void studio.runs.listParts().then((found) => isWanted && setParts(found));
    return () => {
      isWanted = false;
    };
  }, [studio, scene, studio.comparison.value]);
  useEffect(() => {
    const panel = document.querySelector<HTMLElement>('.side');
    return panel ? listenToPlotDrops(studio, panel) : undefined;
  }, [studio]);
  const count = countParts(parts);
  const shown = filterParts(parts, wanted.value.toLowerCase());
  const isUnfolded = count < TOO_MANY || wanted.value !== '';
  const selected = studio.selected.value;
  return (
    <div class="parts">
      {count > MANY && (
        <input
          type="search"
          class="search"
          placeholder="Search parts"
          title="Search bodies, joints, shapes, actuators and sensors by name"
          aria-label="Search parts"
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value;
          }}
        />
      )}
      {shown.length === 0 && count > 0 && <p class="remark">No part has this name.</p>}
      <ul class="tree" aria-label="Parts of the scene">
        {shown.map((part) => (
          <Branch key={`${part.id} ${isUnfolded}`} studio={studio} part={part} isOpen={isUnfolded} />
        ))}
      </ul>
      {selected && <PartInspector key={selected} studio={studio} id={selected} label={findLabel(parts, selected)} />}
    </div>
  );
}

/** A part with what belongs to it. */
function Branch({ studio, part, isOpen }: { studio: Studio; part: ScenePart; isOpen: boolean }): JSX.Element {
  const isSelected = studio.selected.value === part.id;
  const isUnfolded = useSignal(isOpen);
  const button = (
    <button
      type="button"
      class="part"
      draggable
      title={`${part.kind} ${part.label}; drag it to the plots`}
      aria-pressed={isSelected}
      data-part={part.id}
      onClick={() => studio.select(isSelected ? undefined : part.id)}
      onDragStart={(event) => dragPart(event, part.id)}
    >
      <span class={`part-kind ${part.kind.replace(' ', '-')}`}>{part.kind}</span>
      {part.label}
    </button>
  );
  if (part.children.length === 0) return <li>{button}</li>;
  return (
    <li>
      <div class="branch">
        <button
          type="button"
          class="unfold"
          title={`Parts of ${part.label}`}
          aria-label={`Parts of ${part.label}`}
          aria-expanded={isUnfolded.value}
          onClick={() => {
            isUnfolded.value = !isUnfolded.value;
          }}
        >
          <Icon name="right" />
        </button>
        {button}
      </div>
      {isUnfolded.value && (
        <ul>
          {part.children.map((child) => (
            <Branch key={child.id} studio={studio} part={child} isOpen={isOpen} />
          ))}
        </ul>
      )}
    </li>
  );
}

function countParts(parts: readonly ScenePart[]): number {
  return parts.reduce((sum, { children }) => sum + 1 + countParts(children), 0);
}

/** Parts whose name has a text in it, with the way to them. */
function filterParts(parts: readonly ScenePart[], text: string): ScenePart[] {
  if (text === '') return [...parts];
  return parts.flatMap((part) => {
    const children = filterParts(part.children, text);
    const isMeant = `${part.label} ${part.kind}`.toLowerCase().includes(text);
    return isMeant || children.length > 0 ? [{ ...part, children: isMeant ? part.children : children }] : [];
  });
}

function findLabel(parts: readonly ScenePart[], id: string): string {
  for (const part of parts) {
    const label = part.id === id ? part.label : findLabel(part.children, id);
    if (label) return label;
  }
  return '';
}
