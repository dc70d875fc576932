import type { Body, Scene, Shape, SoftBody } from '@nexdyn/engine';
import type { JSX } from 'preact';
import type { Studio } from '../studio.ts';
import { readAngles, setAngles, setField } from './edits.ts';
import { NumberField, SliderField, TripleField } from './fields.tsx';
import { JointFields } from './joint-fields.tsx';
import { MaterialFields } from './material-fields.tsx';
import { findThing, freeName, idOf, listNames, type SceneThing } from './scene-items.ts';
import type { Workshop } from './workshop.ts';

interface PropertiesProps {
  studio: Studio;
  workshop: Workshop;
  scene: Scene;
  thing: SceneThing;
}

/** Everything of the chosen thing that can be set: name, place, size, surface, motion. */
export function Properties({ studio, workshop, scene, thing }: PropertiesProps): JSX.Element {
  const { id, item } = thing;
  const set = (keys: readonly (string | number)[], value: unknown, isLast = true): void =>
    void workshop.edit((next) => setField(next, id, keys, value), isLast);
  return (
    <div class="properties" data-role="properties" data-thing={id}>
      <label class="build-name" title="Name, used by sensors, actuators and recordings">
        <span>Name</span>
        <input
          type="text"
          data-build="name"
          value={item.name ?? ''}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          onChange={({ currentTarget }) => rename(workshop, id, currentTarget.value.trim())}
        />
      </label>
      <TripleField
        label="Position"
        mark="position"
        unit="m"
        values={item.position ?? [0, 0, 0]}
        onSet={(values) => set(['position'], values)}
      />
      <TripleField
        label="Angles"
        mark="angles"
        unit="°"
        values={readAngles(thing)}
        onSet={(values) => void workshop.edit((next) => setAngles(next, id, values))}
      />
      {thing.kind === 'body' && (
        <BodyFields
          studio={studio}
          workshop={workshop}
          scene={scene}
          id={id}
          body={thing.item}
          isTop={thing.parent === 0}
        />
      )}
      {thing.kind === 'shape' && <ShapeFields workshop={workshop} scene={scene} id={id} shape={thing.item} />}
      {thing.kind === 'soft' && <SoftFields body={thing.item} set={set} />}
    </div>
  );
}

function rename(workshop: Workshop, id: string, name: string): void {
  if (name === '') return;
  void workshop.edit((scene) => {
    const thing = findThing(scene, id)!;
    const before = thing.item.name;
    const names = listNames(scene);
    if (before) names.delete(before);
    thing.item.name = freeName(names, name);
  });
}

function BodyFields(props: {
  studio: Studio;
  workshop: Workshop;
  scene: Scene;
  id: string;
  body: Body;
  isTop: boolean;
}): JSX.Element {
  const { studio, workshop, scene, id, body, isTop } = props;
  const joint = body.joints?.[0];
  const set = (keys: readonly (string | number)[], value: unknown, isLast = true): void =>
    void workshop.edit((next) => setField(next, id, keys, value), isLast);
  const shapes = body.shapes ?? [];
  return (
    <>
      <JointFields studio={studio} workshop={workshop} id={id} body={body} isTop={isTop} />
      {joint && (
        <SliderField
          label="Gravity compensation"
          mark="gravityCompensation"
          title="Fraction of the weight of the body that is cancelled; at 1 it floats"
          value={body.gravityCompensation}
          fallback={0}
          low={0}
          high={1}
          onSet={(value, isLast) => set(['gravityCompensation'], value, isLast)}
        />
      )}
      {shapes.length > 1 && (
        <fieldset class="chips">
          <legend>Shapes of the body</legend>
          {shapes.map((shape, k) => (
            <button
              key={k}
              type="button"
              class="chip"
              title="Select this shape"
              onClick={() => studio.select(idOf(scene, shape))}
            >
              {shape.name ?? `${shape.kind} ${k + 1}`}
            </button>
          ))}
        </fieldset>
      )}
      {shapes.length === 1 && (
        <ShapeFields workshop={workshop} scene={scene} id={idOf(scene, shapes[0]!)!} shape={shapes[0]!} />
      )}
    </>
  );
}

