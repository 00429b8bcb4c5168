// The repositories of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { FORM, jsonOf, query, row, scene, status, TURTLE, typeOf } from '../scene.js';

const at = scene();
const JSON_TYPE = 'application/json';
const create = (body: string, type = FORM, account = 'default') =>
  at.send('POST', `/${account}/repositories`, { type, body });
const named = (name: string) => create(query({ 'repository[name]': name }));
const slugOf = async (name: string): Promise<string> => (await jsonOf(named(name))).repository_id;

describe('3 repositories and metadata', () => {
  row('3 create body: form, JSON, plain keys; 200, record, Location', async () => {
    for (const [body, type] of [
      ['repository[name]=one', FORM],
      ['name=two', FORM],
      ['{"repository":{"name":"three"}}', JSON_TYPE],
      ['{"name":"four"}', JSON_TYPE],
    ] as const) {
      const answer = await create(body, type);
      expect([body, answer.status]).toEqual([body, 200]);
      const record = JSON.parse(answer.body);
      expect(answer.headers.get('location')).toBe(`${at.url}/${record.repository_id}`);
    }
  });
  row('3 missing or blank name, invalid homepage 422 by field; unparsable 400', async () => {
    for (const body of ['', 'repository[name]=%20', 'repository[summary]=x'])
      expect(JSON.parse((await create(body)).body)).toMatchObject({ status: 422, errors: { name: expect.any(Array) } });
    const homepage = await create(query({ name: 'x', homepage: 'not a url' }));
    expect([homepage.status, Object.keys(JSON.parse(homepage.body).errors)]).toEqual([422, ['homepage']]);
    expect(await status(create('{', JSON_TYPE))).toBe(400);
  });
  row('3 a name that is used: 422', async () => {
    const again = await named('One!');
    expect([again.status, again.body]).toEqual([422, expect.stringContaining('already exists')]);
  });
  row('3 unknown account 404', async () => {
    expect(await status(at.get('/nobody/repositories'))).toBe(404);
    expect([403, 404]).toContain(await status(create('name=x', FORM, 'nobody')));
  });
  row('3 slug rule', async () => {
    expect(await slugOf('Ünï  côdé.v2__x_y')).toBe('default/uni-code-v2__x_y');
    expect(await slugOf('日本語')).toMatch(/^default\/repository-[0-9a-f]{8}$/);
    expect((await slugOf('x'.repeat(150))).length).toBe('default/'.length + 100);
  });
  row('3 reserved slugs', async () => {
    const words =
      'repositories protocol revisions diff history changes refs views tpf jobs ops rpc system accounts meta sparql service ' +
      'statements size status contexts namespaces timemap timegate rdf-graphs transactions collaborators health metrics openapi workbench ' +
      'session ready backup tokens blame branches terms schema parse live ldes fork digest erase settings audit servers';
    for (const word of words.split(' ')) expect([word, await status(named(word))]).toEqual([word, 422]);
  });
  row('3 record: name as given, repository_id, summary, byte_size, triple_count', async () => {
    const record = await jsonOf(named('As Given!'));
    expect(record).toMatchObject({
      name: 'As Given!',
      repository_id: 'default/as-given',
      byte_size: 0,
      triple_count: 0,
    });
    await at.send('POST', '/default/as-given/statements', {
      type: 'application/trig',
      body: '<urn:a> <urn:p> 1 . <urn:g> { <urn:a> <urn:p> 1 }',
    });
    const filled = await jsonOf(at.get('/default/as-given/meta'));
    expect(filled).toMatchObject({ triple_count: 2, summary: null });
    expect(filled.byte_size).toBeGreaterThan(0);
  });
  row(
    '3 PUT meta: a new name, never a new slug; spellings; unknown fields 400; empty clears; 200 without body',
    async () => {
      const put = (body: string, type = FORM) => at.send('PUT', '/default/one/meta', { type, body });
      const answer = await put('repository[name]=Other&summary=plain&repository[summary]=bracketed');
      expect([answer.status, answer.body]).toEqual([200, '']);
      expect(await jsonOf(at.get('/default/one/meta'))).toMatchObject({
        name: 'Other',
        repository_id: 'default/one',
        summary: 'bracketed',
      });
      await put('{"repository":{"description":"nested"}}', JSON_TYPE);
      await put('{"homepage":"http://e.org/"}', JSON_TYPE);
      await put('summary=');
      expect(await status(put('summary=x&unknown=1'))).toBe(400);
      expect(await jsonOf(at.get('/default/one/meta'))).toMatchObject({
        description: 'nested',
        homepage: 'http://e.org/',
        summary: null,
      });
    },
  );
  row('3 extra fields: created, updated, revision, privacy, license_url', async () => {
    expect(Object.keys(await jsonOf(at.get('/default/one/meta')))).toEqual(
      expect.arrayContaining(['created', 'updated', 'revision', 'privacy', 'license_url']),
    );
  });
  row('3 DELETE: 200 without body, unknown 404', async () => {
    const answer = await at.send('DELETE', '/default/two');
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(await status(at.send('DELETE', '/default/two'))).toBe(404);
  });
  row('3 list for others: what they may read; an unknown account is empty to the unknown', async () => {
    await at.send('PUT', '/default/three/meta', { type: FORM, body: 'repository[privacy]=public' });
    const list = await jsonOf(at.get('/default/repositories', JSON_TYPE, { token: null }));
    expect(list.map((record: { repository_id: string }) => record.repository_id)).toEqual(['default/three']);
    expect(await jsonOf(at.get('/nobody/repositories', JSON_TYPE, { token: null }))).toEqual([]);
    expect(await status(at.get('/nobody/repositories'))).toBe(404);
  });
  row('3 setting rights: privacy, collaborators', async () => {
    expect(await status(create(query({ name: 'open', 'repository[privacy]': 'authenticated' })))).toBe(200);
    expect(await jsonOf(at.get('/default/open/meta'))).toMatchObject({ privacy: 'authenticated' });
    expect(await status(create(query({ name: 'wrong', 'repository[privacy]': 'secret' })))).toBe(422);
    const rights = { type: JSON_TYPE, body: '{"read":true,"write":false}' };
    expect(await status(at.send('PUT', '/default/open/collaborators/nobody', rights))).toBe(404);
    expect(await status(at.send('PUT', '/default/open/collaborators/default', rights))).toBe(204);
    expect(await jsonOf(at.get('/default/open/collaborators/default'))).toEqual({ read: true, write: false });
    expect(await status(at.send('DELETE', '/default/open/collaborators/default'))).toBe(204);
  });
  row('3 list as SPARQL results: uri, id, title, readable, writable; JSON array for JSON, */* or none', async () => {
    const list = await at.get('/default/repositories', 'application/sparql-results+json');
    const { head, results } = JSON.parse(list.body);
    expect(head.vars).toEqual(['uri', 'id', 'title', 'readable', 'writable']);
    expect(results.bindings[0].readable).toMatchObject({
      value: 'true',
      datatype: expect.stringContaining('#boolean'),
    });
    expect(typeOf(await at.get('/default/repositories', 'application/sparql-results+xml'))).toContain(
      'sparql-results+xml',
    );
    for (const accept of [JSON_TYPE, '*/*'])
      expect(await jsonOf(at.get('/default/repositories', accept))).toBeInstanceOf(Array);
    expect(await jsonOf(at.get('/default/repositories', undefined, { args: ['-H', 'Accept:'] }))).toBeInstanceOf(Array);
  });
  row('3 GET /A: name, fullname, email only to itself, counts, no token', async () => {
    const account = await jsonOf(at.get('/default'));
    expect(account).toMatchObject({
      name: 'default',
      fullname: null,
      email: null,
      repository_count: expect.any(Number),
    });
    expect(JSON.stringify(account)).not.toContain(at.token.slice(4, 20));
    expect(await status(at.get('/nobody'))).toBe(404);
  });
  row('3 size: text/plain; as results one row of SIZE', async () => {
    await at.send('POST', '/default/one/statements', { type: TURTLE, body: '<urn:a> <urn:p> 1 .' });
    const text = await at.get('/default/one/size');
    expect([typeOf(text), text.body]).toEqual(['text/plain; charset=utf-8', '1']);
    const rows = await jsonOf(at.get('/default/one/size', 'application/sparql-results+json'));
    expect(rows).toMatchObject({ head: { vars: ['SIZE'] }, results: { bindings: [{ SIZE: { value: '1' } }] } });
  });
  row('3 GET /A/R: timemap, query, statements, record, page', async () => {
    expect((await at.get('/default/one', 'application/link-format')).body).toContain('TimeBundle');
    expect((await at.get('/default/one?query=ASK%7B%7D', 'text/boolean')).body.trim()).toBe('true');
    expect(typeOf(await at.get('/default/one', TURTLE))).toBe('text/turtle; charset=utf-8');
    expect(await jsonOf(at.get('/default/one', JSON_TYPE))).toMatchObject({ repository_id: 'default/one' });
    const page = await at.get('/default/one', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    // The page of the workbench.
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/#\/default\/one\/query$/),
    ]);
  });
});
