/** Changes over HTTP that break the shapes of a repository. */
import { type Database, open, type Repository } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHandler, type Handler } from './handler.js';
import { BASE } from './testing/server.js';

const SH = 'http://www.w3.org/ns/shacl#';
const SHAPES = `INSERT DATA { GRAPH <urn:shapes> { <urn:s> <${SH}targetSubjectsOf> <urn:name> ;
  <${SH}property> [ <${SH}path> <urn:name> ; <${SH}maxCount> 1 ] } }`;

let database: Database;
let repository: Repository;
let handler: Handler;
beforeEach(async () => {
  database = await open(':memory:');
  repository = await database.repository('acme/people', { create: true });
  await repository.update(SHAPES);
  handler = createHandler({ database, open: true });
});
afterEach(() => database.close());

const send = (method: string, path: string, type: string, body: string, accept?: string): Promise<Response> =>
  handler(
    new Request(`${BASE}/acme/people/${path}`, {
      method,
      body,
      headers: { 'Content-Type': type, ...(accept !== undefined && { Accept: accept }) },
    }),
  );

const setShapes = (): Promise<Response> => send('PATCH', 'settings', 'application/json', '{"shapes":"urn:shapes"}');
const WRONG = '<urn:a> <urn:name> "a", "b" .';

test('are 422, with the report in the format that the client accepts', async () => {
  expect((await setShapes()).status).toBe(200);
  const before = await repository.revision();
  const writes = [
    (accept?: string) => send('POST', 'statements', 'text/turtle', WRONG, accept),
    (accept?: string) => send('PUT', 'graphs/urn:g', 'text/turtle', WRONG, accept),
    (accept?: string) => send('POST', 'sparql', 'application/sparql-update', `INSERT DATA { ${WRONG} }`, accept),
    (accept?: string) =>
      send(
        'POST',
        'changes',
        'application/rdf-patch',
        'A <urn:a> <urn:name> "a" .\nA <urn:a> <urn:name> "b" .\n',
        accept,
      ),
  ];
  let reports = 0;
  for (const write of writes) {
    for (const accept of [undefined, '*/*', 'application/json', 'text/html, */*;q=0.1']) {
      const reply = await write(accept);
      const body = (await reply.json()) as { error: string };
      expect([reply.status, body]).toMatchObject([422, { code: 'SHAPES_VIOLATED' }]);
      expect(body.error).toMatch(
        /violates the shapes of <urn:shapes>: 1 result, such as <urn:a> <urn:name>: has 2 values/,
      );
    }
    for (const accept of [
      'text/turtle',
      'application/n-triples;q=0.9, text/turtle',
      'application/ld+json',
      'application/rdf+xml',
    ]) {
      const reply = await write(accept);
      const type = reply.headers.get('Content-Type')!;
      expect([reply.status, accept]).toEqual([422, expect.stringContaining(type.split(';')[0]!)]);
      const report = await database.repository(`reports/r${reports++}`, { create: true });
      await report.load({ text: await reply.text() }, { format: type.split(';')[0]! });
      const found = await report
        .select(
          `PREFIX sh: <${SH}> SELECT ?node ?component { ?report sh:conforms false ;
        sh:result [ sh:focusNode ?node ; sh:sourceConstraintComponent ?component ; sh:resultPath <urn:name> ] }`,
        )
        .toArray();
      expect(found.map((row) => [row['node']!.value, row['component']!.value])).toEqual([
        ['urn:a', `${SH}MaxCountConstraintComponent`],
      ]);
    }
    expect((await write('text/plain')).headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  }
  expect(await repository.revision()).toEqual(before);
});

test('shapes that cannot be used, or that the data violate, are not set', async () => {
  await repository.update(`INSERT DATA { ${WRONG} }`);
  const violated = await setShapes();
  expect([violated.status, await violated.json()]).toMatchObject([422, { code: 'SHAPES_VIOLATED' }]);
  await repository.update(`INSERT DATA { GRAPH <urn:shapes> { <urn:s> <${SH}minLength> "x" } }`);
  const invalid = await setShapes();
  expect([invalid.status, await invalid.json()]).toMatchObject([422, { code: 'SHAPES_INVALID' }]);
  expect(await repository.settings.get()).toMatchObject({ functional: [], shapes: undefined });
});
