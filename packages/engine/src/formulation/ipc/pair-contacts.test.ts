/** Contacts by their shapes against a search through all of them. */
import { expect, it } from 'vitest';
import { ContactSet } from '../../collision/contact-set.ts';
import { PairContacts } from './pair-contacts.ts';

it('finds all contacts of two shapes, in their order', () => {
  const contacts = new ContactSet();
  const pairs = new PairContacts();
  for (const [count, shapes] of [
    [0, 4],
    [1, 2],
    [70, 5],
    [900, 300],
    [40, 3],
  ]) {
    contacts.count = 0;
    if (count > 0) contacts.reserve(count);
    for (let i = 0; i < count; i++) {
      contacts.shape1[i] = (i * 7919 + 13) % shapes;
      contacts.shape2[i] = (i * 104729 + (i >> 2)) % shapes;
    }
    pairs.index(contacts, count);
    for (let one = 0; one < Math.min(shapes, 20); one++) {
      for (let two = 0; two < Math.min(shapes, 20); two++) {
        const expected: number[] = [];
        for (let i = 0; i < count; i++) {
          const { shape1, shape2 } = contacts;
          const isPair = (shape1[i] === one && shape2[i] === two) || (shape1[i] === two && shape2[i] === one);
          if (isPair) expected.push(i);
        }
        const found: number[] = [];
        for (let i = pairs.first(contacts, one, two); i >= 0; i = pairs.after(i)) found.push(i);
        expect(found).toEqual(expected);
      }
    }
  }
});
