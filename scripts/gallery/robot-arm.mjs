// A robot arm on position servos.
import { orange, silver, stage, steel } from './stage.mjs';

export function robotArm() {
  const s = stage(
    'Robot arm',
    'Servos move a five-axis arm from folded to outstretched. Choose another initial state for another motion.',
  ).integrator('implicitfast');
  s.cylinder('plinth', { from: [0, 0, 0], to: [0, 0, 0.06], radius: 0.16, color: steel });
  const link = { gravityCompensation: 0.9 };
  const turret = s
    .body('turret', { position: [0, 0, 0.06], ...link })
    .hinge('yaw', { axis: [0, 0, 1], damping: 1 })
    .cylinder({ from: [0, 0, 0], to: [0, 0, 0.2], radius: 0.085, color: silver })
    .cylinder({ from: [0, -0.1, 0.24], to: [0, 0.1, 0.24], radius: 0.07, color: steel });
  const upper = turret
    .body('upperArm', { position: [0, 0, 0.24], ...link })
    .hinge('shoulder', { axis: [0, 1, 0], damping: 1 })
    .capsule({ from: [0, 0, 0.05], to: [0, 0, 0.42], radius: 0.055, color: orange });
  const fore = upper
    .body('forearm', { position: [0, 0, 0.47], ...link })
    .hinge('elbow', { axis: [0, 1, 0], damping: 0.6 })
    .cylinder({ from: [0, -0.075, 0], to: [0, 0.075, 0], radius: 0.055, color: steel })
    .capsule({ from: [0, 0, 0.05], to: [0, 0, 0.32], radius: 0.043, color: orange });
  const wrist = fore
    .body('wrist', { position: [0, 0, 0.37], ...link })
    .hinge('pitch', { axis: [0, 1, 0], damping: 0.2 })
    .cylinder({ from: [0, -0.055, 0], to: [0, 0.055, 0], radius: 0.042, color: steel })
    .capsule({ from: [0, 0, 0.03], to: [0, 0, 0.09], radius: 0.034, color: silver });
  const hand = wrist
    .body('hand', { position: [0, 0, 0.13], ...link })
    .hinge('roll', { axis: [0, 0, 1], damping: 0.1 })
    .box({ position: [0, 0, 0.02], halfSize: [0.03, 0.075, 0.02], color: steel });
  for (const [name, side] of [
    ['left', 1],
    ['right', -1],
  ]) {
    hand
      .body(`${name}Finger`, { position: [0, 0.02 * side, 0.04], ...link })
      .slide(`${name}Slide`, { axis: [0, side, 0], damping: 2 })
      .box({ position: [0, 0, 0.045], halfSize: [0.014, 0.009, 0.045], color: silver });
  }
  s.positionServo('yawServo', {
    joint: 'yaw',
    stiffness: 120,
    damping: 22,
    timeConstant: 0.35,
    controlRange: [-2.9, 2.9],
  })
    .positionServo('shoulderServo', {
      joint: 'shoulder',
      stiffness: 220,
      damping: 40,
      timeConstant: 0.35,
      controlRange: [-1.9, 1.9],
    })
    .positionServo('elbowServo', {
      joint: 'elbow',
      stiffness: 120,
      damping: 16,
      timeConstant: 0.35,
      controlRange: [-2.5, 2.5],
    })
    .positionServo('pitchServo', {
      joint: 'pitch',
      stiffness: 30,
      damping: 2.5,
      timeConstant: 0.35,
      controlRange: [-2.2, 2.2],
    })
    .positionServo('rollServo', {
      joint: 'roll',
      stiffness: 8,
      damping: 0.5,
      timeConstant: 0.35,
      controlRange: [-3, 3],
    })
    .positionServo('leftGrip', { joint: 'leftSlide', stiffness: 200, damping: 10, controlRange: [0, 0.045] })
    .positionServo('rightGrip', { joint: 'rightSlide', stiffness: 200, damping: 10, controlRange: [0, 0.045] });
  const folded = [-1.2, -0.9, 2.2, 0.6, 0, 0, 0];
  const reach = [0.9, 0.75, 0.95, 0.9, 1.57, 0.04, 0.04];
  const upright = [0, 0, 0, 0, 0, 0.02, 0.02];
  // the first five servos have a filter, whose state begins where the arm is
  s.keyframe('reach', { position: folded, activation: folded.slice(0, 5), control: reach });
  s.keyframe('straighten', { position: reach, activation: reach.slice(0, 5), control: upright });
  s.keyframe('fold', { position: upright, activation: upright.slice(0, 5), control: folded });
  return s.build();
}
