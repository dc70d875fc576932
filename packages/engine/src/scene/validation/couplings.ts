import { NexdynError } from '../../error.ts';
import type { ConnectEquality, Equality, WeldEquality } from '../equality.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import type { SceneNames } from './names.ts';

/** Checks that equalities, contact pairs and excludes name things that are there and fit. */
export function checkCouplings(scene: Scene, names: SceneNames): void {
  scene.equalities?.forEach((equality, i) => {
    checkEquality(equality, placeBelow(undefined, 'equalities', i), names);
  });
  scene.contactPairs?.forEach((pair, i) => {
    const place = placeBelow(undefined, 'contactPairs', i);
    names.shape.require(pair.shape1, placeBelow(place, 'shape1'));
    names.shape.require(pair.shape2, placeBelow(place, 'shape2'));
    checkDifferent(pair.shape1, pair.shape2, 'shape', placeBelow(place, 'shape2'));
  });
  scene.contactExcludes?.forEach((exclude, i) => {
    const place = placeBelow(undefined, 'contactExcludes', i);
    names.body.require(exclude.body1, placeBelow(place, 'body1'));
    names.body.require(exclude.body2, placeBelow(place, 'body2'));
  });
}

function checkEquality(equality: Equality, place: Place, names: SceneNames): void {
  switch (equality.kind) {
    case 'connect':
    case 'weld':
      if (equality.site1 !== undefined || equality.site2 !== undefined) checkSites(equality, place, names);
      else checkBodies(equality, place, names);
      return;
    case 'distance':
      checkBodies(equality, place, names);
      return;
    case 'joint':
      for (const key of ['joint1', 'joint2'] as const) {
        const joint = equality[key];
        if (joint !== undefined) requireScalarJoint(joint, placeBelow(place, key), names);
      }
      checkDifferent(equality.joint1, equality.joint2, 'joint', placeBelow(place, 'joint2'));
      return;
    case 'tendon':
      names.tendon.require(equality.tendon1, placeBelow(place, 'tendon1'));
      names.tendon.require(equality.tendon2, placeBelow(place, 'tendon2'));
      checkDifferent(equality.tendon1, equality.tendon2, 'tendon', placeBelow(place, 'tendon2'));
  }
}

function checkBodies(equality: { body1?: string; body2?: string }, place: Place, names: SceneNames): void {
  if (equality.body1 === undefined) {
    const hint = 'give body1, or site1 and site2';
    throw new NexdynError('missing-value', 'is missing', { path: formatPath(placeBelow(place, 'body1')), hint });
  }
  names.body.require(equality.body1, placeBelow(place, 'body1'));
  names.body.require(equality.body2, placeBelow(place, 'body2'));
  const second = equality.body2 === undefined ? 'body1' : 'body2';
  checkDifferent(equality.body1, equality.body2 ?? 'world', 'body', placeBelow(place, second));
}

function checkSites(equality: ConnectEquality | WeldEquality, place: Place, names: SceneNames): void {
  // the frames of the sites say what bodies, anchor and pose would say
  for (const key of ['body1', 'body2', 'anchor', 'relativePose'] as const) {
    if ((equality as WeldEquality)[key] === undefined) continue;
    const path = formatPath(placeBelow(place, key));
    throw new NexdynError('invalid-value', `${key} cannot stand beside sites`, {
      path,
      hint: 'give bodies or sites, not both',
    });
  }
  for (const key of ['site1', 'site2'] as const) {
    const at = placeBelow(place, key);
    if (equality[key] === undefined) {
      throw new NexdynError('missing-value', 'is missing', { path: formatPath(at), hint: 'name both sites' });
    }
    names.site.require(equality[key], at);
  }
  checkDifferent(equality.site1, equality.site2, 'site', placeBelow(place, 'site2'));
}

/** Raises an error unless the joint exists and has one degree of freedom. */
export function requireScalarJoint(name: string, place: Place, names: SceneNames): void {
  const { kind } = names.joint.find(name, place);
  if (kind === 'hinge' || kind === 'slide') return;
  const reason = `must be a hinge or slide joint, but '${name}' is a ${kind} joint`;
  throw new NexdynError('invalid-joint', reason, { path: formatPath(place), hint: 'name a hinge or a slide' });
}

function checkDifferent(first: string | undefined, second: string | undefined, what: string, place: Place): void {
  if (first !== second) return;
  throw new NexdynError('invalid-value', `both sides are the same ${what} '${first}'`, {
    path: formatPath(place),
    hint: `name two different ones`,
  });
}
