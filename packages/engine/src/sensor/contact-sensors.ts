/**
 * Contacts: touch, rows of single contacts, and everything between two things.
 *
 * touch        Σ f_n over contacts of the body whose normal, drawn from the contact point out of the other body, meets the site's volume
 * contact      rows as in MuJoCo: force and torque on the second side in the contact frame (normal, two tangents); where the sides are
 *              the other way round than the contact has them, the normal and the first tangent turn
 * netForce     one row: forces at the mean of the points, weighted with their sizes, in world axes
 * contactPair  force and torque (about the mean point) on the second, N and N m, world axes; slip, the mean of |v_t| weighted with normal
 *              forces, m/s; area, m²; number of contacts with a force
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Model } from '../model/model.ts';
import type { ContactPairSensor, ContactSensor, SiteSensor } from '../scene/sensor.ts';
import { CONTACT_WIDTH } from '../scene/sensor-kinds.ts';
import { ContactSide, matchContact } from './contact-side.ts';
import { writeContactVelocity } from './contact-velocity.ts';
import { plainReader, type SensorReader, type SolvedMoment } from './sensor-reader.ts';
import { SiteVolume } from './site-volume.ts';

const direction = /* @__PURE__ */ new Float64Array(3);
const point = /* @__PURE__ */ new Float64Array(3);
const wrench = /* @__PURE__ */ new Float64Array(6);
const velocity = /* @__PURE__ */ new Float64Array(6);

export function createTouch(model: Model, { site }: SiteSensor): SensorReader {
  const volume = new SiteVolume(model, site);
  const { body } = volume.frame;
  const { shape, size } = model;
  const ofBody = (s: number): boolean => s < size.shape && shape.body[s] === body;
  return plainReader(({ work, contacts }, out, at) => {
    volume.place(work);
    out[at] = 0;
    for (let i = 0; i < contacts.count; i++) {
      const force = contacts.force[6 * i];
      const isSecond = ofBody(contacts.shape2[i]);
      if (!(force > 0) || !(isSecond || ofBody(contacts.shape1[i]))) continue;
      for (let k = 0; k < 3; k++) {
        direction[k] = (isSecond ? -1 : 1) * contacts.frame[9 * i + k];
        point[k] = contacts.position[3 * i + k];
      }
      if (volume.meets(point, direction)) out[at] += force;
    }
  });
}

/** A contact that was found, and which way round it is. */
class Matches {
  count = 0;
  index: Int32Array = new Int32Array(16);
  sign: Int8Array = new Int8Array(16);
  key: Float64Array = new Float64Array(16);

  add(i: number, sign: number, key: number): void {
    if (this.count === this.index.length) this.#grow();
    this.index[this.count] = i;
    this.sign[this.count] = sign;
    this.key[this.count++] = key;
  }

  #grow(): void {
    const { index, sign, key } = this;
    this.index = new Int32Array(2 * index.length);
    this.sign = new Int8Array(2 * index.length);
    this.key = new Float64Array(2 * index.length);
    this.index.set(index);
    this.sign.set(sign);
    this.key.set(key);
  }

  /** Moves those of least key to the front, in order, as many as are wanted. */
  select(wanted: number): void {
    for (let n = 0; n < Math.min(wanted, this.count); n++) {
      let least = n;
      for (let m = n + 1; m < this.count; m++) if (this.key[m] < this.key[least]) least = m;
      this.#swap(n, least);
    }
  }

  #swap(n: number, m: number): void {
    const { index, sign, key } = this;
    [index[n], index[m]] = [index[m], index[n]];
    [sign[n], sign[m]] = [sign[m], sign[n]];
    [key[n], key[m]] = [key[m], key[n]];
  }
}

export function createContactReader(model: Model, sensor: ContactSensor): SensorReader {
  const { data = ['found'], count = 1, reduce = 'none' } = sensor;
  const first = sensor.first && new ContactSide(model, sensor.first);
  const second = sensor.second && new ContactSide(model, sensor.second);
  const volume = sensor.site === undefined ? undefined : new SiteVolume(model, sensor.site);
  const width = data.reduce((sum, part) => sum + CONTACT_WIDTH[part], 0);
  const matches = new Matches();
  return plainReader((moment, out, at) => {
    const { contacts, work } = moment;
    volume?.place(work);
    matches.count = 0;
    for (let i = 0; i < contacts.count; i++) {
      const sign = matchContact(contacts, i, first, second);
      // contacts that are only near have no part in the step
      if (sign === 0 || !(contacts.gap[i] < contacts.margin[i] || contacts.force[6 * i] !== 0)) continue;
      if (volume) {
        for (let k = 0; k < 3; k++) point[k] = contacts.position[3 * i + k];
        if (!volume.contains(point)) continue;
      }
      matches.add(i, sign, reduce === 'leastDistance' ? contacts.gap[i] : -sizeOfForce(contacts, i));
    }
    out.fill(0, at, at + count * width);
    if (matches.count === 0) return;
    if (reduce === 'netForce') {
      sumMatches(moment, matches);
      writeNet(moment, matches, data, out, at);
      return;
    }
    if (reduce !== 'none') matches.select(count);
    for (let n = 0; n < Math.min(count, matches.count); n++) writeRow(moment, matches, n, data, out, at + n * width);
  });
}

