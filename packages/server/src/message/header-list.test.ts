import { expect, test } from 'vitest';
import { elementOf, elementsOf, entityTagsOf, qualityOf, typeOf } from './header-list.js';

const plain = (field: string): unknown =>
  elementsOf(field).map(({ value, parameters }) => [value, Object.fromEntries(parameters)]);

test('commas and semicolons in quotes are text', () => {
  expect(plain('application/ld+json; profile="http://e.org/a,b;c"; q=.5 , */*;q=0.1')).toEqual([
    ['application/ld+json', { profile: 'http://e.org/a,b;c', q: '.5' }],
    ['*/*', { q: '0.1' }],
  ]);
  expect(plain(String.raw`a; x="\"q=1\\", ,, b`)).toEqual([
    ['a', { x: String.raw`"q=1\ `.trim() }],
    ['b', {}],
  ]);
  expect(plain('a; x="open, b')).toEqual([['a', { x: 'open, b' }]]);
  expect(plain('A ; Q = 1;flag;x=;;')).toEqual([['A', { q: '1', flag: '', x: '' }]]);
  expect([plain(''), plain(' , ;'), elementOf(null), typeOf(' Text/Turtle ;a=b')]).toEqual([
    [],
    expect.anything(),
    undefined,
    'text/turtle',
  ]);
});

test.each([
  ['a', 1],
  ['a;q=1', 1],
  ['a;q=1.000', 1],
  ['a;q=0', 0],
  ['a;q=.2', 0.2],
  ['a;Q="0.5"', 0.5],
  ['a;q=1.5', undefined],
  ['a;q=-1', undefined],
  ['a;q=x', undefined],
  ['a;q=', undefined],
  ['a;q=1e-1', undefined],
] as const)('the quality of %s is %s', (text, quality) => {
  expect(qualityOf(elementsOf(text)[0]!)).toBe(quality);
});

test('entity tags may hold commas and backslashes, and be weak', () => {
  const tags = [
    { value: 'a,b', weak: true },
    { value: 'c\\', weak: false },
    { value: '', weak: false },
  ];
  expect(entityTagsOf('W/"a,b", "c\\" ,, ""')).toEqual(tags);
  expect(entityTagsOf(' * ')).toBe('*');
  const id = '018bcfe5-8358-738e-9154-8181177da82e';
  expect(entityTagsOf(`${id}, "x"`)).toEqual([id, 'x'].map((value) => ({ value, weak: false })));
});

test.each(['', ' ', ',', 'x', '"a" "b"', '*, "a"', '"a', 'a"', "'a'", 'W/x', 'W/ "x"', '"a";q=1', '**'])(
  '%s is no list of entity tags',
  (field) => {
    expect(entityTagsOf(field)).toBeUndefined();
  },
);
