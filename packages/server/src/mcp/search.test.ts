/** Searches of agents by the index of words: of the memory, which has one from its beginning, and of data. */
import { open } from 'quadrille';
import { afterEach, expect, test } from 'vitest';
import { StoreDoor } from './door.js';
import { Session } from './session.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Graph {
  readonly entities: { name: string; entityType: string; observations: string[] }[];
  readonly relations: { from: string; to: string; relationType: string }[];
  readonly cursor?: string;
}

async function start() {
  const database = await open(':memory:');
  closing.push(() => database.close());
  const session = new Session({ version: '1', tools: new Set(['memory', 'data']) });
  const door = new StoreDoor(database, true);
  const call = async (name: string, input: object): Promise<{ isError?: true; text: string; answer: any }> => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const { result } = (await session.handle(message, door)) as { result: any };
    return { isError: result.isError, text: result.content[0].text, answer: result.structuredContent };
  };
  const tool = async (name: string, input: object = {}): Promise<any> => {
    const { isError, text, answer } = await call(name, input);
    expect(isError, text).toBeUndefined();
    return answer;
  };
  const refused = async (name: string, input: object): Promise<string> => {
    const { isError, text } = await call(name, input);
    expect(isError).toBe(true);
    return text;
  };
  /** All pages of a graph. */
  const whole = async (name: string, input: object): Promise<Graph> => {
    const all: Graph = { entities: [], relations: [] };
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Graph = await tool(name, { ...input, ...(cursor !== '' && { cursor }), maxBytes: 4096 });
      all.entities.push(...page.entities);
      all.relations.push(...page.relations);
      cursor = page.cursor;
    }
    return all;
  };
  return { database, tool, refused, whole };
}

const entity = (name: string, ...observations: string[]) => ({ name, entityType: 'person', observations });

test('recall ranks whole words, takes those of names, and no text is an operator', async () => {
  const { tool } = await start();
  await tool('create_entities', {
    entities: [
      entity('Ada', 'likes tea', 'writes programs for the engine'),
      entity('Bob', 'likes green tea and the sea', 'is a teacher'),
    ],
  });
  const found = async (text: string): Promise<string[]> =>
    (await tool('recall', { text })).observations.map(
      ({ name, observation }: { name: string; observation: string }) => `${name} ${observation}`,
    );
  expect(await found('TEA')).toEqual(['Ada likes tea', 'Bob likes green tea and the sea']);
  expect((await found('the engine of tea'))[0]).toBe('Ada writes programs for the engine');
  expect((await found('ada')).toSorted()).toEqual(['Ada likes tea', 'Ada writes programs for the engine']);
  expect(await found('what does Ada drink? tea AND NOT "programs')).toContain('Ada likes tea');
  expect(await found('-tea')).toHaveLength(2);
  expect(await found('"*?~ ()')).toEqual([]);
  expect(await found('program')).toEqual(['Ada writes programs for the engine']);
  expect(await found('coffee')).toEqual([]);
});

test('an observation that is longer than an answer is recalled in part', async () => {
  const { tool } = await start();
  await tool('create_entities', { entities: [entity('Ada', `tea ${'x'.repeat(50_000)}`, 'tea')] });
  const { observations, hasMore } = await tool('recall', { text: 'tea', maxBytes: 1024 });
  expect([observations.length, hasMore]).toEqual([2, false]);
});

test('recall reads on until an answer is full', async () => {
  const { tool } = await start();
  const observations = Array.from({ length: 250 }, (_, i) => `tea ${i}`);
  await tool('create_entities', { entities: [entity('B', ...observations)] });
  const all = await tool('recall', { text: 'tea' });
  expect([all.observations.length, all.hasMore]).toEqual([250, false]);
  const some = await tool('recall', { text: 'tea', maxBytes: 8192 });
  expect(some.observations.length).toBeGreaterThan(100);
  expect(some.hasMore).toBe(true);
  // What only the name tells comes behind what says it.
  await tool('create_entities', { entities: [entity('tea', 'grows on hills', 'tea is a drink')] });
  const named = (await tool('recall', { text: 'tea' })).observations.map((each: any) => each.observation);
  expect([named[0], named.includes('grows on hills')]).toEqual(['tea is a drink', true]);
  const long = await tool('create_entities', { entities: [entity('n'.repeat(2000), 'oolong')] });
  expect(long.entities).toHaveLength(1);
  expect(await tool('recall', { text: 'oolong', maxBytes: 512 })).toEqual({ observations: [], hasMore: true });
});

