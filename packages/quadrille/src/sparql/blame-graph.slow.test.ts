/** `GRAPH <urn:quadrille:blame>`: the same as `blame()`, joined with the data. */
import { expect, test } from 'vitest';
import type { QueryOptions, Repository, Row } from '../index.js';
import { hostOf } from '../host/index.js';
import { iri, sparql } from '../index.js';
import { all, EX, line, many, q, repository, term } from '../testing/fixtures.js';

const P = `PREFIX : <${EX}> PREFIX q: <urn:quadrille:> PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n`;

/** 1 empty, 2 + a b, 3 + c(g) a(g), 4 - a, 5 + a */
async function history(): Promise<Repository> {
  const repo = await repository('a p 1', 'b p 1');
  await repo.add([q('c p 1 g'), q('a p 1 g')]);
  await repo.remove(q('a p 1'));
  await repo.add(q('a p 1'));
  return repo;
}

const rows = async (repo: Pick<Repository, 'select'>, text: string, options?: QueryOptions): Promise<string[]> => {
  const revisions = /urn:quadrille:revision:/;
  const cell = ([name, value]: [string, Row[string]]): string =>
    `${name}=${revisions.test(value.value) ? 'revision' : value.termType === 'BlankNode' ? '_' : term(value)}`;
  return (await all(repo.select(P + text, options))).map((row) => Object.entries(row).map(cell).join(' ')).toSorted();
};

const BLAME = `GRAPH q:blame { ?r rdf:reifies <<( ?s ?p ?o )>> ; q:graph ?g ; prov:wasGeneratedBy ?rev }`;

/** What the graph tells, in the form of {@link blamed}. */
async function told(repo: Repository, text: string, at = 'HEAD', options: QueryOptions = {}): Promise<string[]> {
  const numbers = new Map((await all(repo.log())).map(({ id, number }) => [`urn:quadrille:revision:${id}`, number]));
  const found: string[] = [];
  for await (const { s, p, o, g, rev } of repo.at(at).select(P + text, options)) {
    const graph = g!.value === 'urn:quadrille:default' ? '' : ` ${term(g!)}`;
    found.push(`${term(s!)} ${term(p!)} ${term(o!)}${graph}: ${numbers.get(rev!.value)}`);
  }
  return found.toSorted();
}
const blamed = async (repo: Repository, at = 'HEAD'): Promise<string[]> =>
  (await all(repo.blame({}, { at }))).map(({ quad, revision }) => `${line(quad)}: ${revision.number}`).toSorted();

test.each(['HEAD', 'HEAD~1', 'HEAD~2', '2', 'TAIL'])('tells what blame tells: at %s', async (at) => {
  const repo = await history();
  const expected = await blamed(repo, at);
  expect(await told(repo, `SELECT ?s ?p ?o ?g ?rev { ${BLAME} }`, at)).toEqual(expected);
  // Without a triple term, node by node.
  const taken = `SELECT ?s ?p ?o ?g ?rev { GRAPH q:blame { ?r prov:wasGeneratedBy ?rev ; rdf:reifies ?t ; q:graph ?g }
    BIND(SUBJECT(?t) AS ?s) BIND(PREDICATE(?t) AS ?p) BIND(OBJECT(?t) AS ?o) }`;
  expect(await told(repo, taken, at)).toEqual(expected);
  expect(await repo.at(at).ask(`${P} ASK { GRAPH q:blame { ?r ?x ?y } }`)).toBe(expected.length > 0);
});

