import { describe, expect, test } from 'vitest';
import type { Repository, ShapesError } from '../index.js';
import { open } from '../index.js';
import { directory, ex, memory, q } from '../testing/fixtures.js';

const SHAPES = 'urn:shapes';
const PREFIXES = `PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX ex: <http://example.org/>
  PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> `;
const PERSON = `ex:PersonShape a sh:NodeShape ; sh:targetClass ex:Person ;
  sh:property [ sh:path ex:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:string ] ;
  sh:property [ sh:path ( ex:home ex:street ) ; sh:minLength 3 ] ;
  sh:property [ sh:path ex:boss ; sh:class ex:Person ] .`;

const update = (repo: Repository, text: string) => repo.update(PREFIXES + text);
const insertShapes = (repo: Repository, shapes: string) =>
  update(repo, `INSERT DATA { GRAPH <${SHAPES}> { ${shapes} } }`);

async function guarded(shapes = PERSON, repo?: Repository): Promise<Repository> {
  const target = repo ?? (await (await memory()).repository('acme/people', { create: true }));
  await insertShapes(target, shapes);
  await target.settings.set({ shapes: SHAPES });
  return target;
}

const refused = async (work: Promise<unknown>): Promise<ShapesError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as ShapesError,
  );
  expect(error).toMatchObject({ code: 'SHAPES_VIOLATED', name: 'ShapesError' });
  return error!;
};

describe('a change that breaks the shapes is refused, and changes nothing', () => {
  test('with a report', async () => {
    const repo = await guarded();
    const { number } = await update(repo, 'INSERT DATA { ex:ann a ex:Person ; ex:name "Ann" }');
    const error = await refused(update(repo, 'INSERT DATA { ex:bob a ex:Person }'));
    expect(error.message).toMatch(
      /violates the shapes of <urn:shapes>: 1 result, such as <.*bob> <.*name>: has 0 values/,
    );
    const [result] = error.report!.match(null, null, null);
    expect(result).toBeDefined();
    const nodes = [...error.report!].filter(({ predicate }) => predicate.value.endsWith('#focusNode'));
    expect(nodes.map(({ object }) => object.value)).toEqual(['http://example.org/bob']);
    expect((await repo.revision()).number).toBe(number);
    expect(await repo.ask(`${PREFIXES} ASK { ex:bob ?p ?o }`)).toBe(false);
  });

  test('whatever makes it', async () => {
    const repo = await (await memory()).repository('acme/people', { create: true });
    await insertShapes(repo, PERSON);
    const { number: unnamed } = await update(repo, 'INSERT DATA { ex:ann a ex:Person }');
    const { number } = await update(repo, 'INSERT DATA { ex:ann ex:name "Ann" }');
    await repo.settings.set({ shapes: SHAPES });
    const second = q('ann name "Anna"');
    const text = '<http://example.org/ann> <http://example.org/name> "Anna" .\n';
    const changes: Record<string, () => Promise<unknown>> = {
      add: () => repo.add(second),
      'add of a stream': () =>
        repo.add(
          (async function* () {
            yield second;
          })(),
        ),
      remove: () => repo.remove(q('ann name "Ann"')),
      'remove by pattern': () => repo.remove({ predicate: second.predicate }),
      load: () => repo.load({ text }, { format: 'nt' }),
      'load that replaces': () =>
        repo.load({ text: text.repeat(2).replace('Anna', 'An') }, { format: 'nt', graph: ex('g'), replace: true }),
      'transaction that reads': () =>
        repo.transaction(async (tx) => {
          await tx.add(second);
          expect(await tx.size()).toBeGreaterThan(0);
        }),
      transaction: () => repo.transaction(async (tx) => void (await tx.add(second))),
      patch: () => repo.patch({ text: `A ${text}` }),
      update: () => update(repo, 'DELETE { ?s ex:name ?n } WHERE { ?s a ex:Person ; ex:name ?n }'),
      revert: () => repo.revert(number),
      reset: () => repo.branches.reset(unnamed),
    };
    for (const [name, change] of Object.entries(changes)) {
      await expect(change(), name).rejects.toMatchObject({ code: 'SHAPES_VIOLATED' });
      expect((await repo.revision()).number, name).toBe(number);
    }
    await update(repo, 'DELETE DATA { ex:ann ex:name "Ann" } ; INSERT DATA { ex:ann ex:name "Anna" }');
    expect(await repo.maintenance.verify()).toMatchObject({ ok: true });
  });

  test('of many quads, by runs that are written aside', async () => {
    const path = await directory();
    const db = await open(path);
    const repo = await guarded(PERSON, await db.repository('x', { create: true }));
    const person = (i: number) =>
      `<http://example.org/p${i}> a <http://example.org/Person> ; <http://example.org/name> "n${i}" .`;
    const text = Array.from({ length: 20_000 }, (_, i) => person(i)).join('\n');
    const { number } = await repo.load({ text }, { format: 'ttl' });
    const wrong = text.replaceAll('/p', '/q').replace('"n777"', '"n777", "n778"');
    const error = await refused(repo.load({ text: wrong }, { format: 'ttl' }));
    expect(error.message).toContain('q777');
    expect((await repo.revision()).number).toBe(number);
    await repo.add(q('p1 likes p2'));
    expect(await repo.maintenance.verify()).toMatchObject({ ok: true });
    await refused(repo.add(q('p1 name "again"')));
    await db.close();
    const again = await open(path);
    const kept = await again.repository('x');
    expect(await kept.settings.get()).toMatchObject({ shapes: SHAPES });
    await refused(kept.add(q('p1 name "again"')));
    await again.close();
  });
});

