import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { DrivenPart } from '../session/drive/driven-parts.ts';
import type { OpenedScene } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { DriveRow } from './drive-row.tsx';
import './drive.css';
import { useGamepad } from './gamepad.ts';

/** Parts from which on there is a field to search them. */
const MANY = 8;

interface Listed {
  part: DrivenPart;
  /** Its number among all of its kind. */
  index: number;
}

/** Sliders for every actuator, hinge and slide, the stored states, and what a gamepad moves. */
export function DrivePanel({ studio, scene }: { studio: Studio; scene: OpenedScene }): JSX.Element {
  const { actuators, joints } = scene.facts.driven;
  const { keyframes } = scene.facts;
  const wanted = useSignal('');
  const find = (parts: readonly DrivenPart[]): Listed[] =>
    parts.flatMap((part, index) => (matches(part, wanted.value) ? [{ part, index }] : []));
  const shownActuators = find(actuators);
  const shownJoints = find(joints);
  const pad = useGamepad(studio, shownActuators);
  useEffect(() => studio.runs.sendDrives(true), [studio, scene]);
  return (
    <div class="drive">
      {keyframes.length > 0 && (
        <fieldset class="chips" aria-label="Stored states">
          {keyframes.map((name, index) => (
            <button
              key={name}
              type="button"
              class="chip"
              title={`Start from the stored state ${name}`}
              aria-pressed={studio.keyframe.value === index}
              data-keyframe={index}
              onClick={() => studio.startAt(index)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      )}
      {actuators.length + joints.length > MANY && (
        <input
          type="search"
          class="search"
          placeholder="Search actuators and joints"
          title="Search by name, body or kind"
          aria-label="Search actuators and joints"
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value;
          }}
        />
      )}
      {actuators.length > 0 && (
        <DriveGroup
          studio={studio}
          kind="control"
          title="Actuators"
          parts={shownActuators}
          remark="No actuator has this name."
        />
      )}
      {joints.length > 0 && (
        <DriveGroup studio={studio} kind="joint" title="Joints" parts={shownJoints} remark="No joint has this name." />
      )}
      <p class="remark">
        Moving a joint pauses the run and poses it. Every move is part of the run, and of links to it.
        {pad && ` ${pad}`}
      </p>
    </div>
  );
}

interface DriveGroupProps {
  studio: Studio;
  kind: 'control' | 'joint';
  title: string;
  parts: readonly Listed[];
  /** Said where there are none. */
  remark: string;
}

function DriveGroup({ studio, kind, title, parts, remark }: DriveGroupProps): JSX.Element {
  return (
    <fieldset class="drive-group">
      <legend>{title}</legend>
      {parts.length === 0 && <p class="remark">{remark}</p>}
      {parts.map(({ part, index }) => (
        <DriveRow key={index} studio={studio} kind={kind} part={part} index={index} />
      ))}
    </fieldset>
  );
}

/** Whether each word of a search is part of what a part is called. */
function matches({ name, kind, group }: DrivenPart, words: string): boolean {
  const text = `${name} ${kind} ${group}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
