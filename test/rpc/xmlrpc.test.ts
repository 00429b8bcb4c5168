// npm xmlrpc, the XML-RPC client of most Node.js programs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import xmlrpc from 'xmlrpc';
import { type RpcServer, rpcServer } from './rpc-server.js';
import { type Client, expectScenario, type Results, runScenario, XML_NAMES } from './scenario.js';

let at: RpcServer;
let results: Results;
beforeAll(async () => {
  at = await rpcServer();
  results = await runScenario(clientOf(at), XML_NAMES, at);
});
afterAll(() => at?.stop());

type Caller = (method: string, params: readonly unknown[]) => Promise<unknown>;

function caller(url: string, user?: string): Caller {
  const client = xmlrpc.createClient({ url, ...(user === undefined ? {} : { basic_auth: { user, pass: '' } }) });
  return (method, params) =>
    new Promise((done, fail) => {
      client.methodCall(method, params, (error, value) => (error ? fail(error) : done(value)));
    });
}

function clientOf({ rpc, token }: RpcServer): Client {
  const [known, unknown, wrong] = [caller(rpc, token), caller(rpc), caller(rpc, 'nothing')];
  return {
    call: (method, ...params) => known(method, params),
    anonymously: (method, ...params) => unknown(method, params),
    falsely: (method, ...params) => wrong(method, params),
    batch: async (calls) => {
      const structs = calls.map(([methodName, ...params]) => ({ methodName, params }));
      const answers = (await known('system.multicall', [structs])) as ([unknown] | { faultCode: number })[];
      return answers.map((answer) => (Array.isArray(answer) ? answer[0] : answer.faultCode));
    },
    code: (error) => (error as { faultCode: number }).faultCode,
  };
}

describe('xmlrpc', () => {
  expectScenario(() => results, -32001);

  test('every type of value arrives, where it is refused', async () => {
    const call = caller(at.rpc, at.token);
    for (const value of [1, 1.5, 2 ** 40, true, null, new Date(), Buffer.from('x'), ['a'], { a: 'b' }]) {
      await expect(call('CountStatements', [value])).rejects.toMatchObject({ faultCode: -32602 });
    }
  });

  test('system.listMethods', async () => {
    expect(await caller(at.rpc)('system.listMethods', [])).toContain('dydra.repository.list');
  });
});