function sizeOfForce({ force }: ContactSet, i: number): number {
  return Math.sqrt(force[6 * i] ** 2 + force[6 * i + 1] ** 2 + force[6 * i + 2] ** 2);
}

type Data = NonNullable<ContactSensor['data']>;

function writeRow(
  { model, work, state, contacts }: SolvedMoment,
  matches: Matches,
  n: number,
  data: Data,
  out: Float64Array,
  start: number,
): void {
  const i = matches.index[n];
  const sign = matches.sign[n];
  const { force, frame, position, gap } = contacts;
  let at = start;
  for (const part of data) {
    if (part === 'found') out[at] = matches.count;
    else if (part === 'distance') out[at] = gap[i];
    else if (part === 'position') copy3(out, at, position, 3 * i, 1);
    else if (part === 'normal') copy3(out, at, frame, 9 * i, sign);
    else if (part === 'tangent') copy3(out, at, frame, 9 * i + 3, sign);
    else if (part === 'force' || part === 'torque') {
      copy3(out, at, force, 6 * i + (part === 'force' ? 0 : 3), 1);
      out[at + 2] *= sign;
    } else {
      writeContactVelocity(velocity, model, work, state.softVelocity, contacts, i);
      const place = part === 'linearVelocity' ? 3 : 0;
      for (let k = 0; k < 3; k++) {
        const f = 9 * i + 3 * k;
        // the second over the first, in the frame that turns with the sides
        const along =
          frame[f] * velocity[place] + frame[f + 1] * velocity[place + 1] + frame[f + 2] * velocity[place + 2];
        out[at + k] = k === 2 ? sign * along : along;
      }
    }
    at += CONTACT_WIDTH[part];
  }
}

function copy3(out: Float64Array, at: number, from: Float64Array, i: number, scale: number): void {
  for (let k = 0; k < 3; k++) out[at + k] = scale * from[i + k];
}

// `point`: the mean of the points, weighted with forces; `wrench`: force and torque there on the second side, world axes
function sumMatches({ contacts }: SolvedMoment, matches: Matches): void {
  const { position, frame, force } = contacts;
  point.fill(0);
  wrench.fill(0);
  let total = 0;
  for (let n = 0; n < matches.count; n++) {
    const i = matches.index[n];
    const size = sizeOfForce(contacts, i);
    total += size;
    for (let k = 0; k < 3; k++) point[k] += size * position[3 * i + k];
  }
  for (let k = 0; k < 3; k++) {
    if (total > 0) point[k] /= total;
    else point[k] = position[3 * matches.index[0] + k];
  }
  for (let n = 0; n < matches.count; n++) {
    const i = matches.index[n];
    for (let k = 0; k < 3; k++) {
      direction[k] = 0;
      for (let r = 0; r < 3; r++) {
        direction[k] += matches.sign[n] * frame[9 * i + 3 * r + k] * force[6 * i + r];
        wrench[3 + k] += matches.sign[n] * frame[9 * i + 3 * r + k] * force[6 * i + 3 + r];
      }
      wrench[k] += direction[k];
    }
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const m = (k + 2) % 3;
      wrench[3 + k] +=
        (position[3 * i + l] - point[l]) * direction[m] - (position[3 * i + m] - point[m]) * direction[l];
    }
  }
}

function writeNet(_: SolvedMoment, matches: Matches, data: Data, out: Float64Array, start: number): void {
  let at = start;
  for (const part of data) {
    if (part === 'found') out[at] = matches.count;
    else if (part === 'force') copy3(out, at, wrench, 0, 1);
    else if (part === 'torque') copy3(out, at, wrench, 3, 1);
    else if (part === 'position') copy3(out, at, point, 0, 1);
    // the frame is that of the world
    else if (part === 'normal') out[at] = 1;
    else if (part === 'tangent') out[at + 1] = 1;
    at += CONTACT_WIDTH[part];
  }
}

export function createContactPair(model: Model, sensor: ContactPairSensor): SensorReader {
  const first = new ContactSide(model, sensor.first);
  const second = sensor.second && new ContactSide(model, sensor.second);
  const matches = new Matches();
  return plainReader((moment, out, at) => {
    const { contacts, work, state } = moment;
    matches.count = 0;
    out.fill(0, at, at + 9);
    let normal = 0;
    for (let i = 0; i < contacts.count; i++) {
      const sign = matchContact(contacts, i, first, second);
      if (sign === 0 || sizeOfForce(contacts, i) === 0) continue;
      matches.add(i, sign, 0);
      writeContactVelocity(velocity, model, work, state.softVelocity, contacts, i);
      const push = Math.max(0, contacts.force[6 * i]);
      normal += push;
      out[at + 6] += push * measureSlip(contacts, i);
      out[at + 7] += contacts.area[i];
    }
    if (matches.count === 0) return;
    sumMatches(moment, matches);
    for (let k = 0; k < 6; k++) out[at + k] = wrench[k];
    if (normal > 0) out[at + 6] /= normal;
    out[at + 8] = matches.count;
  });
}

// size of the tangential part of `velocity`
function measureSlip({ frame }: ContactSet, i: number): number {
  let square = 0;
  for (let r = 1; r < 3; r++) {
    const f = 9 * i + 3 * r;
    square += (frame[f] * velocity[3] + frame[f + 1] * velocity[4] + frame[f + 2] * velocity[5]) ** 2;
  }
  return Math.sqrt(square);
}
