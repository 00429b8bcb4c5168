/** A query of an agent ends when its token is revoked. */
import { expect, test } from 'vitest';
import { twoAccounts } from '../../testing/agents.js';

test('a query ends when its token is revoked, and its client hears why', { timeout: 30_000 }, async () => {
  const served = await twoAccounts();
  const { token, text } = await served.service.tokens.create('acme');
  const client = await served.client(text);
  const values = Array.from({ length: 60 }, (_, i) => i).join(' ');
  const query = `SELECT (COUNT(*) AS ?n) { ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `VALUES ?${name} { ${values} }`).join(' ')} FILTER(?a + ?b + ?c + ?d + ?e + ?f < 0) }`;
  const params = { name: 'query', arguments: { query, timeoutMs: 60_000 } };
  const answer = client.post({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
  await expect.poll(() => served.database.queries().length).toBe(1);
  await served.service.tokens.revoke('acme', token.id);
  expect(await answer).toMatchObject({ status: 401, json: { code: 'UNAUTHENTICATED' } });
  expect(served.database.queries()).toEqual([]);
});
