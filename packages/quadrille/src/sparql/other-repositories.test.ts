/** Queries and updates that read other repositories of their database: SERVICE, FROM and USING with `repo:` addresses. */
import { blankNode, iri, literal, quad } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { hostOf, type HostQueryOptions, type Task } from '../host/index.js';
import { ex, lines, many, q } from '../testing/fixtures.js';
import { BOTH, PREFIX, rowsOf, SIZES, text, two } from '../testing/two-repositories.js';

describe('SERVICE', () => {
  test('joins with the other repository', async () => {
    const { people } = await two();
    expect(await rowsOf(people.select(SIZES))).toEqual(BOTH);
    expect(await people.ask(`${PREFIX}ASK { SERVICE <repo:acme/places> { ex:rome ex:size "9" } }`)).toBe(true);
    const made = people.construct(
      `${PREFIX}CONSTRUCT { ?w ex:at ?s } { ?w ex:home ?p SERVICE <repo:acme/places> { ?p ex:size ?s } }`,
    );
    expect(await lines(made)).toEqual(['ada at "5"', 'bob at "9"']);
  });

  test('reads the revision that its address names', async () => {
    const { people, places } = await two();
    const first = await places.revision();
    await people.select(SIZES).toArray();
    await places.update(`${PREFIX}DELETE { ?s ex:size ?o } INSERT { ?s ex:size "0" } WHERE { ?s ex:size ?o }`);
    const at = (ref: string): Promise<string[]> =>
      rowsOf(people.select(SIZES.replace('acme/places', `acme/places@${ref}`)));
    expect(await rowsOf(people.select(SIZES))).toEqual(BOTH.map((row) => row.replace(/"\d"/, '"0"')));
    await places.tags.set('v1', first.id);
    for (const ref of [first.id, String(first.number), 'HEAD~1', 'v1', `urn:uuid:${first.id}`]) {
      expect(await at(ref), ref).toEqual(BOTH);
    }
    expect(await at('1')).toEqual([]);
  });

  test('keeps one revision of a repository in a query, whatever is committed meanwhile', async () => {
    const { people, places } = await two();
    await places.add(many(20_000));
    const rows = people.select(
      `${PREFIX}SELECT * { { SERVICE <repo:acme/places> { ?s ex:p ?o } } UNION { SERVICE <repo:acme/places> { ?s ex:late ?o } } }`,
    );
    let count = 0;
    for await (const row of rows) {
      if (count++ === 0) await places.add([q('x late y')]);
      expect(text(row)).not.toContain('late');
    }
    expect(count).toBe(20_000);
    expect(await rowsOf(people.select(`${PREFIX}SELECT * { SERVICE <repo:acme/places> { ?s ex:late ?o } }`))).toEqual([
      'o=y s=x',
    ]);
  });

  test('the queried repository itself is one of them, at the revision of the query', async () => {
    const { people } = await two();
    const before = (await people.revision()).number;
    await people.add([q('dee home rome')]);
    const query = `${PREFIX}SELECT * { ?who ex:home ?p FILTER NOT EXISTS { SERVICE <repo:acme/people@${String(before)}> { ?who ex:home ?p } } }`;
    expect(await rowsOf(people.select(query))).toEqual(['p=rome who=dee']);
    const own = people.select(
      `${PREFIX}SELECT * { ?who ex:home ex:rome SERVICE <repo:acme/people> { ?who ex:home ?p } }`,
    );
    await people.add([q('eve home rome')]);
    expect(await rowsOf(own)).toEqual(['p=rome who=bob', 'p=rome who=dee']);
    // A view of an old revision is such a revision by the name alone, too.
    const old = people.at(before);
    expect(await old.ask(`${PREFIX}ASK { SERVICE <repo:acme/people> { ex:dee ?p ?o } }`)).toBe(false);
    expect(await old.ask(`${PREFIX}ASK { SERVICE <repo:acme/people@HEAD> { ex:dee ?p ?o } }`)).toBe(true);
  });

  test('blank nodes of two repositories are different nodes, those of two revisions of one are the same', async () => {
    const { db, people, places } = await two();
    await people.add([quad(blankNode('b'), ex('note'), literal('here'))]);
    await places.add([quad(blankNode('b'), ex('note'), literal('there')), quad(ex('oslo'), ex('has'), blankNode('b'))]);
    const joined = (address: string): Promise<string[]> =>
      rowsOf(people.select(`${PREFIX}SELECT ?n { ?b ex:note "here" SERVICE <${address}> { ?b ex:note ?n } }`));
    expect(await joined('repo:acme/places')).toEqual([]);
    expect(await joined('repo:acme/people')).toEqual(['n="here"']);
    const inside = `${PREFIX}SELECT ?n { SERVICE <repo:acme/places> { ex:oslo ex:has ?b } SERVICE <repo:acme/places> { ?b ex:note ?n } }`;
    expect(await rowsOf(people.select(inside))).toEqual(['n="there"']);
    const copy = await db.repository('acme/copy', { create: true });
    await copy.update(`${PREFIX}INSERT { ?s ?p ?o } WHERE { SERVICE <repo:acme/places> { ?s ?p ?o } }`);
    expect(await rowsOf(copy.select(`${PREFIX}SELECT ?n { ex:oslo ex:has ?b . ?b ex:note ?n }`))).toEqual([
      'n="there"',
    ]);
  });

  test('what cannot be opened is an error, and with SILENT one solution without values', async () => {
    const { people } = await two();
    const cases = [
      ['repo:acme/none', 'REPOSITORY_NOT_FOUND'],
      ['repo:acme/places@77', 'REVISION_NOT_FOUND'],
      ['repo:acme/places@HEAD~x', 'INVALID_REF'],
      ['repo:places', 'INVALID_NAME'],
      ['repo:acme/places@', 'INVALID_NAME'],
      ['repo:acme/a/b', 'INVALID_NAME'],
      ['repo:', 'INVALID_NAME'],
      ['repo:acme/Places', 'INVALID_NAME'],
    ] as const;
    for (const [address, code] of cases) {
      const query = SIZES.replace('repo:acme/places', address);
      await expect(people.select(query).toArray(), address).rejects.toMatchObject({ code });
      const silent = query.replace('SERVICE', 'SERVICE SILENT');
      expect(await rowsOf(people.select(silent)), address).toEqual([
        'place=nowhere who=cy',
        'place=oslo who=ada',
        'place=rome who=bob',
      ]);
      const optional = `${PREFIX}SELECT * { ?who ex:home ex:oslo OPTIONAL { SERVICE SILENT <${address}> { ?who ex:x ?y } } }`;
      expect(await rowsOf(people.select(optional))).toEqual(['who=ada']);
    }
    await expect(people.select(SIZES.replace('acme/places', 'acme')).toArray()).rejects.toThrow(
      /repo:account\/name@ref/,
    );
    const mixed = `${PREFIX}SELECT * { SERVICE SILENT <repo:acme/none> { ?a ?b ?c } SERVICE <repo:acme/none> { ?a ?b ?c } }`;
    await expect(people.select(mixed).toArray()).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
  });

  test('with a variable each row names its repository', async () => {
    const { people } = await two();
    await people.add([
      quad(ex('ada'), ex('at'), iri('repo:acme/places')),
      quad(ex('bob'), ex('at'), iri('repo:acme/places@1')),
      quad(ex('cy'), ex('at'), iri('repo:acme/none')),
    ]);
    const query = `${PREFIX}SELECT ?who ?size { ?who ex:home ?place ; ex:at ?at SERVICE ?at { ?place ex:size ?size } }`;
    await expect(people.select(query).toArray()).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    expect(await rowsOf(people.select(query.replace('SERVICE', 'SERVICE SILENT')))).toEqual([
      'size="5" who=ada',
      'who=cy',
    ]);
  });

  test('a constant of a template or a binding may be the address', async () => {
    const { people } = await two();
    const at = iri('repo:acme/places');
    expect(
      await rowsOf(
        people.select`PREFIX ex: <http://example.org/> SELECT * { ?who ex:home ?place SERVICE ${at} { ?place ex:size ?size } }`,
      ),
    ).toEqual(BOTH);
    const bound = SIZES.replace('<repo:acme/places>', '?at');
    expect(await rowsOf(people.select(bound, { bindings: { at } }))).toHaveLength(2);
  });

  test('explain shows the plan of the other repository', async () => {
    const { people } = await two();
    const { text: plan } = await people.explain(SIZES, { analyze: true });
    expect(plan).toMatch(/repository <repo:acme\/places>/);
    expect(plan).toMatch(/\?place <http:\/\/example.org\/size> \?size/);
  });
});

