// `quadrille mcp`, as a process of its own: lines of JSON-RPC in and out, and nothing else on standard output.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { open as openStore } from 'quadrille';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ok, quadrille, start, type Workspace, workspace } from './testing/command.js';

const SLOW = { timeout: 60_000 };

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

interface Agent {
  /** The answer to a request. */
  ask(method: string, params?: object): Promise<Record<string, never>>;
  tool(name: string, input?: object): Promise<Record<string, never>>;
  send(text: string): void;
  readonly lines: string[];
  /** Closes the input, and gives the exit code and what was written to standard error. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; errors: string }>;
}

const agent = (...args: readonly string[]): Promise<Agent> => agentOf(start(['mcp', work.store, ...args]));

async function agentOf(child: ReturnType<typeof start>): Promise<Agent> {
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const waiting = new Map<number, (answer: Record<string, never>) => void>();
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const answer = JSON.parse(line) as { id?: number };
    waiting.get(answer.id!)?.(answer as Record<string, never>);
  });
  let id = 0;
  const ask = (method: string, params: object = {}): Promise<Record<string, never>> =>
    new Promise((resolve) => {
      waiting.set(++id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await ask('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'shell test' } });
  return {
    ask,
    tool: async (name, input = {}) => (await ask('tools/call', { name, arguments: input }))['result']!,
    send: (text) => void child.stdin.write(text),
    lines,
    end: async (signal) => {
      if (signal === undefined) child.stdin.end();
      else child.kill(signal);
      return { code: (await closed)[0], errors };
    },
  };
}

const ADA = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };

test('clients share a memory, each with its process: nothing is lost when one of them is killed', SLOW, async () => {
  const tools = ['--tools', 'memory,data,change'];
  const [first, second] = await Promise.all([agent(...tools), agent(...tools)]);
  await first.tool('create_entities', { entities: [ADA] });
  await Promise.all([
    first.tool('add_observations', { observations: [{ entityName: 'Ada', contents: ['likes tea'] }] }),
    second.tool('add_observations', { observations: [{ entityName: 'Ada', contents: ['plays chess'] }] }),
  ]);
  const update = 'INSERT DATA { <urn:a> <urn:p> "here" }';
  expect(await second.tool('update', { update })).toMatchObject({ structuredContent: { changed: true, added: 1 } });
  for (const each of [first, second]) {
    const found = await each.tool('find', { text: 'HERE' });
    expect(found).toMatchObject({ structuredContent: { hits: [{ resource: 'urn:a' }] } });
    const recalled = await each.tool('recall', { text: 'chess' });
    expect(recalled).toMatchObject({
      structuredContent: { observations: [{ name: 'Ada', observation: 'plays chess' }] },
    });
    const nodes = await each.tool('search_nodes', { query: 'CHESS' });
    expect(nodes).toMatchObject({ structuredContent: { entities: [{ name: 'Ada' }] } });
    const compared = await each.tool('compare', { query: 'SELECT ?s { ?s <urn:p> ?o }', from: 'HEAD~1' });
    expect(compared).toMatchObject({ structuredContent: { addedCount: 1, added: [['<urn:a>']] } });
    const documents = await each.tool('docs_search', { text: 'undo a change' });
    expect(documents).toMatchObject({
      structuredContent: { sections: expect.arrayContaining([expect.objectContaining({ page: 'how-to/undo.md' })]) },
    });
    expect(await each.tool('describe')).toMatchObject({ structuredContent: { size: expect.any(Number) } });
  }
  await ok('update', work.store, 'INSERT DATA { <urn:b> <urn:p> 1 }', '-r', 'memory/graph');
  await first.end('SIGKILL');
  expect(await second.tool('undo')).toMatchObject({ structuredContent: { undone: true } });
  const graph = await second.tool('read_graph');
  const [{ observations }] = (graph['structuredContent'] as unknown as { entities: [{ observations: string[] }] })
    .entities;
  expect(observations.toSorted()).toEqual(['likes tea', 'plays chess', 'writes programs']);
  expect(await second.end()).toEqual({ code: 0, errors: '' });
});

test('a memory outlives its process, and log tells the client and the session', SLOW, async () => {
  const file = await work.file('memory.jsonl', `${JSON.stringify({ type: 'entity', ...ADA })}\nno entity\n`);
  const first = await agent('--import', file);
  await first.tool('add_observations', { observations: [{ entityName: 'Ada', contents: ['likes tea'] }] });
  const { code, errors } = await first.end();
  expect([code, errors]).toEqual([
    0,
    `quadrille: imported 1 entities and 0 relations from ${file}\nquadrille: passed over lines without an entity or a relation: 2\n`,
  ]);
  const second = await agent();
  const graph = await second.tool('read_graph');
  expect(graph['structuredContent']).toEqual({
    entities: [{ ...ADA, observations: ['writes programs', 'likes tea'] }],
    relations: [],
  });
  await second.end();
  const log = await ok('log', work.store, '--repository', 'memory/graph', '--json', '--limit', '1');
  const { author, message } = JSON.parse(log) as { author: string; message: string };
  expect(author).toBe('shell test');
  expect(message).toMatch(/^add_observations\n\nClient: shell test\nSession: [0-9a-f-]{36}$/);
});

test('--keep removes what is older than the last revisions, and nothing of the memory', SLOW, async () => {
  const { tool, end } = await agent('--keep', '3');
  await tool('create_entities', { entities: [ADA] });
  for (let i = 0; i < 8; i++)
    await tool('add_observations', { observations: [{ entityName: 'Ada', contents: [`note ${i}`] }] });
  expect((await end()).code).toBe(0);
  const log = await ok('log', work.store, '--repository', 'memory/graph', '--json');
  expect(log.trim().split('\n').length).toBeLessThanOrEqual(4);
  const again = await agent();
  const { entities } = (await again.tool('read_graph'))['structuredContent']! as {
    entities: { observations: string[] }[];
  };
  expect(entities[0]!.observations).toHaveLength(9);
  await again.end();
});

test('the tools are listed before the store is open, and a store that cannot be opened is told', SLOW, async () => {
  const alone = await openStore(work.store, { share: false });
  const { ask, tool, end } = await agent();
  expect(await ask('tools/list')).toMatchObject({ result: { tools: expect.any(Array) } });
  const refused = await tool('read_graph');
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('STORE_LOCKED') }] });
  const { code, errors } = await end();
  expect([code, errors]).toEqual([1, expect.stringMatching(/^quadrille: .*\(STORE_LOCKED\)\n$/)]);
  await alone.close();
});

test('lines that are no messages are refused, and the next ones are answered', SLOW, async () => {
  const { send, ask, end, lines } = await agent();
  send('no json\n\n[]\n');
  send(`"${'x'.repeat(11 * 1024 ** 2)}"\n`);
  expect(await ask('ping')).toMatchObject({ result: {} });
  const codes = lines.map((line) => (JSON.parse(line) as { error?: { code: number } }).error?.code);
  expect(codes.filter((code) => code !== undefined)).toEqual([-32_700, -32_600, -32_600]);
  expect((await end()).code).toBe(0);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s ends it with %i, and nothing is lost', SLOW, async (signal, expected) => {
  const { tool, end } = await agent();
  await tool('create_entities', { entities: [ADA] });
  expect((await end(signal)).code).toBe(expected);
  const again = await agent();
  expect((await again.tool('open_nodes', { names: ['Ada'] }))['structuredContent']).toMatchObject({ entities: [ADA] });
  await again.end();
});

test('an agent asks a server over HTTP, by a bridge, and may do what the token may', SLOW, async () => {
  const { url, token } = await work.serve(['--json', '--mcp-tools', 'memory,data,change']);
  const file = await work.file('token', `${token}\n`);
  const bridge = await agentOf(start(['mcp', '--http', url, '--token-file', file]));
  await bridge.tool('create_entities', { entities: [ADA] });
  expect((await bridge.tool('read_graph'))['structuredContent']).toMatchObject({ entities: [ADA] });
  const inserted = await bridge.tool('update', {
    update: 'INSERT DATA { <urn:a> <urn:p> 1 }',
    repository: 'default/default',
  });
  expect(inserted).toMatchObject({ structuredContent: { changed: true, author: 'default' } });
  const log = await ok('log', work.store, '--repository', 'default/memory', '--json', '--limit', '1');
  expect(JSON.parse(log)).toMatchObject({ author: 'default', message: expect.stringContaining('Client: shell test') });
  expect(await bridge.end()).toEqual({ code: 0, errors: '' });
  const stranger = await agentOf(start(['mcp', '--http', `${url}/mcp`]));
  expect(await stranger.tool('read_graph')).toMatchObject({ isError: true });
  expect((await stranger.end('SIGTERM')).code).toBe(143);
});

test('a server serves agents where an option says so', SLOW, async () => {
  const initialize = (url: string): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }),
    });
  const served = await work.serve(['--open', '--mcp']);
  expect((await initialize(served.url)).status).toBe(200);
  const { paths } = (await (await fetch(`${served.url}/openapi.json`)).json()) as { paths: object };
  expect(paths).toHaveProperty('/mcp');
  served.child.kill('SIGTERM');
  await served.ended;
  const other = await work.serve(['--open']);
  // It is the address of an account, then.
  expect((await initialize(other.url)).status).toBe(405);
});

test('wrong use is told on standard error', SLOW, async () => {
  for (const [args, text] of [
    [[], 'give a store, or --http'],
    [[work.store, '--http', 'http://127.0.0.1:1'], '--http leads to a server'],
    [['--http', 'http://127.0.0.1:1', '--tools', 'data'], '--http leads to a server: tools'],
    [['--http', 'ftp://127.0.0.1'], 'no http or https URL'],
    [[work.store, '--token-file', 'x'], '--token-file needs --http'],
  ] as const)
    expect(await quadrille(['mcp', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(text) as string,
    });
  expect(await quadrille(['mcp', work.store, '--tools', 'memory,all'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('--tools has memory, data, change, and no all') as string,
  });
  expect(await quadrille(['mcp', work.store, '--import', 'nowhere.jsonl'])).toMatchObject({ code: 66, stdout: '' });
});
