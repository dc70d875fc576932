/** <replicate>: copies of a region, each moved one step further. */
import type { Vec3 } from '@nexdyn/engine';
import type { XmlElement } from '../xml/xml.ts';
import { locate, readInteger, readText, readVec3, settingsOf } from './attributes.ts';
import { readChildren, type Scope } from './body.ts';
import {
  addCopies,
  addLooks,
  type CopyMap,
  copyContent,
  copyReferring,
  countCopies,
  measureState,
  pourContent,
  REFERRING_LISTS,
  type Rename,
  referringList,
  reportCut,
  translateState,
} from './copy.ts';
import { findClass } from './defaults.ts';
import { fail, type Placed } from './failure.ts';
import { composeFrames, type Frame, IDENTITY, rotationFromEuler, transformPoint } from './orientation.ts';
import { openBody, type Reading } from './reading.ts';
import { collectNames, hasNames, type Referring, refersTo } from './references.ts';
import { checkAttributes } from './schema.ts';

/** Reads the content once, then copies it; names get the number of the copy at their end. */
export function readReplicate(element: XmlElement, scope: Scope, reading: Reading): void {
  checkAttributes(element);
  const settings = settingsOf(element);
  const count = readInteger(settings, 'count');
  if (count === undefined)
    fail('missing-value', element, "<replicate> needs the attribute 'count'", 'write count="..."');
  if (count < 1)
    fail('invalid-value', locate(settings, 'count'), `'count' must be positive, got ${count}`, 'give 1 or more');
  const content = openBody();
  const defaults = findClass(element, 'childclass', reading.defaults, scope.defaults);
  const topLevel = scope.topLevel && scope.role !== 'body';
  readChildren(element, { body: content, frame: IDENTITY, defaults, role: 'replicate', topLevel }, reading);

  countCopies(content, count, locate(settings, 'count'), reading);

  const separator = readText(settings, 'sep') ?? '';
  const digits = String(count).length;
  const renames = Array.from({ length: count }, (_, i): Rename => {
    const suffix = separator + String(i).padStart(digits, '0');
    return (name) => name + suffix;
  });
  const frames = listFrames(
    count,
    readVec3(settings, 'offset') ?? [0, 0, 0],
    readVec3(settings, 'euler') ?? [0, 0, 0],
    reading,
  );
  const names = collectNames(content);
  const first: CopyMap = new Map();
  renames.forEach((rename, i) => {
    const copy = copyContent(content, rename, (name) => name, reading);
    pourContent(copy.content, scope.body, composeFrames(scope.frame, frames[i]!));
    if (i === 0) for (const [original, copied] of copy.map) first.set(original, copied);
  });
  replicateReferring(names, renames, first, locate(settings, 'count'), reading);
  // states that came with an attached model belong to the first copy
  for (const state of reading.part.keyframes) addLooks(measureState(state), locate(settings, 'count'), reading);
  reading.part.keyframes = reading.part.keyframes.map((state) => translateState(state, first, true));
}

/** The frame of each copy: each one step from the one before. */
function listFrames(count: number, offset: Vec3, euler: Vec3, { compiler }: Reading): Frame[] {
  const frames: Frame[] = [];
  let position: Vec3 = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    // angles are multiplied, not accumulated, so that they do not drift
    const orientation = rotationFromEuler([i * euler[0], i * euler[1], i * euler[2]], compiler);
    const frame: Frame = { position, orientation };
    frames.push(frame);
    position = transformPoint(frame, offset);
  }
  return frames;
}

/** Elements that refer into the region are copied with it: first the originals, then the copies, number by number. */
function replicateReferring(
  names: ReturnType<typeof collectNames>,
  renames: readonly Rename[],
  first: CopyMap,
  at: Placed,
  reading: Reading,
): void {
  for (const list of REFERRING_LISTS) {
    const members = referringList(reading.part, list);
    if (!hasNames(names)) break;
    addLooks(members.length, at, reading);
    const touching = new Set(members.filter((member) => refersTo(member, names)));
    addCopies(touching.size * renames.length, at, reading);
    const untouched: Referring[] = [];
    const copied: Referring[][] = renames.map(() => []);
    for (const member of members) {
      if (!touching.has(member)) {
        untouched.push(member);
        continue;
      }
      const outcome = copyReferring(member, names, renames, reading);
      if (outcome.kind === 'untouched') untouched.push(member);
      else if (outcome.kind === 'cut') reportCut(member, reading);
      else {
        outcome.copies.forEach((copy, i) => {
          copied[i]!.push(copy);
        });
        first.set(member, outcome.copies[0]!);
      }
    }
    members.length = 0;
    for (const member of [...untouched, ...copied.flat()]) members.push(member);
  }
}
