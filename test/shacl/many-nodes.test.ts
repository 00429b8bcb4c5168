/**
 * Thousands of nodes are read along an index, and few are looked for one by one. Both find the same results: a report of all nodes is that
 * of groups of few nodes together.
 */
import { termToNTriples } from '@quadrille/model';
import { seededRandom } from '@quadrille/storage/testing';
import { expect, it, onTestFinished } from 'vitest';
import { iri, open, type Repository, type ShapesResult } from 'quadrille';

const NODES = 6000;
/** Few enough to be looked for. */
const GROUP = 7;
const GROUPS_TRIED = 60;

const SHAPES = `
  @prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix : <http://e/> .
  :A sh:targetClass :Thing ;
    sh:property [ sh:path :name ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:string ; sh:minLength 3 ] ,
      [ sh:path :size ; sh:datatype xsd:integer ; sh:maxInclusive 90 ; sh:in ( 1 2 3 5 8 13 21 34 55 89 ) ] ,
      [ sh:path :knows ; sh:class :Thing ; sh:nodeKind sh:IRI ; sh:property :Inner ; sh:node [ sh:property [ sh:path :size ; sh:maxInclusive 95 ] ] ] ,
      [ sh:path [ sh:inversePath :knows ] ; sh:maxCount 2 ] ,
      [ sh:path ( :knows :knows :name ) ; sh:maxCount 2 ; sh:languageIn ( "en" "" ) ] ,
      [ sh:path [ sh:alternativePath ( :knows :likes ) ] ; sh:maxCount 3 ] ,
      [ sh:path :likes ; sh:equals :knows ; sh:uniqueLang true ] .
  :Inner sh:path :name ; sh:minCount 1 .
  :B sh:targetSubjectsOf :likes ; sh:closed true ; sh:ignoredProperties ( :knows :name :likes :size ) ;
    sh:or ( [ sh:class :Part ] [ sh:property [ sh:path :size ; sh:minCount 1 ] ] ) .
  :C sh:targetObjectsOf :knows ; sh:not [ sh:property [ sh:path :likes ; sh:minCount 2 ] ] ;
    sh:property [ sh:path :knows ; sh:qualifiedValueShape [ sh:class :Part ] ; sh:qualifiedMaxCount 1 ] .
  :D sh:targetSubjectsOf :likes ; sh:property [ sh:path :likes ; :least 20 ] ;
    sh:sparql [ sh:select "SELECT $this ?value { $this <http://e/likes> ?value . ?value <http://e/size> ?size . FILTER (?size > 50) }" ] .
  :Least a sh:ConstraintComponent ; sh:parameter [ sh:path :least ] ;
    sh:validator [ sh:ask "ASK { $value <http://e/size> ?size . FILTER (?size > $least) }" ] .`;

/** Nodes by chance, some of them far from each other in the index, and some with very many edges between them. */
function* lines(): Generator<string> {
  const random = seededRandom(7);
  const below = (most: number): number => Math.floor(random() * most);
  const node = (n = below(NODES)): string => (n % 31 === 0 ? `_:b${n}` : `<http://e/n${n}>`);
  const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
  yield `<http://e/Part> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e/Thing> .`;
  for (let n = 0; n < NODES; n++) {
    const graph = n % 5 === 0 ? ' <http://e/g>' : '';
    if (n % 3 > 0) yield `${node(n)} ${type} <http://e/${n % 4 === 0 ? 'Part' : 'Thing'}>${graph} .`;
    for (let i = below(3); i > 0; i--) {
      const knows = `${node(n)} <http://e/knows> ${n % 97 === 0 ? `"${'long '.repeat(1000)}${n}"` : node()}`;
      yield `${knows} .`;
      if (n % 7 === 0) yield `${knows} <http://e/g> .`;
    }
    for (let i = below(3); i > 0; i--) yield `${node(n)} <http://e/likes> ${node(below(40))}${graph} .`;
    if (n % 13 > 0) yield `${node(n)} <http://e/name> "${n % 11 === 0 ? '' : 'name '}${n % 50}"${n % 2 ? '@en' : ''} .`;
    yield `${node(n)} <http://e/size> ${n % 17 === 0 ? `"${n}"` : `"${below(100)}"^^<http://www.w3.org/2001/XMLSchema#integer>`} .`;
    if (n % 2000 === 5) for (let i = 0; i < 50_000; i++) yield `${node(n)} <http://e/other> "${i}" .`;
  }
}

/** Results of the inner shape come with the nodes that lead to its focus nodes. */
const keysOf = (results: readonly ShapesResult[]): string[] =>
  results
    .filter(({ shape }) => shape.value !== 'http://e/Inner')
    .map(({ focusNode, path, value, component, shape }) =>
      [termToNTriples(focusNode), path, value && termToNTriples(value), component, termToNTriples(shape)].join(' '),
    )
    .toSorted();

function grouped(results: readonly ShapesResult[]): Map<string, ShapesResult[]> {
  const groups = new Map<string, ShapesResult[]>();
  for (const result of results) {
    const key = termToNTriples(result.focusNode);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return groups;
}

async function filled(): Promise<Repository> {
  const db = await open(':memory:');
  onTestFinished(() => db.close());
  const repository = await db.repository('a/x', { create: true });
  await repository.load({ text: [...lines()].join('\n') }, { format: 'nquads' });
  await repository.load({ text: SHAPES }, { format: 'turtle', graph: iri('urn:shapes') });
  // What is gone is in the index all the same.
  await repository.update('DELETE WHERE { <http://e/n40> ?p ?o } ; DELETE WHERE { ?s <http://e/likes> <http://e/n7> }');
  return repository;
}

it('a report of thousands of nodes is that of few nodes at a time', async () => {
  const repository = await filled();
  const { results } = await repository.validate({ shapes: 'urn:shapes' });
  const byFocus = grouped(results);
  expect(results.length).toBeGreaterThan(10_000);
  expect(new Set(results.map(({ component }) => component)).size).toBeGreaterThan(12);
  const nodes = [...byFocus.values()].map(([first]) => first!.focusNode);
  nodes.push(iri('http://e/n1'), iri('http://e/n40'), iri('http://e/nobody'));
  const step = Math.ceil(nodes.length / GROUPS_TRIED);
  for (let at = 0; at < nodes.length; at += step) {
    const focus = nodes.slice(at, at + GROUP);
    const few = await repository.validate({ shapes: 'urn:shapes', focus });
    const whole = focus.flatMap((one) => byFocus.get(termToNTriples(one)) ?? []);
    expect(keysOf(few.results)).toEqual(keysOf(whole));
  }
  // One of them is in no quad.
  const each = await repository.validate({ shapes: 'urn:shapes', focus: nodes });
  expect(new Set(keysOf(each.results))).toEqual(new Set(keysOf(results)));
});