test('what a change affects is found along paths, classes and targets', async () => {
  const repo = await guarded();
  await update(
    repo,
    `INSERT DATA { ex:ann a ex:Person ; ex:name "Ann" ; ex:home ex:h . ex:h ex:street "Main" .
    ex:Boss rdfs:subClassOf ex:Person . ex:bob a ex:Boss ; ex:name "Bob" . ex:ann ex:boss ex:bob }`,
  );
  await refused(update(repo, 'INSERT DATA { ex:h ex:street "X" }'));
  await refused(update(repo, 'DELETE DATA { ex:Boss rdfs:subClassOf ex:Person }'));
  await refused(update(repo, 'INSERT DATA { ex:Dog rdfs:subClassOf ex:Person . ex:rex a ex:Dog }'));
  await update(repo, 'INSERT DATA { ex:rex a ex:Dog . ex:nobody ex:street "X" ; ex:name 7, 8 }');
  await refused(update(repo, 'INSERT DATA { ex:Dog rdfs:subClassOf ex:Boss }'));
  await refused(update(repo, 'INSERT DATA { ex:nobody a ex:Person }'));
  await refused(update(repo, 'DELETE DATA { ex:bob a ex:Boss } ; INSERT DATA { ex:bob a ex:Cat }'));
});

test('all graphs but that of the shapes are the data, as one graph', async () => {
  const repo = await guarded();
  await update(repo, 'INSERT DATA { GRAPH ex:a { ex:ann a ex:Person } GRAPH ex:b { ex:ann ex:name "Ann" } }');
  await update(repo, 'INSERT DATA { ex:ann ex:name "Ann" }');
  await refused(update(repo, 'INSERT DATA { GRAPH ex:c { ex:ann ex:name "Anna" } }'));
  await update(repo, `DELETE DATA { GRAPH ex:b { ex:ann ex:name "Ann" } }`);
  await refused(update(repo, 'DELETE DATA { ex:ann ex:name "Ann" }'));
});

describe('a change of the shapes', () => {
  test('validates everything', async () => {
    const repo = await guarded();
    await update(repo, 'INSERT DATA { ex:ann a ex:Person ; ex:name "Ann" ; ex:age 7 }');
    await refused(
      insertShapes(repo, 'ex:Adult sh:targetClass ex:Person ; sh:property [ sh:path ex:age ; sh:minInclusive 18 ] .'),
    );
    await insertShapes(
      repo,
      'ex:Child sh:targetClass ex:Person ; sh:property [ sh:path ex:age ; sh:maxInclusive 18 ] .',
    );
    await refused(update(repo, 'INSERT DATA { ex:ann ex:age 70 }'));
    await update(repo, `DELETE WHERE { GRAPH <${SHAPES}> { ?s ?p ?o } }`);
    await update(repo, 'INSERT DATA { ex:ann ex:age 70 . ex:bob a ex:Person }');
    await refused(insertShapes(repo, PERSON));
  });

  test('to what is no shape is refused, when it is made and when it is set', async () => {
    const repo = await guarded();
    const invalid = { code: 'SHAPES_INVALID', name: 'ShapesError' };
    for (const [shape, message] of [
      ['ex:s sh:targetClass ex:C ; sh:minLength "x"', /sh:minLength must be a whole number/],
      ['ex:s sh:targetClass ex:C ; sh:property [ sh:path "x" ]', /sh:path is neither an IRI nor a path/],
      ['ex:s sh:targetClass ex:C ; sh:in ( 1 2 ) ; sh:in ( 3 )', /2 values of sh:in, not one/],
      ['ex:s sh:targetClass ex:C ; sh:in ex:list', /no list that is well formed/],
      [
        'ex:s sh:targetClass ex:C ; sh:pattern "("',
        /a regular expression that REGEX of SPARQL takes \(not well formed\)/,
      ],
      ['ex:s sh:targetClass "C"', /target must be an IRI/],
      ['ex:s sh:targetNode ex:n ; sh:nodeKind ex:IRI', /a kind of node/],
      ['ex:s sh:targetNode ex:n ; sh:deactivated "x"', /must be true or false/],
    ] as const) {
      const text = `${shape} .`;
      await expect(insertShapes(repo, text), shape).rejects.toMatchObject({
        ...invalid,
        message: expect.stringMatching(message),
      });
      const other = await (await memory()).repository('x', { create: true });
      await insertShapes(other, text);
      await expect(other.settings.set({ shapes: SHAPES }), shape).rejects.toMatchObject(invalid);
      expect(await other.settings.get()).toMatchObject({ functional: [], shapes: undefined });
    }
    await repo.settings.set({ shapes: null });
    await insertShapes(repo, 'ex:s sh:minLength "x" ; sh:targetNode ex:n .');
    await update(repo, 'INSERT DATA { ex:bob a ex:Person }');
    await expect(repo.settings.set({ shapes: SHAPES })).rejects.toMatchObject(invalid);
    await update(repo, `DELETE DATA { GRAPH <${SHAPES}> { ex:s sh:minLength "x" } }`);
    await refused(repo.settings.set({ shapes: SHAPES }));
    expect(await repo.settings.get()).toMatchObject({ functional: [], shapes: undefined });
  });
});

