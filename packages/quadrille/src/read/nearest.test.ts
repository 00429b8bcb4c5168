/** Questions for vectors in SPARQL. */
import { describe, expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { memory } from '../testing/fixtures.js';

const PREFIXES = 'PREFIX ex: <http://example.org/> PREFIX vec: <urn:quadrille:vector#> ';
const DIMENSION = 3;
const SETTING = { vectors: { sense: { property: 'http://example.org/sense', dimension: DIMENSION } } };

const base64 = (...numbers: number[]): string => Buffer.from(new Float32Array(numbers).buffer).toString('base64');
const vector = (...numbers: number[]): string => `"${base64(...numbers)}"^^vec:float32`;

async function sensed(search: object | null = SETTING): Promise<Repository> {
  const repo = await (await memory()).repository('acme/senses', { create: true });
  if (search !== null) await repo.settings.set({ search: search as typeof SETTING });
  await repo.update(`${PREFIXES} INSERT DATA {
    ex:a ex:sense ${vector(1, 0, 0)} ; a ex:Word . ex:b ex:sense ${vector(2, 1, 0)} ; a ex:Word .
    ex:c ex:sense ${vector(0, 1, 0)} . ex:d ex:sense ${vector(-1, 0, 0)} ; a ex:Word .
    ex:e ex:other ${vector(1, 0, 0)} . ex:f ex:sense "no vector" .
    GRAPH ex:g { ex:a ex:sense ${vector(0, 0, 1)} . ex:h ex:sense ${vector(1, 0, 0)} . } }`);
  return repo;
}

async function rows(repo: Repository, text: string, options: object = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const row of repo.select(PREFIXES + text, options))
    found.push(
      Object.keys(row)
        .sort()
        .map((name) => {
          const { value } = row[name]!;
          return name === 'score' ? Number(value).toFixed(3) : value.replace('http://example.org/', '');
        })
        .join(' '),
    );
  return found;
}

const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: { code?: unknown; message?: string }) => error.code,
  );

