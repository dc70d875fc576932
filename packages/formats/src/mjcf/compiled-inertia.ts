/** Mass, centre and principal axes of bodies, from their shapes or as the file gives them. */
import { type Body, compileModel, type PrincipalInertia, type Quaternion, type Scene, type Vec3 } from '@nexdyn/engine';

/** The inertia of every body of a scene, before rules for masses change it. */
export function measureInertia({
  format,
  version,
  meshes,
  signedDistanceFields,
  bodies = [],
}: Scene): Map<Body, PrincipalInertia> {
  const scene: Scene = {
    format,
    version,
    ...(meshes && { meshes }),
    ...(signedDistanceFields && { signedDistanceFields }),
    // what bodies look like says nothing about their mass
    bodies: bodies.map(stripLooks),
  };
  const { body } = compileModel(scene, { coordinates: 'joint' });
  const measured = new Map<Body, PrincipalInertia>();
  let b = 1;
  const visit = (one: Body): void => {
    const { mass, inertiaCenter, inertiaOrientation, inertiaMoments } = body;
    measured.set(one, {
      kind: 'principal',
      mass: mass[b]!,
      center: [...inertiaCenter.subarray(3 * b, 3 * b + 3)] as Vec3,
      orientation: [...inertiaOrientation.subarray(4 * b, 4 * b + 4)] as Quaternion,
      moments: [...inertiaMoments.subarray(3 * b, 3 * b + 3)] as Vec3,
    });
    b++;
    one.bodies?.forEach(visit);
  };
  bodies.forEach(visit);
  return measured;
}

function stripLooks({ sites: _, cameras: __, lights: ___, shapes, bodies, ...body }: Body): Body {
  return {
    ...body,
    ...(shapes && { shapes: shapes.filter((shape) => !('heightField' in shape)).map(({ appearance: _, ...s }) => s) }),
    ...(bodies && { bodies: bodies.map(stripLooks) }),
  } as Body;
}
