/** Searches for words, by the library and in SPARQL. */
import { iri, literal, quad } from '@quadrille/model';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database, Repository } from '../api/index.js';
import { open } from '../index.js';

const EX = 'http://example.org/';
const TEXT = 'PREFIX text: <http://jena.apache.org/text#> PREFIX ex: <http://example.org/> ';
const ex = (name: string) => iri(EX + name);

let db: Database;
let repo: Repository;

beforeEach(async () => {
  db = await open(':memory:');
  repo = await db.repository('sky', { create: true });
  await repo.settings.set({ search: { text: true } });
  await repo.load(
    {
      text: `PREFIX ex: <${EX}>
      ex:pluto ex:label "Pluto, a dwarf planet"@en ; ex:note "dwarf" ; ex:kind ex:Dwarf .
      ex:eris ex:label "Eris is the most massive dwarf planet"@en-GB ; ex:kind ex:Dwarf .
      ex:moon ex:label "The Moon", "Der Mond"@de ; ex:kind ex:Moon .
      GRAPH ex:g { ex:mars ex:label "Planet Mars" ; ex:kind ex:Planet }`,
    },
    { format: 'trig' },
  );
});

const names = async (pattern: string, from = ''): Promise<string[]> =>
  (await repo.select(`${TEXT} SELECT ?s ${from} { ${pattern} }`).toArray()).map(({ s }) => s!.value.slice(EX.length));

