import type { SoftQuantity } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { titleOf } from '../keys.ts';
import { SOFT_LABELS } from '../soft-quantity.ts';
import type { Studio } from '../studio.ts';

/** What is drawn. */
export function ViewOptionsPanel({ studio }: { studio: Studio }): JSX.Element {
  const { layers, sites, grid, shadows, follow, contacts, forces, stress, softQuantity, camera } = studio.view.value;
  const scene = studio.scene.value;
  const used = [...new Set(scene?.drawing.shapes.map(({ layer }) => layer))].sort();
  const toggleLayer = (layer: number): void => {
    const next = new Set(layers);
    if (!next.delete(layer)) next.add(layer);
    studio.setView({ layers: next });
  };
  return (
    <section class="view-options" aria-label="View">
      <h2>View</h2>
      <div class="chips">
        <Chip label="Grid" title="Lines on the ground" isOn={grid} onClick={() => studio.setView({ grid: !grid })} />
        <Chip
          label="Shadows"
          title="Shadows on the ground and on bodies"
          isOn={shadows}
          onClick={() => studio.setView({ shadows: !shadows })}
        />
        <Chip label="Contacts" title={titleOf('contacts')} isOn={contacts} onClick={() => studio.toggleContacts()} />
        <Chip label="Forces" title={titleOf('forces')} isOn={forces} onClick={() => studio.toggleForces()} />
        {scene?.facts.isSoft && (
          <Chip
            label="Stress"
            title="Colour soft bodies by stress or by another quantity"
            isOn={stress}
            onClick={() => studio.setView({ stress: !stress })}
          />
        )}
        {(scene?.drawing.flying.length ?? 0) > 0 && (
          <Chip
            label="Follow"
            title="The camera follows moving bodies"
            isOn={follow}
            onClick={() => studio.setView({ follow: !follow })}
          />
        )}
        {(scene?.drawing.sites.length ?? 0) > 0 && (
          <Chip
            label="Sites"
            title="Named points on bodies"
            isOn={sites}
            onClick={() => studio.setView({ sites: !sites })}
          />
        )}
        {used.length > 1 &&
          used.map((layer) => (
            <Chip
              key={layer}
              label={`Layer ${layer}`}
              title={`Shapes of layer ${layer}; 3 and above start hidden`}
              isOn={layers.has(layer)}
              onClick={() => toggleLayer(layer)}
            />
          ))}
      </div>
      {scene?.drawing.look && scene.drawing.look.cameras.length > 0 && (
        <label class="soft-quantity">
          Camera
          <select
            value={camera ?? ''}
            data-role="camera"
            title="Look through a camera of the scene"
            onChange={({ currentTarget: { value } }) =>
              studio.setView({ camera: value === '' ? undefined : Number(value) })
            }
          >
            <option value="">free</option>
            {scene.drawing.look.camera.name.map((name, number) => (
              <option key={number} value={number}>
                {name || `camera ${number}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {scene?.facts.isSoft && stress && (
        <label class="soft-quantity">
          Colours of soft bodies
          <select
            value={softQuantity}
            data-role="soft-quantity"
            title={SOFT_LABELS[softQuantity].title}
            onChange={({ currentTarget }) => studio.setView({ softQuantity: currentTarget.value as SoftQuantity })}
          >
            {Object.entries(SOFT_LABELS).map(([quantity, { title }]) => (
              <option key={quantity} value={quantity}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}

interface ChipProps {
  label: string;
  title: string;
  isOn: boolean;
  onClick: () => void;
}

function Chip({ label, title, isOn, onClick }: ChipProps): JSX.Element {
  return (
    <button type="button" class="chip" title={title} aria-pressed={isOn} onClick={onClick}>
      {label}
    </button>
  );
}
