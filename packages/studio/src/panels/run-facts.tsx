import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatFactor, formatMass, formatQuantity, formatRound } from '../quantity.ts';
import type { OpenedScene } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { Fact } from './fact.tsx';
import { nameIntegrator } from './integrator-words.ts';

/** How fast it runs, and how the last step went; in short: only how fast. */
export function RunFacts({ studio, isShort = false }: { studio: Studio; isShort?: boolean }): JSX.Element {
  const pace = useComputed(() => describePace(studio));
  const isSlow = useComputed(() => isBehind(studio));
  const cost = useComputed(() => {
    const seconds = studio.frame.value?.stepCost;
    return seconds === undefined ? '–' : formatQuantity(seconds, 's');
  });
  const contacts = useComputed(() => {
    const frame = studio.frame.value;
    return String(frame?.touching?.count ?? frame?.contacts?.total ?? '–');
  });
  const islands = useComputed(() => String(studio.frame.value?.solve.islands ?? '–'));
  const depth = useComputed(() => describeDepth(studio));
  const distance = useComputed(() => {
    const least = studio.frame.value?.solve.minimumDistance;
    return least === undefined ? undefined : Number.isFinite(least) ? formatQuantity(least, 'm') : 'none close';
  });
  const collisionFreeStep = useComputed(() => studio.frame.value?.solve.collisionFreeStep?.toPrecision(3));
  return (
    <section class="facts" aria-label="Run">
      <h2>Run</h2>
      <dl>
        <Fact
          label="Real time"
          title={
            isSlow.value
              ? `This machine runs the scene slower than the ${studio.speed.value}× you asked for`
              : 'Real-time factor: simulated seconds per second of the clock, over the last second'
          }
          mark="factor"
        >
          {isSlow.value ? <span class="slow">{pace}</span> : pace}
        </Fact>
        {!isShort && (
          <>
            <Fact label="Per step" title="Seconds of computation per time step, averaged" mark="step-cost">
              {cost}
            </Fact>
            <Fact
              label="Islands"
              title="Groups of bodies that constraints connect, each solved separately, in the last step"
              mark="islands"
            >
              {islands}
            </Fact>
            <Fact label="Contacts" title="Contact points of the last step, including close ones" mark="contacts">
              {contacts}
            </Fact>
            <Fact
              label="Worst penetration"
              title="Depth of the deepest contact of the last step"
              mark="penetration"
              isWide
            >
              {depth}
            </Fact>
            {distance.value !== undefined && (
              <Fact
                label="Smallest gap"
                title="Smallest distance between two surfaces after the last step, beyond the required separation; never below zero"
                mark="minimum-distance"
              >
                {distance}
              </Fact>
            )}
            {collisionFreeStep.value !== undefined && (
              <Fact
                label="Collision-free step"
                title="Fraction of the last Newton step that is free of collisions (continuous collision detection); 1 is the whole step"
                mark="free-step"
                isWide
              >
                {collisionFreeStep}
              </Fact>
            )}
          </>
        )}
      </dl>
    </section>
  );
}

function describePace(studio: Studio): string {
  if (!studio.playing.value) return 'paused';
  const factor = studio.frame.value?.realTimeFactor;
  return factor === undefined ? 'measuring' : formatFactor(factor);
}

/** The depth of the worst contact. */
function describeDepth(studio: Studio): string {
  const frame = studio.frame.value;
  const depth = frame?.touching?.depth ?? (frame?.contacts && Math.max(0, -(frame.contacts.worstGap ?? 0)));
  return depth === undefined ? '–' : formatQuantity(depth, 'm');
}

/** The clock runs away from the simulation by more than what timers jitter. */
function isBehind(studio: Studio): boolean {
  const factor = studio.frame.value?.realTimeFactor;
  return studio.playing.value && factor !== undefined && factor < 0.93 * studio.speed.value;
}

/** What the scene is made of. */
export function SceneFactsPanel({ studio, scene }: { studio: Studio; scene: OpenedScene }): JSX.Element {
  const { facts } = scene;
  return (
    <section class="facts" aria-label="Scene">
      <h2>Scene</h2>
      {facts.description && <p class="description">{facts.description}</p>}
      <dl>
        <Fact label="Bodies" title="Rigid and soft bodies, without the world" mark="bodies">
          {facts.bodies}
        </Fact>
        <Fact label="DoF" title="Degrees of freedom: velocities of all bodies, three per soft vertex" mark="dofs">
          {facts.dofs}
        </Fact>
        <Fact label="Shapes" title="Shapes of all bodies and of the world" mark="shapes">
          {facts.shapes}
        </Fact>
        <Fact label="Mass" title="Sum of the masses of all bodies" mark="mass">
          {formatMass(facts.mass)}
        </Fact>
        <Fact label="Time step" title="Length of one step in simulated time" mark="timestep">
          {formatRound(facts.timestep, 's')}
        </Fact>
        {facts.isSoft && (
          <Fact label="Soft vertices" title="Vertices of soft bodies: three velocities each" mark="soft-vertices">
            {facts.softVertices}
          </Fact>
        )}
        {facts.actuators > 0 && (
          <Fact label="Actuators" title="Motors and servos" mark="actuators">
            {facts.actuators}
          </Fact>
        )}
        <Fact
          label="Coordinates"
          title="Joint: trees of joints, as many velocities as degrees of freedom; body: six velocities per body"
          mark="coordinates"
        >
          {facts.coordinates}
        </Fact>
        <Fact label="Integrator" title="How velocities and positions are advanced in time" mark="integrator" isWide>
          {nameIntegrator(facts)}
        </Fact>
        {scene.unsupported.length > 0 && (
          <Fact
            label="Not supported"
            title="Elements of the file that are not part of this scene, listed below the measurements"
            mark="unsupported"
          >
            <button
              type="button"
              class="text-button"
              onClick={() => document.querySelector('.unsupported')?.scrollIntoView({ block: 'center' })}
            >
              {scene.unsupported.length} {scene.unsupported.length === 1 ? 'element' : 'elements'}
            </button>
          </Fact>
        )}
        {facts.keyframes.length > 1 && (
          <Fact label="Start from" title="Stored state (keyframe) at which the scene starts" mark="keyframe">
            <select
              aria-label="Start from"
              value={studio.keyframe.value}
              onChange={({ currentTarget }) => {
                currentTarget.blur();
                studio.startAt(Number(currentTarget.value));
              }}
            >
              {facts.keyframes.map((name, index) => (
                <option key={name} value={index}>
                  {name}
                </option>
              ))}
            </select>
          </Fact>
        )}
      </dl>
    </section>
  );
}
