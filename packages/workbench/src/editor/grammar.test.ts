/** The grammar of the editor over queries and updates of SPARQL 1.2. */
import { readFileSync } from 'node:fs';
import { buildParser } from '@lezer/generator';
import { expect, test } from 'vitest';
import { analyse } from './analysis.js';
import { numberOf } from './keyword-numbers.js';

const grammar = readFileSync(new URL('sparql.grammar', import.meta.url), 'utf8');
const parser = buildParser(grammar, {
  externalSpecializer: (_, numbers) => (value) => numberOf(value, numbers),
});

const faults = (text: string) => analyse(text, parser.parse(text), { ex: 'urn:ex:' }).faults;

test.each([
  ['select', 'SELECT * { ?s ?p ?o }'],
  [
    'select',
    'select distinct ?a (count(*) as ?n) where { ?a ex:p/ex:q*|^ex:r ?b . filter(?b > 5 && ?c < 6) } group by ?a',
  ],
  ['select', 'PREFIX a: <urn:a> SELECT ?x { ?x a a:b ; a:c "x"@en--ltr, 5, +5, 1.5e3, true . OPTIONAL { ?x a:d [] } }'],
  [
    'select',
    'SELECT * { { SELECT ?x { ?x ?y ?z } LIMIT 5 } UNION { ?x !(ex:a|^ex:b) (1 2 ?z) } MINUS { ?x ex:c [ ex:d ?e ] } }',
  ],
  [
    'select',
    'SELECT * { << ?s ?p ?o >> ex:q ?r . ?s ex:p ?o ~ ex:r {| ex:s ?t ; ex:u "v" |} . ?a ex:b <<( ?s ex:p ?o )>> }',
  ],
  [
    'select',
    'SELECT (GROUP_CONCAT(DISTINCT ?x; separator=", ") AS ?y) { VALUES (?x ?z) { (1 UNDEF) ("a" ex:b) } } ORDER BY DESC(?y) ?x LIMIT 1 OFFSET 2',
  ],
  [
    'select',
    'SELECT ?x FROM ex:g FROM NAMED <urn:h> { GRAPH ?g { ?x ?p ?o } FILTER NOT EXISTS { ?x ex:p+ ?y } BIND(-?x+1*2 AS ?q) } VALUES ?x { 1 }',
  ],
  [
    'select',
    'SELECT * { SERVICE SILENT ex:s { ?a ?b ?c } FILTER(?a NOT IN (1, 2) || !bound(?b)) FILTER ex:f(?a) } HAVING (?a > 1)',
  ],
  ['select', 'VERSION "1.2" SELECT ("""a "quoted" text""" AS ?x) {}'],
  ['ask', 'ASK { ?s ex:p 1 }'],
  ['construct', 'CONSTRUCT { ?s ex:p ?o } WHERE { ?s ?p ?o . }'],
  ['construct', 'CONSTRUCT WHERE { ?s ?p ?o }'],
  ['describe', 'DESCRIBE ex:a ?b WHERE { ?b ?c ?d }'],
  ['update', 'INSERT DATA { ex:a ex:b ex:c . GRAPH ex:g { ex:d ex:e ex:f } }'],
  ['update', 'DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } USING NAMED ex:g WHERE { ?s ?p ?o }'],
  ['update', 'WITH ex:g DELETE { ?s ?p ?o } WHERE { ?s ?p ?o } ; CLEAR SILENT GRAPH ex:g ; LOAD ex:d INTO GRAPH ex:g'],
  ['update', 'PREFIX b: <urn:b> DELETE WHERE { ?s b:p ?o } ; COPY DEFAULT TO ex:g ; DROP ALL ;'],
] as const)('%s: %s', (kind, text) => {
  const { kind: found, faults: wrong } = analyse(text, parser.parse(text), { ex: 'urn:ex:' });
  expect(wrong).toEqual([]);
  expect(found).toBe(kind);
});

test('says where a text is wrong, once', () => {
  expect(faults('SELECT * {')).toMatchObject([{ kind: 'incomplete' }]);
  expect(faults('SELECT * { ?s ?p } }')[0]).toMatchObject({ kind: 'unexpected' });
  expect(faults('SELEKT * { ?s ?p ?o }')[0]).toMatchObject({ from: 0, kind: 'unexpected' });
  expect(faults('SELECT * { ?s none:p ?o ; ex:q 1 }')).toEqual([
    { from: 14, to: 20, kind: 'undeclared', prefix: 'none' },
  ]);
});

test('names the variables, and forgives an unfinished prefix', () => {
  const text = 'SELECT ?a { ?a ex: ?b }';
  expect(analyse(text, parser.parse(text), { ex: 'urn:ex:' }).variables).toEqual(['a', 'b']);
});