describe('FROM and FROM NAMED', () => {
  test('read the default graph of the other repository', async () => {
    const { people } = await two();
    const from = (clause: string, pattern: string): Promise<string[]> =>
      rowsOf(people.select(`${PREFIX}SELECT * ${clause} { ${pattern} }`));
    expect(await from('FROM <repo:acme/places>', '?s ex:size ?o')).toEqual(['o="5" s=oslo', 'o="9" s=rome']);
    expect(await from('FROM <repo:acme/places>', '?s ex:home ?o')).toEqual([]);
    expect(await from('FROM <repo:acme/places@1>', '?s ?p ?o')).toEqual([]);
    const merged = 'FROM <repo:acme/places> FROM <urn:quadrille:default>';
    expect(await from(merged, '?who ex:home/ex:size ?size')).toEqual(['size="5" who=ada', 'size="9" who=bob']);
    expect(
      await from(
        'FROM <urn:quadrille:default> FROM NAMED <repo:acme/places>',
        '?who ex:home ?p GRAPH ?g { ?p ex:size ?size }',
      ),
    ).toHaveLength(2);
    await expect(from('FROM <repo:acme/none>', '?s ?p ?o')).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    await expect(from('FROM <repo:none>', '?s ?p ?o')).rejects.toMatchObject({ code: 'INVALID_NAME' });
    const described = people.describe(`${PREFIX}DESCRIBE ex:oslo FROM <repo:acme/places>`);
    expect(await lines(described)).toEqual(['oslo size "5"']);
  });

  test('the options of a call name them too', async () => {
    const { people } = await two();
    const options = { defaultGraphUris: ['repo:acme/places'] };
    expect(await rowsOf(people.select(`${PREFIX}SELECT * { ?s ex:size ?o }`, options))).toHaveLength(2);
  });

  test('a text is planned for each state of what it reads', async () => {
    const { people, places } = await two();
    const query = `${PREFIX}SELECT * FROM <repo:acme/places> { ?s ex:size ?o }`;
    expect(await rowsOf(people.select(query))).toHaveLength(2);
    await places.add([q('bonn size "1"')]);
    expect(await rowsOf(people.select(query))).toHaveLength(3);
  });
});

