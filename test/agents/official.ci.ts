/**
 * Quadrille before the judges of the Model Context Protocol: the conformance suite, the inspector's command line, and the client of the SDK, over standard
 * input and over HTTP. They come from npm; where they cannot be had, the tests are skipped, and say why.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Served, type Workspace, workspace } from '../../packages/cli/src/testing/command.js';
import { official } from './official.js';

const BIN = resolve(import.meta.dirname, '../../packages/quadrille/bin/quadrille.js');
const VERSIONS = ['2025-06-18', '2025-11-25'] as const;
const TOOLS = ['--mcp-tools', 'memory,data,change'];
const ADA = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };

/** What is used of the SDK, which is not installed where types are checked. */
interface Client {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  ping(): Promise<object>;
  getServerVersion(): object;
  listTools(): Promise<{ tools: object[] }>;
  callTool(call: { name: string; arguments: object }): Promise<{ structuredContent?: { entities: object[] } }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(of: { uri: string }): Promise<{ contents: { text: string }[] }>;
  subscribeResource(of: { uri: string }): Promise<object>;
  unsubscribeResource(of: { uri: string }): Promise<object>;
  setNotificationHandler(schema: object, handle: (notification: { params: { uri: string } }) => void): void;
  listPrompts(): Promise<{ prompts: object[] }>;
  getPrompt(of: { name: string }): Promise<{ messages: { content: { text: string } }[] }>;
}
interface Sdk {
  readonly ResourceUpdatedNotificationSchema: object;
  readonly Client: new (info: object, options: object) => Client;
  readonly StreamableHTTPClientTransport: new (url: URL) => object;
  readonly StdioClientTransport: new (server: {
    command: string;
    args: string[];
    env?: Record<string, string>;
  }) => object;
}

const programs = await official();
const REASON = typeof programs === 'string' ? ` (skipped: ${programs})` : '';
if (REASON !== '') console.log(`the official programs of the Model Context Protocol${REASON}`);

let work: Workspace;
let served: Served;
beforeAll(async () => {
  work = await workspace();
  served = await work.serve(['--open', ...TOOLS]);
});
afterAll(() => work.remove());