describe('text:query', () => {
  test('gives subjects, the best ones first', async () => {
    expect(await names('?s text:query "dwarf"')).toEqual(['pluto', 'pluto', 'eris']);
    expect(await names('?s text:query "planet"')).toEqual(['pluto', 'eris']);
    expect(await names('?s text:query ("dwarf" 1)')).toEqual(['pluto']);
    expect(await names('?s text:query (ex:label "dwarf OR moon" 10)')).toEqual(['moon', 'pluto', 'eris']);
    expect(await names('?s text:query (ex:note ex:kind "dwarf")')).toEqual(['pluto']);
    expect(await names('?s text:query ("mond" "lang:de")')).toEqual(['moon']);
    expect(await names('?s text:query ("dwarf" "lang:en")')).toEqual(['pluto', 'eris']);
    expect(await names('?s text:query "nothing"')).toEqual([]);
    expect(await names('ex:moon text:query "moon" BIND(ex:moon AS ?s)')).toEqual(['moon']);
  });

  test('gives score, literal, graph and property', async () => {
    const rows = await repo
      .select(`${TEXT} SELECT * { GRAPH ?g { (?s ?score ?literal ?graph ?property) text:query "planet" } }`)
      .toArray();
    expect(rows).toHaveLength(1);
    const { s, score, literal: text, graph, g, property } = rows[0]!;
    expect([s, text, graph, g, property].map((term) => term!.value)).toEqual([
      `${EX}mars`,
      'Planet Mars',
      `${EX}g`,
      `${EX}g`,
      `${EX}label`,
    ]);
    expect(Number(score!.value)).toBeGreaterThan(0);
    expect(score).toMatchObject({ datatype: { value: 'http://www.w3.org/2001/XMLSchema#float' } });
    const outside = await repo.select(`${TEXT} SELECT * { (?s ?score ?literal ?graph) text:query "moon" }`).toArray();
    expect(outside.map((row) => row['graph'])).toEqual([undefined]);
  });

  test('is joined with patterns, before and behind, in OPTIONAL, EXISTS, MINUS and sub-selects', async () => {
    expect(await names('?s ex:kind ex:Dwarf . ?s text:query "eris"')).toEqual(['eris']);
    expect(await names('?s text:query "planet" . ?s ex:kind ?k FILTER(?k = ex:Dwarf)')).toEqual(['pluto', 'eris']);
    expect(await names('?s ex:kind ?k OPTIONAL { ?s text:query "moon" BIND(1 AS ?x) } FILTER(BOUND(?x))')).toEqual([
      'moon',
    ]);
    expect(await names('?s ex:kind ?k FILTER EXISTS { ?s text:query "moon" }')).toEqual(['moon']);
    expect(new Set(await names('?s ex:kind ?k MINUS { ?s text:query "moon" }'))).toEqual(new Set(['pluto', 'eris']));
    expect(await names('{ SELECT ?s { ?s text:query "dwarf" } LIMIT 1 }')).toEqual(['pluto']);
    expect(await names('{ ?s text:query "moon" } UNION { ?s text:query "eris" }')).toEqual(['moon', 'eris']);
    expect(await names('VALUES ?s { ex:eris ex:moon } ?s text:query "planet"')).toEqual(['eris']);
  });

  test('sees the graphs of the dataset', async () => {
    expect(await names('?s text:query "mars"')).toEqual([]);
    expect(await names('GRAPH ex:g { ?s text:query "mars" }')).toEqual(['mars']);
    expect(await names('?s text:query "mars"', 'FROM ex:g')).toEqual(['mars']);
    const rows = await repo
      .select(`${TEXT} SELECT ?s { ?s text:query "planet" }`, { unionDefaultGraph: true })
      .toArray();
    expect(rows).toHaveLength(3);
  });

  test('a prefix gives all that fit, also where many do, once and in one order', async () => {
    const many = Array.from({ length: 3000 }, (_, i) =>
      quad(ex(`n${i}`), ex('label'), literal(`star${i % 700} no ${i}`)),
    );
    await repo.add(many);
    await repo.remove({ subject: ex('n5') });
    const found = await names('?s text:query "star*"');
    expect(found).toEqual(many.map(({ subject }) => subject.value.slice(EX.length)).filter((name) => name !== 'n5'));
    expect(await names('?s text:query ("star*" 7)')).toEqual(found.slice(0, 7));
    const { total, hits, facets } = await repo.search('star*', { limit: 3, offset: 2, facets: [ex('label')] });
    expect([total, hits.map(({ subject }) => subject.value.slice(EX.length))]).toEqual([2999, found.slice(2, 5)]);
    expect(Object.values(facets)[0]).toHaveLength(100);
    expect((await repo.search('star1 OR moon', { limit: 1, facets: [ex('kind')] })).facets).toEqual({
      [`${EX}kind`]: [{ value: ex('Moon'), count: 1 }],
    });
  });

  test('takes values of bindings', async () => {
    const prepared = await repo.prepare(`${TEXT} SELECT ?s { ?s text:query (?p ?words 5) }`);
    const found = async (words: string): Promise<string[]> =>
      (await prepared.select({ bindings: { words: literal(words), p: ex('label') } }).toArray()).map(({ s }) =>
        s!.value.slice(EX.length),
      );
    expect(await found('moon')).toEqual(['moon']);
    expect(await found('eris')).toEqual(['eris']);
    const bound = await repo
      .select(`${TEXT} SELECT ?s { ?s text:query "planet" }`, { bindings: { s: ex('eris') } })
      .toArray();
    expect(bound).toHaveLength(1);
  });

  test('takes a text that BIND or VALUES gives before', async () => {
    expect(await names('BIND("moon" AS ?q) (?s ?score) text:query ?q')).toEqual(['moon']);
    expect(await names('BIND("mond" AS ?q) ?s text:query (ex:label ?q 5 "lang:de")')).toEqual(['moon']);
    expect(await names('VALUES ?q { "moon" } ?s text:query (ex:label ?q)')).toEqual(['moon']);
    const rows = await repo
      .select(
        `${TEXT} SELECT ?q ?s { VALUES (?q ?n) { ("moon" 1) ("eris" 2) ("moon" 3) } ?s ex:kind ?k . ?s text:query (ex:label ?q) }`,
      )
      .toArray();
    expect(rows.map(({ q, s }) => `${q!.value} ${s!.value.slice(EX.length)}`).toSorted()).toEqual([
      'eris eris',
      'moon moon',
      'moon moon',
    ]);
    expect(await names('VALUES ?q { } ?s text:query ?q')).toEqual([]);
    expect(await names('VALUES (?q ?p) { ("dwarf" ex:note) } ?s text:query (?p ?q)')).toEqual(['pluto']);
    expect(
      await names('{ BIND("eris" AS ?q) ?s text:query ?q } UNION { BIND("moon" AS ?q) ?s text:query ?q }'),
    ).toEqual(['eris', 'moon']);
  });

  test.each([
    '?s text:query ?q',
    '?s text:query ?q . VALUES ?q { "moon" }',
    'VALUES ?q { "moon" UNDEF } ?s text:query ?q',
    'BIND(CONCAT("mo", "on") AS ?q) ?s text:query ?q',
    '?x ex:note ?q . ?s text:query ?q',
  ])('refuses a text that is not known before: %s', async (pattern) => {
    await expect(names(pattern)).rejects.toThrow(
      /\?q is neither a value of the call nor one that BIND or VALUES lists/,
    );
  });

  test('marks words where that is asked for', async () => {
    const texts = async (pattern: string): Promise<(string | undefined)[]> =>
      (await repo.select(`${TEXT} SELECT ?l { ${pattern} }`).toArray()).map(({ l }) => l?.value);
    expect(await texts('(?s ?score ?l) text:query (ex:label "dwarf AND plan*" "highlight:")')).toEqual([
      'Pluto, a \u21a6dwarf planet\u21a4',
      'Eris is the most massive \u21a6dwarf planet\u21a4',
    ]);
    expect(await texts('(?s ?score ?l) text:query ("mond" 5 "highlight:s:<em> | e:</em>")')).toEqual([
      'Der <em>Mond</em>',
    ]);
    const [row] = await repo
      .select(`${TEXT} SELECT * { (?s ?score ?l) text:query ("mond" "highlight:s:<em>|e:</em>") }`)
      .toArray();
    expect(row!['l']).toEqual(literal('Der <em>Mond</em>', 'de'));
    await expect(texts('(?s ?score ?l) text:query ("mond" "highlight:m:2")')).rejects.toThrow(/no option "m:2"/);
    expect(
      await texts('?s ex:label ?t BIND(text:highlight(?t, "moo* mond", "<b>", "</b>") AS ?l) FILTER(?l != ?t)'),
    ).toEqual(['The <b>Moon</b>', 'Der <b>Mond</b>']);
    expect(await texts('BIND(text:highlight("the moon"@en, "moon") AS ?l)')).toEqual(['the \u21a6moon\u21a4']);
    expect(await texts('BIND(text:highlight("moon", "(") AS ?l)')).toEqual([undefined]);
    expect(await texts('BIND(text:highlight(5, "moon") AS ?l)')).toEqual([undefined]);
    await repo.settings.set({ search: { text: { fold: 'diacritics' } } });
    expect(await texts('(?s ?score ?l) text:query ("Méon~1 plúto" 1 "highlight:s:[ | e:]")')).toEqual([
      '[Pluto], a dwarf planet',
    ]);
  });

  test('old revisions and branches are searched as they were', async () => {
    await repo.remove({ subject: ex('pluto') });
    await repo.add(quad(ex('ceres'), ex('label'), literal('a dwarf, too')));
    expect(await names('?s text:query "dwarf"')).toEqual(['ceres', 'eris']);
    const before = await repo.at('HEAD~2').select(`${TEXT} SELECT ?s { ?s text:query "dwarf" }`).toArray();
    expect(before).toHaveLength(3);
    await repo.branches.create('other', { from: 'HEAD~1' });
    const branch = await repo.branches.open('other');
    expect((await branch.search('dwarf')).total).toBe(1);
    expect((await repo.search('dwarf', { at: 'HEAD~2' })).total).toBe(3);
  });

  test('transactions find what they have added, and not what they have removed', async () => {
    await repo.transaction(async (tx) => {
      await tx.update(
        `${TEXT} INSERT DATA { ex:sedna ex:label "Sedna, a dwarf" } ; DELETE WHERE { ex:pluto ex:note ?n }`,
      );
      const rows = await tx.select(`${TEXT} SELECT ?s { ?s text:query "dwarf" }`).toArray();
      expect(rows.map(({ s }) => s!.value.slice(EX.length)).toSorted()).toEqual(['eris', 'pluto', 'sedna']);
    });
    await repo.update(`${TEXT} INSERT { ?s ex:found true } WHERE { ?s text:query "sedna" }`);
    expect(await names('?s ex:found true')).toEqual(['sedna']);
  });

  test('explain names the search', async () => {
    const { text } = await repo.explain(`${TEXT} SELECT ?s { ?s text:query "dwarf" }`);
    expect(text).toMatch(/search .*"dwarf"/);
  });

  test.each([
    ['?s text:query ()', 'SPARQL_SYNTAX'],
    ['?s text:query ex:label', 'SPARQL_SYNTAX'],
    ['(?s "x") text:query "y"', 'SPARQL_SYNTAX'],
    ['?s text:query ("x" "y")', 'UNSUPPORTED'],
    ['?s text:query "plu* AND ("', 'TEXT_SYNTAX'],
    ['?s text:query "*x"', 'TEXT_SYNTAX'],
    ['?s text:query "label:x"', 'TEXT_SYNTAX'],
  ])('refuses %s', async (pattern, code) => {
    await expect(names(pattern)).rejects.toMatchObject({ code });
  });

  test('needs the index', async () => {
    await repo.settings.set({ search: null });
    await expect(names('?s text:query "dwarf"')).rejects.toMatchObject({ code: 'NO_INDEX' });
    await expect(repo.search('dwarf')).rejects.toMatchObject({ code: 'NO_INDEX' });
  });
});

