// Transactions and revisions of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { etagOf, jsonOf, NT, query, row, scene, status, TURTLE, typeOf } from '../scene.js';

const at = scene();
const path = (rest: string, parameters: Record<string, string> = {}): string =>
  `${at.repository}${rest}${Object.keys(parameters).length === 0 ? '' : `?${query(parameters)}`}`;
const add = (name: string, headers: Record<string, string> = {}) =>
  at.send('POST', path('/statements'), { type: NT, body: `<urn:${name}> <urn:p> "${name}" .`, headers });
const revisions = async (parameters: Record<string, string> = {}): Promise<Record<string, any>[]> =>
  jsonOf(at.get(path('/revisions', parameters)));
const sizeAt = (ref: string, name = 'revision-id') => at.get(path('/size', { [name]: ref }));
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('14 transactions', () => {
  const begin = async (): Promise<string> => {
    const answer = await at.send('POST', '/default/repositories/people/transactions');
    expect(answer.status).toBe(201);
    return answer.headers.get('location') ?? '';
  };
  const act = (transaction: string, action: string, type?: string, body?: string, accept?: string) =>
    at.send('PUT', `${transaction}?action=${action}`, {
      ...(type === undefined ? {} : { type }),
      ...(body === undefined ? {} : { body }),
      ...(accept === undefined ? {} : { accept }),
    });
  row('14 begin, ADD, DELETE, GET, SIZE, QUERY, UPDATE, PING, COMMIT: one revision', async () => {
    await at.fill('<urn:old> <urn:p> "0" .');
    const before = (await revisions({ limit: '1' }))[0]!['ordinal'];
    const transaction = await begin();
    expect(await status(act(transaction, 'ADD', TURTLE, '<urn:a> <urn:p> "1" . <urn:b> <urn:p> "2" .'))).toBeLessThan(
      300,
    );
    expect(await status(act(transaction, 'DELETE', TURTLE, '<urn:a> <urn:p> "1" .'))).toBeLessThan(300);
    const update = 'INSERT DATA { <urn:c> <urn:p> "3" }';
    expect(await status(act(transaction, 'UPDATE', 'application/sparql-update', update))).toBeLessThan(300);
    expect((await act(transaction, 'SIZE')).body).toBe('3');
    expect(
      (
        await act(transaction, 'QUERY', 'application/sparql-query', 'ASK { <urn:c> ?p ?o }', 'text/boolean')
      ).body.trim(),
    ).toBe('true');
    expect((await act(transaction, 'GET', undefined, undefined, NT)).body).toContain('<urn:b>');
    expect(await status(act(transaction, 'PING'))).toBeLessThan(300);
    expect((await at.get(path('/size'))).body).toBe('1');
    expect(await status(act(transaction, 'COMMIT'))).toBeLessThan(300);
    expect((await at.get(path('/size'))).body).toBe('3');
    expect((await revisions({ limit: '1' }))[0]!['ordinal']).toBe(before + 1);
    expect(await status(act(transaction, 'COMMIT'))).toBe(404);
  });
  row('14 ROLLBACK and DELETE', async () => {
    for (const end of ['ROLLBACK', 'DELETE']) {
      const transaction = await begin();
      await act(transaction, 'ADD', TURTLE, '<urn:x> <urn:p> 1 .');
      const ended = end === 'DELETE' ? at.send('DELETE', transaction) : act(transaction, end);
      expect(await status(ended)).toBeLessThan(300);
    }
    expect((await at.get(path('/size'))).body).toBe('3');
  });
  row('14 application/x-rdftransaction', async () => {
    const body =
      '<transaction><add><uri>urn:t</uri><uri>urn:p</uri><literal>1</literal><contexts/></add><remove><uri>urn:b</uri><null/><null/><contexts/></remove></transaction>';
    expect(await status(at.send('POST', path('/statements'), { type: 'application/x-rdftransaction', body }))).toBe(
      204,
    );
    expect(await at.lines('?subj=urn:t')).toHaveLength(1);
    expect(await at.lines('?subj=urn:b')).toHaveLength(0);
  });
});

