// A hand on a post: two fingers that close and a lift, each with its servo.
import { blue, orange, silver, steel } from './stage.mjs';

/**
 * Adds the hand to a scene. `post` and `finger` are given to their shapes, `grip` is the stiffness of the servos of the fingers, N/m;
 * `pad` is a second shape of each finger, or nothing.
 */
export function addHand(s, { post = {}, finger, grip, halfWidth, pad }) {
  s.cylinder('post', { from: [0, 0.3, 0], to: [0, 0.3, 0.72], radius: 0.03, color: steel, ...post });
  s.box('beam', { position: [0, 0.14, 0.72], halfSize: [0.03, 0.19, 0.02], color: steel, contact: 'none' });
  const hand = s
    .body('hand', { position: [0, 0, 0.3], gravityCompensation: 1 })
    .slide('lift', { axis: [0, 0, 1], limit: { range: [0, 0.4] }, damping: 20 })
    .box({ halfSize: [0.14, 0.035, 0.02], mass: 1, contact: 'none', color: steel })
    .cylinder({ from: [0, 0, 0.02], to: [0, 0, 0.46], radius: 0.014, mass: 0.2, contact: 'none', color: silver });
  for (const [name, side, color] of [
    ['left', -1, blue],
    ['right', 1, orange],
  ]) {
    const body = hand
      .body(`${name}Finger`, { position: [0.11 * side, 0, -0.03], gravityCompensation: 1 })
      .slide(name, { axis: [-side, 0, 0], limit: { range: [0, 0.09] }, damping: 8 })
      .box({ position: [0, 0, -0.11], halfSize: [0.012, halfWidth, 0.12], mass: 0.2, ...finger, color });
    if (pad) body.box({ position: [-0.016 * side, 0, -0.2], ...pad });
    s.positionServo(`${name}Grip`, {
      joint: name,
      stiffness: grip,
      damping: 20,
      timeConstant: 0.15,
      controlRange: [0, 0.09],
    });
  }
  s.positionServo('liftServo', {
    joint: 'lift',
    stiffness: 900,
    damping: 120,
    timeConstant: 1.2,
    controlRange: [-0.1, 0.4],
  });
}

/** State that closes the fingers as far as `close`, m, and lifts; `rest` are the positions of everything else. */
export function liftState(close, rest = []) {
  // the filter of the lift begins below the lower limit, which puts the lift after the grip
  return { position: [0, 0, 0, ...rest], activation: [0, 0, -0.1], control: [close, close, 0.3] };
}
