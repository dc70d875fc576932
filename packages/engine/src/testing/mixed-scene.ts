/** A scene with every kind of joint, spring, tendon and actuator, branches and offsets: what general tests run on. */
import type { Scene } from '../scene/scene.ts';

export function mixedScene(): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    name: 'mixed',
    sites: [{ name: 'ceiling', position: [0.1, -0.2, 2] }],
    bodies: [
      {
        name: 'torso',
        position: [0, 0, 1],
        joints: [{ kind: 'free', name: 'root' }],
        shapes: [{ kind: 'box', halfSize: [0.2, 0.1, 0.15], position: [0.03, 0.02, -0.01] }],
        sites: [
          { name: 'back', position: [-0.2, 0.05, 0.1] },
          { name: 'nose', position: [0.2, 0, 0.05], orientation: [0.9, 0.1, 0.3, 0.2] },
        ],
        bodies: [
          {
            name: 'head',
            position: [0.1, 0, 0.3],
            joints: [{ kind: 'ball', name: 'neck', anchor: [0, 0.01, -0.1], stiffness: 3, damping: 0.2 }],
            shapes: [{ kind: 'ellipsoid', radii: [0.1, 0.08, 0.12], position: [0.02, 0, 0.05] }],
            sites: [{ name: 'crown', position: [0, 0.02, 0.15] }],
          },
          {
            name: 'arm',
            position: [0, 0.2, 0.1],
            orientation: [0.8, 0.2, -0.1, 0.4],
            gravityCompensation: 0.7,
            joints: [
              { kind: 'hinge', name: 'shoulder', axis: [0, 1, 0.2], damping: 0.3, armature: 0.01, reference: 0.1 },
              { kind: 'slide', name: 'reach', axis: [1, 0, 0], stiffness: 40, springReference: 0.05, damping: 1 },
            ],
            shapes: [
              { kind: 'capsule', radius: 0.04, halfLength: 0.15, position: [0, 0, -0.15] },
              {
                kind: 'cylinder',
                name: 'drum',
                radius: 0.05,
                halfLength: 0.1,
                position: [0.1, 0, -0.1],
                orientation: [0.7, 0.7, 0, 0.1],
                mass: 0,
              },
            ],
            sites: [{ name: 'elbow', position: [0.02, 0, -0.2] }],
            bodies: [
              {
                name: 'hand',
                position: [0, 0, -0.3],
                joints: [
                  {
                    kind: 'hinge',
                    name: 'wrist',
                    axis: [1, 0, 0],
                    anchor: [0, 0.01, 0.02],
                    stiffness: 2,
                    springReference: 0.4,
                  },
                ],
                shapes: [{ kind: 'sphere', name: 'ball', radius: 0.06, position: [0, 0.02, -0.05] }],
                sites: [
                  { name: 'palm', position: [0.03, 0.1, -0.1] },
                  { name: 'side', position: [0, 0.15, 0] },
                ],
              },
            ],
          },
        ],
      },
      {
        name: 'pole',
        position: [1, 0, 0.5],
        joints: [{ kind: 'hinge', name: 'swing', axis: [0, 0, 1], anchor: [0.1, 0, 0] }],
        shapes: [{ kind: 'capsule', radius: 0.03, halfLength: 0.3, orientation: [0.9, 0, 0.4, 0] }],
        sites: [{ name: 'tip', position: [0.1, 0.1, 0.3] }],
      },
    ],
    tendons: [
      {
        kind: 'fixed',
        name: 'coupling',
        terms: [
          { joint: 'shoulder', coefficient: 0.5 },
          { joint: 'wrist', coefficient: -1.2 },
        ],
        stiffness: 4,
        damping: 0.6,
        springLength: [-0.1, 0.1],
      },
      {
        kind: 'spatial',
        name: 'string',
        path: [
          { kind: 'site', site: 'ceiling' },
          { kind: 'site', site: 'back' },
          { kind: 'wrap', shape: 'drum' },
          { kind: 'site', site: 'elbow' },
          { kind: 'wrap', shape: 'ball', sideSite: 'side' },
          { kind: 'site', site: 'palm' },
          { kind: 'pulley', divisor: 2 },
          { kind: 'site', site: 'tip' },
          { kind: 'site', site: 'crown' },
        ],
        stiffness: 5,
        damping: 0.4,
      },
    ],
    actuators: [
      {
        kind: 'motor',
        name: 'motor',
        transmission: { kind: 'joint', joint: 'shoulder', gear: [3] },
        controlRange: [-1, 1],
      },
      {
        kind: 'position',
        name: 'servo',
        transmission: { kind: 'joint', joint: 'reach' },
        stiffness: 30,
        damping: 2,
        forceRange: [-20, 20],
      },
      { kind: 'velocity', name: 'speed', transmission: { kind: 'joint', joint: 'swing' }, gain: 0.8 },
      {
        kind: 'general',
        name: 'pull',
        transmission: { kind: 'tendon', tendon: 'string', gear: [1.5] },
        gain: [2, 0.5, 0.3],
        bias: [0.1, -0.4, -0.7],
        activation: { kind: 'filterExact', timeConstant: 0.05 },
      },
      {
        kind: 'general',
        name: 'twist',
        transmission: { kind: 'joint', joint: 'neck', gear: [0.3, -0.2, 1], inParent: true },
        gain: [1, 0.2, 0],
        activation: { kind: 'integrator', range: [-1, 1] },
      },
      {
        kind: 'motor',
        name: 'thrust',
        transmission: { kind: 'site', site: 'nose', gear: [1, 0.2, -0.4, 0.05, 0.1, 0.2] },
      },
      {
        kind: 'position',
        name: 'aim',
        transmission: { kind: 'site', site: 'palm', referenceSite: 'nose', gear: [0.5, 1, -0.3, 0.2, 0, 0.4] },
        stiffness: 3,
      },
      { kind: 'motor', name: 'push', transmission: { kind: 'joint', joint: 'root', gear: [1, 2, 3, 0.1, 0.2, 0.3] } },
    ],
    options: { medium: { density: 1.2, viscosity: 0.02, wind: [0.5, -0.3, 0.1] } },
  };
}
