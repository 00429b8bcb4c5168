import { expect, test } from 'vitest';
import type { MergePreview } from '../api/branches.js';
import { type Decision, keyOf, openConflicts, resolutionsOf } from './decisions.js';

const conflict = (subject: string) => ({
  subject: `<urn:${subject}>`,
  predicate: '<urn:name>',
  graph: null,
  base: ['"old"'],
  ours: ['"a"'],
  theirs: ['"b"'],
});
const [one, two] = [conflict('one'), conflict('two')];
const preview = (conflictCount: number): MergePreview =>
  ({ conflicts: [one, two], conflictCount, added: 0, removed: 0 }) as unknown as MergePreview;
const decided = (...list: [typeof one, Decision][]) => new Map(list.map(([key, value]) => [keyOf(key), value]));

test('conflicts stay open until each is decided, and those that are not listed too', () => {
  expect(openConflicts(preview(2), new Map(), undefined)).toBe(2);
  expect(openConflicts(preview(2), decided([one, { take: 'base' }]), undefined)).toBe(1);
  expect(openConflicts(preview(2), decided([one, { take: 'ours' }], [two, { own: '' }]), undefined)).toBe(0);
  expect(openConflicts(preview(2), decided([one, { take: 'ours' }], [two, { own: 'no term' }]), undefined)).toBe(1);
  const both = decided([one, { take: 'ours' }], [two, { take: 'theirs' }]);
  expect([openConflicts(preview(9), both, undefined), openConflicts(preview(9), both, 'ours')]).toEqual([7, 0]);
});

test('decisions become resolutions; own values are one term a line', () => {
  const gone = conflict('gone');
  const decisions = decided([one, { own: ' "x"@en \n\n<urn:y>' }], [two, { take: 'base' }], [gone, { take: 'ours' }]);
  expect(resolutionsOf([one, two], decisions)).toEqual([
    { subject: '<urn:one>', predicate: '<urn:name>', graph: null, values: ['"x"@en', '<urn:y>'] },
    { subject: '<urn:two>', predicate: '<urn:name>', graph: null, take: 'base' },
  ]);
});

test('own values may be short: numbers, names with a prefix, no value', () => {
  const decisions = decided([one, { own: '25350.5\nrdf:type' }], [two, { own: '' }]);
  expect(resolutionsOf([one, two], decisions).map((each) => 'values' in each && each.values)).toEqual([
    ['"25350.5"^^<http://www.w3.org/2001/XMLSchema#decimal>', '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'],
    [],
  ]);
});