test('search_nodes finds what contains a text, as reading all would', async () => {
  const { tool, whole } = await start();
  let state = 20_261_202;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const words = ['Tea', 'green tea', 'İstanbul', 'x<y', '"q"', 'back\\slash', 'sea', 'éé', '日本', '?text', '{}'];
  const text = (): string => Array.from({ length: 1 + next(3) }, () => words[next(words.length)]).join(' ');
  const names = Array.from({ length: 120 }, (_, i) => `${i} ${text()}`);
  await tool('create_entities', {
    entities: names.map((name) => ({ name, entityType: text(), observations: [text(), text()] })),
  });
  await tool('create_relations', {
    relations: names.slice(1).map((to, i) => ({ from: names[i], to, relationType: words[next(words.length)]! })),
  });
  const all = await whole('read_graph', {});
  expect(all.entities).toHaveLength(120);
  for (const query of [...words, 'TEA', 'e', '1', 'n t', 'nothing of it', '']) {
    const has = (value: string): boolean => value.toLowerCase().includes(query.toLowerCase());
    const entities = all.entities.filter((each) => [each.name, each.entityType, ...each.observations].some(has));
    const found = new Set(entities.map(({ name }) => name));
    const relations = all.relations.filter(({ from, to }) => found.has(from) || found.has(to));
    expect(await whole('search_nodes', { query }), query).toEqual({ entities, relations });
    expect(await whole('as_of', { at: 'HEAD', query }), query).toEqual({ entities, relations });
  }
});

test('a memory of earlier gets its index, and one that the user has set stays', async () => {
  const { database, tool } = await start();
  const memory = await database.repository('memory/graph', { create: true });
  const text = { fold: 'diacritics' as const };
  await memory.settings.set({ search: { text } });
  await tool('create_entities', { entities: [entity('Ada', 'drinks café crème')] });
  expect((await tool('recall', { text: 'cafe' })).observations).toHaveLength(1);
  expect((await memory.settings.get()).search).toMatchObject({ text });
  const other = await open(':memory:');
  closing.push(() => other.close());
  const old = await other.repository('memory/graph', { create: true });
  await old.update('INSERT DATA { <urn:quadrille:memory:entity:Ada> <urn:quadrille:memory#observation> "likes tea" }');
  const repository = await new StoreDoor(other, true).memory();
  expect((await repository.search('tea')).total).toBe(1);
});

test('find needs an index, ranks, and reads on at the same revision', async () => {
  const { database, tool, refused } = await start();
  const repository = await database.repository('acme/sky', { create: true });
  await repository.update(`PREFIX e: <http://e/> INSERT DATA {
    e:pluto e:label "Pluto, a dwarf planet"@en ; e:note "dwarf" . GRAPH e:g { e:eris e:label "Eris, the dwarf"@de } }`);
  const sky = { repository: 'acme/sky' };
  expect(await refused('find', { text: 'dwarf', ...sky })).toMatch(/^NO_INDEX: .*search=true/);
  await repository.settings.set({ search: { text: true } });
  const first = await tool('find', { text: 'dwarf', ...sky });
  expect(first).toMatchObject({ total: 3, hasMore: false });
  expect(first.hits[0]).toEqual({
    resource: 'http://e/pluto',
    property: 'http://e/note',
    literal: '"dwarf"',
    score: expect.any(Number),
  });
  expect(await tool('find', { text: '+dwarf +planet', ...sky })).toMatchObject({ total: 1 });
  expect(await tool('find', { text: 'dwarf', language: 'de', ...sky })).toMatchObject({
    hits: [{ graph: 'http://e/g' }],
  });
  expect(await tool('find', { text: 'dwarf', property: 'http://e/note', ...sky })).toMatchObject({ total: 1 });
  expect(await tool('find', { text: 'dwarf', at: '1', ...sky })).toMatchObject({ total: 0, hits: [] });
  expect(await refused('find', { text: '"dwarf', ...sky })).toMatch(/^TEXT_SYNTAX/);
  const many = Array.from(
    { length: 40 },
    (_, i) => `<http://e/${i}> <http://e/p> "number ${i} of ${'many '.repeat(9)}"`,
  );
  await repository.update(`INSERT DATA { ${many.join(' . ')} }`);
  const seen = new Set<string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: any = await tool('find', { text: 'number', ...sky, maxBytes: 1024, ...(cursor !== '' && { cursor }) });
    for (const { resource } of page.hits) seen.add(resource);
    if (cursor === '') await repository.update('DELETE WHERE { ?s <http://e/p> ?o }');
    cursor = page.cursor;
    expect(page.hasMore).toBe(cursor !== undefined);
  }
  expect(seen.size).toBe(40);
  await repository.update(`INSERT DATA { <http://e/long> <http://e/p> "dwarf ${'y'.repeat(30_000)}" }`);
  expect(await tool('find', { text: 'dwarf', ...sky })).toMatchObject({ total: 4, hasMore: false });
});
