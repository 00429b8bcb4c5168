import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HTTP_CODES } from '@quadrille/server';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

/** The codes are types and gone at run time, so that they are read from the source. */
function modelCodes(): string[] {
  const unions = read('packages/model/src/errors.ts').matchAll(/export type \w+Code =([^;]+);/g);
  return [...unions].flatMap(([, union = '']) => [...union.matchAll(/'([A-Z_]+)'/g)].map(([, code = '']) => code));
}

test('every code stands in docs/reference/errors.md with its cause, once', () => {
  const codes = [...modelCodes(), ...HTTP_CODES];
  expect(codes.length).toBeGreaterThan(40);
  const documented = [...read('docs/reference/errors.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
  expect(documented.sort()).toEqual([...codes].sort());
});
