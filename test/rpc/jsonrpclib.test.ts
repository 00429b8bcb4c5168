// Debian's python3-jsonrpclib-pelix.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has, steps } from '../clients/endpoint.js';
import { type RpcServer, rpcServer } from './rpc-server.js';
import { expectScenario, JSON_NAMES, type Results, scenarioEnvironment } from './scenario.js';

const installed = has('/usr/bin/python3', '-c', 'import jsonrpclib');
describe.skipIf(!installed)('jsonrpclib (needs Debian python3-jsonrpclib-pelix)', () => {
  let at: RpcServer;
  let results: Results;
  beforeAll(async () => {
    at = await rpcServer();
    results = await steps('../rpc/jsonrpclib_steps.py', at, scenarioEnvironment(JSON_NAMES, at));
  });
  afterAll(() => at?.stop());

  expectScenario(() => results, 401);

  test('parameters by name, and notifications', () => {
    expect(results['by_name']).toBe(0);
    expect(results['notification']).toBeNull();
    expect(results['notifications']).toEqual([]);
  });
});