describe.skipIf(REASON !== '')(`the official programs${REASON}`, () => {
  const { run, sdk, serverMemory } = programs as Exclude<typeof programs, string>;

  const load = (module: string, version: (typeof VERSIONS)[number] = '2025-11-25'): Promise<Sdk> =>
    import(pathToFileURL(sdk(version, module)).href) as Promise<Sdk>;

  test.each(VERSIONS)('the conformance suite of %s', async (version) => {
    const { code, output } = await run('@modelcontextprotocol/conformance/dist/index.js', [
      'server',
      `--url=${served.url}/mcp`,
      `--spec-version=${version}`,
      `--expected-failures=${join(import.meta.dirname, 'expected-failures.yml')}`,
    ]);
    expect(code, output.slice(-4000)).toBe(0);
    const passed = [...output.matchAll(/^✓ ([\w-]+): [1-9]\d* passed, 0 failed/gm)].map(([, name]) => name);
    expect(passed).toEqual(
      expect.arrayContaining(['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list']),
    );
    if (version === '2025-11-25')
      expect(passed).toEqual(expect.arrayContaining(['dns-rebinding-protection', 'server-sse-multiple-streams']));
  });

  describe.each(['standard input', 'HTTP'])('the inspector over %s', (transport) => {
    const target = (): string[] =>
      transport === 'HTTP'
        ? ['--server-url', `${served.url}/mcp`]
        : [process.execPath, BIN, 'mcp', join(work.directory, 'inspected'), '--tools', 'memory,data,change'];
    const inspect = async (...args: readonly string[]): Promise<Record<string, never>> => {
      const program = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
      const { code, output } = await run(program, ['--cli', ...target(), '--format', 'json', '--quiet', ...args]);
      expect(code, output).toBe(0);
      return (JSON.parse(output) as { result: Record<string, never> }).result;
    };

    test('every schema is portable, a call is answered, and resources are read', async () => {
      // --strict fails on a schema that some clients do not take.
      const { tools } = await inspect('--method', 'tools/list', '--strict');
      expect(tools).toHaveLength(23);
      const call = ['--method', 'tools/call', '--tool-name'];
      const created = await inspect(
        ...call,
        'create_entities',
        '--tool-args-json',
        JSON.stringify({ entities: [ADA] }),
      );
      expect(created).toMatchObject({ structuredContent: { entities: [ADA] } });
      // A client of the newest protocol agrees on the one that both speak.
      const graph = await inspect(...call, 'read_graph', '--protocol-era', 'auto');
      expect(graph).toMatchObject({ structuredContent: { entities: [ADA] } });
      const resource = await inspect('--method', 'resources/read', '--uri', 'memory://knowledge-graph');
      expect(JSON.stringify(resource)).toContain('writes programs');
      expect(await inspect('--method', 'resources/templates/list')).toMatchObject({
        resourceTemplates: [{ name: 'term' }],
      });
      const prompt = ['--method', 'prompts/get', '--prompt-name', 'ask-the-data', '--prompt-args', 'question=Who?'];
      expect(JSON.stringify(await inspect(...prompt))).toContain('Answer this question from the data: Who?');
    });
  });

  test('two clients at once: what server-memory loses is kept', async () => {
    const { Client } = await load('client/index.js');
    const { StdioClientTransport } = await load('client/stdio.js');
    const WRITES = 100;
    /** How many of the entities are there that two processes make, and how long a process takes to list its tools. */
    const kept = async (args: string[], env: Record<string, string>): Promise<{ found: number; startMs: number }> => {
      const begun = performance.now();
      const clients = [0, 1].map((i) => new Client({ name: `client ${i}`, version: '1' }, { capabilities: {} }));
      onTestFinished(async () => void (await Promise.all(clients.map((client) => client.close()))));
      const connect = async (client: Client): Promise<void> => {
        await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
        await client.listTools();
      };
      await Promise.all(clients.map(connect));
      const startMs = performance.now() - begun;
      const make = async (client: Client, i: number): Promise<void> => {
        for (let n = 0; n < WRITES; n++) {
          const entities = [{ ...ADA, name: `${i} ${n}` }];
          await client.callTool({ name: 'create_entities', arguments: { entities } }).catch(() => undefined);
        }
      };
      await Promise.all(clients.map(make));
      const names = clients.flatMap((_, i) => Array.from({ length: WRITES }, (__, n) => `${i} ${n}`));
      const { structuredContent } = await clients[0]!.callTool({
        name: 'open_nodes',
        arguments: { names, ...(env['MEMORY_FILE_PATH'] === undefined && { maxBytes: 1_000_000 }) },
      });
      return { found: structuredContent!.entities.length, startMs };
    };
    const ours = await kept([BIN, 'mcp', join(work.directory, 'beside')], {});
    const theirs = await kept([serverMemory], { MEMORY_FILE_PATH: join(work.directory, 'memory.jsonl') });
    for (const [name, { found, startMs }] of Object.entries({ quadrille: ours, 'server-memory': theirs }))
      console.log(`${name}: two start in ${startMs.toFixed(0)} ms, and keep ${found} of ${2 * WRITES} entities`);
    expect(ours.found).toBe(2 * WRITES);
  });

  describe.each(VERSIONS)('the client of the SDK that speaks %s', (version) => {
    async function connected(transport: string): Promise<Client> {
      const { Client } = await load('client/index.js', version);
      const client = new Client({ name: 'sdk', version: '1' }, { capabilities: {} });
      onTestFinished(() => client.close());
      if (transport === 'HTTP') {
        const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js', version);
        await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)));
      } else {
        const { StdioClientTransport } = await load('client/stdio.js', version);
        const args = [BIN, 'mcp', join(work.directory, version), '--tools', 'memory,data,change'];
        await client.connect(new StdioClientTransport({ command: process.execPath, args }));
      }
      return client;
    }

    test.each(['standard input', 'HTTP'])('over %s', async (transport) => {
      const client = await connected(transport);
      expect(client.getServerVersion()).toMatchObject({ name: 'quadrille' });
      // The client checks each structured answer against the schema of its tool, and refuses one that does not fit.
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(23);
      const name = `Ada ${version}`;
      const entities = [{ ...ADA, name }];
      const call = (tool: string, given: object = {}): ReturnType<Client['callTool']> =>
        client.callTool({ name: tool, arguments: given });
      expect(await call('create_entities', { entities })).toMatchObject({ structuredContent: { entities } });
      expect(await call('search_nodes', { query: name })).toMatchObject({
        structuredContent: { entities, relations: [] },
      });
      expect(await call('open_nodes', { names: [name] })).toMatchObject({ structuredContent: { entities } });
      expect(await call('recall', { text: 'programs' })).not.toHaveProperty('isError');
      expect(await call('create_entities', { entities: 1 })).toMatchObject({ isError: true });
      expect(await call('history', { name })).not.toHaveProperty('isError');
      expect(await call('undo')).toMatchObject({ structuredContent: { undone: true } });
      await expect(call('no_such_tool')).rejects.toMatchObject({ code: -32_602 });
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: resources[0]!.uri });
      expect(JSON.parse(contents[0]!.text)).toHaveProperty('entities');
      const { prompts } = await client.listPrompts();
      expect(prompts).toHaveLength(3);
      const { messages } = await client.getPrompt({ name: 'tidy-memory' });
      expect(messages[0]!.content.text).toContain('Call read_graph');
      const updates: string[] = [];
      const { ResourceUpdatedNotificationSchema: updated } = await load('types.js', version);
      client.setNotificationHandler(updated, ({ params }) => void updates.push(params.uri));
      const { uri } = resources[0]!;
      await client.subscribeResource({ uri });
      await call('create_entities', { entities });
      await expect.poll(() => updates, { timeout: 10_000 }).toContain(uri);
      await client.unsubscribeResource({ uri });
      await client.ping();
    });
  });
});
