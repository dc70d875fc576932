/** Things that stand, hang or fall: stacks, arches, chains. Lengths in m, masses in kg. */
import type { Body, Scene, SceneOptions } from '@nexdyn/engine';

/** Cubes on each other, edge `size`, the top one of another mass. */
export function tower(count: number, size: number, topMass: number, options: SceneOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options,
    shapes: [{ kind: 'plane', friction: 0.6 }],
    bodies: Array.from({ length: count }, (_, i) => ({
      position: [0, 0, size * (i + 0.5)] as [number, number, number],
      joints: [{ kind: 'free' }],
      shapes: [
        { kind: 'box', halfSize: [size / 2, size / 2, size / 2], mass: i === count - 1 ? topMass : 1, friction: 0.6 },
      ],
    })) as Body[],
  };
}

/** A half circle of wedges of mean radius 1 and thickness t on the ground, dry joints. */
export function arch(count: number, thickness: number, options: SceneOptions): Scene {
  const depth = 0.4;
  const inner = 1 - thickness / 2;
  const outer = 1 + thickness / 2;
  const wedge = Math.PI / count;
  // one wedge, seen from its own centre, standing at angle 0 (pointing up)
  const center = 1;
  const corner = (radius: number, angle: number, y: number): number[] => [
    radius * Math.sin(angle),
    y,
    radius * Math.cos(angle) - center,
  ];
  const vertices = [inner, outer].flatMap((radius) =>
    [-wedge / 2, wedge / 2].flatMap((angle) => [-depth / 2, depth / 2].flatMap((y) => corner(radius, angle, y))),
  );
  return {
    format: 'nexdyn-scene',
    version: 1,
    options,
    shapes: [{ kind: 'plane', friction: 0.7 }],
    meshes: [{ name: 'wedge', vertices, inertia: 'exact' }],
    bodies: Array.from({ length: count }, (_, i) => {
      const angle = -Math.PI / 2 + wedge * (i + 0.5);
      return {
        position: [Math.sin(angle) * center, 0, Math.cos(angle) * center] as [number, number, number],
        orientation: [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0] as [number, number, number, number],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'convexMesh', mesh: 'wedge', density: 1000, friction: 0.7 }],
      };
    }) as Body[],
  };
}

/** Links in a row that hang from one end, straight, at an angle from the vertical; the last one is heavy. */
export function chain(count: number, endMass: number, angle: number, options: SceneOptions): Scene {
  const tilt = (Math.PI / 2 - angle) / 2;
  let link: Body | undefined;
  for (let i = count - 1; i >= 0; i--) {
    const mass = i === count - 1 ? endMass : 1;
    const moment = i === count - 1 ? 0.5 : 1e-3;
    link = {
      name: `link${i}`,
      position: i === 0 ? [0, 0, 5] : [0.1, 0, 0],
      ...(i === 0 && { orientation: [Math.cos(tilt), 0, Math.sin(tilt), 0] as [number, number, number, number] }),
      joints: [{ kind: 'ball' }],
      inertia: { kind: 'principal', mass, center: [0.05, 0, 0], moments: [moment, moment, moment] },
      ...(link && { bodies: [link] }),
    };
  }
  return { format: 'nexdyn-scene', version: 1, options, bodies: [link!] };
}
