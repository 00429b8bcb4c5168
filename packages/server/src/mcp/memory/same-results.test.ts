/** Random calls of the nine tools give the results of server-memory, whose rules are told here once more, in a few lines. */
import { open } from 'quadrille';
import { expect, test } from 'vitest';
import { StoreDoor } from '../door.js';
import { Session } from '../session.js';
import type { Entity, Relation } from './terms.js';

/** The rules of `@modelcontextprotocol/server-memory`. */
class Reference {
  entities: { name: string; entityType: string; observations: string[] }[] = [];
  relations: Relation[] = [];

  call(tool: string, input: never): unknown {
    return (this as unknown as Record<string, (input: never) => unknown>)[tool]!(input);
  }

  create_entities({ entities }: { entities: Entity[] }): unknown {
    const made = entities.filter(
      ({ name }, i) =>
        !this.entities.some((each) => each.name === name) && !entities.slice(0, i).some((each) => each.name === name),
    );
    const kept = made.map((each) => ({ ...each, observations: [...new Set(each.observations)] }));
    this.entities.push(...kept.map((each) => ({ ...each, observations: [...each.observations] })));
    return { entities: kept };
  }

  create_relations({ relations }: { relations: Relation[] }): unknown {
    for (const { from, to } of relations)
      for (const name of [from, to])
        if (!this.entities.some((each) => each.name === name)) return `Entity with name ${name} not found`;
    const made: Relation[] = [];
    for (const relation of relations) {
      if (this.relations.some((each) => isSame(each, relation))) continue;
      this.relations.push(relation);
      made.push(relation);
    }
    return { relations: made };
  }

  add_observations({ observations }: { observations: { entityName: string; contents: string[] }[] }): unknown {
    for (const { entityName } of observations)
      if (!this.entities.some(({ name }) => name === entityName)) return `Entity with name ${entityName} not found`;
    const results = observations.map(({ entityName, contents }) => {
      const entity = this.entities.find(({ name }) => name === entityName)!;
      const addedObservations = [...new Set(contents)].filter((text) => !entity.observations.includes(text));
      entity.observations.push(...addedObservations);
      return { entityName, addedObservations };
    });
    return { results };
  }

  delete_entities({ entityNames }: { entityNames: string[] }): unknown {
    const present = new Set(this.entities.map(({ name }) => name));
    const missing = entityNames.filter((name) => !present.has(name));
    this.entities = this.entities.filter(({ name }) => !entityNames.includes(name));
    this.relations = this.relations.filter(({ from, to }) => !entityNames.includes(from) && !entityNames.includes(to));
    const count = entityNames.length - missing.length;
    return {
      success: true,
      message:
        missing.length === 0
          ? 'Entities deleted successfully'
          : `Deleted ${count} of ${entityNames.length} entities. Not found: ${missing.join(', ')}`,
    };
  }

  delete_observations({ deletions }: { deletions: { entityName: string; observations: string[] }[] }): unknown {
    let count = 0;
    const missing: string[] = [];
    for (const { entityName, observations } of deletions) {
      const entity = this.entities.find(({ name }) => name === entityName);
      if (entity === undefined) missing.push(entityName);
      else {
        const before = entity.observations.length;
        entity.observations = entity.observations.filter((text) => !observations.includes(text));
        count += before - entity.observations.length;
      }
    }
    const asked = deletions.reduce((sum, { observations }) => sum + observations.length, 0);
    const rest = missing.length === 0 ? '' : ` Entities not found: ${missing.join(', ')}`;
    return {
      success: true,
      message:
        count === asked ? 'Observations deleted successfully' : `Deleted ${count} of ${asked} observations.${rest}`,
    };
  }

  delete_relations({ relations }: { relations: Relation[] }): unknown {
    const before = this.relations.length;
    this.relations = this.relations.filter((each) => !relations.some((other) => isSame(each, other)));
    const count = before - this.relations.length;
    return {
      success: true,
      message:
        count === relations.length
          ? 'Relations deleted successfully'
          : `Deleted ${count} of ${relations.length} relations. The rest matched nothing.`,
    };
  }

