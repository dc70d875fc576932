import type { JSX } from 'preact';
import { openFiles } from '../opening.ts';
import { formatLength, formatRound, formatShort } from '../quantity.ts';
import { SOFT_LABELS } from '../soft-quantity.ts';
import type { Studio } from '../studio.ts';
import { MAP_GRADIENT } from '../view3d/color-map.ts';
import { Icon } from './icon.tsx';
import { LazyPanel } from './lazy-panel.tsx';

const loadProblem = async () => (await import('./problem-cards.tsx')).ProblemCard;
const loadStop = async () => (await import('./problem-cards.tsx')).StopCard;

/** What lies over the view: what went wrong, what was clicked, the scales of grid and forces. */
export function Notices({ studio }: { studio: Studio }): JSX.Element {
  const { problem, stop, opening } = studio;
  const refused = studio.refused.value;
  const picked = studio.picked.value;
  const spacing = studio.gridSpacing.value;
  return (
    <>
      <div class="notices">
        {problem.value && (
          <LazyPanel
            load={loadProblem}
            with={{
              problem: problem.value,
              others: refused?.choices.filter((path) => path !== refused.path) ?? [],
              onOpen: (path: string) => refused && void openFiles(studio, refused, path),
              onFolder: () => studio.chooseFolder(),
              onClose: () => studio.closeOverlays(),
            }}
          />
        )}
        {stop.value && (
          <LazyPanel load={loadStop} with={{ studio, stop: stop.value, time: studio.frame.value?.time ?? 0 }} />
        )}
      </div>
      {studio.toast.value && (
        <p class="toast" role="status" data-role="toast">
          {studio.toast.value}
        </p>
      )}
      <div class="view-corner">
        {opening.value && <p class="opening">Opening…</p>}
        {spacing !== undefined && <Scales studio={studio} spacing={spacing} />}
        {picked && (
          <p class="picked" role="status" title="The body that was clicked, and its shape if it has a name">
            {picked.bodyName || 'unnamed body'}
            {picked.shapeName && <span>{picked.shapeName}</span>}
            {!studio.partsOpen.value && (
              <button
                type="button"
                class="chip"
                title="Pose, velocity, mass and forces of this part (I)"
                data-role="inspect"
                onClick={() => studio.toggleParts()}
              >
                Inspect
              </button>
            )}
          </p>
        )}
      </div>
    </>
  );
}

/** What the lines of the grid and the lengths of arrows stand for. */
function Scales({ studio, spacing }: { studio: Studio; spacing: number }): JSX.Element | null {
  const { grid, forces, softQuantity } = studio.view.value;
  const frame = studio.frame.value;
  const stress = studio.view.value.stress && frame?.soft ? studio.viewport?.fullStress : undefined;
  const pressure = frame?.contacts?.patch.pressure ?? 0;
  if (!grid && !forces && stress === undefined) return null;
  const showsForces = forces && studio.scene.value?.facts.resolvesContacts;
  return (
    <>
      {grid && (
        <p class="scale grid-scale" title="Distance between grid lines">
          Grid {formatLength(spacing)}
        </p>
      )}
      {showsForces && (
        <p class="scale" title="Force shown by an arrow of this length" data-role="force-scale">
          Forces {formatRound(studio.newtonsPerCell.value, 'N')} per {formatLength(spacing)}
        </p>
      )}
      {stress !== undefined && <ColorScale of="stress" {...SOFT_LABELS[softQuantity]} full={stress} />}
      {pressure > 0 && (
        <ColorScale of="pressure" label="Pressure" title="Pressure of contact patches" full={pressure} unit="Pa" />
      )}
    </>
  );
}

interface ColorScaleProps {
  of: string;
  label: string;
  title: string;
  full: number;
  unit: string;
  isSigned?: boolean;
}

/** What the colours of soft bodies and patches stand for; of quantities with a sign they show the size. */
function ColorScale({ of, label, title, full, unit, isSigned = false }: ColorScaleProps): JSX.Element {
  return (
    <p class="scale" title={title} data-role={`scale-${of}`}>
      {label} 0 <i class="color-scale" style={{ background: MAP_GRADIENT }} /> {isSigned && '±'}
      {formatShort(full, unit)}
    </p>
  );
}

/** What this scene has and the formulation leaves out. */
export function UnresolvedNote({ studio }: { studio: Studio }): JSX.Element | null {
  const scene = studio.scene.value;
  if (!scene || scene.unresolved.length === 0) return null;
  return (
    <p class="unresolved" role="note" title="What this scene asks for and the formulation does not support">
      <Icon name="warning" />
      <span>Not supported by this formulation: {scene.unresolved.map(describeUnresolved).join(', ')}.</span>
    </p>
  );
}

/** Contacts are not resolved, but they are found: say how to see them. */
function describeUnresolved(part: string): string {
  return part === 'contacts' ? 'contacts (C shows them)' : part;
}
