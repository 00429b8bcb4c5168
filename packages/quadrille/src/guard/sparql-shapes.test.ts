/** Shapes with SPARQL: constraints, components and targets, as a guard and as a report. */
import { describe, expect, test } from 'vitest';
import { iri, open, quad, type Repository, type ShapesError } from '../index.js';
import { memory, q } from '../testing/fixtures.js';

const SHAPES = 'urn:shapes';
const PREFIXES = `PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX ex: <http://example.org/>
  PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
  PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX owl: <http://www.w3.org/2002/07/owl#> `;
const DECLARE = `ex: sh:declare [ sh:prefix "ex" ; sh:namespace "http://example.org/"^^xsd:anyURI ] .`;
const update = (repo: Repository, text: string) => repo.update(PREFIXES + text);
const insert = (repo: Repository, data: string) => update(repo, `INSERT DATA { ${data} }`);
const insertShapes = (repo: Repository, shapes: string) => insert(repo, `GRAPH <${SHAPES}> { ${shapes} }`);

async function guarded(shapes: string, data = ''): Promise<Repository> {
  const repo = await (await memory()).repository('acme/people', { create: true });
  await insertShapes(repo, DECLARE + shapes);
  if (data !== '') await insert(repo, data);
  await repo.settings.set({ shapes: SHAPES });
  return repo;
}

