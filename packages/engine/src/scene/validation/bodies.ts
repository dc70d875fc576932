import { NexdynError } from '../../error.ts';
import type { Inertia } from '../body.ts';
import type { Joint } from '../joint.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import { checkRegisteredShape } from '../registered-shapes.ts';
import type { Scene } from '../scene.ts';
import type { Shape } from '../shape.ts';
import { findSceneShape } from '../shape-kinds.ts';
import { isPhysicalInertia } from './inertia.ts';
import type { PlacedBody, SceneNames } from './names.ts';

/** Degrees of freedom by kind of joint. */
const DOFS = { free: 6, ball: 3, hinge: 1, slide: 1 } as const;

/** Checks what bodies, their joints, shapes and inertias mean. */
export function checkBodies(scene: Scene, names: SceneNames): void {
  scene.shapes?.forEach((shape, i) => {
    checkShape(shape, placeBelow(undefined, 'shapes', i), false, names);
  });
  const balance = scene.massRules?.balanceInertia ?? false;
  for (const placed of names.bodies) {
    const { body, place, moves } = placed;
    checkJoints(placed);
    checkMocap(placed);
    checkSleep(placed);
    body.shapes?.forEach((shape, i) => {
      checkShape(shape, placeBelow(place, 'shapes', i), moves, names);
    });
    if (body.inertia) checkInertia(body.inertia, balance, placeBelow(place, 'inertia'));
  }
}

function checkSleep({ body, place, isCarried }: PlacedBody): void {
  if (body.sleep === undefined || !isCarried) return;
  throw new NexdynError('invalid-value', 'a body that moves says whether all below it sleeps', {
    path: formatPath(placeBelow(place, 'sleep')),
    hint: 'move sleep to the topmost body that moves',
  });
}

function checkJoints({ body, place, isTop }: PlacedBody): void {
  const joints = body.joints ?? [];
  let dofs = 0;
  let hasBall = false;
  joints.forEach((joint, i) => {
    const at = placeBelow(place, 'joints', i);
    if (joint.kind === 'free' && !isTop) {
      failJoint('a free joint stands only on a child of the world', at, 'move the body to the top or use other joints');
    }
    if (joint.kind === 'free' && joints.length > 1) {
      failJoint('a free joint must be the only joint of its body', at, 'remove the others or put a body in between');
    }
    // a ball joint already turns every way; what turns after it would turn about axes that it has moved
    if (hasBall && joint.kind !== 'slide') {
      failJoint(`a ${joint.kind} joint cannot follow a ball joint on the same body`, at, 'put a body in between');
    }
    hasBall ||= joint.kind === 'ball';
    dofs += DOFS[joint.kind];
    if (dofs > 6) failJoint('the joints of a body have more than 6 degrees of freedom', at, 'put a body in between');
    checkJoint(joint, at);
  });
}

function checkJoint(joint: Joint, at: Place): void {
  if (joint.kind === 'ball' && joint.limit && joint.limit.range[0] !== 0) {
    const path = formatPath(placeBelow(at, 'limit', 'range', 0));
    throw new NexdynError('invalid-value', 'the lower bound of a ball joint is 0', {
      path,
      hint: 'its range is the angle from the rest position: [0, largest]',
    });
  }
  // a time constant without a damping ratio, or the reverse, says nothing
  if (joint.springDamper?.includes(0) && joint.springDamper.some((number) => number > 0)) {
    const path = formatPath(placeBelow(at, 'springDamper'));
    throw new NexdynError('invalid-value', 'time constant and damping ratio must both be above 0', {
      path,
      hint: 'give both, or leave springDamper out',
    });
  }
}

function checkMocap({ body, place, isTop }: PlacedBody): void {
  if (!body.mocap) return;
  const path = formatPath(placeBelow(place, 'mocap'));
  if (!isTop) {
    const hint = 'move it to the bodies of the scene';
    throw new NexdynError('invalid-value', 'a mocap body must be a child of the world', { path, hint });
  }
  if (body.joints?.length) {
    throw new NexdynError('invalid-joint', 'a mocap body has no joints', { path, hint: 'remove its joints, or mocap' });
  }
}

function checkShape(shape: Shape, place: Place, moves: boolean, names: SceneNames): void {
  names.materials.require(shape.material, placeBelow(place, 'material'));
  checkRegisteredShape(shape, place);
  const entry = findSceneShape(shape.kind);
  if (entry?.asset) {
    const [field, list] = entry.asset;
    names[list].require((shape as unknown as Record<string, string>)[field], placeBelow(place, field));
  }
  if (entry?.movingInstead !== undefined && moves) {
    const hint = `use ${entry.movingInstead}, or move the ${shape.kind} to a body without joints`;
    const path = formatPath(placeBelow(place, 'kind'));
    throw new NexdynError('invalid-value', `a ${shape.kind} cannot be on a body that moves`, { path, hint });
  }
}

function checkInertia(inertia: Inertia, balance: boolean, place: Place): void {
  if (isPhysicalInertia(inertia, balance)) return;
  const reason = balance
    ? 'a principal moment is negative'
    : 'no body has these moments: one exceeds the sum of the other two';
  const hint = balance ? 'check the signs of xy, xz, yz' : 'set massRules.balanceInertia to replace them by their mean';
  const path = formatPath(placeBelow(place, inertia.kind === 'principal' ? 'moments' : 'tensor'));
  throw new NexdynError('invalid-mass', reason, { path, hint });
}

function failJoint(reason: string, place: Place, hint: string): never {
  throw new NexdynError('invalid-joint', reason, { path: formatPath(placeBelow(place, 'kind')), hint });
}
