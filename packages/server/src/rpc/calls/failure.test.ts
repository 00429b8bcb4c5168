import {
  AccessError,
  ConflictError,
  EvaluationError,
  InvalidArgumentError,
  InvalidRecordError,
  LimitError,
  NotFoundError,
  StorageError,
} from '@quadrille/model';
import { expect, test } from 'vitest';
import { testEndpoint } from '../testing/endpoint.js';
import { toRpcError } from './failure.js';
import { RPC } from './rpc-error.js';
import { hostOf } from 'quadrille/host';

test.each([
  [new NotFoundError('REPOSITORY_NOT_FOUND', 'no acme/people'), RPC.NOT_FOUND, 404],
  [new NotFoundError('REPOSITORY_DELETED', 'acme/people was deleted'), RPC.NOT_FOUND, 404],
  [new ConflictError('REVISION_CONFLICT', 'another commit came first'), RPC.CONFLICT, 409],
  [new InvalidArgumentError('INVALID_OPTION', 'the message of a commit is too long'), RPC.INVALID_PARAMS, 400],
  [new InvalidRecordError({ name: ["can't be blank"] }), RPC.VALIDATION, 422],
  [new LimitError('QUOTA_EXCEEDED', 'too many repositories'), RPC.FORBIDDEN, 403],
  [new EvaluationError('QUERY_QUEUE_FULL', 'too many queries wait'), RPC.RATE_LIMITED, 503],
  [new AccessError('RATE_LIMITED', 'too many requests', { details: { retryAfter: 7 } }), RPC.RATE_LIMITED, 429],
])('%s keeps its code and its message', (error, number, status) => {
  const told = toRpcError(error);
  expect([told.rpcCode, told.status, told.code, told.message]).toEqual([number, status, error.code, error.message]);
  expect(told.data).toMatchObject({ status, type: error.code });
});

test('failures inside the machine are told without their messages', () => {
  const storage = toRpcError(new StorageError('STORAGE_IO', 'cannot write /var/lib/secret'));
  expect([storage.rpcCode, storage.data['type'], storage.message]).toEqual([
    RPC.INTERNAL_ERROR,
    'STORAGE_IO',
    'the storage failed',
  ]);
  expect(toRpcError(new TypeError('x is undefined at /home/me')).message).toBe('internal error');
});

test('a repository that has moved is told with its address, and without its store', async () => {
  const { database, call } = await testEndpoint();
  const there = {
    id: 'x',
    store: 'y',
    to: 'postgres://db.example/other',
    created: '2026-01-01T00:00:00.000Z',
    moved: '2026-01-02T00:00:00.000Z',
  };
  const redirect = 'https://two.example';
  await hostOf(database).records.write([
    { key: 'moved/acme/people', value: { ...there, redirect } },
    { key: 'moved/acme/notes', value: there },
  ]);
  const told = async (name: string): Promise<unknown> => {
    const { error } = (await call('DescribeRepository', [name])) as {
      error: { code: number; message: string; data: object };
    };
    return [error.code, error.message, error.data];
  };
  const location = 'https://two.example/acme/people';
  const data = { status: 410, type: 'REPOSITORY_MOVED' };
  expect(await told('acme/people')).toEqual([
    RPC.NOT_FOUND,
    `repository acme/people has moved to ${location}`,
    expect.objectContaining({ ...data, location }),
  ]);
  expect(await told('acme/notes')).toEqual([
    RPC.NOT_FOUND,
    'repository acme/notes has moved to another store',
    expect.objectContaining(data),
  ]);
});
