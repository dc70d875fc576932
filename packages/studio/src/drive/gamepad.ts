/**
 * A gamepad: each axis of its sticks moves an actuator, in their order. Servos are moved at a speed, a range in two seconds; everything else
 * follows the stick directly. Button 0 plays and pauses, button 1 goes back to the start.
 */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { DrivenPart } from '../session/drive/driven-parts.ts';
import type { Studio } from '../studio.ts';

/** Deflection of a stick that is at rest. */
const REST = 0.12;
/** Time in which a stick moves a servo through its range, s. */
const SWEEP = 2;

/** Let a gamepad drive these actuators; what it does, in words, or nothing where there is no gamepad. */
export function useGamepad(studio: Studio, parts: readonly { part: DrivenPart; index: number }[]): string | undefined {
  const isThere = useSignal(hasGamepad());
  useEffect(() => {
    const look = (): void => {
      isThere.value = hasGamepad();
    };
    addEventListener('gamepadconnected', look);
    addEventListener('gamepaddisconnected', look);
    return () => {
      removeEventListener('gamepadconnected', look);
      removeEventListener('gamepaddisconnected', look);
    };
  }, []);
  const isOn = isThere.value;
  useEffect(() => {
    if (!isOn) return undefined;
    let request = 0;
    let before = performance.now();
    let pressed: boolean[] = [];
    const poll = (now: number): void => {
      const pad = findGamepad();
      if (pad) {
        moveActuators(studio, parts, pad.axes, (now - before) / 1000);
        pressed = press(studio, pad, pressed);
      }
      before = now;
      request = requestAnimationFrame(poll);
    };
    request = requestAnimationFrame(poll);
    return () => cancelAnimationFrame(request);
  }, [isOn, parts.map(({ index }) => index).join()]);
  if (!isOn) return undefined;
  const names = parts.slice(0, findGamepad()?.axes.length ?? 0).map(({ part }) => part.name);
  return names.length > 0 ? `The sticks of the gamepad move ${new Intl.ListFormat('en').format(names)}.` : undefined;
}

function findGamepad(): Gamepad | undefined {
  return navigator.getGamepads?.().find((pad) => pad !== null) ?? undefined;
}

function hasGamepad(): boolean {
  return findGamepad() !== undefined;
}

function moveActuators(
  studio: Studio,
  parts: readonly { part: DrivenPart; index: number }[],
  axes: readonly number[],
  seconds: number,
): void {
  const controls = studio.frame.value?.drives?.controls;
  if (!controls) return;
  axes.forEach((axis, k) => {
    const driven = parts[k];
    if (!driven) return;
    const { part, index } = driven;
    const deflection = Math.abs(axis) < REST ? 0 : axis;
    const present = controls[index]!;
    const range = part.high - part.low;
    const wanted =
      part.kind === 'servo'
        ? Math.min(Math.max(present + (deflection * range * seconds) / SWEEP, part.low), part.high)
        : part.low + (0.5 + 0.5 * deflection) * range;
    // a stick at rest leaves the actuator to its slider
    const isMoved = deflection !== 0 || (part.kind !== 'servo' && studio.gamepadAxes[k]);
    studio.gamepadAxes[k] = deflection !== 0;
    if (isMoved && wanted !== present) studio.drive({ kind: 'control', index, value: wanted });
  });
}

/** Obey buttons that were not pressed before. */
function press(studio: Studio, { buttons }: Gamepad, before: readonly boolean[]): boolean[] {
  const now = buttons.map(({ pressed }) => pressed);
  if (now[0] && !before[0]) studio.togglePlay();
  if (now[1] && !before[1]) studio.reset();
  return now;
}
