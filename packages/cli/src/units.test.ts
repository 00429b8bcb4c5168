import {
  CorruptionError,
  InvalidArgumentError,
  iri,
  literal,
  NotFoundError,
  ParseError,
  StorageError,
  XSD,
} from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { defaultWorkers } from './serve/default-workers.js';
import { exitCodeOf } from './exit.js';
import { bytes } from './lines.js';
import { progressLine } from './progress.js';
import { cellText, tableLines } from './table.js';

describe('exit codes', () => {
  test.each([
    [new InvalidArgumentError('INVALID_REF', 'x'), 2],
    [new ParseError('RDF_SYNTAX', 'x'), 65],
    [new NotFoundError('INPUT_NOT_FOUND', 'x'), 66],
    [new NotFoundError('REPOSITORY_NOT_FOUND', 'x'), 1],
    [new NotFoundError('REPOSITORY_DELETED', 'x'), 1],
    [new CorruptionError('CHECKSUM', 'x'), 70],
    [new StorageError('STORAGE_FULL', 'x'), 74],
    [new Error('x'), 1],
  ])('%o is %i', (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});

test.each([
  [1, 4096, 0],
  [3, 4096, 0],
  [4, 4096, 3],
  [5, 4096, 4],
  [64, 4096, 4],
  [64, 1024, 4],
  [64, 512, 0],
])('a server with %i cores and a heap of %i MB has %i threads for queries', (cores, heapMegabytes, workers) => {
  expect(defaultWorkers(cores, heapMegabytes * 1024 ** 2)).toBe(workers);
});

describe('table', () => {
  const prefixes = { foaf: 'http://xmlns.com/foaf/0.1/', xsd: XSD };
  test('terms in short', () => {
    expect(cellText(iri('http://xmlns.com/foaf/0.1/name'), prefixes)).toBe('foaf:name');
    expect(cellText(iri('http://xmlns.com/foaf/0.1/a/b'), prefixes)).toBe('<http://xmlns.com/foaf/0.1/a/b>');
    expect(cellText(literal('Carol'), prefixes)).toBe('Carol');
    expect(cellText(literal('bell\u0007\nline'), prefixes)).toBe('bell  line');
    expect(cellText(literal('chat', 'fr'), prefixes)).toBe('"chat"@fr');
    expect(cellText(literal('1', iri(`${XSD}integer`)), prefixes)).toBe('"1"^^xsd:integer');
    expect(cellText(undefined, prefixes)).toBe('');
  });

  test('rows beyond the measured ones come as well', async () => {
    async function* rows() {
      for (let i = 0; i < 450; i++) yield { n: literal(String(i)) };
    }
    let text = '';
    for await (const line of tableLines(['n'], rows(), {})) text += line;
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(453);
    expect([lines[0], lines[2], lines[451], lines[452]]).toEqual(['?n', '0', '449', '450 rows']);
  });
});

test('progress in a line', () => {
  const progress = {
    phase: 'reading',
    bytesRead: 512_000,
    bytesTotal: 1_024_000,
    quads: 1000,
    indexedShare: 0,
    fraction: 0.499,
  } as const;
  expect(progressLine('d.nt', progress)).toBe(' 49 %  d.nt: reading, 512.0 kB of 1.0 MB, 1000 quads');
  expect(progressLine('-', { ...progress, bytesTotal: undefined, fraction: undefined })).toBe(
    '-: reading, 512.0 kB, 1000 quads',
  );
  expect(bytes(999)).toBe('999 B');
});
