/** Rows of the caller's type, and rows of JavaScript values. The types are checked by `npm run types`. */
import type { BlankNode, Literal, NamedNode } from '@rdfjs/types';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { JsRow, JsValue, Row, Rows, SelectOptions } from '../index.js';
import { hostOf } from '../host/index.js';
import { blankNode, iri, literal, open, sparql } from '../index.js';
import { all, ex, repository } from '../testing/fixtures.js';

const DATA = `
  PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
  INSERT DATA {
    ex:a ex:name "Ann" ; ex:label "Anna"@de ; ex:age 42 ; ex:big 9007199254740993 ; ex:size 1.5e0 ; ex:price 1.50 ;
      ex:old true ; ex:born "1984-02-29T12:00:00+01:00"^^xsd:dateTime ; ex:local "1984-02-29T12:00:00"^^xsd:dateTime ; ex:knows [] .
    ex:b ex:name "Bob" }`;
const ALL = `SELECT * {
  ?s ex:name ?name ; ex:label ?label ; ex:age ?age ; ex:big ?big ; ex:size ?size ; ex:price ?price ; ex:old ?old ;
    ex:born ?born ; ex:local ?local ; ex:knows ?friend OPTIONAL { ?s ex:none ?none } }`;
const NAMES = 'SELECT ?name { ?s ex:name ?name } ORDER BY ?name';

describe("{ values: 'js' }", () => {
  test('one of each kind, and nothing for a variable that is not bound', async () => {
    const repo = await repository();
    await repo.update(DATA);
    const rows = repo.select(ALL, { values: 'js' });
    expectTypeOf(rows).toEqualTypeOf<Rows<JsRow>>();
    expect(await rows.variables).toContain('none');
    const { friend, ...row } = (await rows.first())!;
    expect(row).toEqual({
      s: 'http://example.org/a',
      name: 'Ann',
      label: 'Anna',
      age: 42,
      big: 9007199254740993n,
      size: 1.5,
      price: '1.50',
      old: true,
      born: new Date('1984-02-29T11:00:00Z'),
      local: '1984-02-29T12:00:00',
    });
    expect(friend).toMatch(/^_:./);
  });

  test('in each way of asking, and of reading', async () => {
    const repo = await repository();
    await repo.update(DATA);
    const expected = [{ name: 'Ann' }, { name: 'Bob' }];
    const js = { values: 'js' } as const;
    expect(await repo.select(NAMES, js).toArray()).toEqual(expected);
    expect(await all(repo.select(NAMES, js))).toEqual(expected);
    expect(await repo.select(NAMES, js).first()).toEqual(expected[0]);
    expect(await repo.at('HEAD').select(NAMES, js).toArray()).toEqual(expected);
    expect(await repo.select(sparql`SELECT ?age { ${ex('a')} ex:age ?age }`, js).toArray()).toEqual([{ age: 42 }]);
    const prepared = await repo.prepare('SELECT ?name { ?s ex:name ?name }');
    expect(await prepared.select({ ...js, bindings: { s: ex('b') } }).toArray()).toEqual([{ name: 'Bob' }]);
    await repo.transaction(async (tx) => {
      await tx.update('INSERT DATA { ex:c ex:name "Cem" }');
      expect(await tx.select(NAMES, js).toArray()).toEqual([...expected, { name: 'Cem' }]);
    });
    expect(await repo.select('SELECT * {}', js).toArray()).toEqual([{}]);
    expect(await repo.select('SELECT ?__proto__ { ?__proto__ ex:old true }', js).first()).toEqual(
      Object.fromEntries([['__proto__', 'http://example.org/a']]),
    );
  });

  test('are for SELECT alone, and are terms by default', async () => {
    const repo = await repository();
    await repo.update(DATA);
    expect(await repo.select(NAMES, { values: 'terms' }).first()).toEqual({ name: literal('Ann') });
    expect(await repo.select(NAMES, { values: undefined }).first()).toEqual({ name: literal('Ann') });
    const refused = { code: 'INVALID_OPTION', details: { option: 'values' } };
    const wrong = { values: 'json' } as unknown as SelectOptions;
    await expect(repo.select(NAMES, wrong).toArray()).rejects.toMatchObject(refused);
    await expect(repo.select(NAMES, wrong).variables).rejects.toMatchObject(refused);
    const js: object = { values: 'js' };
    await expect(repo.ask('ASK {}', js)).rejects.toMatchObject(refused);
    await expect(repo.update('CLEAR ALL', js)).rejects.toMatchObject(refused);
    await expect(hostOf(repo).serialize(NAMES, 'csv', js).toArray()).rejects.toMatchObject(refused);
  });

  test('leaving the loop frees the snapshot', async () => {
    const db = await open(':memory:');
    const repo = await db.repository('a/r', { create: true });
    await repo.update('INSERT DATA { <urn:s> <urn:p> 1, 2, 3 }');
    for await (const { o } of repo.select<{ o: number }>('SELECT ?o { ?s ?p ?o }', { values: 'js' })) {
      expectTypeOf(o).toBeNumber();
      break;
    }
    expect(db.queries()).toEqual([]);
    await db.close();
  });
});

describe('types of rows', () => {
  interface Person {
    readonly name: Literal;
    readonly s?: NamedNode | BlankNode;
  }

  test('select and templates', async () => {
    const repo = await repository('a name "Ann"');
    expectTypeOf(repo.select(NAMES)).toEqualTypeOf<Rows<Row>>();
    expectTypeOf(repo.select<Person>(NAMES)).toEqualTypeOf<Rows<Person>>();
    expectTypeOf(repo.select<{ name: string }>(NAMES, { values: 'js' })).toEqualTypeOf<Rows<{ name: string }>>();
    expectTypeOf(repo.select<Person>`SELECT ?name { ${ex('a')} ex:name ?name }`).toEqualTypeOf<Rows<Person>>();
    const options: SelectOptions = { timeoutMs: 1000 };
    expectTypeOf(repo.select(NAMES, options)).toEqualTypeOf<Rows<Row | JsRow>>();
    // @ts-expect-error a row of values has no member for each name
    expect(() => repo.select(NAMES, { values: 'js', timeout: 1 })).not.toThrow();
    const [person] = await repo.select<Person>(NAMES).toArray();
    expect(person?.name.language).toBe('');
    expectTypeOf<JsRow[string]>().toEqualTypeOf<JsValue>();
  });

  test('prepare: rows and bindings', async () => {
    const repo = await repository('a name "Ann"');
    const text = 'SELECT ?name { ?person ex:name ?name }';
    const nameOf = await repo.prepare<{ name: Literal }, { person: NamedNode }>(text);
    expect(nameOf.bindings).toEqual(['name', 'person']);
    const rows = nameOf.select({ bindings: { person: ex('a') } });
    expectTypeOf(rows).toEqualTypeOf<Rows<{ name: Literal }>>();
    expect((await rows.first())?.name.value).toBe('Ann');
    // @ts-expect-error the name of the variable is wrong
    await expect(nameOf.select({ bindings: { persona: iri('urn:x') } }).toArray()).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
    // @ts-expect-error a literal is no person
    expect(await nameOf.select({ bindings: { person: literal('x') } }).toArray()).toEqual([]);
    const any = await repo.prepare(text);
    expect(await any.select({ bindings: { person: blankNode('x') } }).toArray()).toEqual([]);
    const update = await repo.prepare('DELETE { ?s ex:age ?old } WHERE { ?s ex:age ?old }');
    expect(update.bindings).toEqual(['s', 'old']);
    expect((await repo.prepare('ASK {}')).bindings).toEqual([]);
  });
});
