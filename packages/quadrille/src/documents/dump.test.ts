import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import type { DumpOptions, Repository } from '../index.js';
import { blankNode, defaultGraph, iri, literal, quad } from '../index.js';
import { ex, q, repository } from '../testing/fixtures.js';

const DATA = ['a p b', 'a p b g', 'a p b h', 'a p c h', 'd p e g'];
const dump = async (repo: Pick<Repository, 'dump'>, type: string, options?: DumpOptions): Promise<string[]> => {
  const text = (await repo.dump(type, options).toArray()).join('');
  return text
    .replaceAll('http://example.org/', '')
    .split('\n')
    .filter((line) => line !== '');
};

test.each(['nt', 'turtle', 'n3', 'rdf/xml', 'rdf/json'])(
  '%s cannot name graphs, and refuses to lose them',
  async (type) => {
    const repo = await repository(...DATA);
    const refused = { code: 'INVALID_OPTION', details: { option: 'graphs' }, message: /--|graphs: 'drop'/ };
    await expect(repo.dump(type).toArray()).rejects.toMatchObject(refused);
    await repo.remove(DATA.slice(1).map(q));
    expect(await repo.size()).toBe(1);
    expect((await repo.dump(type).toArray()).join('')).toContain('a');
    await expect(repo.at('HEAD~1').dump(type).toArray()).rejects.toMatchObject(refused);
    expect((await repo.at('TAIL').dump(type).toArray()).length).toBeGreaterThan(0);
  },
);

test('names of graphs are dropped, each triple once', async () => {
  const repo = await repository(...DATA);
  const merged = ['<a> <p> <b> .', '<a> <p> <c> .', '<d> <p> <e> .'];
  expect(await dump(repo, 'nt', { graphs: 'drop' })).toEqual(merged);
  expect(await dump(repo, 'nq', { graphs: 'drop' })).toEqual(merged);
});

test.each<[string, NonNullable<DumpOptions['graph']>, string[], string[]]>([
  ['named', ex('h'), ['<a> <p> <b> .', '<a> <p> <c> .'], ['<a> <p> <b> <h> .', '<a> <p> <c> <h> .']],
  ['default', defaultGraph(), ['<a> <p> <b> .'], ['<a> <p> <b> .']],
  ['unknown', ex('none'), [], []],
  ['blank', blankNode('b'), ['<x> <p> <y> .'], ['<x> <p> <y> _:b .']],
])('one graph: %s', async (_, graph, triples, quads) => {
  const repo = await repository(...DATA);
  await repo.add(quad(ex('x'), ex('p'), ex('y'), blankNode('b')));
  expect(await dump(repo, 'nt', { graph })).toEqual(triples);
  expect(await dump(repo, 'nq', { graph })).toEqual(quads);
  expect(await dump(repo, 'nq', { graph, graphs: 'drop' })).toEqual(triples);
});

describe('language tags', () => {
  const tags = ['en-GB', 'zh-Hant-TW', 'en-x-ab'];
  const filled = async (): Promise<Repository> => {
    const repo = await repository();
    await repo.load(
      { text: tags.map((tag) => `<a:s> <a:p> "x"@${tag.toUpperCase()} .`).join('\n') },
      { format: 'ttl' },
    );
    return repo;
  };

  test.each(['nt', 'nq', 'ttl', 'trig', 'jsonld', 'rdf', 'trix', 'rj'])(
    'have their canonical case: %s',
    async (type) => {
      const repo = await filled();
      const text = (await repo.dump(type).toArray()).join('');
      for (const tag of tags) expect(text).toContain(tag);
    },
  );

  test('are lower case in canonical N-Triples and N-Quads', async () => {
    const repo = await filled();
    for (const type of ['nt', 'nq']) {
      const text = (await repo.dump(type, { canonical: true }).toArray()).join('');
      expect(text.split('\n').sort()).toEqual([
        '',
        '<a:s> <a:p> "x"@en-gb .',
        '<a:s> <a:p> "x"@en-x-ab .',
        '<a:s> <a:p> "x"@zh-hant-tw .',
      ]);
    }
    await expect(repo.dump('ttl', { canonical: true }).toArray()).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      details: { option: 'canonical' },
    });
  });

  test('are equal whatever their case, and canonical in results', async () => {
    const repo = await filled();
    expect(await repo.size()).toBe(3);
    await repo.add(quad(ex('a'), ex('p'), literal('x', 'EN-gb')));
    await repo.remove(quad(iri('a:s'), iri('a:p'), literal('x', 'ZH-HANT-tw')));
    const rows = await repo.select('SELECT ?o (LANG(?o) AS ?tag) { ?s ?p ?o } ORDER BY ?tag').toArray();
    expect(rows.map(({ tag }) => tag?.value)).toEqual(['en-GB', 'en-GB', 'en-x-ab']);
    expect(rows.map(({ o }) => (o as RDF.Literal).language)).toEqual(['en-GB', 'en-GB', 'en-x-ab']);
    const asked = 'SELECT * { VALUES ?o { "x"@eN-gB } ?s ?p ?o FILTER (LANGMATCHES(LANG(?o), "EN-GB")) }';
    expect(await repo.select(asked).toArray()).toHaveLength(2);
    const made = await repo.select('SELECT (STRLANG("y", "DE-ch") AS ?a) ("z"@DE-CH AS ?b) {}').toArray();
    expect(Object.values(made[0]!).map((term) => (term as RDF.Literal).language)).toEqual(['de-CH', 'de-CH']);
    let own: RDF.Quad[] = [];
    await repo.transaction(async (tx) => {
      await tx.add(quad(ex('b'), ex('p'), literal('new', 'FR-ca')));
      own = await tx.quads({ subject: ex('b') }).toArray();
    });
    expect(own.map(({ object }) => (object as RDF.Literal).language)).toEqual(['fr-CA']);
  });
});

test('wrong options are refused', async () => {
  const repo = await repository(...DATA);
  const wrong = (options: unknown): unknown =>
    expect.objectContaining({ code: 'INVALID_OPTION', ...(options as object) });
  expect(() => repo.dump('nt', { graphs: 'keep' as 'drop' })).toThrow(
    wrong({ details: { option: 'graphs' } }) as Error,
  );
  expect(() => repo.dump(5 as unknown as string)).toThrow(wrong({}) as Error);
  expect(() => repo.dump('nt', { graph: 'g' as unknown as RDF.NamedNode })).toThrow(
    expect.objectContaining({ code: 'INVALID_TERM' }) as Error,
  );
});
