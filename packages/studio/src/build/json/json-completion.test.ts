import { expect, test } from 'vitest';
import schema from '../../../../../docs/schema/scene.schema.json' with { type: 'json' };
import { completeJson } from './json-completion.ts';
import type { SchemaNode } from './schema-walk.ts';

/** What is offered at the bar. */
function offer(text: string): string[] {
  const caret = text.indexOf('|');
  const { options } = completeJson(schema as unknown as SchemaNode, text.replace('|', ''), caret);
  return options.map(({ label }) => label);
}

test('keys of an object, but those it has; what is needed comes first', () => {
  expect(offer('{ "format": "nexdyn-scene", "|')).toContain('bodies');
  expect(offer('{ "format": "nexdyn-scene", "|')).not.toContain('format');
  expect(offer('{ "|')[0]).toBe('format');
  expect(offer('{ "options": { "sap": { "fric|')).toEqual(['frictionRegularization']);
});

test('fields of the kind that an object says it is, wherever it says so', () => {
  const fields = offer('{ "shapes": [{ "kind": "box", "|" }]}');
  expect(fields).toContain('halfSize');
  expect(fields).not.toContain('radius');
  expect(offer('{ "shapes": [{ "|": 1, "kind": "sphere" }]}')).toContain('radius');
  expect(offer('{ "bodies": [{ "bodies": [{ "joints": [{ "kind": "hinge", "ax|')).toEqual(['axis']);
});

test('values that a field allows', () => {
  expect(offer('{ "options": { "formulation": "|"')).toEqual(expect.arrayContaining(['mujoco', 'sap', 'ccp', 'ipc']));
  expect(offer('{ "shapes": [{ "kind": "cap|')).toEqual(['capsule']);
  expect(offer('{ "bodies": [{ "mocap": |')).toEqual(expect.arrayContaining(['true', 'false']));
  expect(offer('{ "bodies": |')).toEqual(['[ ]']);
  expect(offer('{ "bodies": [|')).toEqual(['{ }']);
});

test('what the schema does not know has no offers, and broken text does no harm', () => {
  expect(offer('{ "nothing": { "|')).toEqual([]);
  for (const text of ['|', '}}]|', '{ "a": "b|', '[[[|', '{ "x": [1, 2|'] as const)
    expect(Array.isArray(offer(text))).toBe(true);
});