describe('search', () => {
  test('gives hits with their quads, of all graphs', async () => {
    const { total, hits, revision } = await repo.search('planet', { limit: 2 });
    expect([total, hits.length, revision]).toEqual([3, 2, (await repo.revision()).id]);
    expect(hits[0]).toMatchObject({
      subject: ex('mars'),
      property: ex('label'),
      graph: ex('g'),
      literal: literal('Planet Mars'),
    });
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
    expect((await repo.search('planet', { offset: 2 })).hits).toHaveLength(1);
    expect((await repo.search('planet', { graph: ex('g') })).total).toBe(1);
    expect((await repo.search('planet', { graph: ex('nowhere') })).total).toBe(0);
    expect((await repo.search('dwarf', { property: ex('note') })).total).toBe(1);
    expect((await repo.search('dwarf', { language: 'en-GB' })).total).toBe(1);
  });

  test('counts facets over the subjects of all hits', async () => {
    const { facets } = await repo.search('dwarf OR moon', { limit: 1, facets: [ex('kind')] });
    expect(facets[`${EX}kind`]).toEqual([
      { value: ex('Dwarf'), count: 2 },
      { value: ex('Moon'), count: 1 },
    ]);
  });

  test('obeys the setting', async () => {
    await repo.settings.set({ search: { text: { properties: [`${EX}note`] } } });
    expect((await repo.search('dwarf')).total).toBe(1);
    await repo.settings.set({ search: { text: { graphs: [`${EX}g`] } } });
    expect((await repo.search('planet')).total).toBe(1);
    expect(await names('?s text:query "planet"')).toEqual([]);
    await repo.settings.set({ search: { text: { languages: ['de'] } } });
    expect((await repo.search('mond OR moon')).total).toBe(1);
    await repo.add(quad(ex('cafe'), ex('label'), literal('Café')));
    await repo.settings.set({ search: { text: { fold: 'diacritics' } } });
    expect((await repo.search('cafe')).total).toBe(1);
    expect((await repo.settings.get()).search).toEqual({ text: { fold: 'diacritics', stem: false }, progress: 1 });
    for (const text of [{ fold: 'x' }, { properties: ['x y'] }, { languages: ['?'] }, { stem: true }, { other: 1 }, 7])
      await expect(repo.settings.set({ search: { text } as never })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});
