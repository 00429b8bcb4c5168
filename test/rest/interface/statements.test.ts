// Statements of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { etagOf, FORM, NT, query, row, scene, status, TURTLE, typeOf } from '../scene.js';

const at = scene((request, response) => {
  if (request.url === '/data.ttl') return void response.end('<x> <urn:p> 1 .');
  response.setHeader('Content-Type', 'text/turtle').end('<x> <urn:p> 1 .');
});
const path = (parameters = ''): string => `${at.repository}/statements${parameters}`;
const DATA = `<urn:a> <urn:p> "1" .
<urn:a> <urn:p> "1" <urn:g> .
<urn:b> <urn:q> <urn:a> <urn:g> .
<urn:c> <urn:p> "c"@en <urn:h> .
_:b <urn:p> "d"^^<urn:t> _:g .
`;
const size = async (parameters = ''): Promise<number> =>
  Number((await at.get(`${at.repository}/size${parameters}`)).body);
const write = (method: string, body: string, parameters = '', type = TURTLE) =>
  at.send(method, path(parameters), { type, body });

describe('2 statements', () => {
  row('2 DELETE response: 204, also when nothing matched', async () => {
    await at.fill(DATA);
    expect(await status(at.send('DELETE', path('?subj=urn:none')))).toBe(204);
    expect(await size()).toBe(5);
    expect(await status(at.send('DELETE', path('?subj=urn:a')))).toBe(204);
    expect(await size()).toBe(3);
  });
  row('2 POST adds; PUT replaces the named contexts, or everything, in one revision', async () => {
    await at.fill(DATA);
    await write('POST', '<urn:x> <urn:p> 1 .');
    expect(await size()).toBe(6);
    const before = await at.get(`${at.repository}/revisions?limit=1`);
    expect(await status(write('PUT', '<urn:y> <urn:p> 1 .', '?context=urn:g'))).toBe(204);
    expect(await at.lines('?context=urn:g')).toHaveLength(1);
    expect(await size()).toBe(5);
    const after = await at.get(`${at.repository}/revisions?limit=1`);
    expect(JSON.parse(after.body)[0].ordinal).toBe(JSON.parse(before.body)[0].ordinal + 1);
    await write('PUT', '<urn:z> <urn:p> 1 .');
    expect(await size()).toBe(1);
  });
  row('2 GET params: infer ignored, Accept as parameter', async () => {
    const answer = await at.get(path('?infer=true&Accept=text/turtle'));
    expect([answer.status, typeOf(answer)]).toEqual([200, 'text/turtle; charset=utf-8']);
  });
  row('2 N-Triples encoding of terms; bare IRIs; unparsable 400', async () => {
    await at.fill(DATA);
    for (const [parameters, count] of [
      ['subj=%3Curn:a%3E', 2],
      ['subj=urn:a', 2],
      ['obj=%221%22', 2],
      ['obj=%22c%22%40en', 1],
      ['obj=%22d%22%5E%5E%3Curn:t%3E', 1],
      ['obj=urn:a', 1],
      ['pred=urn:q', 1],
      ['context=urn:g', 2],
    ] as const)
      expect([parameters, (await at.lines(`?${parameters}`)).length]).toEqual([parameters, count]);
    for (const wrong of ['subj=%22literal%22', 'subj=a%20b', 'pred=_:b', 'obj=%22open', 'context=%22g%22', 'subj=rel'])
      expect([wrong, await status(at.get(path(`?${wrong}`)))]).toEqual([wrong, 400]);
  });
  row('2 aliases subject, predicate, object; DELETE refuses what it does not know', async () => {
    await at.fill(DATA);
    expect(await at.lines('?subject=urn:a&predicate=urn:p&object=%221%22')).toHaveLength(2);
    expect(await status(at.send('DELETE', path('?sub=urn:a')))).toBe(400);
    expect(await size()).toBe(5);
    const tolerated = 'subject=urn:a&infer=false&Accept=text/plain&format=x&timeout=1&user_id=u';
    expect(await status(at.send('DELETE', path(`?${tolerated}`)))).toBe(204);
    expect(await size()).toBe(3);
  });
  row('2 context forms', async () => {
    await at.fill(DATA);
    for (const [context, count] of [
      ['%3Curn:g%3E', 2],
      ['urn:g', 2],
      ['null', 1],
      ['default', 1],
      ['%3Curn:dydra:default%3E', 1],
      ['urn:dydra:all', 5],
      ['urn:dydra:named', 4],
      ['urn:quadrille:named', 4],
    ] as const)
      expect([context, await size(`?context=${context}`)]).toEqual([context, count]);
    const { body } = await at.get(`${at.repository}/contexts`, 'text/csv');
    const blank = body.split(/\r?\n/).find((line) => line.startsWith('_:'))!;
    expect(await size(`?context=${blank}`)).toBe(1);
    for (const many of ['all', 'named'])
      expect(await status(write('POST', '<urn:x> <urn:p> 1 .', `?context=urn:dydra:${many}`))).toBe(400);
  });
  row('2 repeated context: union; on a write each gets the data', async () => {
    await at.fill(DATA);
    expect(await size('?context=urn:g&context=urn:h')).toBe(3);
    expect(await at.lines('?context=urn:g&context=null')).toHaveLength(3);
    await write('POST', '<urn:x> <urn:p> 1 .', '?context=urn:g&context=urn:h');
    expect(await size('?context=urn:g&context=urn:h')).toBe(5);
    await at.send('DELETE', path('?context=urn:g&context=urn:h'));
    expect(await size()).toBe(2);
  });
  row('2 empty context: the default graph', async () => {
    await at.fill(DATA);
    expect(await size('?context=')).toBe(1);
    await at.send('DELETE', path('?context='));
    expect(await size()).toBe(4);
  });
  row('2 context beats the graphs of the body; without it each statement goes to its own', async () => {
    await at.fill('');
    await write('POST', '<urn:a> <urn:p> "1" <urn:g> .', '?context=urn:k', 'application/n-quads');
    expect(await at.lines()).toEqual(['<urn:a> <urn:p> "1" <urn:k> .']);
    await write('POST', '<urn:b> <urn:p> "1" . <urn:g> { <urn:b> <urn:p> "1" }', '', 'application/trig');
    expect(await at.lines('?subj=urn:b')).toEqual(['<urn:b> <urn:p> "1" .', '<urn:b> <urn:p> "1" <urn:g> .']);
  });
  row('2 N-Triples with a fourth term: PUT and POST take it, PATCH does not', async () => {
    await at.fill('');
    expect(await status(write('POST', '<urn:a> <urn:p> "1" <urn:g> .', '', NT))).toBe(204);
    expect(await at.lines()).toEqual(['<urn:a> <urn:p> "1" <urn:g> .']);
    const patch = { type: 'application/n-triples', body: '<urn:a> <urn:p> "1" <urn:g> .' };
    expect(await status(at.send('PATCH', `${at.repository}/service`, patch))).toBe(400);
  });
  row('2 baseURI: <iri> or bare; else the repository, or the address of an import', async () => {
    await at.fill('');
    await write('POST', '<a> <urn:p> 1 .', '?baseURI=%3Chttp://e.org/%3E');
    await write('POST', '<b> <urn:p> 1 .', '?baseURI=http://e.org/');
    await write('POST', '<c> <urn:p> 1 .');
    await at.send('POST', path(), { type: FORM, body: query({ url: `${at.host}/dir/doc` }) });
    expect((await at.lines()).map((line) => line.split(' ')[0])).toEqual(
      [`<${at.url}/default/c>`, `<${at.host}/dir/x>`, '<http://e.org/a>', '<http://e.org/b>'].sort(),
    );
  });
  row('2 multipart: any file part; type, else extension; context and baseURI as fields', async () => {
    await at.fill('');
    const part = (...fields: string[]) => at.send('POST', path(), { args: fields.flatMap((field) => ['-F', field]) });
    expect(
      (await part('context=urn:g', 'baseURI=http://e.org/', 'upload= <a> <urn:p> 1 .;filename=x.ttl')).status,
    ).toBe(204);
    expect((await part('file= <urn:b> <urn:p> 1 .;type=text/turtle;filename=x.bin')).status).toBe(204);
    expect(await at.lines()).toEqual([
      '<http://e.org/a> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> .',
      '<urn:b> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    ]);
  });
  row('2 url import: form or query, an RDF Accept, by type or extension; Location on /service', async () => {
    await at.fill('');
    for (const send of [
      () => at.send('POST', path(), { type: FORM, body: query({ url: `${at.host}/typed` }) }),
      () => at.send('POST', path(`?${query({ url: `${at.host}/data.ttl` })}`)),
      () =>
        at.send('PUT', `${at.repository}/service?graph=urn:g`, {
          headers: { Location: `${at.host}/typed`, 'Content-Length': '0' },
        }),
    ])
      expect([201, 204]).toContain((await send()).status);
    expect(await size('?context=null')).toBe(1);
    expect(await size('?context=urn:g')).toBe(1);
    expect(at.received.at(-1)?.headers['accept']).toContain('text/turtle');
  });
  row('2 SPARQL update on /statements: 204', async () => {
    const direct = { type: 'application/sparql-update', body: 'INSERT DATA { <urn:u> <urn:p> 1 }' };
    expect(await status(at.send('POST', path(), direct))).toBe(204);
    const form = { type: FORM, body: query({ update: 'INSERT DATA { <urn:u> <urn:p> 2 }' }) };
    expect(await status(at.send('POST', path(), form))).toBe(204);
    expect(await at.lines('?subj=urn:u')).toHaveLength(2);
  });
  row('2 unknown Content-Type 415; a form without url, file or update 400 with a hint', async () => {
    expect(await status(write('POST', 'x', '', 'application/x-unknown'))).toBe(415);
    expect(await status(at.send('POST', path(), { body: '<urn:a> <urn:p> 1 .' }))).toBe(415);
    const form = await write('POST', '<urn:a> <urn:p> 1 .', '', FORM);
    expect(form.status).toBe(400);
    expect(form.body).toContain('Content-Type');
  });
  row('2 GET default: N-Triples as text/plain on /statements and /A/R, Turtle on /service', async () => {
    for (const [address, type] of [
      [path(), 'text/plain; charset=utf-8'],
      [at.repository, 'text/plain; charset=utf-8'],
      [`${at.repository}/service`, 'text/turtle; charset=utf-8'],
    ] as const) {
      expect(typeOf(await at.get(address, '*/*'))).toBe(type);
      expect(typeOf(await at.get(address, undefined, { args: ['-H', 'Accept:'] }))).toBe(type);
    }
  });
  row('2 triples of quads: all graphs merged, each once', async () => {
    await at.fill(DATA);
    for (const type of ['application/n-triples', 'text/turtle', 'application/rdf+xml']) {
      const { body } = await at.get(path(), type);
      expect([type, body.match(/>1<|"1"/g)?.length]).toEqual([type, 1]);
    }
  });
  row('2 extension URLs', async () => {
    for (const extension of ['nt', 'ttl', 'rdf', 'nq', 'trig', 'jsonld', 'rj', 'trix'])
      expect([extension, await status(at.get(`${at.repository}.${extension}`, 'text/html'))]).toEqual([extension, 200]);
    expect(await status(at.get(`${at.repository}.xyz`))).toBe(404);
  });
  row('2 blank nodes keep their ids', async () => {
    await at.fill('_:x <urn:p> _:y .');
    const [line] = await at.lines();
    expect(await at.lines()).toEqual([line]);
    expect(await at.lines(`?subj=${encodeURIComponent(line!.split(' ')[0]!)}`)).toEqual([line]);
  });
  row('2 empty result: 200 and an empty body', async () => {
    await at.fill('');
    const answer = await at.get(path());
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(etagOf(answer)).not.toBe('');
  });
});
