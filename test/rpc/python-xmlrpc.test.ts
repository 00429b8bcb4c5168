// xmlrpc.client of Python's standard library.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has, steps } from '../clients/endpoint.js';
import { type RpcServer, rpcServer } from './rpc-server.js';
import { expectScenario, type Results, scenarioEnvironment, XML_NAMES } from './scenario.js';

describe.skipIf(!has('/usr/bin/python3', '-c', 'import xmlrpc.client'))('xmlrpc.client (needs Python)', () => {
  let at: RpcServer;
  let results: Results;
  beforeAll(async () => {
    at = await rpcServer();
    results = await steps('../rpc/xmlrpc_client_steps.py', at, scenarioEnvironment(XML_NAMES, at));
  });
  afterAll(() => at?.stop());

  expectScenario(() => results, -32001);

  test('introspection', () => {
    expect(results['methods']).toEqual(expect.arrayContaining(['DescribeService', 'system.multicall']));
    expect(results['signature']).toEqual([['struct']]);
    expect(results['help_text']).toEqual(expect.stringMatching(/\w+ \w+/));
  });

  test('every type of value arrives, where it is refused', () => {
    const notFoundOrInvalid = expect.toSatisfy((code) => code === -32602 || code === -32004 || code === -32022);
    expect(results['values']).toEqual([...Array.from({ length: 9 }, () => -32602), notFoundOrInvalid]);
  });
});