test('begins with what is bound', async () => {
  const repo = await history();
  const of = async (pattern: (text: string) => boolean): Promise<string[]> => (await blamed(repo)).filter(pattern);
  const a = await of((text) => text.startsWith('a '));
  expect(a).toHaveLength(2);
  const constant = `{ SELECT * { GRAPH q:blame { ?r rdf:reifies <<( :a ?p ?o )>> ; q:graph ?g ; prov:wasGeneratedBy ?rev } BIND(:a AS ?s) } }`;
  expect(await told(repo, `SELECT * ${constant}`)).toEqual(a);
  expect(await told(repo, `SELECT * { VALUES ?s { :a } ${BLAME} }`)).toEqual(a);
  expect(await told(repo, `SELECT * { ${BLAME} FILTER(?s = :a) }`)).toEqual(a);
  expect(await told(repo, `SELECT * { ${BLAME} }`, 'HEAD', { bindings: { s: q('a p o').subject } })).toEqual(a);
  expect(await told(repo, `SELECT * { ?s ?p ?o . ${BLAME} FILTER(?s = :a) }`)).toEqual(a.filter((_, i) => i < 2));
  const whole = 'GRAPH q:blame { ?r rdf:reifies <<( :a :p :1 )>> ; q:graph ?g ; prov:wasGeneratedBy ?rev }';
  expect(await rows(repo, `SELECT ?g { ${whole} }`)).toEqual(['g=<urn:quadrille:default>', 'g=g']);
  expect(
    await rows(repo, `SELECT ?s { GRAPH q:blame { ?r rdf:reifies <<( ?s :p :1 )>> ; q:graph q:default } }`),
  ).toEqual(['s=a', 's=b']);
  expect(await rows(repo, `SELECT ?s { GRAPH q:blame { ?r rdf:reifies <<( ?s :p :none )>> } }`)).toEqual([]);
  expect(await rows(repo, `SELECT ?s { GRAPH q:blame { ?r rdf:reifies <<( :none :p ?s )>> } }`)).toEqual([]);
});

test('by revision and by graph', async () => {
  const repo = await history();
  const { id } = await repo.at(3).revision();
  const of = (text: string): Promise<string[]> =>
    rows(repo, `SELECT ?s { GRAPH q:blame { ?r rdf:reifies <<( ?s ?p ?o )>> ; ${text} } }`);
  expect(await of(`prov:wasGeneratedBy <urn:quadrille:revision:${id}>`)).toEqual(['s=a', 's=c']);
  expect(await of('q:graph :g')).toEqual(['s=a', 's=c']);
  expect(await of('q:graph q:default')).toEqual(['s=a', 's=b']);
  expect(await of('prov:wasGeneratedBy <urn:quadrille:revision:none>')).toEqual([]);
  expect(await rows(repo, `SELECT (COUNT(*) AS ?n) { ${BLAME} }`)).toEqual([
    'n="4"^^<http://www.w3.org/2001/XMLSchema#integer>',
  ]);
});

test('only where it is named, in every way to name it', async () => {
  const repo = await history();
  expect(await rows(repo, 'SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } # blame')).toEqual(['g=g']);
  expect(await rows(repo, 'SELECT ?s { GRAPH q:all { ?s ?p ?o } } # blame')).toHaveLength(3);
  const nodes = 'SELECT ?r { ?r rdf:reifies ?t }';
  expect(await rows(repo, `SELECT ?r FROM q:blame { ?r rdf:reifies ?t }`)).toHaveLength(4);
  expect(await rows(repo, nodes, { defaultGraphUris: ['urn:quadrille:blame'] })).toHaveLength(4);
  expect(await rows(repo, nodes)).toEqual([]);
  const tagged = sparql`SELECT ?r { GRAPH ${iri('urn:quadrille:blame')} { ?r ?p <<( ?s ?x ?o )>> } }`;
  expect(await all(repo.select(tagged))).toHaveLength(4);
  const prepared = await repo.prepare(`${P} SELECT ?s { GRAPH q:blame { ?r rdf:reifies <<( ?s :p ?o )>> } }`);
  expect(await all(prepared.select())).toHaveLength(4);
  const document = (await all(hostOf(repo).serialize(`${P} SELECT ?s { ${BLAME} }`, 'text/csv'))).join('');
  expect(document.trim().split('\r\n')).toHaveLength(5);
  // An update reads what is stored.
  await repo.update(`${P} INSERT { :x :saw ?s } WHERE { ${BLAME} }`);
  expect(await repo.ask(`${P} ASK { :x :saw ?s }`)).toBe(false);
});

