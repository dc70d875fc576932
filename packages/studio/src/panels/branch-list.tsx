import type { JSX } from 'preact';
import { formatTime } from '../quantity.ts';
import type { BranchSummary } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import './branch-list.css';

/** The branches of the run, where there are several: a button for each goes to its end. */
export function BranchList({ studio }: { studio: Studio }): JSX.Element | null {
  const branches = studio.frame.value?.branches ?? [];
  if (branches.length < 2) return null;
  return (
    <div class="branches" role="toolbar" aria-label="Branches of this run">
      {branches.map((branch) => (
        <button
          key={branch.number}
          type="button"
          class="chip"
          data-branch={branch.number}
          title={describeBranch(branch)}
          aria-pressed={branch.number === studio.frame.value?.branch}
          onClick={() => void studio.goToBranch(branch.number)}
        >
          {nameBranch(branch)}
        </button>
      ))}
    </div>
  );
}

/** As in `run 2 from 0.840 s`. */
export function nameBranch({ number, fromTime }: BranchSummary): string {
  return fromTime === undefined ? `run ${number}` : `run ${number} from ${formatTime(fromTime)}`;
}

/** What the branch is and what a click does, as hover text. */
function describeBranch({ number, fromTime, lastTime, pulls, changes }: BranchSummary): string {
  const start =
    fromTime === undefined ? 'From the start' : `Branched from an earlier run at ${formatTime(fromTime)}, continued`;
  const inputs = [
    ...(pulls > 0 ? [`pulled in ${pulls} steps`] : []),
    ...(changes > 0 ? [`options changed ${changes === 1 ? 'once' : `${changes} times`}`] : []),
  ];
  const how = inputs.length > 0 ? `, ${inputs.join(', ')}` : '';
  return `${start} to ${formatTime(lastTime)}${how}. Go to the end of run ${number}: scrub it, or go on with Space`;
}
