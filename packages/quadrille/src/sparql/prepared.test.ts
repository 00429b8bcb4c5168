import { describe, expect, test } from 'vitest';
import type { PreparedOptions } from '../index.js';
import { blankNode, literal, sparql } from '../index.js';
import { ex, lines, q, repository, term } from '../testing/fixtures.js';

const NAME = 'SELECT ?name { ?s ex:name ?name }';

test('one query, many values', async () => {
  const repo = await repository();
  await repo.add(Array.from({ length: 500 }, (_, i) => q(`s${i} name "n${i}"`)));
  const prepared = await repo.prepare(NAME);
  expect(prepared.kind).toBe('select');
  for (let i = 0; i < 500; i += 7) {
    expect(await prepared.select({ bindings: { s: ex(`s${i}`) } }).toArray()).toEqual([{ name: literal(`n${i}`) }]);
  }
  const byName = await repo.prepare('SELECT ?s ?name { ?s ex:name ?name }');
  expect(await byName.select({ bindings: { name: literal('n7') } }).toArray()).toEqual([
    { s: ex('s7'), name: literal('n7') },
  ]);
  expect(await byName.select({ maxRows: 600 }).toArray()).toHaveLength(500);
});

test.each([
  ['nothing in the data', { s: ex('nobody') }],
  ['a literal as subject', { s: literal('s1') }],
  ['a blank node of elsewhere', { s: blankNode('elsewhere') }],
  ['a name that is nothing', { name: literal('') }],
])('a value that is %s: no rows', async (_, bindings: NonNullable<PreparedOptions['bindings']>) => {
  const repo = await repository('s1 name "n1"', 's2 name "n2"');
  const prepared = await repo.prepare('SELECT * { ?s ex:name ?name OPTIONAL { ?s ex:none ?none } }');
  expect(await prepared.select({ bindings }).toArray()).toEqual([]);
  expect(await (await repo.prepare('ASK { ?s ex:name ?name }')).ask({ bindings })).toBe(false);
  const construct = await repo.prepare('CONSTRUCT { ?s ex:is ?name } WHERE { ?s ex:name ?name }');
  expect(await construct.construct({ bindings }).toArray()).toEqual([]);
  expect(await prepared.select().toArray()).toHaveLength(2);
});

test('every form of query', async () => {
  const repo = await repository('a p b', 'b p c');
  const bindings = { s: ex('a') };
  expect(await (await repo.prepare('ASK { ?s ex:p ?o }')).ask({ bindings })).toBe(true);
  const construct = await repo.prepare('CONSTRUCT { ?o ex:of ?s } WHERE { ?s ex:p ?o }');
  expect(await lines(construct.construct({ bindings }))).toEqual(['b of a']);
  expect(await lines((await repo.prepare('DESCRIBE ?s')).describe({ bindings }))).toEqual(['a p b']);
  const select = await repo.prepare('SELECT ?o { ?s ex:p ?o }');
  expect((await select.serialize('text/csv', { bindings }).toArray()).join('')).toBe('o\r\nhttp://example.org/b\r\n');
  expect(await select.query({ bindings })).toMatchObject({ type: 'bindings', variables: ['o'] });
  await expect(select.ask()).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});

test('at a revision, and with the values of a template as well', async () => {
  const repo = await repository('a p b');
  const old = repo.at(await repo.revision());
  await repo.add(q('a p c'));
  const request = sparql`SELECT ?o { ?s ${ex('p')} ?o }`;
  const [then, now] = await Promise.all([old.prepare(request), repo.prepare(request)]);
  expect(await then.select({ bindings: { s: ex('a') } }).toArray()).toHaveLength(1);
  expect(await now.select({ bindings: { s: ex('a') } }).toArray()).toHaveLength(2);
  await repo.add(q('a p d'));
  expect(await now.select({ bindings: { s: ex('a') } }).toArray()).toHaveLength(3);
});

