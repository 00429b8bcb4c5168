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

const ask = (path: string, accept?: string): Promise<Response> =>
  handler(new Request(`${BASE}/acme/people/${path}`, { headers: { Accept: accept ?? '*/*' } }));

test('are committed where the shapes report, and the revision tells it', async () => {
  const mode = await send('PATCH', 'settings', 'application/json', '{"shapes":"urn:shapes","shapesMode":"report"}');
  expect(await mode.json()).toMatchObject({ shapesMode: 'report' });
  expect((await send('POST', 'statements', 'text/turtle', WRONG)).ok).toBe(true);
  const revisions = (await (await ask('revisions')).json()) as { violations?: number }[];
  expect(revisions.map(({ violations }) => violations).filter((each) => each !== undefined)).toEqual([1]);
  const report = (await (await ask('validate?change=1')).json()) as object;
  expect(report).toMatchObject({ conforms: false, results: [{ focusNode: '<urn:a>', path: '<urn:name>' }] });
});

test('a revision is validated, against the settings, a graph or a body', async () => {
  expect(await (await ask('validate')).json()).toMatchObject({ code: 'INVALID_OPTION' });
  await repository.update(`INSERT DATA { ${WRONG} <urn:b> <urn:name> 1, 2 }`);
  const whole = await ask('validate?graph=urn:shapes');
  expect([whole.status, await whole.json()]).toMatchObject([
    200,
    {
      conforms: false,
      results: [{ shape: expect.stringMatching(/^_:/) as string, message: 'has 2 values, not at most 1' }, {}],
      truncated: false,
      warnings: [],
    },
  ]);
  const turtle = await ask('validate?graph=urn:shapes&focus=urn:b', 'text/turtle');
  expect(turtle.headers.get('Content-Type')).toMatch(/^text\/turtle/);
  expect(await turtle.text()).toMatch(/sh:focusNode <urn:b>/);
  expect(await (await ask('validate?graph=urn:shapes&limit=1')).json()).toMatchObject({ truncated: true });
  expect(await (await ask('validate?graph=urn:shapes&revision-id=HEAD~1')).json()).toMatchObject({ conforms: true });
  expect(await (await ask('validate?graph=urn:shapes&explain=1')).json()).toMatchObject({
    conforms: false,
    constraints: [{ path: '<urn:name>', component: `${SH}MaxCountConstraintComponent`, all: [], commits: 0 }],
  });
  const inTurtle = await ask('validate?graph=urn:shapes&explain=1', 'text/turtle');
  expect([inTurtle.status, await inTurtle.json()]).toMatchObject([400, { code: 'INVALID_PARAMETER' }]);
  const own = `<urn:s> <${SH}targetSubjectsOf> <urn:name> ; <${SH}nodeKind> <${SH}BlankNode> ; <${SH}nodekind> 1 .`;
  const sent = await send('POST', 'validate', 'text/turtle', own);
  expect([sent.status, await sent.json()]).toMatchObject([
    200,
    { results: [{}, {}], warnings: [{ statement: expect.stringMatching(/^sh:nodekind/) as string }] },
  ]);
  const before = await repository.revision();
  for (const [path, type, body, status, code] of [
    ['validate?strict=1', 'text/turtle', own, 422, 'SHAPES_INVALID'],
    ['validate', 'text/turtle', 'no turtle', 400, 'RDF_SYNTAX'],
    ['validate', 'image/png', own, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['validate?limit=0', 'text/turtle', own, 400, 'INVALID_PARAMETER'],
    ['validate?change=1&focus=urn:a', 'text/turtle', own, 400, 'INVALID_PARAMETER'],
    ['validate?explain=maybe', 'text/turtle', own, 400, 'INVALID_PARAMETER'],
    ['validate?nonsense=1', 'text/turtle', own, 400, 'INVALID_PARAMETER'],
  ] as const) {
    const refused = await send('POST', path, type, body);
    expect([path, refused.status, ((await refused.json()) as { code: string }).code]).toEqual([path, status, code]);
  }
  expect(await repository.revision()).toEqual(before);
});
