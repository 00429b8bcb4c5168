/** The parser against Traqula and sparqljs on the requests of the W3C suites. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { W3C_ROOT } from '../w3c/manifest.js';
import { differenceOf } from './compare.js';

const BASE = 'http://example.org/base/';
const folder = resolve(W3C_ROOT, 'sparql');

describe.skipIf(!existsSync(folder))('W3C suites (skipped where they are not there)', () => {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.r[qu]$/.test(name))
    : [];
  test('the same verdict and the same algebra as Traqula', () => {
    expect(files.length).toBeGreaterThan(700);
    const differences = files.flatMap((file) => {
      const found = differenceOf(readFileSync(join(folder, file), 'utf8'), { baseIRI: BASE });
      return found === undefined ? [] : [`${file}: ${found.kind} here: ${found.message}`];
    });
    expect(differences).toEqual([]);
  });
});
