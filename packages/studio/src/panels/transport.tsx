import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatTime } from '../quantity.ts';
import { SPEEDS, type Studio } from '../studio.ts';
import { BranchList } from './branch-list.tsx';
import { CommandButton } from './command-button.tsx';
import { TimelineBar } from './timeline-bar.tsx';

/** Timeline, play, step, reset, speed and time, at the foot of the view. */
export function Transport({ studio }: { studio: Studio }): JSX.Element {
  const time = useComputed(() => formatTime(studio.frame.value?.time ?? 0));
  const isAtStart = useComputed(() => (studio.frame.value?.step ?? 0) <= (studio.frame.value?.timeline.firstStep ?? 0));
  const isPlaying = studio.playing.value;
  const isIdle = !studio.scene.value;
  const isStopped = isIdle || studio.stop.value !== undefined;
  const speed = studio.speed.value;
  return (
    <div class="transport">
      <TimelineBar studio={studio} />
      <BranchList studio={studio} />
      <div class="buttons" role="toolbar" aria-label="Simulation">
        <CommandButton studio={studio} command="reset" icon="reset" disabled={isIdle} />
        <CommandButton studio={studio} command="stepBack" icon="back" disabled={isIdle || isAtStart.value} />
        <CommandButton
          studio={studio}
          command="play"
          icon={isPlaying ? 'pause' : 'play'}
          look="primary"
          disabled={isStopped && !studio.looping.value}
        />
        <CommandButton studio={studio} command="step" icon="step" disabled={isStopped} />
        <CommandButton studio={studio} command="loop" icon="loop" disabled={isIdle} isOn={studio.looping.value} />
        <span class="divider" />
        <CommandButton studio={studio} command="slower" icon="minus" disabled={speed === SPEEDS[0]} />
        <output class="speed" title="Requested speed: simulated seconds per second of real time" data-value={speed}>
          {speed}×
        </output>
        <CommandButton studio={studio} command="faster" icon="plus" disabled={speed === SPEEDS.at(-1)} />
        <span class="divider" />
        <output class="time" title="Simulated time" data-role="time">
          {time}
        </output>
        <span class="divider" />
        <div class="view-tools">
          <CommandButton studio={studio} command="hand" icon="hand" isOn={studio.hand.value} />
          <CommandButton studio={studio} command="frame" icon="frame" />
        </div>
      </div>
    </div>
  );
}
