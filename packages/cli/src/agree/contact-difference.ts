/** Contacts of two engines in the same state, pair by pair of geoms. */
import type { ContactRecord } from './model-record.ts';

/** Points, normals and distances that agree to this are the same, m or 1. */
const SAME = 1e-6;

/** One pair of geoms in one state. */
export interface PairDifference {
  geom1: number;
  geom2: number;
  ours: number;
  theirs: number;
  /** Largest difference of a point, normal or distance; infinite where the numbers of contacts differ. */
  difference: number;
  agrees: boolean;
}

/** All pairs that one of the two has contacts of, in the order of their numbers. */
export function comparePairs(ours: readonly ContactRecord[], theirs: readonly ContactRecord[]): PairDifference[] {
  const pairs = new Map<string, [ContactRecord[], ContactRecord[]]>();
  for (const [side, contacts] of [ours, theirs].entries()) {
    for (const contact of contacts) {
      // MuJoCo also lists contacts of a geom with itself, which have no force
      if (contact.geom1 === contact.geom2) continue;
      // engines order the two geoms of a pair differently
      const turned = contact.geom1 > contact.geom2;
      const record = turned ? turnContact(contact) : contact;
      const key = `${record.geom1} ${record.geom2}`;
      if (!pairs.has(key)) pairs.set(key, [[], []]);
      pairs.get(key)![side]!.push(record);
    }
  }
  return [...pairs.values()]
    .map(([own, other]) => {
      const { geom1, geom2 } = (own[0] ?? other[0])!;
      const difference = own.length === other.length ? matchContacts(own, other) : Infinity;
      return { geom1, geom2, ours: own.length, theirs: other.length, difference, agrees: difference <= SAME };
    })
    .sort((a, b) => a.geom1 - b.geom1 || a.geom2 - b.geom2);
}

function turnContact(contact: ContactRecord): ContactRecord {
  const normal = contact.normal.map((value) => -value);
  return { ...contact, geom1: contact.geom2, geom2: contact.geom1, normal };
}

/** Each contact with the nearest that is left of the other list. */
function matchContacts(ours: readonly ContactRecord[], theirs: readonly ContactRecord[]): number {
  const left = [...theirs];
  let worst = 0;
  for (const contact of ours) {
    let best = Infinity;
    let chosen = 0;
    for (const [i, candidate] of left.entries()) {
      const difference = measureContact(contact, candidate);
      if (difference < best) [best, chosen] = [difference, i];
    }
    left.splice(chosen, 1);
    worst = Math.max(worst, best);
  }
  return worst;
}

function measureContact(a: ContactRecord, b: ContactRecord): number {
  const gap = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((most, value, i) => Math.max(most, Math.abs(value - y[i]!)), 0);
  return Math.max(gap(a.position, b.position), gap(a.normal, b.normal), Math.abs(a.distance - b.distance));
}
