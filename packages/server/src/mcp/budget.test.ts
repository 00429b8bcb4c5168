/** No answer is larger than its budget, whatever the store holds and whatever is asked. */
import { open } from 'quadrille';
import { expect, test } from 'vitest';
import { StoreDoor } from './door.js';
import { Session } from './session.js';

const CALLS = Number(process.env['QUADRILLE_MCP_CALLS'] ?? 1500);

test(`${CALLS} random calls keep within their budgets`, { timeout: 600_000 }, async () => {
  const database = await open(':memory:');
  const session = new Session({
    version: '1',
    tools: new Set(['memory', 'data', 'change']),
    notify: async () => undefined,
  });
  const door = new StoreDoor(database, true, { repository: 'memory/graph' });
  let state = 20_261_201;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const text = (most: number): string => 'aé日🦆"\\\n'.repeat(1 + next(most)).slice(0, 1 + next(most * 5));
  const names = ['Ada', 'Bob', ...Array.from({ length: 12 }, (_, i) => `${i} ${text(60)}`)];
  const of = <T>(items: readonly T[]): T => items[next(items.length)]!;
  const some = <T>(make: () => T): T[] => Array.from({ length: next(8) }, make);
  const entity = (): object => ({ name: of(names), entityType: text(20), observations: some(() => text(400)) });
  const relation = (): object => ({ from: of(names), to: of(names), relationType: text(30) });
  const query = (): string =>
    of([
      'SELECT * { ?s ?p ?o }',
      'SELECT ?o { ?s ?p ?o } ORDER BY ?o',
      'CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }',
      'ASK {}',
      `SELECT (1 AS ?${'v'.repeat(1 + next(900))}) {}`,
      `SELEC ${text(200)}`,
    ]);
  const calls: (() => [string, object])[] = [
    () => ['create_entities', { entities: some(entity) }],
    () => ['create_relations', { relations: some(relation) }],
    () => [
      'add_observations',
      { observations: some(() => ({ entityName: of(names), contents: some(() => text(400)) })) },
    ],
    () => ['delete_entities', { entityNames: some(() => (next(20) === 0 ? of(names) : text(300))) }],
    () => ['read_graph', {}],
    () => ['search_nodes', { query: text(3) }],
    () => ['open_nodes', { names: some(() => of(names)) }],
    () => ['recall', { text: text(3) }],
    () => ['as_of', { at: String(1 + next(60)) }],
    () => ['history', { name: of(names) }],
    () => ['why', { name: of(names), observation: text(3) }],
    () => ['undo', { revision: next(2) === 0 ? String(2 + next(40)) : text(100) }],
    () => ['describe', {}],
    () => ['query', { query: query(), at: String(1 + next(60)) }],
    () => ['compare', { query: query(), from: String(1 + next(30)) }],
    () => ['find', { text: text(2) }],
    () => ['update', { update: `INSERT DATA { <urn:${next(99)}> <urn:p> ${JSON.stringify(text(300))} }` }],
    () => ['merge', { from: text(60) }],
    () => [text(60), { [text(60)]: text(60) }],
  ];
  let [longest, cursors] = [0, 0];
  for (let id = 1; id <= CALLS; id++) {
    const [name, input] = of(calls)();
    const reads = !/^(?:create|add|delete|undo|update|merge|why)/.test(name);
    const maxBytes = reads ? 512 + next(4000) : 16_384;
    const ask = async (more: object): Promise<{ cursor?: string }> => {
      const params = { name, arguments: { ...input, ...(reads && { maxBytes }), ...more } };
      const answer = (await session.handle({ jsonrpc: '2.0', id, method: 'tools/call', params }, door)) as {
        error?: object;
        result?: { isError?: boolean; content: { text: string }[]; structuredContent?: { cursor?: string } };
      };
      const { result, error } = answer;
      const bytes = Buffer.byteLength(result === undefined ? JSON.stringify(error) : result.content[0]!.text);
      expect(bytes, `${id}: ${name} ${JSON.stringify(params)}`).toBeLessThanOrEqual(
        result === undefined || result.isError === true ? 1024 : maxBytes,
      );
      longest = Math.max(longest, bytes);
      return result?.structuredContent ?? {};
    };
    const { cursor } = await ask({});
    if (cursor === undefined) continue;
    cursors++;
    await ask({ cursor });
  }
  expect([longest > 4000, cursors > 20]).toEqual([true, true]);
  await database.close();
});
