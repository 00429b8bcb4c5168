import { PassThrough, Writable } from 'node:stream';
import { Session } from '@quadrille/server/mcp-lines';
import { expect, it } from 'vitest';
import { versionOfCommand } from '../version.js';
import { greet, greetedToolsets } from './greeting.js';

const request = (id: number | string, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const INITIALIZE = request(1, 'initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 'a\nclient' } });
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const linesOf = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

/** What a client hears that writes these chunks, and what is left for the command. */
async function greeted(chunks: readonly (string | Buffer)[], tools = 'memory', ends = true) {
  const input = new PassThrough();
  let written = '';
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      written += chunk.toString();
      done();
    },
  });
  const greeting = greet(greetedToolsets(['mcp', 'store', '--tools', tools])!, input, output);
  for (const chunk of chunks) input.write(chunk);
  if (ends) input.end();
  const client = await greeting;
  input.end();
  let left = '';
  for await (const chunk of input) left += String(chunk);
  const answers = written.split('\n').filter((line) => line !== '');
  return { client, answers: answers.map((line) => JSON.parse(line) as object), left };
}

it.each(['memory', 'data', 'change', 'data,memory', 'memory,data,change'] as const)(
  'the tools are those of a session: %s',
  async (tools) => {
    const documents = () => Promise.resolve(new Uint8Array());
    const session = new Session({
      version: versionOfCommand(),
      tools: greetedToolsets(['mcp', 's', '--tools', tools])!,
      documents,
    });
    const asked = [INITIALIZE, request('ping', 'ping'), request(2, 'tools/list')];
    const expected = await Promise.all(asked.map((message) => session.handle(message, undefined as never)));
    const { answers, client, left } = await greeted([linesOf(...asked)], tools, false);
    expect(answers).toEqual(JSON.parse(JSON.stringify(expected)));
    expect([client, left]).toEqual(['a client', '']);
  },
);

it('leaves the first message of another kind for the command, with all that follows', async () => {
  for (const other of [
    linesOf(request(2, 'tools/call', { name: 'read_graph' })),
    linesOf(request(2, 'resources/list')),
    linesOf({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
    linesOf({ jsonrpc: '2.0', id: null, method: 'ping' }, { jsonrpc: '1.0', id: 3, method: 'ping' }),
    linesOf({ jsonrpc: '2.0', id: 3, method: 'ping', params: [] }),
    linesOf([INITIALIZE]),
    'no JSON\n',
    '\n',
    // Half a line.
    '{"jsonrpc":"2.0","id":2,"meth',
  ]) {
    const rest = other + linesOf(request(4, 'tools/list'));
    const { answers, client, left } = await greeted([linesOf(INITIALIZE, INITIALIZED) + rest]);
    expect(answers).toMatchObject([{ id: 1, result: { protocolVersion: '2025-06-18' } }]);
    expect([client, left]).toEqual(['a client', rest]);
  }
});

it('leaves bytes as they are, within a character too', async () => {
  const bytes = Buffer.from(linesOf(INITIALIZE) + '"é');
  const { left } = await greeted([bytes.subarray(0, -1), bytes.subarray(-1)]);
  expect(left).toBe('"é');
});

it('ends when the input ends, or the client is silent', async () => {
  expect(await greeted([])).toEqual({ client: undefined, answers: [], left: '' });
  const { answers, client } = await greeted([linesOf(INITIALIZE)], 'memory', false);
  expect([answers.length, client]).toEqual([1, 'a client']);
});

it('greets for command lines that it understands as a whole', () => {
  expect(greetedToolsets(['mcp', 'store'])).toEqual(new Set(['memory']));
  expect(greetedToolsets(['mcp', 'store', '--tools', 'data,change', '-r', 'a/b', '--allow-secrets'])).toEqual(
    new Set(['data', 'change']),
  );
  for (const argv of [
    [],
    ['query', 'store'],
    ['mcp'],
    ['mcp', '--http', 'http://localhost'],
    ['mcp', 'store', 'more'],
    ['mcp', 'store', '--help'],
    ['mcp', 'store', '--tools'],
    ['mcp', 'store', '--tools', 'memory,all'],
    ['mcp', 'store', '--import', 'memory.jsonl'],
    ['mcp', 'store', '--keep', '3'],
  ])
    expect(greetedToolsets(argv), argv.join(' ')).toBeUndefined();
});