describe('vec:nearest', () => {
  test('gives the subjects of the nearest vectors, best first, with their cosines', async () => {
    const repo = await sensed();
    const ask = `SELECT ?s ?score { (?s ?score) vec:nearest ("sense" ${vector(1, 0, 0)} 3) }`;
    expect(await rows(repo, ask)).toEqual(['a 1.000', 'b 0.894', 'c 0.000']);
    expect(await rows(repo, `SELECT ?s { ?s vec:nearest ("sense" ${vector(1, 0, 0)}) }`)).toEqual(['a', 'b', 'c', 'd']);
    expect(await rows(repo, `SELECT ?s { ?s vec:nearest ("sense" ${vector(1, 0, 0)} 0) }`)).toEqual([]);
    expect((await repo.explain(PREFIXES + ask)).text).toContain('index of vectors');
  });

  test('what stands before it gives the candidates', async () => {
    const repo = await sensed();
    const ask = `(?s ?score) vec:nearest ("sense" ${vector(0, 1, 0)} 2)`;
    expect(await rows(repo, `SELECT ?s { ${ask} }`)).toEqual(['c', 'b']);
    expect(await rows(repo, `SELECT ?s { ?s a ex:Word . ${ask} }`)).toEqual(['b', 'a']);
    expect(await rows(repo, `SELECT ?s ?p { VALUES (?s ?p) { (ex:d 1) (ex:d 2) (ex:c 3) } ${ask} }`)).toEqual([
      '3 c',
      '1 d',
      '2 d',
    ]);
    // What stands behind it is joined with what was found.
    expect(await rows(repo, `SELECT ?s { ${ask} . ?s a ex:Word }`)).toEqual(['b']);
    expect(await rows(repo, `SELECT ?s { { ${ask} } ?s a ex:Word }`)).toEqual(['b']);
    expect(await rows(repo, `SELECT ?s { ${ask} FILTER(?score < 0.9) }`)).toEqual(['b']);
    expect(
      await rows(repo, `SELECT ?score { ex:b a ex:Word . (ex:b ?score) vec:nearest ("sense" ${vector(1, 0, 0)}) }`),
    ).toEqual(['0.894']);
    expect(await rows(repo, `SELECT ?s { ?s a ex:Nothing . ${ask} }`)).toEqual([]);
  });

  test('the vector may be a variable that is bound before: each value has its own answer', async () => {
    const repo = await sensed();
    expect(
      await rows(repo, 'SELECT ?s { ex:c ex:sense ?v . ?s vec:nearest ("sense" ?v 2) FILTER(?s != ex:c) }'),
    ).toEqual(['b']);
    expect(
      await rows(
        repo,
        'SELECT ?x ?s { VALUES ?x { ex:a ex:c } ?x ex:sense ?v . ?s vec:nearest ("sense" ?v 2) } ORDER BY ?x ?s',
      ),
    ).toEqual(['a a', 'b a', 'b c', 'c c']);
    expect(await rows(repo, `SELECT ?s { BIND(${vector(0, 2, 0)} AS ?v) ?s vec:nearest ("sense" ?v 1) }`)).toEqual([
      'c',
    ]);
    const bindings = {
      v: {
        termType: 'Literal',
        value: base64(0, 1, 0),
        language: '',
        datatype: { termType: 'NamedNode', value: 'urn:quadrille:vector#float32' },
      },
    };
    expect(await rows(repo, 'SELECT ?s { ?s vec:nearest ("sense" ?v 1) }', { bindings })).toEqual(['c']);
    expect(
      await rows(repo, 'SELECT ?x { ?x a ex:Word FILTER EXISTS { ex:c ex:sense ?v . ?x vec:nearest ("sense" ?v 2) } }'),
    ).toEqual(['b']);
  });

  test('in a graph it sees the quads of that graph', async () => {
    const repo = await sensed();
    const ask = `(?s ?score) vec:nearest ("sense" ${vector(1, 0, 2)} 9)`;
    expect(await rows(repo, `SELECT ?g ?s { GRAPH ?g { ${ask} } }`)).toEqual(['g a', 'g h']);
    expect(await rows(repo, `SELECT ?s { GRAPH ex:g { ${ask} } }`)).toEqual(['a', 'h']);
    expect(await rows(repo, `SELECT ?g ?s { GRAPH ?g { VALUES ?s { ex:h } ${ask} } }`)).toEqual(['g h']);
    expect(await rows(repo, `SELECT ?s FROM ex:g { ${ask} }`)).toEqual(['a', 'h']);
    expect(await rows(repo, `SELECT ?s { ${ask} }`, { unionDefaultGraph: true })).toHaveLength(6);
  });

  test('at each revision, in transactions, and in updates', async () => {
    const repo = await sensed();
    const ask = `SELECT ?s { ?s vec:nearest ("sense" ${vector(1, 1, 1)} 1) }`;
    const { number } = await repo.revision();
    expect(await rows(repo, ask)).toEqual(['b']);
    await repo.update(`${PREFIXES} INSERT DATA { ex:z ex:sense ${vector(1, 1, 1)} }`);
    expect(await rows(repo, ask)).toEqual(['z']);
    const before = await repo.at(number);
    expect(await rows(before as unknown as Repository, ask)).toEqual(['b']);
    await repo.update(`${PREFIXES} DELETE DATA { ex:z ex:sense ${vector(1, 1, 1)} }`);
    expect(await rows(repo, ask)).toEqual(['b']);
    await repo.transaction(async (transaction) => {
      await transaction.update(`${PREFIXES} INSERT DATA { ex:y ex:sense ${vector(3, 3, 2.9)} }`);
      expect(await rows(transaction as unknown as Repository, ask)).toEqual(['y']);
    });
    await repo.update(`${PREFIXES} INSERT { ?s ex:best true } WHERE { ?s vec:nearest ("sense" ${vector(1, 1, 1)} 1) }`);
    expect(await rows(repo, 'SELECT ?s { ?s ex:best true }')).toEqual(['y']);
  });

  test('what cannot be asked is refused', async () => {
    const repo = await sensed();
    const ask = (text: string) => code(rows(repo, `SELECT ?s { ${text} }`));
    expect(await ask(`?s vec:nearest ("other" ${vector(1, 0, 0)})`)).toBe('NO_INDEX');
    for (const wrong of [
      vector(1, 0),
      vector(0, 0, 0),
      vector(1, Number.NaN, 0),
      vector(1, Infinity, 0),
      '"###"^^vec:float32',
      '"AAAA-AAAAAAAAAAA"^^vec:float32',
      `"${base64(1, 0, 0)}"`,
    ])
      expect(await ask(`?s vec:nearest ("sense" ${wrong})`), wrong).toBe('INVALID_VECTOR');
    for (const wrong of [
      '?s vec:nearest ("sense" ?v)',
      `(?s ?s2) vec:nearest ("sense" ${vector(1, 0, 0)} -1)`,
      `(?s ?score) vec:nearest ("sense" ${vector(1, 0, 0)} "a")`,
      'ex:a a ?v . ?s vec:nearest ("sense" ?v)',
      'OPTIONAL { ex:none ex:none ?v } ?s vec:nearest ("sense" ?v)',
      `?s ex:other ?score . (?s ?score) vec:nearest ("sense" ${vector(1, 0, 0)})`,
      `?s vec:nearest (ex:sense ${vector(1, 0, 0)})`,
    ])
      expect(await ask(wrong), wrong).toBe('UNSUPPORTED');
    for (const wrong of [
      '?s vec:nearest "sense"',
      '?s vec:nearest ()',
      `(?s ?a ?b) vec:nearest ("sense" ${vector(1, 0, 0)})`,
      `(?s 1) vec:nearest ("sense" ${vector(1, 0, 0)})`,
      `?s vec:nearest ("sense" ${vector(1, 0, 0)} 1 2)`,
    ])
      expect(await ask(wrong), wrong).toBe('SPARQL_SYNTAX');
    const plain = await sensed(null);
    const error = await rows(plain, `SELECT ?s { ?s vec:nearest ("sense" ${vector(1, 0, 0)}) }`).catch(
      (thrown) => thrown as Error,
    );
    expect(error).toMatchObject({ code: 'NO_INDEX' });
    expect((error as Error).message).toContain('settings.set({ search: { vectors:');
  });
});

