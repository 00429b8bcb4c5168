// Paths and namespaces of the interface, row by row, with curl against the bundled server.
import { describe, expect } from 'vitest';
import { jsonOf, query, row, scene, status, TURTLE, typeOf } from '../scene.js';

const at = scene();
const namespaces = (prefix = ''): string => `${at.repository}/namespaces${prefix === '' ? '' : `/${prefix}`}`;
const put = (prefix: string, body: string, type?: string) =>
  at.send('PUT', namespaces(prefix), { body, ...(type === undefined ? {} : { type }) });
const ask = (text: string) => at.get(`${at.repository}/sparql?${query({ query: text })}`, 'text/boolean');

describe('4 path forms', () => {
  row('4 /A/R, /A/repositories/R, /repositories/A/R and the older roots', async () => {
    for (const root of [
      '/default/people',
      '/default/repositories/people',
      '/repositories/default/people',
      '/sesame2/default/repositories/people',
      '/system/accounts/default/repositories/people',
      '/accounts/default/repositories/people',
    ])
      expect([root, (await at.get(`${root}/size`)).body]).toEqual([root, '0']);
    for (const leaf of ['revisions', 'views'])
      expect(await status(at.get(`/system/accounts/default/repositories/people/${leaf}`))).toBe(200);
  });
  row('4 /repositories: the list of the account; /repositories/A: the account', async () => {
    expect(await jsonOf(at.get('/repositories'))).toEqual(await jsonOf(at.get('/default/repositories')));
    expect(await jsonOf(at.get('/repositories/default'))).toMatchObject({ name: 'default' });
  });
  row('4 /A/protocol: 6', async () => {
    const answer = await at.get('/default/protocol');
    expect([answer.status, typeOf(answer), answer.body]).toEqual([200, 'text/plain; charset=utf-8', '6']);
  });
  row('4 a slash at the end; absolute-form targets', async () => {
    expect(await status(at.get('/default/people/size/'))).toBe(200);
    const absolute = await at.get(`${at.url}/default/people/size`, undefined, {
      args: ['--request-target', `${at.url}/default/people/size`],
    });
    expect([absolute.status, absolute.body]).toEqual([200, '0']);
  });
});

describe('5 namespaces', () => {
  row('5 PUT: trimmed, without a type; what is no IRI or no prefix 400', async () => {
    expect(await status(put('ex', ' http://e.org/ns# \n', 'text/plain'))).toBe(204);
    expect(await status(put('two', 'urn:two:'))).toBe(204);
    for (const [prefix, iri] of [
      ['bad', 'not an iri'],
      ['bad', ''],
      ['__proto__', 'urn:x:'],
      ['a%20b', 'urn:x:'],
      ['1a', 'urn:x:'],
    ] as const)
      expect([prefix, iri, await status(put(prefix, iri))]).toEqual([prefix, iri, 400]);
  });
  row('5 list: a map for JSON and */*; rows of prefix and namespace', async () => {
    const map = { ex: 'http://e.org/ns#', two: 'urn:two:' };
    for (const accept of ['application/json', '*/*']) expect(await jsonOf(at.get(namespaces(), accept))).toEqual(map);
    for (const type of [
      'application/sparql-results+json',
      'application/sparql-results+xml',
      'text/csv',
      'text/tab-separated-values',
    ]) {
      const { body } = await at.get(namespaces(), type);
      for (const text of ['prefix', 'namespace', 'http://e.org/ns#']) expect(body).toContain(text);
    }
    const { results } = JSON.parse((await at.get(namespaces(), 'application/sparql-results+json')).body);
    expect(results.bindings[0].namespace.type).toBe('literal');
  });
  row('5 one: text/plain, SRJ; JSON 406; unknown 404', async () => {
    const one = await at.get(namespaces('ex'));
    expect([typeOf(one), one.body]).toEqual(['text/plain; charset=utf-8', 'http://e.org/ns#']);
    expect(await status(at.get(namespaces('ex'), 'application/sparql-results+json'))).toBe(200);
    expect(await status(at.get(namespaces('ex'), 'application/json'))).toBe(406);
    expect(await status(at.get(namespaces('none')))).toBe(404);
  });
  row('5 effect: repository beats account, PREFIX beats both; prefixes of documents; updates too', async () => {
    await at.fill('<http://e.org/ns#a> <http://xmlns.com/foaf/0.1/name> "A" .');
    expect((await ask('ASK { ex:a foaf:name "A" }')).body.trim()).toBe('true');
    expect((await ask('PREFIX ex: <urn:> ASK { ex:a ?p ?o }')).body.trim()).toBe('false');
    for (const type of [TURTLE, 'application/trig', 'application/rdf+xml', 'application/ld+json'])
      expect([type, (await at.get(`${at.repository}/statements`, type)).body]).toEqual([
        type,
        expect.stringContaining('ex'),
      ]);
    expect((await at.get(`${at.repository}/statements`, TURTLE)).body).toContain('ex:a foaf:name');
    await put('foaf', 'urn:foaf:');
    expect((await ask('ASK { ex:a foaf:name "A" }')).body.trim()).toBe('false');
    const update = { type: 'application/sparql-update', body: 'INSERT DATA { ex:b foaf:x 1 }' };
    expect(await status(at.send('POST', `${at.repository}/sparql`, update))).toBe(204);
    expect(await at.lines('?pred=urn:foaf:x')).toHaveLength(1);
  });
  row('5 default content: of the account; the repository shows its own alone', async () => {
    for (const prefix of ['rdf', 'rdfs', 'xsd', 'owl', 'dc', 'dcterms', 'skos']) {
      expect(await status(ask(`ASK { ?s ?p ${prefix}:x }`))).toBe(200);
      expect(await status(at.get(namespaces(prefix)))).toBe(404);
    }
  });
  row('5 DELETE: one, unknown, all: 204', async () => {
    expect(await status(at.send('DELETE', namespaces('none')))).toBe(204);
    expect(await status(at.send('DELETE', namespaces('ex')))).toBe(204);
    expect(await status(at.send('DELETE', namespaces()))).toBe(204);
    expect(await jsonOf(at.get(namespaces()))).toEqual({});
    expect((await ask('ASK { <http://e.org/ns#a> foaf:name "A" }')).body.trim()).toBe('true');
  });
  row('5 an undeclared prefix: 400 with a JSON error', async () => {
    const answer = await ask('ASK { ?s none:p ?o }');
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'SPARQL_SYNTAX']);
  });
});
