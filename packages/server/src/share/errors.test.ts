/** Errors of the client as the library has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientError } from '@quadrille/client';
import { ConflictError, EvaluationError, NotFoundError, ParseError, StorageError } from '@quadrille/model';
import { expect, test } from 'vitest';
import { classOf, libraryError } from './errors.js';

const errors = readFileSync(join(import.meta.dirname, '../../../model/src/errors.ts'), 'utf8');
/** The codes of each class, as the types of the model list them. */
const codes = Array.from(errors.matchAll(/^export class (\w+) extends QuadrilleError<(\w+)>/gm), ([, name, type]) => {
  const list = new RegExp(`export type ${type!} =([^;]+);`).exec(errors)![1]!;
  return [name!, Array.from(list.matchAll(/'(\w+)'/g), ([, code]) => code!)] as const;
});

/** Those that have classes of their own, or that no guest meets. */
const OTHERS = new Set(['ParseError', 'InvalidRecordError']);

test.each(codes.filter(([name]) => !OTHERS.has(name)))('the codes of %s', (name, list) => {
  expect(list.length).toBeGreaterThan(0);
  expect(list.map((code) => [code, classOf(code)?.name])).toEqual(list.map((code) => [code, name]));
});

const told = (code: string, details = {}): unknown =>
  libraryError(new ClientError('text', { code, status: 400, details }));

test('errors keep code, message and plain details', () => {
  expect(told('BRANCH_NOT_FOUND', { name: 'dev', list: [1] })).toMatchObject({
    code: 'BRANCH_NOT_FOUND',
    message: 'text',
    details: { name: 'dev' },
  });
  expect(told('BRANCH_NOT_FOUND')).toBeInstanceOf(NotFoundError);
  expect(told('COMMIT_UNKNOWN')).toBeInstanceOf(StorageError);
  const syntax = told('SPARQL_SYNTAX', { line: 2, column: 3 });
  expect(syntax).toBeInstanceOf(ParseError);
  expect(syntax).toMatchObject({ line: 2, column: 3 });
});

test('what only requests have becomes what the library says', () => {
  expect(told('PRECONDITION_FAILED')).toBeInstanceOf(ConflictError);
  expect(told('PRECONDITION_FAILED')).toMatchObject({ code: 'REVISION_CONFLICT' });
  expect(told('SOMETHING_ELSE')).toBeInstanceOf(EvaluationError);
  const other = new Error('mine');
  expect(libraryError(other)).toBe(other);
});