test('goes together with further graphs, and with quads that have triple terms', async () => {
  const repo = await history();
  await repo.update(`${P} INSERT DATA { :t rdf:reifies <<( :a :p :1 )>> }`);
  const extraGraphs = { 'urn:x': [q('a note "seen"')] };
  expect(await rows(repo, `SELECT ?s ?n { ${BLAME} GRAPH <urn:x> { ?s :note ?n } }`, { extraGraphs })).toEqual([
    's=a n="seen"',
    's=a n="seen"',
  ]);
  expect(
    await rows(repo, `SELECT ?s { GRAPH q:blame { ?r rdf:reifies <<( ?s rdf:reifies <<( :a ?p ?o )>> )>> } }`),
  ).toEqual(['s=t']);
  expect(await told(repo, `SELECT ?s ?p ?o ?g ?rev { ${BLAME} }`)).toEqual(await blamed(repo));
});

test('one quad of many is found without reading the others', async () => {
  const repo = await repository();
  await repo.add(many(20_000));
  await repo.add(q('one p o'));
  const text = `SELECT ?g { GRAPH q:blame { ?r rdf:reifies <<( :one :p ?o )>> ; q:graph ?g ; prov:wasGeneratedBy ?rev } }`;
  const plan = await repo.explain(P + text, { analyze: true });
  // Each step seeks with the rows of the step before.
  const step = (start: string): RegExp =>
    new RegExp(`${start} \\?r .* in <urn:quadrille:blame>  \\[about 1 rows, got 1 `);
  expect(plan.text).toMatch(step('seek inner'));
  expect(plan.text).toMatch(step('star'));
  expect(plan.text).toContain('scan <http://example.org/one> <http://example.org/p> ?o in all');
  expect(await rows(repo, text)).toEqual(['g=<urn:quadrille:default>']);
});

test('a query that would hold too many nodes ends', async () => {
  const repo = await repository();
  const text = Array.from({ length: 100_001 }, (_, i) => `<a:s${i % 5000}> <a:p${i % 7}> <a:o${i}> .\n`).join('');
  await repo.load({ text }, { format: 'nt' });
  const memory = expect.objectContaining({ code: 'QUERY_MEMORY' });
  await expect(repo.select(`${P} SELECT * { GRAPH q:blame { ?r q:graph ?g } }`).first()).rejects.toEqual(memory);
  await expect(repo.select(`${P} SELECT (COUNT(*) AS ?n) { ${BLAME} }`).first()).rejects.toEqual(memory);
  const one = `SELECT ?g { GRAPH q:blame { ?r rdf:reifies <<( <a:s7> <a:p0> ?o )>> ; q:graph ?g } }`;
  expect(await rows(repo, one)).toHaveLength(3);
});

// Computed whole, each of them reads more nodes than a query may have: that would be QUERY_MEMORY.
test.each([
  'SELECT * { GRAPH q:blame { ?r rdf:reifies ?t } }',
  'SELECT (COUNT(*) AS ?n) { GRAPH q:blame { ?r prov:wasGeneratedBy ?rev } }',
  'SELECT * { VALUES ?x { 1 2 } GRAPH q:blame { ?r ?p ?v } }',
  'ASK { GRAPH q:blame { <urn:none> :p* ?x . ?r q:graph+ ?g . ?g :p ?g } }',
])('a long lookup ends inside, with its signal and its deadline: %s', async (text) => {
  const repo = await repository();
  await repo.add(many(110_000));
  const run = (options: QueryOptions): Promise<unknown> =>
    text.startsWith('ASK') ? repo.ask(P + text, options) : all(repo.select(P + text, options));
  const controller = new AbortController();
  const aborted = run({ signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(run({ timeoutMs: 5 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  expect(
    await all(
      repo.select(
        `${P} SELECT ?rev { GRAPH q:blame { ?r rdf:reifies <<( :s7 :p :o7 )>> ; prov:wasGeneratedBy ?rev } }`,
      ),
    ),
  ).toHaveLength(1);
});
