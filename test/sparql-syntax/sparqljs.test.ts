/** The parser against sparqljs: the same verdict on a corpus of requests. */
import { expect, test } from 'vitest';
import { Parser } from 'sparqljs';
import { parseSparql } from '../../packages/sparql/src/syntax/parse.js';
import { outcomeOf } from './compare.js';

const CORPUS = [
  'SELECT * { ?s ?p ?o }',
  'SELECT * WHERE { ?s ?p ?o . }',
  'SELECT ?a WHERE { ?a <p:p> "x"@en, 1.5e3, true ; a <c:c> . OPTIONAL { ?a <p:q> [] } }',
  'SELECT (1 + 2 AS ?x) {}',
  'SELECT (1 + 2 AS ?x {}',
  'SELECT * { ?s ?p }',
  'SELECT * { ?s ?p ?o ',
  'SELECT { ?s ?p ?o }',
  'SELECT * { { ?a ?b ?c } UNION { ?d ?e ?f } MINUS { ?a ?b 1 } }',
  'SELECT * { ?a (<p:a>|^<p:b>)*/!(<p:c>|^<p:d>) ?b }',
  'SELECT * { ?a <p:a>{1,2} ?b }',
  'SELECT ?g (COUNT(DISTINCT *) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g HAVING (COUNT(*) > 1) ORDER BY DESC(?n) LIMIT 5 OFFSET 2',
  'SELECT ?x { ?s ?p ?o } GROUP BY ?s',
  'SELECT * { VALUES (?a ?b) { (1 UNDEF) (<x:x> "y") } }',
  'SELECT * { VALUES (?a ?b) { (1) } }',
  'SELECT * { ?s ?p ?o FILTER NOT EXISTS { ?s ?p 1 } FILTER(?o IN (1, 2)) BIND(IF(BOUND(?o), 1, 2) AS ?z) }',
  'ASK {}',
  'ASK',
  'CONSTRUCT { ?s ?p [] } WHERE { ?s ?p (1 2 3) }',
  'CONSTRUCT WHERE { ?s ?p ?o FILTER(1) }',
  'DESCRIBE <x:x> ?y { ?y ?p ?o }',
  'SELECT * { SERVICE SILENT <x:x> { ?s ?p ?o } }',
  'INSERT DATA { <x:x> <x:y> 1 GRAPH <x:g> { <x:x> <x:y> 2 } }',
  'INSERT DATA { ?x <x:y> 1 }',
  'DELETE DATA { _:x <x:y> 1 }',
  'DELETE WHERE { ?s ?p ?o }',
  'DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } USING <x:g> WHERE { ?s ?p ?o }',
  'WITH <x:g> DELETE { _:b ?p ?o } WHERE { ?s ?p ?o }',
  'CLEAR ALL ; DROP SILENT GRAPH <x:g> ; CREATE GRAPH <x:g> ; COPY DEFAULT TO <x:g>',
  'LOAD <x:x> INTO GRAPH <x:g>',
  'SELECT * { ?s ?p "a\nb" }',
  'SELECT * { ?s ?p """a\n"b""" }',
  'SELECT * { ?s ?p ?o } LIMIT -1',
  'PREFIX : <x:> SELECT * { :a :b :c\\-d, :%20 }',
  'PREFIX p <x:> SELECT * {}',
];

test.each(CORPUS)('%j', (text) => {
  const verdict = (parse: () => unknown): boolean => 'parsed' in outcomeOf(parse);
  expect(verdict(() => parseSparql(text))).toBe(verdict(() => new Parser().parse(text)));
});
