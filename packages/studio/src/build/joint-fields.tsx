import type { Body } from '@nexdyn/engine';
import type { JSX } from 'preact';
import type { Studio } from '../studio.ts';
import { addServo, setField, setJoint } from './edits.ts';
import { NumberField, SliderField, TripleField } from './fields.tsx';
import type { Workshop } from './workshop.ts';

const JOINTS = [
  ['free', 'free'],
  ['fixed', 'none (fixed)'],
  ['hinge', 'hinge (turns)'],
  ['slide', 'slide (moves)'],
  ['ball', 'ball (turns freely)'],
] as const;

const AXES = ['x', 'y', 'z'] as const;

interface JointFieldsProps {
  studio: Studio;
  workshop: Workshop;
  /** The body, and whether it stands in the world. */
  id: string;
  body: Body;
  isTop: boolean;
}

/** How a body moves: the kind of its joint, its anchor, axis and limits. */
export function JointFields({ studio, workshop, id, body, isTop }: JointFieldsProps): JSX.Element {
  const joint = body.joints?.[0];
  const set = (keys: readonly (string | number)[], value: unknown, isLast = true): void =>
    void workshop.edit((next) => setField(next, id, keys, value), isLast);
  const hasAxis = joint?.kind === 'hinge' || joint?.kind === 'slide';
  const axis = hasAxis ? (joint.axis ?? [0, 0, 1]) : [0, 0, 1];
  const unit = joint?.kind === 'hinge' ? 'rad' : 'm';
  const limit = joint && 'limit' in joint ? joint.limit?.range : undefined;
  const setLimit = (k: 0 | 1, value: number | undefined): void =>
    set(['joints', 0, 'limit'], value === undefined ? undefined : { range: (limit ?? [-1, 1]).with(k, value) });
  return (
    <>
      <label class="build-choice" title="How the body moves">
        <span>Joint</span>
        <select
          data-build="joint"
          value={joint?.kind ?? 'fixed'}
          onChange={({ currentTarget }) => {
            const kind = currentTarget.value as (typeof JOINTS)[number][0];
            void workshop.edit((next) => setJoint(next, id, kind));
          }}
        >
          {JOINTS.filter(([kind]) => isTop || kind !== 'free').map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {hasAxis && (
        <>
          <fieldset class="chips" aria-label="Axis of the joint">
            {AXES.map((name, k) => (
              <button
                key={name}
                type="button"
                class="chip"
                title={`Align the axis of the joint with ${name} of the body`}
                data-build-axis={name}
                aria-pressed={Math.abs(axis[k]!) === 1}
                onClick={() => set(['joints', 0, 'axis'], [0, 0, 0].with(k, 1))}
              >
                Axis {name}
              </button>
            ))}
            <button
              type="button"
              class="chip"
              data-build="servo"
              title="Add a servo that holds this joint at the position of its slider under Drive"
              onClick={() => void workshop.edit((next) => addServo(next, id))}
            >
              Add a servo
            </button>
          </fieldset>
          <TripleField
            label="Axis in the body"
            mark="axis"
            unit=""
            values={axis}
            onSet={(values) => Math.hypot(...values) > 0 && set(['joints', 0, 'axis'], values)}
          />
          <div class="build-pair">
            <NumberField label="from" mark="low" unit={unit} value={limit?.[0]} onSet={(value) => setLimit(0, value)} />
            <NumberField label="to" mark="high" unit={unit} value={limit?.[1]} onSet={(value) => setLimit(1, value)} />
          </div>
        </>
      )}
      {joint && joint.kind !== 'free' && (
        <>
          <TripleField
            label="Anchor in the body"
            mark="anchor"
            unit="m"
            values={joint.anchor ?? [0, 0, 0]}
            onSet={(values) => set(['joints', 0, 'anchor'], values)}
          />
          <fieldset class="chips" aria-label="What the handles act on">
            {(['body', 'joint'] as const).map((target) => (
              <button
                key={target}
                type="button"
                class="chip"
                title={
                  target === 'joint'
                    ? 'The handles move the anchor of the joint and turn its axis'
                    : 'The handles move and turn the body'
                }
                data-handles={target}
                aria-pressed={(workshop.jointOf(studio.selected.value) !== undefined) === (target === 'joint')}
                onClick={() => {
                  studio.select(id);
                  workshop.handlesJoint.value = target === 'joint';
                  // a joint has no size
                  if (target === 'joint' && workshop.tool.value === 'scale') workshop.tool.value = 'move';
                }}
              >
                Handles at the {target}
              </button>
            ))}
          </fieldset>
          <SliderField
            label="Damping"
            mark="damping"
            unit={joint.kind === 'slide' ? 'N s/m' : 'N m s'}
            value={joint.damping}
            fallback={0}
            low={0}
            high={10}
            onSet={(value, isLast) => set(['joints', 0, 'damping'], value, isLast)}
          />
        </>
      )}
    </>
  );
}