const messageOf = async (work: Promise<unknown>): Promise<string> => {
  const error = (await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as ShapesError | undefined;
  expect(error).toMatchObject({ code: 'SHAPES_VIOLATED' });
  return error!.message;
};

const select = (where: string, columns = '$this'): string =>
  `sh:sparql [ sh:prefixes ex: ; sh:message "{?begin} {$end} {?none}" ; sh:select "SELECT ${columns} WHERE { ${where} }" ]`;
const LOAN = `ex:Loan a sh:NodeShape ; sh:targetClass ex:Loan ;
  ${select('$this ex:begin ?begin ; ex:end ?end . FILTER (?end < ?begin)', '$this ?begin ?end')} .`;

test('a constraint refuses what its query finds, with its values in the message', async () => {
  const repo = await guarded(LOAN, 'ex:a a ex:Loan ; ex:begin 3 ; ex:end 9');
  expect(await messageOf(insert(repo, 'ex:b a ex:Loan ; ex:begin 9 ; ex:end 3'))).toMatch(
    /<http:\/\/example.org\/b>: 9 3 \{\?none\}$/,
  );
  await insert(repo, 'ex:b ex:begin 9 ; ex:end 3');
  await messageOf(insert(repo, 'ex:b a ex:Loan'));
  await messageOf(update(repo, 'DELETE DATA { ex:a ex:end 9 } ; INSERT DATA { ex:a ex:end 1 }'));
  await insert(repo, 'ex:c a ex:Loan ; ex:begin 9');
  const { conforms, results } = await repo.validate();
  expect([conforms, results]).toEqual([true, []]);
});

test('the path of a property shape stands for $PATH, also one that is longer', async () => {
  const text = 'SELECT $this ?value { $this $PATH ?value . FILTER (!isLiteral(?value)) }';
  const shape = (path: string): string =>
    `[] a sh:PropertyShape ; sh:targetClass ex:C ; sh:path ${path} ; sh:sparql [ sh:select "${text}" ] .`;
  const repo = await guarded(shape('( ex:a [ sh:inversePath ex:b ] )') + shape('ex:q'));
  await insert(repo, 'ex:x a ex:C ; ex:a ex:y ; ex:q 1');
  expect(await messageOf(insert(repo, 'ex:z ex:b ex:y'))).toMatch(/is a solution of the query/);
  await messageOf(insert(repo, 'ex:x ex:q ex:w'));
});

describe('what a change affects', () => {
  test.each([
    ['along patterns', '$this ex:p ?x . ?y ex:q ?x . ?y ex:r 1', ['ex:y ex:q ex:x', 'ex:y ex:r 1'], 'ex:a ex:p ex:x'],
    ['within OPTIONAL', '$this ex:p ?x OPTIONAL { ?x ex:q ?y } FILTER (!bound(?y))', ['ex:a ex:p ex:y'], 'ex:x ex:q 1'],
    ['below NOT EXISTS', 'FILTER NOT EXISTS { $this ex:ok true } $this ex:p ?x', ['ex:a ex:p 2'], 'ex:b ex:p 2'],
    [
      'of aggregates',
      '{ SELECT $this (COUNT(?x) AS ?n) { $this ex:p ?x } GROUP BY $this } FILTER (?n > 1)',
      ['ex:a ex:p 2'],
      'ex:a ex:p 1',
    ],
    ['of all', 'ex:config ex:max ?m . $this ex:p ?x FILTER (?x > ?m)', ['ex:config ex:max 1'], 'ex:a ex:p 5'],
    ['by any predicate', '$this ?p ex:bad', ['ex:a ex:q ex:bad'], 'ex:a ex:p ex:good'],
    ['along paths', '$this (ex:p|^ex:q)+ ex:bad', ['ex:bad ex:q ex:x'], 'ex:a ex:p ex:x'],
    [
      'of nodes that stand in the data at all',
      '$this ex:q* ?x . FILTER NOT EXISTS { ?x ex:r ?y }',
      ['ex:b ex:p ex:a'],
      'ex:b ex:p ex:c',
    ],
    ['through another name', 'BIND ($this AS ?t) ?t ex:p ?x FILTER (?x > 1)', ['ex:a ex:p 2'], 'ex:a ex:p 1'],
    [
      'of what is counted',
      'FILTER ((1 + 1) = 2) { SELECT $this { $this ex:p ?x } ORDER BY ?x LIMIT 1 }',
      ['ex:a ex:p 2'],
      'ex:b ex:p 2',
    ],
  ] as const)('%s', async (_, where, refused, taken) => {
    const repo = await guarded(`ex:s sh:targetNode ex:a ; ${select(where)} .`);
    await insert(repo, taken);
    for (const [i, triple] of refused.entries()) {
      if (i < refused.length - 1) await insert(repo, triple);
      else await messageOf(insert(repo, triple));
    }
    expect((await repo.validate()).conforms).toBe(true);
  });
});

test('a component has parameters, optional ones, and validators for both kinds of shapes', async () => {
  const repo = await guarded(`
    ex:Multiple a sh:ConstraintComponent ; sh:labelTemplate "a multiple of {$multipleOf}" ;
      sh:parameter [ sh:path ex:multipleOf ] , [ sh:path ex:plus ; sh:optional true ] ;
      sh:validator [ a sh:SPARQLAskValidator ;
        sh:ask "ASK { BIND (($value - COALESCE($plus, 0)) / $multipleOf AS ?q) FILTER (?q = FLOOR(?q)) }" ] .
    ex:Pair a sh:ConstraintComponent ; sh:parameter [ sh:path ex:pair ] ;
      sh:nodeValidator [ sh:message "{$this} lacks {$pair}" ; sh:select "SELECT $this { FILTER NOT EXISTS { $this $pair ?x } }" ] ;
      sh:propertyValidator [ sh:select "SELECT $this ?value { $this $PATH ?value FILTER NOT EXISTS { ?value $pair ?x } }" ] .
    ex:Box sh:targetClass ex:Box ; ex:pair ex:lid ;
      sh:property [ sh:path ex:eggs ; ex:multipleOf 6 ] , [ sh:path ex:size ; ex:multipleOf 6 ; ex:plus 1 ] , [ sh:path ex:in ; ex:pair ex:lid ] .`);
  await insert(repo, 'ex:a a ex:Box ; ex:lid 1 ; ex:eggs 12 ; ex:size 13 ; ex:in ex:a');
  expect(await messageOf(insert(repo, 'ex:a ex:eggs 13'))).toMatch(/a multiple of 6/);
  await messageOf(insert(repo, 'ex:a ex:size 12'));
  await messageOf(insert(repo, 'ex:a ex:in ex:b'));
  expect(await messageOf(insert(repo, 'ex:c a ex:Box'))).toMatch(/example.org\/c lacks http:\/\/example.org\/lid/);
  const { results } = await repo.validate({
    shapes: SHAPES,
    focus: [iri('http://example.org/a'), iri('http://example.org/nobody')],
  });
  expect(results).toEqual([]);
});

test('a node to which several nodes lead is asked for once, and has a result for each of them', async () => {
  const repo = await (await memory()).repository('acme/people', { create: true });
  await insertShapes(
    repo,
    `ex:Word a sh:ConstraintComponent ; sh:parameter [ sh:path ex:word ] ;
      sh:validator [ a sh:SPARQLAskValidator ; sh:ask "ASK { FILTER ($value = $word) }" ] .
    ex:Person sh:targetClass ex:Person ;
      sh:property [ sh:path ex:knows ; sh:property [ sh:path ex:says ; ex:word 'yes' ] ] .`,
  );
  await insert(repo, 'ex:a a ex:Person ; ex:knows ex:c . ex:b a ex:Person ; ex:knows ex:c . ex:c ex:says "yes" , "no"');
  const { results } = await repo.validate({ shapes: SHAPES });
  const told = results.map(({ focusNode, value }) => `${focusNode.value} ${value!.value}`);
  expect(told).toEqual(['http://example.org/c no', 'http://example.org/c no']);
});

test('shapes tell which constraints have a way back, and what commits have cost', async () => {
  const repo = await guarded(`${LOAN} ex:Free sh:targetClass ex:Free ; ${select('?x ex:limit ?limit')} .`);
  const explain = async () => (await repo.validate({ explain: true })).constraints!;
  const [loan, free] = [iri('http://example.org/Loan'), iri('http://example.org/Free')];
  expect(await explain()).toMatchObject([
    { shape: loan, all: [], commits: 0 },
    { shape: free, all: ['?s <http://example.org/limit> ?o'], commits: 0, nodes: 0, milliseconds: 0 },
  ]);
  await insert(repo, 'ex:a a ex:Loan . ex:b a ex:Loan , ex:Free');
  await insert(repo, 'ex:a ex:begin 3');
  const [ofLoan, ofFree] = await explain();
  expect([ofLoan, ofFree]).toMatchObject([
    { commits: 2, nodes: 3 },
    { commits: 1, nodes: 1 },
  ]);
  expect(ofLoan!.milliseconds).toBeGreaterThan(0);
  expect((await repo.validate()).constraints).toBeUndefined();
});

test('targets are queries, and types of targets have parameters', async () => {
  const repo = await guarded(`
    ex:Big sh:target [ a sh:SPARQLTarget ; sh:prefixes ex: ; sh:select "SELECT ?this { ?this ex:area ?a FILTER (?a > 100) }" ] ;
      sh:property [ sh:path ex:keeper ; sh:minCount 1 ] .
    ex:Larger a sh:SPARQLTargetType ; rdfs:subClassOf sh:Target ; sh:parameter [ sh:path ex:least ] ;
      sh:prefixes ex: ; sh:select "SELECT ?this { ?this ex:area ?a FILTER (?a >= $least) }" .
    ex:Large sh:target [ a ex:Larger ; ex:least 1000 ] ; sh:property [ sh:path ex:gate ; sh:minCount 1 ] .`);
  await insert(repo, 'ex:yard ex:area 4 . ex:wood ex:area 900 ; ex:keeper ex:ann');
  await messageOf(insert(repo, 'ex:park ex:area 400'));
  await messageOf(update(repo, 'DELETE DATA { ex:wood ex:keeper ex:ann }'));
  await messageOf(insert(repo, 'ex:wood ex:area 1000'));
  await insert(repo, 'ex:wood ex:area 1000 ; ex:gate ex:g');
});

test('queries know their shape and its graph, which is no part of the data', async () => {
  const repo = await guarded(`ex:s sh:targetNode ex:a ; ex:limit 3 ;
    sh:sparql [ sh:prefixes ex: ; sh:select "SELECT $this ?value { GRAPH $shapesGraph { $currentShape ex:limit ?l } $this ex:n ?value FILTER (?value > ?l) }" ] ,
      [ sh:prefixes ex: ; sh:select "SELECT $this { ?x ex:limit ?l }" ] .`);
  await insert(repo, 'ex:a ex:n 3');
  await messageOf(insert(repo, 'GRAPH ex:g { ex:a ex:n 4 }'));
});

test.each([1, 2, 3, 5, 70])('a query gives a result for each of %i nodes, also one without patterns', async (count) => {
  const repo =
    await guarded(`ex:s sh:targetSubjectsOf ex:p ; ${select('FILTER (true)')} ; ${select('FILTER (isIRI($this))')} ;
    ${select('FILTER EXISTS { $this ex:p ?x }')} .`);
  await repo.settings.set({ shapes: null });
  const predicate = iri('http://example.org/p');
  await repo.add(
    Array.from({ length: count }, (_, i) => quad(iri(`http://example.org/n${String(i)}`), predicate, predicate)),
  );
  const { results } = await repo.validate({ shapes: SHAPES });
  expect(results.map(({ focusNode }) => focusNode.value).toSorted()).toEqual(
    Array.from({ length: count }, (_, i) => Array.from({ length: 3 }, () => `http://example.org/n${String(i)}`))
      .flat()
      .toSorted(),
  );
});

test('prefixes that are well known need no declaration, and one that is declared holds', async () => {
  const where = '$this rdf:type owl:Class ; rdfs:label ?l FILTER (datatype(?l) = xsd:string)';
  const repo = await guarded(`ex:s sh:targetClass owl:Class ; sh:sparql [ sh:select "SELECT $this { ${where} }" ] ,
    [ sh:prefixes [ sh:declare [ sh:prefix "owl" ; sh:namespace "http://example.org/" ] ] ; sh:select "SELECT $this { $this owl:bad ?x }" ] .`);
  await insert(repo, 'ex:a a owl:Class ; rdfs:label "a"@en ; owl:bad 1');
  await messageOf(insert(repo, 'ex:a ex:bad 1'));
  await messageOf(insert(repo, 'ex:b a owl:Class ; rdfs:label "b"'));
});

test('a severity of the constraint holds, and one that is deactivated does not', async () => {
  const repo = await guarded(`ex:s sh:targetNode ex:a ;
    sh:sparql [ sh:severity sh:Warning ; sh:select "SELECT $this {}" ] , [ sh:deactivated true ; sh:select "SELECT $this {}" ] .`);
  const { results } = await repo.validate();
  expect(results).toMatchObject([{ severity: 'http://www.w3.org/ns/shacl#Warning' }]);
});

describe('what cannot be used is refused', () => {
  const ask = (text: string): string =>
    `ex:s sh:targetNode ex:a ; sh:sparql [ sh:prefixes ex: ; sh:select """${text}""" ] .`;
  test.each([
    [
      ask('SELECT $this\n{ $this ex:p }'),
      /the shape <http:\/\/example.org\/s> cannot be used: .* is no SPARQL \(line 2, column \d+\)/,
    ],
    [ask('SELECT $this { $this nope:p ?x }'), /nope/],
    [ask('SELECT $this { SERVICE <http://e/> { $this ex:p ?x } }'), /SERVICE is not allowed/],
    [ask('SELECT $this { $this ex:p ?x MINUS { $this ex:q ?x } }'), /MINUS is not allowed/],
    [ask('SELECT $this { VALUES ?x { 1 } }'), /VALUES is not allowed/],
    [ask('SELECT $this { BIND (1 AS ?this) }'), /AS \?this is not allowed/],
    [ask('SELECT $this { { SELECT ?x { $this ex:p ?x } } }'), /has to project the pre-bound variable \?this/],
    [ask('SELECT $this FROM ex:g { $this ex:p ?x }'), /FROM is not allowed/],
    [ask('ASK { $this ex:p ?x }'), /it is an ASK, where a SELECT is expected/],
    [ask('SELECT $this { FILTER (ex:unknown($this)) }'), /ex:unknown|example.org\/unknown/],
    [ask('SELECT $this (true AS ?failure) {}'), /reports a failure/],
    ['ex:s sh:targetNode ex:a ; sh:sparql [ ] .', /has no sh:select that is a text/],
    [
      `ex:s sh:targetNode ex:a ; sh:sparql [ sh:prefixes ex: , ex:other ; sh:select "SELECT $this {}" ] .
       ex:other owl:imports ex:more . ex:more sh:declare [ sh:prefix "ex" ; sh:namespace "http://other/" ] .`,
      /the prefix ex: is declared as <.*> and as <.*>/,
    ],
    ['ex:s sh:target [ sh:select "SELECT ?x {}" ] .', /has to select \?this/],
    [
      'ex:s a sh:PropertyShape ; sh:targetNode ex:a ; sh:path ex:p ; sh:sparql [ sh:select "SELECT $this { $this ?p $PATH }" ] .',
      /\$PATH may stand only as a predicate/,
    ],
  ])('%s', async (shapes, message) => {
    const repo = await (await memory()).repository('acme/people', { create: true });
    await insertShapes(repo, DECLARE + shapes);
    await insert(repo, 'ex:a ex:p ex:b');
    const refused = { code: 'SHAPES_INVALID', message: expect.stringMatching(message) as string };
    await expect(repo.settings.set({ shapes: SHAPES })).rejects.toMatchObject(refused);
    expect((await repo.settings.get()).shapes).toBeUndefined();
    await expect(repo.validate({ shapes: SHAPES })).rejects.toMatchObject(refused);
  });
});

test('a query that does not end in time refuses the commit, and names its constraint', async () => {
  const db = await open(':memory:', { queries: { timeoutMs: 200 } });
  const repo = await db.repository('acme/people', { create: true });
  await repo.add(Array.from({ length: 400 }, (_, i) => q(`n${String(i)} v "${String(i)}"`)));
  const where = '?a ex:v ?x . ?b ex:v ?y . ?c ex:v ?z . $this ex:go ?go FILTER (STRLEN(CONCAT(?x, ?y, ?z)) < 0)';
  await insertShapes(repo, `${DECLARE} ex:s sh:targetSubjectsOf ex:go ; ${select(where)} .`);
  await repo.settings.set({ shapes: SHAPES });
  const head = await repo.revision();
  await expect(repo.add(q('a go "true"'))).rejects.toMatchObject({
    code: 'SHAPES_TIMEOUT',
    details: { shape: '<http://example.org/s>', query: expect.stringContaining('CONCAT(?x') as string },
  });
  expect(await repo.revision()).toEqual(head);
  await db.close();
});

describe('shapes that refer to themselves', () => {
  const INTEGERS = `ex:Integers a sh:NodeShape ; sh:or ( [ sh:hasValue rdf:nil ] [ sh:property
      [ sh:path rdf:first ; sh:minCount 1 ; sh:datatype xsd:integer ] , [ sh:path rdf:rest ; sh:minCount 1 ; sh:node ex:Integers ] ] ) .
    ex:Row sh:targetClass ex:Row ; sh:property [ sh:path ex:cells ; sh:node ex:Integers ] .`;

  test('a list of any length', async () => {
    const repo = await guarded(INTEGERS);
    await insert(repo, 'ex:r a ex:Row ; ex:cells ( 1 2 3 )');
    await messageOf(insert(repo, 'ex:q a ex:Row ; ex:cells ( 1 "two" 3 )'));
    const many = Array.from({ length: 3000 }, (_, i) => i);
    await insert(repo, `ex:l a ex:Row ; ex:cells ( ${many.join(' ')} )`);
    await messageOf(insert(repo, `ex:m a ex:Row ; ex:cells ( ${many.join(' ')} "x" )`));
    // The far end of a list that was right.
    await messageOf(
      update(repo, 'DELETE { ?c rdf:first 2999 } INSERT { ?c rdf:first "x" } WHERE { ?c rdf:first 2999 }'),
    );
    await expect(repo.settings.set({ shapesStrict: true })).rejects.toMatchObject({
      code: 'SHAPES_INVALID',
      message: expect.stringMatching(/refers to itself/) as string,
    });
  });

  test('a node that is being validated conforms meanwhile', async () => {
    const repo = await guarded(
      'ex:P sh:targetClass ex:P ; sh:property [ sh:path ex:knows ; sh:node ex:P ] ; sh:property [ sh:path ex:name ; sh:minCount 1 ] .',
    );
    const people = Array.from({ length: 30 }, (_, i) => `ex:p${i} a ex:P ; ex:name "${i}"`);
    const knows = people.flatMap((_, i) => people.map((__, j) => `ex:p${i} ex:knows ex:p${j}`));
    await insert(repo, [...people, ...knows].join(' . '));
    expect((await repo.validate()).conforms).toBe(true);
    await messageOf(update(repo, 'DELETE DATA { ex:p7 ex:name "7" }'));
    await messageOf(insert(repo, 'ex:p29 ex:knows ex:nobody'));
  });

  test('through a negation', async () => {
    const repo = await guarded(
      'ex:N sh:targetNode ex:a ; sh:not [ sh:property [ sh:path ex:next ; sh:node ex:N ; sh:minCount 1 ] ] .',
    );
    await insert(repo, 'ex:a ex:next ex:b . ex:b ex:next ex:c');
    const conforms = async (): Promise<boolean> => (await repo.validate()).conforms;
    expect(await conforms()).toBe(true);
    await messageOf(insert(repo, 'ex:c ex:next ex:d'));
  });
});