describe('updates', () => {
  test('with bindings', async () => {
    const repo = await repository('a age "1"', 'b age "2"');
    const update = await repo.prepare('DELETE { ?s ex:age ?old } INSERT { ?s ex:age ?new } WHERE { ?s ex:age ?old }');
    expect(update.kind).toBe('update');
    const revision = await update.update({ bindings: { s: ex('a'), new: literal('10') }, message: 'older' });
    expect(revision.message).toBe('older');
    await update.update({ bindings: { s: ex('b'), new: literal('20') } });
    await update.update({ bindings: { s: ex('nobody'), new: literal('30') } });
    expect(await lines(repo.quads())).toEqual(['a age "10"', 'b age "20"']);
    await expect(update.select().toArray()).rejects.toMatchObject({ code: 'NOT_A_QUERY' });
  });
  test('in a transaction', async () => {
    const repo = await repository('a age "1"');
    await repo.transaction(async (transaction) => {
      const update = await transaction.prepare('INSERT { ?s ex:seen ?v } WHERE { ?s ex:age ?any }');
      for (const v of ['1', '2', '3']) await update.update({ bindings: { s: ex('a'), v: literal(v) } });
      const count = await transaction.prepare('SELECT (COUNT(*) AS ?n) { ?s ex:seen ?v }');
      expect(term((await count.select({ bindings: { s: ex('a') } }).first())!['n']!)).toMatch(/^"3"/);
    });
    expect(await repo.size()).toBe(4);
  });
});

test('what is wrong is told when it is prepared', async () => {
  const repo = await repository();
  await expect(repo.prepare('SELECT * {\n ?s ?p }')).rejects.toMatchObject({ code: 'SPARQL_SYNTAX', line: 2 });
  await expect(repo.at('HEAD').prepare('SELECT')).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
  await expect(repo.prepare('ASK { <a> ?p ?o }', { bindings: {} } as object)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
  });
  const prepared = await repo.prepare('ASK { <a> ?p ?o }', { baseIRI: 'http://example.org/' });
  await expect(prepared.ask({ baseIRI: 'http://example.com/' } as object)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
  });
  await repo.add(q('a p b'));
  expect(await prepared.ask()).toBe(true);
});

test.each(['a', 5, null, undefined, {}, { termType: 'Variable', value: 'x' }])('%s is no value', async (value) => {
  const repo = await repository('a p b');
  const bindings = { s: value } as unknown as NonNullable<PreparedOptions['bindings']>;
  const refused = { code: 'INVALID_TERM' };
  await expect((await repo.prepare('ASK { ?s ?p ?o }')).ask({ bindings })).rejects.toMatchObject(refused);
  await expect(repo.select('SELECT * { ?s ?p ?o }', { bindings }).toArray()).rejects.toMatchObject(refused);
  await expect(repo.update('INSERT { ?s ?p ?p } WHERE { ?s ?p ?o }', { bindings })).rejects.toMatchObject(refused);
});

test('keeps the prefixes that it was prepared with', async () => {
  const repo = await repository('a p b');
  const prepared = await repo.prepare('ASK { ex:a ?p ?o }');
  await repo.namespaces.set('ex', 'http://example.com/');
  expect(await prepared.ask()).toBe(true);
  expect(await repo.ask('ASK { ex:a ?p ?o }')).toBe(false);
});

test('bindings are terms of variables that the text has', async () => {
  const repo = await repository('a p b', 'b p c');
  const prepared = await repo.prepare('DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }');
  const select = await repo.prepare('SELECT * { ?s ?p ?o }');
  const wrong: [unknown, string][] = [
    [{ subject: ex('a') }, 'INVALID_OPTION'],
    [{ '?s': ex('a') }, 'INVALID_OPTION'],
    [new Map([['s', ex('a')]]), 'INVALID_OPTION'],
    [new Set([ex('a')]), 'INVALID_OPTION'],
    [[ex('a')], 'INVALID_OPTION'],
    ['s', 'INVALID_OPTION'],
    [null, 'INVALID_OPTION'],
    [{ s: 'http://example.org/a' }, 'INVALID_TERM'],
    [{ s: undefined }, 'INVALID_TERM'],
  ];
  for (const [given, code] of wrong) {
    const bindings = given as NonNullable<PreparedOptions['bindings']>;
    await expect(prepared.update({ bindings }), String(given)).rejects.toMatchObject({ code });
    await expect((async () => select.select({ bindings }).toArray())(), String(given)).rejects.toMatchObject({ code });
    await expect(repo.update('DELETE WHERE { ?s ?p ?o }', { bindings }), String(given)).rejects.toMatchObject({ code });
    await expect(
      repo.transaction((transaction) => transaction.update('DELETE WHERE { ?s ?p ?o }', { bindings })),
      String(given),
    ).rejects.toMatchObject({ code });
  }
  expect(await repo.size()).toBe(2);
  await prepared.update({ bindings: { s: ex('a') } });
  expect(await repo.size()).toBe(1);
});
