/** A share of the campaign `agents`. QUADRILLE_SEED repeats it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunSeed } from '../campaigns/kind.js';
import { SEED } from '../model/environment.js';
import { runAgents } from './agent-process.js';
import { lineOf } from './messages.js';

const LINES = 200;

test(`two agents get right answers to ${LINES} random lines each (QUADRILLE_SEED=${SEED})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quadrille-agents-'));
  const seed = new RunSeed('agents', String(SEED), 1);
  try {
    const numbers = [0, 1].map((i) => seed.number(`agent ${i}`));
    const outcomes = await runAgents(join(folder, 'store'), numbers, LINES);
    for (const end of ['done', 'INVALID_OPTION', 'SPARQL_SYNTAX', '-32600', '-32601', '-32602', '-32700'])
      expect(outcomes.get(end), end).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('what a line is answered with', () => {
  expect(lineOf(' ').id).toBeUndefined();
  expect(lineOf('{').id).toBeNull();
  expect(lineOf('[]').id).toBeNull();
  expect(lineOf('{"jsonrpc":"2.0","id":1,"result":{}}').id).toBeUndefined();
  expect(lineOf('{"jsonrpc":"1.0","id":"a","method":"ping"}').id).toBe('a');
  expect(lineOf('{"jsonrpc":"2.0","id":[],"method":"ping"}').id).toBeNull();
  expect(lineOf('{"jsonrpc":"2.0","method":"ping"}').id).toBeUndefined();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { arguments: { maxBytes: 600 } } };
  expect(lineOf(JSON.stringify(call))).toMatchObject({ id: 1, budget: 600 });
});