function ShapeFields({
  workshop,
  scene,
  id,
  shape,
}: {
  workshop: Workshop;
  scene: Scene;
  id: string;
  shape: Shape;
}): JSX.Element {
  const set = (keys: readonly (string | number)[], value: unknown, isLast = true): void =>
    void workshop.edit((next) => setField(next, id, keys, value), isLast);
  const color = shape.color ?? [0.5, 0.6, 0.7, 1];
  return (
    <>
      {'halfSize' in shape && shape.halfSize?.length === 3 && (
        <TripleField
          label="Half size"
          mark="halfSize"
          unit="m"
          values={shape.halfSize}
          onSet={(values) => set(['halfSize'], values)}
        />
      )}
      {'radii' in shape && (
        <TripleField
          label="Radii"
          mark="radii"
          unit="m"
          values={shape.radii}
          onSet={(values) => set(['radii'], values)}
        />
      )}
      <div class="build-pair">
        {'radius' in shape && (
          <NumberField
            label="Radius"
            mark="radius"
            unit="m"
            value={shape.radius}
            onSet={(value) => value && set(['radius'], value)}
          />
        )}
        {'halfLength' in shape && (
          <NumberField
            label="Half length"
            mark="halfLength"
            unit="m"
            value={shape.halfLength}
            onSet={(value) => value && set(['halfLength'], value)}
          />
        )}
      </div>
      <SliderField
        label="Friction"
        mark="friction"
        value={shape.friction}
        fallback={scene.materials?.find(({ name }) => name === shape.material)?.friction ?? 1}
        low={0}
        high={2}
        onSet={(value, isLast) => set(['friction'], value, isLast)}
      />
      {!scene.shapes?.includes(shape) && (
        <SliderField
          label="Mass"
          mark="mass"
          unit="kg"
          title="Mass; empty: density times volume"
          value={shape.mass}
          fallback={1}
          low={0.001}
          high={1000}
          isLogarithmic
          onSet={(value, isLast) => set(['mass'], value, isLast)}
        />
      )}
      <label class="build-choice" title="Colour">
        <span>Colour</span>
        <input
          type="color"
          data-build="color"
          value={`#${color.slice(0, 3).map(hex).join('')}`}
          onChange={({ currentTarget }) => set(['color'], [...readColor(currentTarget.value), color[3]!])}
        />
      </label>
      <MaterialFields workshop={workshop} scene={scene} id={id} name={shape.material} />
    </>
  );
}

const hex = (part: number): string =>
  Math.round(255 * part)
    .toString(16)
    .padStart(2, '0');

function readColor(text: string): number[] {
  return [1, 3, 5].map((start) => Number((Number.parseInt(text.slice(start, start + 2), 16) / 255).toFixed(4)));
}

function SoftFields(props: {
  body: SoftBody;
  set: (keys: readonly (string | number)[], value: unknown, isLast?: boolean) => void;
}): JSX.Element {
  const { body, set } = props;
  const { youngsModulus, poissonRatio, density, stiffnessDamping } = body.elasticity;
  return (
    <>
      <SliderField
        label="Young's modulus"
        mark="youngsModulus"
        unit="Pa"
        value={youngsModulus}
        fallback={50000}
        low={1000}
        high={1e9}
        isLogarithmic
        onSet={(value, isLast) => value && set(['elasticity', 'youngsModulus'], value, isLast)}
      />
      <SliderField
        label="Poisson's ratio"
        mark="poissonRatio"
        value={poissonRatio}
        fallback={0.3}
        low={0}
        high={0.49}
        onSet={(value, isLast) => value !== undefined && set(['elasticity', 'poissonRatio'], value, isLast)}
      />
      <SliderField
        label="Density"
        mark="density"
        unit="kg/m³"
        value={density}
        fallback={1000}
        low={10}
        high={20000}
        isLogarithmic
        onSet={(value, isLast) => set(['elasticity', 'density'], value, isLast)}
      />
      <SliderField
        label="Damping"
        mark="stiffnessDamping"
        unit="s"
        value={stiffnessDamping}
        fallback={0}
        low={0}
        high={0.1}
        onSet={(value, isLast) => set(['elasticity', 'stiffnessDamping'], value, isLast)}
      />
    </>
  );
}
