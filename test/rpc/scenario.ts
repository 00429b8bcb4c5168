/** What a client of the RPC interface does, from an empty repository to its end, and what has to come of it. */
import { expect, test } from 'vitest';
import { SIZE } from '../clients/endpoint.js';
import type { RpcServer } from './rpc-server.js';

/** The names of the operations as clients of either protocol know them; the server answers to all of them over both. */
export const JSON_NAMES = {
  list: 'ListRepositories',
  create: 'CreateRepository',
  describe: 'DescribeRepository',
  destroy: 'DestroyRepository',
  clear: 'ClearRepository',
  import: 'Import',
  count: 'CountStatements',
  operation: 'DescribeOperation',
};
export const XML_NAMES: typeof JSON_NAMES = {
  list: 'dydra.repository.list',
  create: 'dydra.repository.create',
  describe: 'dydra.repository.info',
  destroy: 'dydra.repository.destroy',
  clear: 'dydra.repository.clear',
  import: 'dydra.repository.import',
  count: 'dydra.repository.count',
  operation: 'dydra.operation.info',
};

export type Call = readonly [method: string, ...params: readonly unknown[]];

/** A client with the token, as the scenario needs it. */
export interface Client {
  call(...call: Call): Promise<unknown>;
  /** A call without the token, and one with a token that is none. */
  anonymously(...call: Call): Promise<unknown>;
  falsely(...call: Call): Promise<unknown>;
  /** Several calls in one request: the result of each, or the number of its error. */
  batch(calls: readonly Call[]): Promise<readonly unknown[]>;
  /** The number of an error that a call was rejected with. */
  code(error: unknown): unknown;
}

export type Results = Readonly<Record<string, unknown>>;

export async function runScenario(client: Client, names: typeof JSON_NAMES, at: RpcServer): Promise<Results> {
  const books = `${at.account}/books`;
  const call = client.call.bind(client);
  const codeOf = (answer: Promise<unknown>): Promise<unknown> =>
    answer.then(
      () => 'no error',
      (error: unknown) => client.code(error),
    );
  const ended = async (operation: unknown): Promise<string> => {
    for (;;) {
      const job = (await call(names.operation, operation)) as { working: boolean; status: string };
      if (!job.working) return job.status;
      await new Promise((next) => setTimeout(next, 20));
    }
  };
  const changed = async (...change: Call): Promise<[string, unknown]> => [
    await ended(await call(...change)),
    await call(names.count, books),
  ];
  return {
    service: await client.anonymously('DescribeService'),
    created: await changed(names.create, books),
    listed: await call(names.list, ''),
    described: await call(names.describe, books),
    imported: await changed(names.import, books, at.document, '', ''),
    importedAGraph: await changed(names.import, books, at.document, 'http://example.org/graph', ''),
    importedNothing: await changed(names.import, books, at.noDocument, '', ''),
    batch: await client.batch([
      ['DescribeService'],
      [names.count, books],
      ['NoSuchMethod', 1],
      [names.count, `${at.account}/nothing`],
      [names.list, ''],
    ]),
    unknownMethod: await codeOf(call('NoSuchMethod')),
    prototypeMethods: [await codeOf(call('toString')), await codeOf(call('constructor', 1))],
    tooFew: await codeOf(call(names.count)),
    tooMany: await codeOf(call(names.count, books, books)),
    wrongType: await codeOf(call(names.count, 17)),
    existing: await codeOf(call(names.create, books)),
    unknownOperation: await codeOf(call(names.operation, '00000000-0000-4000-8000-000000000000')),
    anonymous: await codeOf(client.anonymously(names.count, books)),
    falseToken: await codeOf(client.falsely('DescribeService')),
    cleared: await changed(names.clear, books),
    destroyed: await ended(await call(names.destroy, books)),
    gone: await codeOf(call(names.count, books)),
  };
}

/** What `scenario.py` needs to know. */
export const scenarioEnvironment = (names: typeof JSON_NAMES, at: RpcServer): Record<string, string> => ({
  RPC: at.rpc,
  NAMES: JSON.stringify(names),
  DOCUMENT: at.document,
  NO_DOCUMENT: at.noDocument,
});

/** @param unauthenticated what the client shows of a call without a token: the status, or the number in the body */
export function expectScenario(results: () => Results, unauthenticated: number, account = 'default'): void {
  const pairs = [
    [account, 'books'],
    [account, 'default'],
  ];
  test.each<[string, unknown]>([
    ['service', { version: '2012-06-01', status: expect.any(String), readable: true, writable: true }],
    ['created', ['completed', 0]],
    ['described', expect.objectContaining({ name: 'books', created: expect.any(String), updated: expect.any(String) })],
    ['imported', ['completed', SIZE]],
    ['importedAGraph', ['completed', 2 * SIZE]],
    ['importedNothing', ['failed', 2 * SIZE]],
    ['unknownMethod', -32601],
    ['prototypeMethods', [-32601, -32601]],
    ['tooFew', -32602],
    ['tooMany', -32602],
    ['wrongType', -32602],
    ['existing', -32009],
    ['unknownOperation', -32004],
    ['anonymous', unauthenticated],
    ['falseToken', unauthenticated],
    ['cleared', ['completed', 0]],
    ['destroyed', 'completed'],
    ['gone', -32004],
  ])('%s', (step, expected) => {
    expect(results()[step]).toEqual(expected);
  });

  test('listed, also in a batch', () => {
    expect([...(results()['listed'] as string[][])].toSorted()).toEqual(pairs);
    const [service, size, ...others] = results()['batch'] as unknown[];
    expect(service).toMatchObject({ version: '2012-06-01' });
    expect([size, ...others.slice(0, 2)]).toEqual([2 * SIZE, -32601, -32004]);
    expect((others[2] as string[][]).toSorted()).toEqual(pairs);
  });
}
