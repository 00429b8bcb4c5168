import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../testing/server.js';

const BAD = '<urn:a> <urn:p> 1 .\n<urn:b> <urn:p> "2" .\nnonsense\n';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.database.close());

const post = (query: string, body: string = BAD, type = 'application/n-triples', method = 'POST'): Promise<Response> =>
  server.send(method, `/acme/people/statements${query}`, { body, headers: { 'Content-Type': type } });
async function lastJob(): Promise<Record<string, unknown>> {
  const [job] = (await (await server.get('/jobs?status=all&limit=1')).json()) as Record<string, unknown>[];
  return job!;
}
const problemsOf = async ({ uuid }: Record<string, unknown>): Promise<unknown[]> =>
  (await (await server.get(`/jobs/${String(uuid)}/problems`)).json()) as unknown[];

test('an import skips bad lines, and its job tells them; the import can be undone', async () => {
  expect((await post('?on-error=skip')).status).toBe(204);
  const job = await lastJob();
  expect(job).toMatchObject({ status: 'completed', problems: 2, statements: 1 });
  expect(job['message']).toContain('2 lines skipped');
  expect(await problemsOf(job)).toEqual([
    { line: 1, column: 17, message: expect.any(String) as string, text: '<urn:a> <urn:p> 1 .' },
    { line: 3, column: 1, message: expect.any(String) as string, text: 'nonsense' },
  ]);
  await post('', '<urn:x> <urn:p> "later" .');
  expect((await server.send('POST', '/acme/people/revisions/2/revert')).status).toBe(204);
  expect(await (await server.get('/acme/people/size')).text()).toBe('1');
  expect(await (await server.get('/acme/people/size?revision-id=2')).text()).toBe('1');
});

test('more than max-errors keep nothing, but the job tells the lines before', async () => {
  expect((await post('?on-error=skip&max-errors=1')).status).toBe(400);
  const job = await lastJob();
  expect(job).toMatchObject({ status: 'failed', problems: 1 });
  expect(await problemsOf(job)).toHaveLength(1);
  expect(await (await server.get('/acme/people/size')).text()).toBe('0');
  expect((await post('')).status).toBe(400);
  expect(await problemsOf(await lastJob())).toEqual([]);
});

test('as fields of a form, and with PUT', async () => {
  const form = new FormData();
  form.append('on-error', 'skip');
  form.append('file', new File([BAD], 'a.nt'));
  expect((await server.send('POST', '/acme/people/statements', { body: form })).status).toBe(204);
  expect((await post('?on-error=skip', BAD, 'application/n-quads', 'PUT')).status).toBe(204);
  expect(await (await server.get('/acme/people/size')).text()).toBe('1');
});

test('many problems are all counted, and the first are told', async () => {
  const body = Array.from({ length: 2000 }, (_, i) => `bad ${String(i)} ${'x'.repeat(200)}`).join('\n');
  expect((await post('?on-error=skip&max-errors=5000', `${body}\n<urn:a> <urn:p> "1" .`)).status).toBe(204);
  const job = await lastJob();
  expect(job).toMatchObject({ status: 'completed', problems: 2000 });
  const problems = (await problemsOf(job)) as { line: number }[];
  expect(problems.length).toBeGreaterThan(50);
  expect(problems.length).toBeLessThan(2000);
  expect(problems.map(({ line }) => line)).toEqual(problems.map((_, i) => i + 1));
});

test.each([
  ['?on-error=ignore', BAD, 'application/n-triples', 400],
  ['?max-errors=5', BAD, 'application/n-triples', 400],
  ['?on-error=skip&max-errors=x', BAD, 'application/n-triples', 400],
  ['?on-error=skip&max-errors=10000000', BAD, 'application/n-triples', 400],
  ['?on-error=skip', '<urn:a> <urn:p> nonsense .', 'text/turtle', 400],
  ['?on-error=skip&context=%3Curn%3Aa%3E&context=%3Curn%3Ab%3E', BAD, 'application/n-triples', 400],
])('%s is refused: %j as %s', async (query, body, type, status) => {
  expect((await post(query, body, type)).status).toBe(status);
  expect(await (await server.get('/acme/people/size')).text()).toBe('0');
});

test.each(['POST', 'PUT'])('%s of one document to a graph skips bad lines too', async (method) => {
  const target = '/acme/people/service?graph=urn:g';
  const headers = { 'Content-Type': 'application/n-triples' };
  const written = await server.send(method, `${target}&on-error=skip`, { body: BAD, headers });
  expect(written.status).toBe(201);
  const job = await lastJob();
  expect(job).toMatchObject({ status: 'completed', problems: 2, statements: 1 });
  expect(await problemsOf(job)).toHaveLength(2);
  expect((await server.send(method, `${target}&on-error=skip&max-errors=1`, { body: BAD, headers })).status).toBe(400);
  expect((await server.send(method, `${target}&on-error=all`, { body: BAD, headers })).status).toBe(400);
  expect(await (await server.get(target, { Accept: 'application/n-triples' })).text()).toBe('<urn:b> <urn:p> "2" .\n');
});

test('a request that is no import of one document skips no lines', async () => {
  const path = '/acme/people/service?on-error=skip';
  const headers = { 'Content-Type': 'application/n-triples' };
  expect((await server.send('PATCH', path, { body: BAD, headers })).status).toBe(400);
  const form = new FormData();
  form.append('file', new File([BAD], 'a.nt', { type: 'application/n-triples' }));
  expect((await server.send('POST', path, { body: form })).status).toBe(400);
  expect(await (await server.get('/acme/people/size')).text()).toBe('0');
});

test('problems of a job that is not there are 404', async () => {
  expect((await server.get('/jobs/00000000-0000-7000-8000-000000000000/problems')).status).toBe(404);
});
