// Errors and rights of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import type { Answer } from '../curl.js';
import { FORM, jsonOf, query, row, scene, status, TURTLE, typeOf, WITH_OTHER } from '../scene.js';

const at = scene(undefined, WITH_OTHER);
const statements = (): string => `${at.repository}/statements`;
const failure = (answer: Answer): Record<string, unknown> => JSON.parse(answer.body);
const sparql = (text: string, parameters: Record<string, string> = {}) =>
  at.get(`${at.repository}/sparql?${query({ query: text, ...parameters })}`);
const basic = (pair: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
});
const other = (): { token: string } => ({ token: at.otherToken });
const setPrivacy = (privacy: string) =>
  at.send('PUT', `${at.repository}/meta`, { type: FORM, body: `repository[privacy]=${privacy}` });

describe('8 errors', () => {
  row('8 body: error, code, status, requestId, line and column; text where only that is accepted', async () => {
    const wrong = await at.send('POST', statements(), { type: TURTLE, body: '<urn:a> <urn:p> .' });
    expect([wrong.status, typeOf(wrong)]).toEqual([400, 'application/json; charset=utf-8']);
    expect(failure(wrong)).toMatchObject({
      error: expect.any(String),
      code: 'RDF_SYNTAX',
      status: 400,
      requestId: wrong.headers.get('request-id'),
      line: 1,
      column: expect.any(Number),
    });
    const text = await at.get('/default/none/size', 'text/plain');
    expect([text.status, typeOf(text)]).toEqual([404, 'text/plain; charset=utf-8']);
  });
  row('8 400: query, RDF, parameter, media range, revision on an update, undeclared prefix', async () => {
    for (const answer of [
      sparql('SELECT'),
      at.send('POST', statements(), { type: TURTLE, body: 'x' }),
      at.get(`${statements()}?subj=%22x%22`),
      at.get(statements(), 'json'),
      at.send('POST', `${at.repository}/sparql?revision-id=HEAD`, {
        type: 'application/sparql-update',
        body: 'CLEAR ALL',
      }),
      sparql('ASK { ?s none:p ?o }'),
    ])
      expect((await answer).status).toBe(400);
  });
  row('8 401 with WWW-Authenticate: Basic realm="Application"', async () => {
    for (const answer of [
      at.get(statements(), undefined, { token: null }),
      at.get('/health', undefined, { token: 'wrong' }),
    ]) {
      const { status: found, headers } = await answer;
      expect([found, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Application"']);
    }
  });
  row('8 403 for what may be read; 404 for what may not; 401 for the unknown, existing or not', async () => {
    expect(await status(at.get(statements(), undefined, other()))).toBe(404);
    await setPrivacy('authenticated');
    expect(await status(at.send('DELETE', statements(), other()))).toBe(403);
    await setPrivacy('private');
    for (const path of [statements(), '/default/none/statements', '/nobody/none'])
      expect([path, await status(at.get(path, undefined, { token: null }))]).toEqual([path, 401]);
  });
  row('8 404: account, repository, graph, job, prefix, revision', async () => {
    for (const path of [
      '/nobody',
      '/default/none',
      `${at.repository}/service?graph=urn:none`,
      '/jobs/none',
      `${at.repository}/namespaces/none`,
      `${at.repository}/size?revision-id=00000000-0000-7000-8000-000000000000`,
    ])
      expect([path, await status(at.get(path))]).toEqual([path, 404]);
  });
  row('8 405 with Allow', async () => {
    const answer = await at.send('PATCH', `${at.repository}/size`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
  row('8 406 and 415, also for an unknown Content-Encoding', async () => {
    expect(await status(at.get(statements(), 'image/png'))).toBe(406);
    expect(await status(at.send('POST', statements(), { type: 'image/png', body: 'x' }))).toBe(415);
    const encoded = { type: TURTLE, body: '', headers: { 'Content-Encoding': 'zstd' } };
    expect(await status(at.send('POST', statements(), encoded))).toBe(415);
  });
  row('8 409: a transaction that lost', async () => {
    const begun = await at.send('POST', `${at.repository}/transactions`);
    const transaction = begun.headers.get('location') ?? '';
    await at.send('PUT', `${transaction}?action=UPDATE`, {
      type: 'application/sparql-update',
      body: 'INSERT { ?s <urn:q> ?o } WHERE { ?s <urn:p> ?o }',
    });
    await at.send('POST', statements(), { type: TURTLE, body: '<urn:between> <urn:p> 1 .' });
    expect(await status(at.send('PUT', `${transaction}?action=COMMIT`))).toBe(409);
  });
  row('8 412: conditional writes', async () => {
    const wrong = { headers: { 'If-Match': '"00000000-0000-7000-8000-000000000000"' } };
    expect(await status(at.send('DELETE', statements(), wrong))).toBe(412);
  });
  row('8 413 and 431: limits', async () => {
    const long = `ASK {} #${'x'.repeat(100_000)}`;
    expect(await status(at.send('PUT', `${at.repository}/namespaces/x`, { body: `urn:${long}` }))).toBe(413);
    expect(await status(at.get('/health', undefined, { headers: { 'X-Long': 'x'.repeat(20_000) } }))).toBe(431);
  });
  row('8 422: repository validation', async () => {
    const again = await at.send('POST', '/default/repositories', { type: FORM, body: 'name=people' });
    expect([again.status, failure(again)['code']]).toEqual([422, 'INVALID_RECORD']);
  });
  row('8 501 and 503: not implemented, query deadline', async () => {
    expect(await status(at.send('POST', `${at.repository}/views/x`))).toBe(501);
    const lines = Array.from({ length: 400 }, (_, i) => `<urn:s${String(i)}> <urn:p> "${String(i)}" .`).join('\n');
    await at.fill(lines);
    const slow = await sparql(
      'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z FILTER(STRLEN(CONCAT(?x, ?y, ?z)) > 100) }',
      { timeout: '0.2' },
    );
    expect([slow.status, failure(slow)['code']]).toEqual([503, 'QUERY_TIMEOUT']);
  });
  row('8 507: the memory of a query', async () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `<urn:s${String(i)}> <urn:p> "${String(i)}" .`).join('\n');
    await at.fill(lines);
    const large = await sparql(
      'SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?a ?b ?c { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z } }',
    );
    expect([large.status, failure(large)['code']]).toEqual([507, 'QUERY_MEMORY']);
  });
  row('8 a refused URL: 403 BLOCKED_ADDRESS; scheme, port or userinfo 400', async () => {
    const importing = (url: string) => at.send('POST', statements(), { type: FORM, body: query({ url }) });
    const blocked = await importing('http://169.254.169.254/latest/');
    expect([blocked.status, failure(blocked)['code']]).toEqual([403, 'BLOCKED_ADDRESS']);
    for (const url of ['file:///etc/passwd', 'ftp://e.org/', 'http://e.org:22/', 'http://a@e.org/'])
      expect([url, await status(importing(url))]).toEqual([url, 400]);
  });
});

describe('9 authentication and rights', () => {
  const size = (headers: Record<string, string>) =>
    at.get(`${at.repository}/size`, undefined, { token: null, headers });
  row('9 forms of credentials', async () => {
    for (const pair of [`${at.token}:`, `:${at.token}`, `${at.token}:X`, `default:${at.token}`])
      expect(await status(size(basic(pair)))).toBe(200);
    expect(await status(size({ Authorization: `Bearer ${at.token}` }))).toBe(200);
    expect(await status(size(basic(`other:${at.token}`)))).toBe(401);
  });
  row('9 auth_token only with its switch', async () => {
    expect(await status(at.get(`${at.repository}/size?auth_token=${at.token}`, undefined, { token: null }))).toBe(401);
  });
  row('9 a wrong token is 401 everywhere, also on what is public', async () => {
    await setPrivacy('public');
    expect(await status(at.get(`${at.repository}/size`, undefined, { token: null }))).toBe(200);
    for (const path of [`${at.repository}/size`, '/health', '/default/protocol', '/openapi.json'])
      expect([path, await status(at.get(path, undefined, { token: 'wrong' }))]).toEqual([path, 401]);
  });
  row('9 rights: public, authenticated, private, collaborators; the unknown never writes', async () => {
    const read = (sent: { token: string | null }) => status(at.get(`${at.repository}/size`, undefined, sent));
    const write = (sent: { token: string | null }) =>
      status(at.send('POST', statements(), { ...sent, type: TURTLE, body: '<urn:a> <urn:p> 1 .' }));
    expect([await read({ token: null }), await write({ token: null }), await write(other())]).toEqual([200, 401, 403]);
    await setPrivacy('authenticated');
    expect([await read({ token: null }), await read(other()), await write(other())]).toEqual([401, 200, 403]);
    await setPrivacy('private');
    expect([await read({ token: null }), await read(other()), await write(other())]).toEqual([401, 404, 404]);
    const share = (body: string) =>
      at.send('PUT', `${at.repository}/collaborators/other`, { type: 'application/json', body });
    await share('{"read":true,"write":false}');
    expect([await read(other()), await write(other())]).toEqual([200, 403]);
    await share('{"read":true,"write":true}');
    expect(await write(other())).toBe(204);
    expect(await status(at.send('DELETE', at.repository, other()))).toBe(403);
    expect(await jsonOf(at.get('/default/repositories', undefined, other()))).toHaveLength(1);
  });
});
