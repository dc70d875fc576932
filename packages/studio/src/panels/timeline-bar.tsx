import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatTime } from '../quantity.ts';
import type { Frame } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { nameBranch } from './branch-list.tsx';

/** The states one can go back to, as a bar: drag to scrub. */
export function TimelineBar({ studio }: { studio: Studio }): JSX.Element {
  const span = useComputed(() => studio.frame.value?.timeline);
  const step = useComputed(() => studio.frame.value?.step ?? 0);
  const played = useComputed(() => `${100 * placeOf(studio.frame.value, studio.frame.value?.time)}%`);
  const hover = useComputed(() => {
    const time = studio.hoverTime.value;
    return time === undefined ? 'display: none' : `left: ${100 * placeOf(studio.frame.value, time)}%`;
  });
  const { firstStep = 0, lastStep = 0, firstTime = 0, lastTime = 0 } = span.value ?? {};
  const isPast = step.value < lastStep;
  return (
    <div class={isPast ? 'timeline past' : 'timeline'}>
      <output title="Oldest state you can return to">{formatTime(firstTime)}</output>
      <div class="track" style={{ '--played': played.value }}>
        <input
          type="range"
          aria-label="Timeline"
          title={
            isPast
              ? 'A state of the past. Space goes on from here as a new run and keeps this one; End goes to the newest state'
              : 'States you can go back to: drag to scrub'
          }
          data-role="timeline"
          min={firstStep}
          max={Math.max(lastStep, firstStep + 1)}
          step={1}
          value={step.value}
          disabled={lastStep === firstStep}
          onInput={({ currentTarget }) => studio.seek(Number(currentTarget.value))}
          onPointerUp={({ currentTarget }) => currentTarget.blur()}
        />
        <i class="hover-mark" style={hover} />
        <BranchMarks frame={studio.frame.value} />
      </div>
      <output title="Newest state" data-role="newest">
        {formatTime(lastTime)}
      </output>
    </div>
  );
}

/** Where branches leave each other, under the bar. */
function BranchMarks({ frame }: { frame: Frame | undefined }): JSX.Element {
  const { firstTime = 0, lastTime = 0 } = frame?.timeline ?? {};
  const forks = frame?.branches.filter(({ fromTime }) => fromTime !== undefined) ?? [];
  return (
    <>
      {forks.map(
        (branch) =>
          branch.fromTime! >= firstTime &&
          branch.fromTime! <= lastTime && (
            <i
              key={branch.number}
              class="branch-mark"
              title={`${nameBranch(branch)} starts here`}
              style={{ left: `${100 * placeOf(frame, branch.fromTime)}%` }}
            />
          ),
      )}
    </>
  );
}

/** Part of the timeline that lies before a time, from 0 to 1. */
function placeOf(frame: Frame | undefined, time: number | undefined): number {
  if (!frame || time === undefined) return 0;
  const { firstTime, lastTime } = frame.timeline;
  return Math.min(1, Math.max(0, (time - firstTime) / Math.max(lastTime - firstTime, 1e-12)));
}
