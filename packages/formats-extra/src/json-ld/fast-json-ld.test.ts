/** What is expanded without jsonld is what jsonld expands it to. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import jsonld from 'jsonld';
import { describe, expect, it } from 'vitest';
import { W3C_ROOT } from '../../../../test/w3c/manifest.js';
import type { Json } from '../json/json-document.js';
import { expandFast } from './fast-json-ld.js';

const CONTEXT = {
  '@version': 1.1,
  e: 'http://e/',
  h: 'http://h/x#',
  noPrefix: 'http://n/name',
  urn: 'http://not-a-urn/',
  name: 'e:name',
  known: { '@id': 'h:known', '@type': '@id' },
  date: { '@id': 'http://e/date', '@type': 'h:date' },
  'h:made': { '@type': 'http://e/T' },
  id: '@id',
  type: '@type',
};
const WITH_VOCABULARY = { ...CONTEXT, '@vocab': 'http://v/', short: { '@type': '@id' } };

const expand = (document: Json): Promise<readonly unknown[] | 'refused'> =>
  jsonld
    .expand(document, { base: 'http://base/', documentLoader: () => Promise.reject(new Error('none')) })
    .catch(() => 'refused' as const);

/** Whether it is plain; if so, both must agree. */
async function isFast(document: Json): Promise<boolean> {
  const expanded = expandFast(document);
  if (expanded !== undefined) expect(expanded, JSON.stringify(document)).toEqual(await expand(document));
  return expanded !== undefined;
}

describe('plain nodes', () => {
  it.each<[string, Json]>([
    ['names', { '@id': 'e:s', '@type': ['e:T', 'name'], name: 'a', 'e:p': ['b', 1, true], 'http://e/q': 1.5 }],
    [
      'references',
      { '@id': 'e:s', known: ['e:o', '_:b'], 'e:p': { '@id': 'urn:x' }, date: '2000-01-01', 'h:made': 'x' },
    ],
    [
      'values',
      {
        '@id': '_:s',
        'e:p': [{ '@value': 'x', '@type': 'h:T' }, { '@value': 'x', '@language': 'EN-gb' }, { '@value': 7 }],
      },
    ],
    ['nodes within', { 'e:p': { 'e:q': [{ '@id': 'e:o', 'e:r': 'x' }, {}] } }],
    ['other names of keywords', { id: 'e:s', type: 'e:T', known: { id: 'e:o', type: ['e:U'] } }],
    ['nothing in a list of values', { '@id': 'e:s', 'e:p': [] }],
    ['a named graph', { '@id': 'e:g', '@graph': [{ '@id': 'e:s', 'e:p': 1 }] }],
  ])('with %s', async (_, node) => {
    expect(await isFast({ '@context': CONTEXT, ...(node as object) })).toBe(true);
    expect(await isFast({ '@context': CONTEXT, '@graph': [node, node] })).toBe(true);
    expect(await isFast({ '@context': WITH_VOCABULARY, '@graph': [node] })).toBe(true);
  });

  it('with a vocabulary', async () => {
    const node = { '@id': 'http://e/s', '@type': 'T', p: 'x', short: 'http://e/o' };
    expect(await isFast({ '@context': WITH_VOCABULARY, ...node })).toBe(true);
    expect(await isFast({ '@context': CONTEXT, ...node })).toBe(false);
  });

  it('that are expanded already', async () => {
    const node = { '@id': 'http://e/s', '@type': ['http://e/T'], 'http://e/p': [{ '@value': 'x' }, { '@id': '_:b' }] };
    expect(await isFast([node, { '@id': 'http://e/g', '@graph': [node] }])).toBe(true);
  });
});

const key = fc.constantFrom(
  'name',
  'known',
  'date',
  'h:made',
  'id',
  'type',
  'e:p',
  'h:',
  'noPrefix:x',
  'noPrefix',
  'unknown',
  'unknown:p',
  'short',
  'http://e/p',
  '@id',
  '@type',
  '@value',
  '@language',
  '@list',
  '@graph',
  '@reverse',
  '@index',
  '@set',
  '@context',
  '@nothing',
  '_:b',
  ':x',
  'a b:c',
  'urn:x',
  '',
);
const text = fc.constantFrom(
  'x',
  'e:x',
  'h:a b',
  '_:b',
  'http://e/x',
  'http://e/x y',
  'rel',
  'noPrefix:x',
  'urn:x',
  'mailto:x',
  'name',
  '@id',
  '@json',
  '@none',
  'EN',
  '',
  ':',
  '//x',
);
const { value } = fc.letrec<{ value: Json; node: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom<Json>(1, 1.5, true, null, {}, []),
    tie('node'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  node: fc.oneof(
    fc.dictionary(key, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
    fc.record({ '@value': tie('value'), '@type': text }, { requiredKeys: ['@value'] }) as fc.Arbitrary<Json>,
    fc.record({ '@value': text, '@language': text }) as fc.Arbitrary<Json>,
    fc.record({ '@id': text, 'e:p': tie('value') }) as fc.Arbitrary<Json>,
  ),
}));
const definition = fc.oneof(
  text,
  fc.constantFrom<Json>(null, '@type', '@value', 'http://e/', 'e:', 1),
  fc.dictionary(fc.constantFrom('@id', '@type', '@container', '@reverse', '@prefix'), text, {
    maxKeys: 2,
  }) as fc.Arbitrary<Json>,
);
const contextKey = fc.oneof(key, fc.constantFrom('e', 'h', '@vocab', '@base', '@version'));
const context = fc.oneof(
  fc.constant<Json>(CONTEXT),
  fc.constant<Json>(WITH_VOCABULARY),
  fc.dictionary(contextKey, definition, { maxKeys: 4 }) as fc.Arbitrary<Json>,
  fc
    .dictionary(contextKey, definition, { maxKeys: 2 })
    .map((others): Json => ({ ...CONTEXT, ...(others as Record<string, Json>) })),
);

it('documents of all kinds agree where they are plain', async () => {
  let fast = 0;
  await fc.assert(
    fc.asyncProperty(context, fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 }), async (one, node) => {
      const document = { '@context': one, ...(node as Record<string, Json>) };
      if (await isFast(document)) fast++;
      if (await isFast({ '@context': one, '@graph': [node as Json, { '@id': 'http://e/s', 'http://e/p': 1 }] })) fast++;
      if (await isFast([node as Json])) fast++;
    }),
    { numRuns: 2000 },
  );
  expect(fast).toBeGreaterThan(100);
});

const FOLDER = resolve(W3C_ROOT, '../json-ld-api/tests/toRdf');
describe.runIf(existsSync(FOLDER))('documents of the W3C', () => {
  it('agree where they are plain', async () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonld'));
    let fast = 0;
    for (const file of files) {
      const document = JSON.parse(readFileSync(resolve(FOLDER, file), 'utf8')) as Json;
      if (await isFast(document)) fast++;
    }
    expect(fast).toBeGreaterThan(20);
  });
});
