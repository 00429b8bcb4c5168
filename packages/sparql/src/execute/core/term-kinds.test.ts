/** Tests of the kind of a term have the same answers when its kind is known by its id. */
import { expect, test } from 'vitest';
import { answer, datasetOf } from '../../testing/fixtures.js';

const data =
  datasetOf(`ex:iri ex:p ex:other . ex:blank ex:p [] . ex:text ex:p "x" . ex:number ex:p 5 . ex:date ex:p "2026-01-01"^^xsd:date .
ex:long ex:p 123456789012345678901234567890 . ex:language ex:p "x"@en . ex:triple ex:p <<( ex:a ex:b ex:c )>> .`);

const LITERALS = ['s=ex:date', 's=ex:language', 's=ex:long', 's=ex:number', 's=ex:text'];

test.each([
  ['isIRI(?o)', ['s=ex:iri']],
  ['isURI(?o)', ['s=ex:iri']],
  ['isBlank(?o)', ['s=ex:blank']],
  ['isLiteral(?o)', LITERALS],
  ['isTriple(?o)', ['s=ex:triple']],
  ['!isLiteral(?o)', ['s=ex:blank', 's=ex:iri', 's=ex:triple']],
  ['isLiteral(?o) && !isLiteral(?unbound)', []],
  ['isIRI(?o) || isLiteral(?s)', ['s=ex:iri']],
  ['isLiteral(?computed)', ['s=ex:iri']],
])('%s', async (condition, expected) => {
  const query = `SELECT ?s { ?s ex:p ?o BIND(IF(?s = ex:iri, CONCAT("a", STR(?s)), 1 / 0) AS ?computed) FILTER(${condition}) }`;
  for (let run = 0; run < 3; run++) expect((await answer(query, await data)) as string[]).toEqual(expected);
});