  read_graph(): unknown {
    return { entities: this.entities, relations: this.relations };
  }

  search_nodes({ query }: { query: string }): unknown {
    const has = (text: string): boolean => text.toLowerCase().includes(query.toLowerCase());
    return this.#with(({ name, entityType, observations }) => has(name) || has(entityType) || observations.some(has));
  }

  open_nodes({ names }: { names: string[] }): unknown {
    return this.#with(({ name }) => names.includes(name));
  }

  #with(isFound: (entity: Entity) => boolean): unknown {
    const entities = this.entities.filter(isFound);
    const names = new Set(entities.map(({ name }) => name));
    return { entities, relations: this.relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
  }
}

const isSame = (x: Relation, y: Relation): boolean =>
  x.from === y.from && x.to === y.to && x.relationType === y.relationType;

const NAMES = ['Ada', 'Bob Ross', 'Zoë', '日本', 'a/b?c#d', '"quoted"', 'x<y>z'];
const TEXTS = ['likes tea', 'Likes TEA', 'line\nbreak', '', 'emoji 🦆', '<urn:not> an iri', 'back\\slash'];
const TYPES = ['person', 'place', 'works on', 'knows%20', 'é'];

/** A call of one of the tools. */
function randomCall(next: (below: number) => number): [string, object] {
  const of = <T>(items: readonly T[]): T => items[next(items.length)]!;
  const some = <T>(make: () => T): T[] => Array.from({ length: 1 + next(3) }, make);
  const relation = (): Relation => ({ from: of(NAMES), to: of(NAMES), relationType: of(TYPES) });
  const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];
  const entity = (): Entity => ({ name: of(NAMES), entityType: of(TYPES), observations: some(() => of(TEXTS)) });
  const calls: (() => [string, object])[] = [
    () => ['create_entities', { entities: some(entity) }],
    () => ['create_entities', { entities: some(entity) }],
    () => ['create_relations', { relations: some(relation) }],
    () => ['create_relations', { relations: [relation()] }],
    () => [
      'add_observations',
      { observations: some(() => ({ entityName: of(NAMES), contents: some(() => of(TEXTS)) })) },
    ],
    () => ['add_observations', { observations: [{ entityName: of(NAMES), contents: [of(TEXTS)] }] }],
    () => ['delete_entities', { entityNames: distinct([of(NAMES)]) }],
    () => [
      'delete_observations',
      { deletions: [{ entityName: of(NAMES), observations: distinct(some(() => of(TEXTS))) }] },
    ],
    () => ['delete_relations', { relations: [relation()] }],
    () => ['read_graph', {}],
    () => ['search_nodes', { query: of([...TEXTS, 'tea', 'E']) }],
    () => ['open_nodes', { names: some(() => of(NAMES)) }],
  ];
  return calls[next(calls.length)]!();
}

test('300 random calls of the nine tools give equal results', async () => {
  const database = await open(':memory:');
  const session = new Session({ version: '1', tools: new Set(['memory']) });
  const door = new StoreDoor(database, true);
  const reference = new Reference();
  let state = 20_261_130;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  for (let id = 1; id <= 300; id++) {
    const [name, input] = randomCall(next);
    const before = structuredClone({ entities: reference.entities, relations: reference.relations });
    const expected = reference.call(name, input as never);
    const params = { name, arguments: input };
    const { result } = (await session.handle({ jsonrpc: '2.0', id, method: 'tools/call', params }, door)) as {
      result: { structuredContent: unknown; isError?: boolean; content: { text: string }[] };
    };
    if (typeof expected === 'string') {
      expect(result.content[0]!.text).toContain(expected);
      Object.assign(reference, before);
    } else expect(result.structuredContent, `${id}: ${name} ${JSON.stringify(input)}`).toEqual(expected);
  }
  expect(reference.entities.length).toBeGreaterThan(2);
  await database.close();
});