test('only violations refuse: warnings and shapes that are deactivated do not', async () => {
  const shape = (more: string) =>
    `[] sh:targetClass ex:Person ; ${more} ; sh:property [ sh:path ex:name ; sh:minCount 1 ] .`;
  const repo = await guarded(`ex:w sh:targetClass ex:Person ; sh:nodeKind sh:BlankNode ; sh:severity sh:Warning .
    ${shape('sh:deactivated true')}`);
  await update(repo, 'INSERT DATA { ex:bob a ex:Person }');
  await insertShapes(repo, shape('sh:nodeKind sh:IRI').replace('ex:name', 'rdf:type'));
  // More warnings than a report has room for, and a violation behind them.
  const persons = Array.from({ length: 1500 }, (_, i) => `ex:p${i} a ex:Person`).join(' . ');
  await update(repo, `INSERT DATA { ${persons} }`);
  const error = await refused(update(repo, `INSERT DATA { ${persons.replaceAll('ex:p', 'ex:q')} . [] a ex:Person }`));
  const results = [...error.report!].filter(({ predicate }) => predicate.value.endsWith('#result'));
  expect([results.length > 1, results.length < 1010]).toEqual([true, true]);
});

test('concurrent commits that are valid alone, and not together: one of them is refused', async () => {
  const repo = await guarded();
  await update(repo, 'INSERT DATA { ex:ann a ex:Person ; ex:name "Ann" }');
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 5 }, (_, i) => repo.add(q(`p${i} name "a"`))),
    ...Array.from({ length: 5 }, (_, i) => repo.add(q(`p${i} name "b"`))),
    update(repo, 'INSERT DATA { ex:p0 a ex:Person . ex:p1 a ex:Person }'),
  ]);
  const persons = await repo
    .select(`${PREFIXES} SELECT (COUNT(*) AS ?n) { ex:p0 a ex:Person ; ex:name ?name }`)
    .first();
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
  expect(Number(persons!['n']!.value)).toBeLessThan(2);
});

test('branches are checked as main is', async () => {
  const repo = await guarded();
  await update(repo, 'INSERT DATA { ex:ann a ex:Person ; ex:name "Ann" }');
  const dev = await repo.branches.open('dev', { create: true });
  await update(dev, 'INSERT DATA { ex:bob a ex:Person ; ex:name "Bob" }');
  await refused(update(dev, 'INSERT DATA { ex:bob ex:name "Robert" }'));
  await refused(update(dev, 'DELETE DATA { ex:ann ex:name "Ann" }'));
  await update(dev, `DELETE WHERE { GRAPH <${SHAPES}> { ?s ?p ?o } }`);
  await update(dev, 'INSERT DATA { ex:bob ex:name "Robert" }');
  await refused(update(repo, 'INSERT DATA { ex:ann ex:name "Anna" }'));
  await dev.settings.set({ shapes: SHAPES });
  await update(repo, `DELETE WHERE { GRAPH <${SHAPES}> { ?s ?p ?o } } ; INSERT DATA { ex:ann ex:name "Anna" }`);
  await insertShapes(dev, 'ex:s sh:targetNode ex:n ; sh:nodeKind sh:IRI .');
  await refused(insertShapes(repo, PERSON));
});

test('a merge that breaks the shapes is refused, although each side obeys them', async () => {
  const repo = await guarded();
  await update(repo, 'INSERT DATA { ex:ann a ex:Cat }');
  const dev = await repo.branches.open('dev', { create: true });
  await update(dev, 'INSERT DATA { ex:ann ex:name "Ann" }');
  const { number } = await update(repo, 'INSERT DATA { ex:ann ex:name "Anna" ; a ex:Person }');
  await refused(repo.branches.merge('dev'));
  expect((await repo.revision()).number).toBe(number);
  await update(dev, 'DELETE DATA { ex:ann ex:name "Ann" } ; INSERT DATA { ex:ann ex:likes ex:fish }');
  await repo.branches.merge('dev');
  expect(await repo.ask(`${PREFIXES} ASK { ex:ann ex:likes ex:fish }`)).toBe(true);
});