describe('15 revisions', () => {
  row('15 id: UUID v7, IRI, memento, ordinal; the first revision is the creation', async () => {
    const all = await revisions();
    const ordinals = all.map(({ ordinal }) => ordinal as number);
    expect(ordinals).toEqual(ordinals.map((_, i) => ordinals.length - i));
    for (const { uuid, uri } of all) expect([uri, uuid[14]]).toEqual([`urn:quadrille:revision:${String(uuid)}`, '7']);
    expect((await sizeAt('#1')).body).toBe('0');
    expect((await sizeAt(all[0]!['uuid'])).status).toBe(200);
  });
  row('15 accepted as revision-id, with aliases and as header', async () => {
    const tag = etagOf(await add('named'));
    const size = (await at.get(path('/size'))).body;
    await at.send('PUT', path('/refs/release-1'), { type: NT, body: tag });
    const [{ ordinal, datetime } = {}] = await revisions({ limit: '1' });
    await add('later');
    const refs = [
      `<urn:quadrille:revision:${tag}>`,
      `urn:dydra:revision:${tag}`,
      `urn:uuid:${tag}`,
      tag,
      `"${tag}"`,
      'HEAD~1',
      `#${String(ordinal)}`,
      'release-1',
      `"${String(datetime)}"^^xsd:dateTime`,
    ];
    for (const ref of refs) expect([ref, (await sizeAt(ref)).body]).toEqual([ref, size]);
    for (const name of ['revision', 'revision-uuid']) expect((await sizeAt(tag, name)).body).toBe(size);
    expect((await at.get(path('/size'), undefined, { headers: { Revision: tag } })).body).toBe(size);
    expect((await sizeAt('TAIL')).body).toBe('0');
    expect(Number((await sizeAt('HEAD')).body)).toBe(Number(size) + 1);
    expect((await sizeAt('2100-01-01')).body).toBe((await sizeAt('HEAD')).body);
  });
  row('15 malformed 400, unknown 404, empty as if absent, an interval for one 400', async () => {
    for (const [ref, expected] of [
      ['not a revision', 400],
      [UNKNOWN, 404],
      ['#9999', 404],
      ['', 200],
      ['*--*', 400],
    ] as const)
      expect([ref, (await sizeAt(ref)).status]).toEqual([ref, expected]);
  });
  row('15 on a write: 400, nothing executed', async () => {
    const before = (await at.get(path('/size'))).body;
    for (const [method, rest, type, body] of [
      ['POST', '/sparql', 'application/sparql-update', 'CLEAR ALL'],
      ['POST', '/statements', TURTLE, '<urn:x> <urn:p> 1 .'],
      ['PUT', '/statements', TURTLE, '<urn:x> <urn:p> 1 .'],
      ['DELETE', '/statements', undefined, undefined],
      ['PATCH', '/service', 'application/n-quads', '<urn:x> <urn:p> 1 .'],
    ] as const)
      expect([
        method,
        rest,
        await status(
          at.send(method, path(rest, { 'revision-id': 'HEAD' }), {
            ...(type ? { type } : {}),
            ...(body ? { body } : {}),
          }),
        ),
      ]).toEqual([method, rest, 400]);
    expect((await at.get(path('/size'))).body).toBe(before);
  });
  row('15 applies to sparql, service, statements, size, contexts, exports, views', async () => {
    await at.send('PUT', path('/views/count'), {
      type: 'application/sparql-query',
      body: 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
    });
    const revision = { 'revision-id': '#1' };
    expect(
      (await at.get(path('/sparql', { query: 'ASK { ?s ?p ?o }', ...revision }), 'text/boolean')).body.trim(),
    ).toBe('false');
    expect((await at.get(path('/service', revision), 'application/n-quads')).body).toBe('');
    expect((await at.get(path('/statements', revision))).body).toBe('');
    expect((await at.get(path('/contexts', revision), 'text/csv')).body.trim()).toBe('contextID');
    expect((await at.get(path('.nq', revision))).body).toBe('');
    expect((await at.get(path('/views/count', revision), 'text/csv')).body).toBe('n\r\n0\r\n');
  });
  row('15 a write that changes nothing makes no revision', async () => {
    const first = etagOf(await add('twice'));
    expect(etagOf(await add('twice'))).toBe(first);
  });
  row('15 headers on a revision read', async () => {
    const [newest, { uuid } = {}] = await revisions({ limit: '2' });
    const answer = await sizeAt(String(uuid));
    expect(etagOf(answer)).toBe(uuid);
    expect(answer.headers.get('memento-datetime')).toMatch(/ GMT$/);
    const link = answer.headers.get('link') ?? '';
    for (const rel of ['original', 'timegate', 'timemap', 'first', 'prev', 'next', 'last', 'memento'])
      expect(link).toContain(rel);
    expect(link).toContain(String(newest!['uuid']));
    expect(answer.headers.get('cache-control')).toBe('max-age=86400, immutable');
    expect((await sizeAt('HEAD')).headers.get('cache-control') ?? '').not.toContain('immutable');
  });
  row('15 timemap: formats, link-format, timegates, paging', async () => {
    for (const type of [
      'application/n-triples',
      'application/n-quads',
      TURTLE,
      'application/ld+json',
      'application/json',
      'application/link-format',
    ])
      expect(typeOf(await at.get(path('/timemap'), type))?.split(';')[0]).toBe(type);
    expect(typeOf(await at.get(at.repository, 'application/link-format'))).toBe('application/n-triples');
    const original = at.url + at.repository;
    expect((await at.get(`/timemap/link/${original}`)).body).toContain('rel="original"');
    const gate = await at.get(path('/timegate'), undefined, {
      headers: { 'Accept-Datetime': new Date().toUTCString() },
    });
    expect([gate.status, gate.headers.get('location')]).toEqual([302, expect.stringContaining('revision-id=')]);
    expect(await status(at.get(`/timegate/${original}`))).toBe(302);
    const page = await at.get(path('/timemap', { limit: '2' }), 'application/json');
    expect(JSON.parse(page.body)).toHaveLength(2);
    expect(page.headers.get('link')).toContain('before=');
  });
  row('15 timemap triples', async () => {
    const { body } = await at.get(path('/timemap'));
    const original = at.url + at.repository;
    const tb = 'http://www.mementoweb.org/terms/tb/';
    const ore = 'http://www.openarchives.org/ore/terms/';
    const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
    const [{ uuid } = {}] = await revisions({ limit: '1' });
    const memento = `${original}?revision-id=${String(uuid)}`;
    for (const line of [
      `<${original}/timemap> ${type} <${ore}ResourceMap> .`,
      `<${original}/timemap> ${type} <${tb}TimeMap> .`,
      `<${original}/timemap> <${ore}describes> <${original}/timemap#bundle> .`,
      `<${original}/timemap#bundle> ${type} <${tb}TimeBundle> .`,
      `<${original}/timemap#bundle> <${ore}aggregates> <${original}> .`,
      `<${original}/timemap#bundle> <${ore}aggregates> <${original}/timegate> .`,
      `<${original}/timemap#bundle> <${ore}aggregates> <${memento}> .`,
      `<${original}/timegate> ${type} <${tb}TimeGate> .`,
      `<${original}/timegate> <${tb}timeGateFor> <${original}> .`,
      `<${memento}> ${type} <${tb}Memento> .`,
      `<${memento}> <${tb}mementoFor> <${original}> .`,
      `<${memento}> <http://purl.org/dc/terms/isVersionOf> <urn:quadrille:revision:${String(uuid)}> .`,
      `<urn:quadrille:revision:${String(uuid)}> ${type} <urn:quadrille:Revision> .`,
    ])
      expect(body).toContain(line);
    for (const name of ['validOver', 'Period', 'start', 'end']) expect(body).toContain(`<${tb}${name}>`);
    for (const name of ['ordinal', 'added', 'removed', 'agent']) expect(body).toContain(`<urn:quadrille:${name}>`);
    for (const iri of ['http://purl.org/dc/terms/created', 'http://www.w3.org/ns/prov#wasRevisionOf'])
      expect(body).toContain(`<${iri}>`);
  });
  row('15 Accept-Datetime: at or before; before the first the first; unparsable 400', async () => {
    const at1 = (rest: string, time: string) => at.get(rest, undefined, { headers: { 'Accept-Datetime': time } });
    for (const rest of [at.repository, path('/statements'), path('/service'), path('/sparql', { query: 'ASK {}' })]) {
      const answer = await at1(rest, 'Thu, 01 Jan 2099 00:00:00 GMT');
      expect([rest, answer.status, answer.headers.has('memento-datetime')]).toEqual([rest, 200, true]);
    }
    expect((await at1(path('/statements'), 'Thu, 01 Jan 1970 00:00:00 GMT')).body).toBe('');
    expect((await at1(path('/statements'), 'yesterday')).status).toBe(400);
  });
  row('15 list: JSON, N-Triples, CSV, text; one', async () => {
    const [newest] = await revisions({ limit: '1' });
    expect(Object.keys(newest!)).toEqual(
      expect.arrayContaining(['uuid', 'ordinal', 'datetime', 'predecessor', 'added', 'removed', 'agent', 'message']),
    );
    for (const type of ['application/n-triples', 'text/csv'])
      expect((await at.get(path('/revisions'), type)).body).toContain(String(newest!['uuid']));
    expect((await at.get(path('/revisions'), NT)).body.trim().split('\n').at(-1)).toBe(newest!['uuid']);
    expect(await revisions({ before: '#3' })).toHaveLength(2);
    expect(await jsonOf(at.get(path('/revisions/HEAD')))).toEqual(newest);
  });
  row('15 diff', async () => {
    await add('different');
    for (const type of ['application/rdf-patch', 'application/sparql-update', 'application/trig', 'application/json']) {
      const { body } = await at.get(path('/diff', { from: 'HEAD~1', to: 'HEAD' }), type);
      expect([type, body]).toEqual([type, expect.stringContaining('urn:different')]);
    }
    const interval = await at.get(path('/statements', { 'revision-id': 'HEAD~1--HEAD' }), 'application/rdf-patch');
    expect(interval.body).toContain('urn:different');
    expect((await at.get(path('/diff', { from: 'HEAD~1', subj: 'urn:none' }), 'application/json')).body.trim()).toBe(
      '[]',
    );
  });
  row('15 history', async () => {
    await at.send('DELETE', path('/statements', { subj: 'urn:different' }));
    const { body } = await at.get(path('/history', { subj: 'urn:different' }), 'text/csv');
    expect(body).toMatch(/insert/);
    expect(body).toMatch(/delete/);
  });
  row('15 revert, reset: new revisions, 204 and ETag', async () => {
    const undone = await at.send('POST', path('/revisions/HEAD/revert'));
    expect([undone.status, etagOf(undone).length]).toEqual([204, 36]);
    expect(await at.lines('?subj=urn:different')).toHaveLength(1);
    const count = (await revisions()).length;
    const reset = await at.send('POST', path('/reset', { to: '#1' }));
    expect([reset.status, (await at.get(path('/size'))).body, (await revisions()).length]).toEqual([
      204,
      '0',
      count + 1,
    ]);
    await at.send('POST', path('/reset', { to: 'HEAD~1' }));
  });
  row('15 tags', async () => {
    expect(await status(at.send('PUT', path('/refs/v2')))).toBe(201);
    expect(await jsonOf(at.get(path('/refs/v2')))).toMatchObject({
      uuid: (await revisions({ limit: '1' }))[0]!['uuid'],
    });
    expect(Object.keys(await jsonOf(at.get(path('/refs'))))).toContain('v2');
    expect(await status(at.send('DELETE', path('/refs/v2')))).toBe(204);
    expect(await status(at.get(path('/refs/v2')))).toBe(404);
  });
  row('15 commit metadata: Revision-Message, agent; If-Match 412', async () => {
    await add('said', { 'Revision-Message': 'as told' });
    expect((await revisions({ limit: '1' }))[0]).toMatchObject({ message: 'as told', agent: 'default' });
    expect(await status(add('late', { 'If-Match': `"${UNKNOWN}"` }))).toBe(412);
  });
  row('15 GRAPH <urn:quadrille:timemap>', async () => {
    const text = 'SELECT (COUNT(*) AS ?n) { GRAPH <urn:quadrille:timemap> { ?r a <urn:quadrille:Revision> } }';
    const { body } = await at.get(path('/sparql', { query: text }), 'text/csv');
    expect(body).toBe(`n\r\n${String((await revisions()).length)}\r\n`);
  });
});
