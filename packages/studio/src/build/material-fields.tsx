import type { Material, Scene } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { setField } from './edits.ts';
import { SliderField } from './fields.tsx';
import { findThing, freeName, listNames } from './scene-items.ts';
import { roundNumber } from './scene-text.ts';
import type { Workshop } from './workshop.ts';

interface MaterialSlider {
  key: 'friction' | 'stiffness' | 'dissipation' | 'restitution' | 'density';
  label: string;
  title?: string;
  unit?: string;
  fallback: number;
  low: number;
  high: number;
  isLogarithmic?: boolean;
}

const SLIDERS: readonly MaterialSlider[] = [
  { key: 'friction', label: 'Material friction', fallback: 1, low: 0, high: 2 },
  { key: 'stiffness', label: 'Stiffness', unit: 'N/m', fallback: 1e6, low: 100, high: 1e9, isLogarithmic: true },
  { key: 'dissipation', label: 'Dissipation', unit: 's', fallback: 0.01, low: 0, high: 0.2 },
  { key: 'restitution', label: 'Restitution', title: 'Restitution: ccp only', fallback: 0, low: 0, high: 1 },
  { key: 'density', label: 'Density', unit: 'kg/m³', fallback: 1000, low: 10, high: 20000, isLogarithmic: true },
];

interface MaterialProps {
  workshop: Workshop;
  scene: Scene;
  /** Of the shape. */
  id: string;
  name: string | undefined;
}

/** The material of a shape: which one, and its constants, which all shapes of that material share. */
export function MaterialFields({ workshop, scene, id, name }: MaterialProps): JSX.Element {
  const materials = scene.materials ?? [];
  const material = materials.find((candidate) => candidate.name === name);
  return (
    <>
      <label class="build-choice" title="Material of the surface; shapes may share one">
        <span>Material</span>
        <select
          data-build="material"
          value={name ?? ''}
          onChange={({ currentTarget: { value } }) => {
            if (value === '+') void workshop.edit((next) => addMaterial(next, id));
            else void workshop.edit((next) => setField(next, id, ['material'], value || undefined));
          }}
        >
          <option value="">default</option>
          {materials.map((candidate) => (
            <option key={candidate.name} value={candidate.name}>
              {candidate.name}
            </option>
          ))}
          <option value="+">new material</option>
        </select>
      </label>
      {material &&
        SLIDERS.map(({ key, ...rest }) => (
          <SliderField
            key={key}
            {...rest}
            mark={`material.${key}`}
            value={material[key]}
            onSet={(value, isLast) =>
              void workshop.edit((next) => setMaterial(next, material.name, key, value), isLast)
            }
          />
        ))}
    </>
  );
}

function addMaterial(scene: Scene, id: string): void {
  const name = freeName(listNames(scene), 'material');
  scene.materials = [...(scene.materials ?? []), { name }];
  const thing = findThing(scene, id);
  if (thing && 'material' in thing.item) thing.item.material = name;
  else setField(scene, id, ['material'], name);
}

function setMaterial(scene: Scene, name: string, key: MaterialSlider['key'], value: number | undefined): void {
  const material: Material | undefined = scene.materials?.find((candidate) => candidate.name === name);
  if (!material) return;
  if (value === undefined) delete material[key];
  else material[key] = roundNumber(value);
}