describe('a change that gives the property no vector', () => {
  test('is refused with the term, in updates, loads, transactions and merges, and changes nothing', async () => {
    const repo = await sensed();
    const { number } = await repo.revision();
    for (const wrong of [
      vector(1, 0),
      vector(0, 0, 0),
      vector(1, Number.NaN, 0),
      '"###"^^vec:float32',
      '""^^vec:float32',
    ]) {
      const refused = repo.update(`${PREFIXES} INSERT DATA { ex:x ex:sense ${wrong} }`);
      const error = await refused.then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      expect(error, wrong).toMatchObject({ code: 'INVALID_VECTOR' });
      expect(error!.message).toContain(wrong.split('"')[1]);
      expect(error!.message).toContain('<http://example.org/sense>');
    }
    const turtle = `${PREFIXES.replaceAll('PREFIX', '\nPREFIX')} ex:x ex:sense ${vector(1, 0, 0, 0)} .`;
    expect(await code(repo.load({ text: turtle }, { format: 'turtle' }))).toBe('INVALID_VECTOR');
    const many = Array.from({ length: 3000 }, (_, i) => `ex:s${String(i)} ex:p ${String(i)} .`).join('\n');
    expect(await code(repo.load({ text: turtle + many }, { format: 'turtle' }))).toBe('INVALID_VECTOR');
    expect((await repo.revision()).number).toBe(number);
    // Those of other properties and datatypes may be anything.
    await repo.update(`${PREFIXES} INSERT DATA { ex:x ex:other ${vector(1)} ; ex:sense "text", 5, ex:y }`);
    const among = `SELECT ?s { VALUES ?s { ex:x ex:a } ?s vec:nearest ("sense" ${vector(1, 0, 0)}) }`;
    expect(await rows(repo, among)).toEqual(['a']);
  });

  test('what was there before the setting is never found', async () => {
    const repo = await sensed(null);
    await repo.update(
      `${PREFIXES} INSERT DATA { ex:x ex:sense ${vector(1, 0)}, ${vector(0, 0, 0)}, "###"^^vec:float32 }`,
    );
    await repo.settings.set({ search: SETTING });
    expect(await rows(repo, `SELECT ?s { ?s vec:nearest ("sense" ${vector(1, 0, 0)}) }`)).toEqual(['a', 'b', 'c', 'd']);
    await repo.update(`${PREFIXES} DELETE WHERE { ex:x ex:sense ?v }`);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });
});

describe('the setting', () => {
  test('has text, vectors or both', async () => {
    const repo = await sensed();
    expect((await repo.settings.get()).search).toEqual({ ...SETTING, text: undefined, progress: 1 });
    const both = await repo.settings.set({ search: { ...SETTING, text: true } });
    expect(both.search).toMatchObject({ ...SETTING, text: { fold: 'case' } });
    expect(await code(repo.search('x'))).toBe('no error');
    await repo.settings.set({ search: SETTING });
    expect(await code(repo.search('x'))).toBe('NO_INDEX');
    const property = 'http://example.org/sense';
    for (const wrong of [
      {},
      { vectors: {} },
      { vectors: { '': { property, dimension: 3 } } },
      { vectors: { 'a b': { property, dimension: 3 } } },
      { vectors: { a: { property: 'sense', dimension: 3 } } },
      { vectors: { a: { property, dimension: 0 } } },
      { vectors: { a: { property, dimension: 4097 } } },
      { vectors: { a: { property, dimension: 1.5 } } },
      { vectors: { a: { property } } },
      { vectors: { a: { property, dimension: 3, metric: 'l2' } } },
      { vectors: [] },
      { text: false, vectors: SETTING.vectors },
    ])
      expect(await code(repo.settings.set({ search: wrong as typeof SETTING })), JSON.stringify(wrong)).toBe(
        'INVALID_OPTION',
      );
  });
});