describe('updates', () => {
  test('their WHERE reads other repositories', async () => {
    const { people, places } = await two();
    await people.update(
      `${PREFIX}INSERT { ?who ex:size ?s } WHERE { ?who ex:home ?p SERVICE <repo:acme/places> { ?p ex:size ?s } }`,
    );
    expect(await lines(people.quads({ predicate: ex('size') }))).toEqual(['ada size "5"', 'bob size "9"']);
    await people.update(`${PREFIX}INSERT { GRAPH ex:copy { ?s ?p ?o } } USING <repo:acme/places> WHERE { ?s ?p ?o }`);
    expect(await lines(people.quads({ graph: ex('copy') }))).toEqual(['oslo size "5" copy', 'rome size "9" copy']);
    await people.update(
      `${PREFIX}DELETE { ?s ex:size ?o } USING <urn:quadrille:default> USING NAMED <repo:acme/places> WHERE { ?s ex:size ?o GRAPH <repo:acme/places> { ?x ex:size ?o } }`,
    );
    expect(await lines(people.quads({ predicate: ex('size'), graph: undefined }))).toEqual([
      'oslo size "5" copy',
      'rome size "9" copy',
    ]);
    expect(await places.size()).toBe(3);
  });

  test('transactions read them, and all operations of an update the same revision', async () => {
    const { people, places } = await two();
    await people.transaction(async (transaction) => {
      await transaction.add([q('dee home bonn')]);
      expect(await rowsOf(transaction.select(SIZES))).toEqual(BOTH);
      await places.add([q('bonn size "1"')]);
      expect(await rowsOf(transaction.select(SIZES))).toHaveLength(3);
      // Its own changes are not in the repository yet.
      expect(await transaction.ask(`${PREFIX}ASK { SERVICE <repo:acme/people> { ex:dee ?p ?o } }`)).toBe(false);
      const answer = await transaction.query(SIZES);
      if (answer.type === 'bindings') expect(await answer.rows.first()).toBeDefined();
      await transaction.update(
        `${PREFIX}INSERT { ?p ex:known true } WHERE { SERVICE <repo:acme/places> { ?p ex:size ?s } }`,
      );
    });
    expect(await people.count({ predicate: ex('known') })).toBe(3);
  });

  test('a failure changes nothing', async () => {
    const { people } = await two();
    const before = await people.revision();
    await expect(
      people.update(
        `${PREFIX}INSERT DATA { ex:a ex:b ex:c } ; INSERT { ?s ?p ?o } WHERE { SERVICE <repo:acme/none> { ?s ?p ?o } }`,
      ),
    ).rejects.toMatchObject({ code: 'REPOSITORY_NOT_FOUND' });
    expect((await people.revision()).id).toBe(before.id);
    await people.update(
      `${PREFIX}INSERT { ex:a ex:b ?x } WHERE { BIND(1 AS ?x) SERVICE SILENT <repo:acme/none> { ?s ?p ?o } }`,
    );
    expect(await people.size()).toBe(4);
  });
});

/** The options of a call that belongs to a task. */
const ofTask = (task: Task): HostQueryOptions => ({ task });

describe('a task reads other repositories only where it was told how', () => {
  test('without an opener it reads none', async () => {
    const { db, people } = await two();
    const task = await hostOf(db).begin({ kind: 'query', text: SIZES });
    task.control.startClock();
    await expect(people.select(SIZES, ofTask(task)).toArray()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const from = `${PREFIX}SELECT * FROM <repo:acme/people> { ?s ?p ?o }`;
    await expect(people.select(from, ofTask(task)).toArray()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(
      people.update(`INSERT { ?s ?p ?o } USING <repo:acme/places> WHERE { ?s ?p ?o }`, ofTask(task)),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    task.end();
  });

  test('with one it reads what that gives', async () => {
    const { db, people } = await two();
    const asked: string[] = [];
    const repositories = (name: string): Promise<Repository> => {
      asked.push(name);
      return db.repository(name);
    };
    const task = await hostOf(db).begin({ kind: 'query', text: SIZES, repositories });
    task.control.startClock();
    expect(await rowsOf(people.select(SIZES, ofTask(task)))).toEqual(BOTH);
    expect(asked).toEqual(['acme/places']);
    const strange = await hostOf(db).begin({
      kind: 'query',
      text: SIZES,
      repositories: async () => ({}) as Repository,
    });
    strange.control.startClock();
    await expect(people.select(SIZES, ofTask(strange)).toArray()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    task.end();
    strange.end();
  });
});
