/**
 * `align` and `alignfree`: the frame of a free body moves to its centre of mass and principal axes, and what is in it stays where it is in
 * the world. Only bodies without children are moved; keyframes, anchors and poses of equalities count in the new frame, as in MuJoCo.
 */
import type { Body, Scene } from '@nexdyn/engine';
import { getPose, setPose } from './body.ts';
import { setDirection } from './camera.ts';
import { measureInertia } from './compiled-inertia.ts';
import { composeFrames, conjugate, type Frame, rotate, transformPoint } from './orientation.ts';
import type { Reading } from './reading.ts';

export function alignFreeBodies(scene: Scene, { origins, access }: Reading): void {
  const isAligned = (body: Body): boolean => {
    const joint = body.joints?.[0];
    const element = joint?.kind === 'free' && origins.get(joint);
    return !body.bodies && !!element && access.aligned.has(element);
  };
  const chosen = scene.bodies?.filter(isAligned) ?? [];
  if (chosen.length === 0) return;
  const measured = measureInertia(scene);
  for (const body of chosen) {
    const { center = [0, 0, 0], orientation = [1, 0, 0, 0], mass, moments } = measured.get(body)!;
    moveFrame(body, { position: center, orientation });
    body.inertia = { kind: 'principal', mass, moments };
  }
}

/** Moves the frame of a body by a frame in it. */
function moveFrame(body: Body, frame: Frame): void {
  setPose(body, composeFrames(getPose(body), frame));
  const turn = conjugate(frame.orientation);
  const [x, y, z] = frame.position;
  const back: Frame = { position: rotate(turn, [-x, -y, -z]), orientation: turn };
  for (const part of [...(body.shapes ?? []), ...(body.sites ?? []), ...(body.cameras ?? [])]) {
    setPose(part, composeFrames(back, getPose(part)));
  }
  for (const light of body.lights ?? []) {
    light.position = transformPoint(back, light.position ?? [0, 0, 0]);
    setDirection(light, rotate(turn, light.direction ?? [0, 0, -1]));
  }
}
