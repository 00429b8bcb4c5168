import { afterEach, beforeEach, expect, test } from 'vitest';
import { sortedLines, type TestServer, testServer } from '../../testing/server.js';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  const body = '<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> "1" <urn:g> .\n<urn:b> <urn:p> "2" <urn:h> .\n';
  await server.send('POST', '/acme/people/statements', { body, headers: { 'Content-Type': 'application/n-quads' } });
});
afterEach(() => server.database.close());

const of = (operations: string): string => `<transaction>${operations}</transaction>`;
const post = (body: string): Promise<Response> =>
  server.send('POST', '/acme/people/statements', {
    body,
    headers: { 'Content-Type': 'application/x-rdftransaction' },
  });
const statements = async (): Promise<string[]> =>
  sortedLines(await (await server.get('/acme/people/statements', { Accept: 'application/n-quads' })).text());

test('every operation, as one revision', async () => {
  const repository = await server.database.repository('acme/people');
  const before = (await repository.revision()).number;
  const response = await post(`<?xml version="1.0" encoding="UTF-8"?>
    <transaction>
      <remove><uri>urn:a</uri><null/><literal>1</literal><contexts><null/></contexts></remove>
      <clear><contexts><uri>urn:h</uri></contexts></clear>
      <add><uri>urn:c</uri><uri>urn:p</uri><literal xml:lang="en">a &amp; b<![CDATA[ <c>]]></literal></add>
      <add>
        <uri>urn:d</uri><uri>urn:p</uri><literal datatype="http://www.w3.org/2001/XMLSchema#integer">4</literal>
        <contexts><uri>urn:x</uri><null/></contexts>
      </add>
      <add><bnode>b1</bnode><uri>urn:p</uri><literal encoding="base64">w6k=</literal></add>
      <sparql includeInferred="true">
        <updateString>INSERT DATA { &lt;urn:e&gt; &lt;urn:p&gt; &lt;rel&gt; }</updateString><baseURI>http://b/</baseURI>
      </sparql>
      <setNamespace prefix="ex" name="http://example.org/"/>
      <removeNamespace prefix="gone"/>
    </transaction>`);
  expect(response.status).toBe(204);
  const integer = '"4"^^<http://www.w3.org/2001/XMLSchema#integer>';
  expect(await statements()).toEqual([
    '<urn:a> <urn:p> "1" <urn:g> .',
    '<urn:c> <urn:p> "a & b <c>"@en .',
    `<urn:d> <urn:p> ${integer} .`,
    `<urn:d> <urn:p> ${integer} <urn:x> .`,
    '<urn:e> <urn:p> <http://b/rel> .',
    '_:b1 <urn:p> "é" .',
  ]);
  expect((await repository.revision()).number).toBe(before + 1);
  expect(await repository.namespaces.list()).toEqual({ ex: 'http://example.org/' });
});

test('without contexts, remove and clear are about every graph', async () => {
  expect((await post(of('<remove><uri>urn:a</uri><null/><null/></remove>'))).status).toBe(204);
  expect(await statements()).toEqual(['<urn:b> <urn:p> "2" <urn:h> .']);
  expect((await post(of('<clear/><clearNamespaces/>'))).status).toBe(204);
  expect(await statements()).toEqual([]);
});

test.each([
  ['no XML', 'nonsense <'],
  ['another root', '<rdf/>'],
  ['a document type', '<!DOCTYPE x [<!ENTITY e "x">]><transaction/>'],
  ['an unknown operation', of('<explode/>')],
  ['too few terms', of('<add><uri>urn:a</uri></add>')],
  ['a missing term', of('<add><uri>urn:a</uri><null/><literal>1</literal></add>')],
  ['a literal as context', of('<clear><contexts><literal>1</literal></contexts></clear>')],
  ['a relative IRI', of('<add><uri>a</uri><uri>urn:p</uri><literal>1</literal></add>')],
  ['a literal as subject', of('<add><literal>1</literal><uri>urn:p</uri><literal>1</literal></add>')],
  ['a namespace without a name', of('<setNamespace prefix="x"/>')],
  ['an update with a mistake', of('<clear/><sparql><updateString>DELETE</updateString></sparql>')],
  [
    'too many elements inside each other',
    `<transaction>${'<contexts>'.repeat(20)}${'</contexts>'.repeat(20)}</transaction>`,
  ],
  ['no end', '<transaction><clear/>'],
])('%s is refused, and nothing is done', async (_name, body) => {
  expect((await post(body)).status).toBe(400);
  expect(await statements()).toHaveLength(3);
});
