import { HttpError } from '../http/index.js';
import {
  CorruptionError,
  EvaluationError,
  FetchError,
  NotFoundError,
  StateError,
  StorageError,
} from '@quadrille/model';
import { expect, test } from 'vitest';
import { logFailure } from './log-failure.js';

test.each([
  ['a bug', new TypeError('x is undefined'), 'error', true],
  ['a damaged store', new CorruptionError('CHECKSUM', 'damaged'), 'error', true],
  ['a storage that fails', new StorageError('STORAGE_IO', 'no answer'), 'error', true],
  ['no error object', 'text', 'error', false],
  ['another host that fails', new FetchError('FETCH_FAILED', 'refused'), 'warn', false],
  ['a closed store', new StateError('STORE_NOT_OPEN', 'closed'), 'warn', false],
  ['a query that takes too long', new EvaluationError('QUERY_TIMEOUT', 'too long'), undefined, false],
  ['too many queries', new EvaluationError('QUERY_QUEUE_FULL', 'too many'), undefined, false],
  [
    'a query that takes too much',
    new Error('wrapped', { cause: new EvaluationError('QUERY_MEMORY', 'm') }),
    undefined,
    false,
  ],
  ['a server that ends', new HttpError('NOT_READY', 'soon'), undefined, false],
  ['what is not built', new HttpError('NOT_IMPLEMENTED', 'no'), undefined, false],
  ['what is not there', new NotFoundError('TAG_NOT_FOUND', 'no'), undefined, false],
])('%s', (_, error, level, hasStack) => {
  const lines: [string, object][] = [];
  const at = (name: string) => (__: string, details: object | undefined) => void lines.push([name, details ?? {}]);
  logFailure({ info: at('info'), warn: at('warn'), error: at('error') }, error, { requestId: 'r' });
  expect(lines.map(([name]) => name)).toEqual(level === undefined ? [] : [level]);
  for (const [, details] of lines) {
    expect(details).toMatchObject({ requestId: 'r', detail: expect.any(String) });
    expect(/\n +at /.test((details as { detail: string }).detail)).toBe(hasStack);
  }
});
