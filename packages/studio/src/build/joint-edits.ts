/** Changes of a joint by hand: where its anchor is, and where its axis points. Both are given in the frame of its body. */
import type { Joint, Scene } from '@nexdyn/engine';
import type { Frame } from './edits.ts';
import { combineTurns, invertTurn, type Point, turnAbout, turnPoint } from './rotation.ts';
import { listBodies } from './scene-items.ts';
import { roundNumber } from './scene-text.ts';

/** A joint with an anchor: all but the free one. */
export type AnchoredJoint = Exclude<Joint, { kind: 'free' }>;

export interface PlacedJoint {
  joint: AnchoredJoint;
  /** Number of its body, and its number among the joints of that body. */
  body: number;
  index: number;
}

/** All joints with an anchor, in the order of their bodies. */
function listJoints(scene: Scene): PlacedJoint[] {
  return listBodies(scene).flatMap(({ body }, b) =>
    (body.joints ?? []).flatMap((joint, index) => (joint.kind === 'free' ? [] : [{ joint, body: b + 1, index }])),
  );
}

/** The joint that a part id means: `joint:2` counts hinges and slides, as the sliders do; `body:3` means its first joint. */
export function findJoint(scene: Scene, id: string | undefined): PlacedJoint | undefined {
  const [kind, number] = id?.split(':') ?? [];
  const joints = listJoints(scene);
  if (kind === 'body') return joints.find(({ body }) => body === Number(number));
  if (kind !== 'joint') return undefined;
  return joints.filter(({ joint }) => joint.kind !== 'ball')[Number(number)];
}

/** Where the anchor is in the world, m. */
export function locateAnchor({ joint }: PlacedJoint, { position, orientation }: Frame): Point {
  const local = turnPoint(orientation, joint.anchor ?? [0, 0, 0]);
  return local.map((part, k) => part + position[k]!) as Point;
}

/** Direction of the axis in the world; a ball joint has none. */
export function directAxis({ joint }: PlacedJoint, { orientation }: Frame): Point | undefined {
  return joint.kind === 'ball' ? undefined : turnPoint(orientation, joint.axis ?? [0, 0, 1]);
}

/** Moves the anchor by a distance in the world, m; the body stays where it is. */
export function moveAnchor(scene: Scene, id: string, distance: Point, body: Frame): void {
  const joint = findJoint(scene, id)?.joint;
  if (!joint) return;
  const local = turnPoint(invertTurn(body.orientation), distance);
  joint.anchor = (joint.anchor ?? [0, 0, 0]).map((part, k) => roundNumber(part + local[k]!)) as Point;
}

/** Turns the axis about an axis of the world, rad. */
export function turnAxis(scene: Scene, id: string, axis: number, angle: number, body: Frame): void {
  const joint = findJoint(scene, id)?.joint;
  if (!joint || joint.kind === 'ball') return;
  const { orientation } = body;
  const local = combineTurns(combineTurns(invertTurn(orientation), turnAbout(axis, angle)), orientation);
  const turned = turnPoint(local, joint.axis ?? [0, 0, 1]);
  const length = Math.hypot(...turned);
  joint.axis = turned.map((part) => roundNumber(part / length)) as Point;
}
