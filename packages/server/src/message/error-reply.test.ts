import { badRequest, statusOf } from '../http/index.js';
import { NotFoundError, ParseError, StorageError } from '@quadrille/model';
import { expect, test } from 'vitest';
import { errorReply } from './error-reply.js';

test('a syntax error tells its place', async () => {
  const response = errorReply(new ParseError('SPARQL_SYNTAX', 'expected {', { line: 2, column: 7 }), 'id', null);
  expect(response.status).toBe(400);
  expect(JSON.parse(response.body as string)).toEqual({
    error: '2:7: expected {',
    code: 'SPARQL_SYNTAX',
    status: 400,
    requestId: 'id',
    line: 2,
    column: 7,
  });
});

test('paths and unexpected errors stay inside', async () => {
  const storage = new StorageError('STORAGE_IO', 'cannot write /var/lib/secret', { cause: new Error('EIO') });
  expect(errorReply(storage, 'id', null).body).not.toContain('secret');
  const unexpected = errorReply(new TypeError('x is undefined at /home/me'), 'id', null);
  expect(unexpected.status).toBe(500);
  expect(unexpected.body).not.toContain('home');
});

test('a refusal that the library wrapped keeps its status', () => {
  expect(statusOf(new StorageError('STORAGE_IO', 'the source failed', { cause: badRequest('cut') }))).toBe(400);
});

test('a client of text gets text', async () => {
  const response = errorReply(new NotFoundError('REPOSITORY_NOT_FOUND', 'no a/b'), 'id', 'text/plain');
  expect(response.status).toBe(404);
  expect(response.body).toBe('no a/b\n');
});
