// npm jayson, the JSON-RPC client of most Node.js programs.
import jayson from 'jayson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RpcServer, rpcServer } from './rpc-server.js';
import { type Client, expectScenario, JSON_NAMES, type Results, runScenario } from './scenario.js';

type Answer = { readonly result?: unknown; readonly error?: { readonly code: number } };

let at: RpcServer;
let results: Results;
beforeAll(async () => {
  at = await rpcServer();
  results = await runScenario(clientOf(at), JSON_NAMES, at);
});
afterAll(() => at?.stop());

const http = ({ rpc }: RpcServer, auth?: string): jayson.HttpClient =>
  jayson.Client.http({ ...urlOptions(rpc), ...(auth === undefined ? {} : { auth }) });

function urlOptions(url: string): { host: string; port: string; path: string } {
  const { hostname: host, port, pathname: path } = new URL(url);
  return { host, port, path };
}

const request = (client: jayson.HttpClient, method: string, params: unknown): Promise<unknown> =>
  new Promise((done, fail) => {
    client.request(method, params as unknown[], (error: unknown, answer: Answer | undefined) => {
      if (error) fail(error);
      else if (answer?.error !== undefined) fail(answer.error);
      else done(answer?.result);
    });
  });

function clientOf(server: RpcServer): Client {
  const known = http(server, `${server.token}:`);
  const unknown = http(server);
  const wrong = http(server, 'nothing:');
  return {
    call: (method, ...params) => request(known, method, params),
    anonymously: (method, ...params) => request(unknown, method, params),
    falsely: (method, ...params) => request(wrong, method, params),
    batch: (calls) =>
      new Promise((done, fail) => {
        const requests = calls.map(([method, ...params]) => jayson.Utils.request(method, [...params]));
        known.request(requests as never, (error: unknown, answers: readonly Answer[]) => {
          if (error) fail(error);
          else done(answers.map(({ error: failure, result }) => failure?.code ?? result));
        });
      }),
    code: (error) => (error as { code: number }).code,
  };
}

describe('jayson', () => {
  expectScenario(() => results, 401);

  test('parameters by name', async () => {
    const repository = `${at.account}/default`;
    expect(await request(http(at, `${at.token}:`), 'CountStatements', { repository })).toBe(0);
  });

  test('notifications, alone and in a batch', async () => {
    const client = http(at, `${at.token}:`);
    const notification = jayson.Utils.request('DescribeService', [], null);
    const send = (what: unknown): Promise<unknown> =>
      new Promise((done, fail) => {
        const answered = (error: unknown, answer: unknown): void => (error ? fail(error) : done(answer));
        client.request(what as never, answered as never);
      });
    expect(notification).not.toHaveProperty('id');
    expect(await send([notification, notification])).toBeUndefined();
    const asked = jayson.Utils.request('DescribeService', [], 7);
    expect(await send([notification, asked])).toMatchObject([{ id: 7, result: { version: '2012-06-01' } }]);
  });
});
