// The threats that concern the server, each with its inputs, over HTTP against the bundled server. A line is printed for each.
// What needs a look inside stands beside the code: rights of every route in packages/server/src/rights.slow.test.ts (I1, I3), time and
// revocation of tokens in packages/server/src/host/authentication.test.ts (A2, A6), names that resolve elsewhere, redirects and slow hosts in
// packages/fetch/src (S3, S4, S5), slow clients in packages/server/src/node/node.slow.test.ts (H1), 100 MB in one line in
// packages/formats/src/lines/line-parser.slow.test.ts (L4), calls of RPC in test/rpc/hostile.test.ts (X3, D1).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect } from 'vitest';
import type { Answer } from './curl.js';
import { FORM, jsonOf, query, row, scene, status, TURTLE, typeOf, WITH_OTHER } from './scene.js';

const at = scene((request, response) => {
  if (request.url === '/away') return void response.writeHead(302, { Location: 'http://127.0.0.1:8080/' }).end();
  response.setHeader('Content-Type', 'text/turtle').end('<urn:a> <urn:p> 1 .');
}, WITH_OTHER);
const directory = mkdtempSync(join(tmpdir(), 'quadrille-security-'));
afterAll(() => rmSync(directory, { recursive: true }));

const statements = (): string => `${at.repository}/statements`;
const other = (): { token: string } => ({ token: at.otherToken });
const size = async (): Promise<number> => Number((await at.get(`${at.repository}/size`)).body);
const codeOf = async (answer: Promise<Answer>): Promise<[number, unknown]> => {
  const { status: found, body } = await answer;
  return [found, body === '' ? '' : JSON.parse(body).code];
};
/** A body that is too long for an argument, or that is no text. */
function post(type: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  const file = join(directory, 'body');
  writeFileSync(file, body);
  return at.send('POST', statements(), { type, headers, args: ['--data-binary', `@${file}`] });
}
const sparql = (text: string): Promise<Answer> => {
  const file = join(directory, 'query');
  writeFileSync(file, text);
  const args = ['--data-binary', `@${file}`];
  return at.send('POST', `${at.repository}/sparql`, { type: 'application/sparql-query', args });
};
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(at.url).port), '127.0.0.1', () => socket.write(text));
    socket.setTimeout(5000, () => socket.destroy());
    socket
      .on('data', (chunk) => (answer += chunk.toString()))
      .on('close', () => resolve(answer))
      .on('error', reject);
  });

describe('A credentials', () => {
  row('A3 wrong or absent credentials: 401, the same body for all', async () => {
    const bodies = new Set<string>();
    for (const value of [
      'Basic Og==',
      'Basic !!!',
      'Basic dG9rZW4=',
      'Bearer x',
      `Basic ${Buffer.from(`nobody:${at.token}`).toString('base64')}`,
    ]) {
      const answer = await at.get('/jobs', undefined, { token: null, headers: { Authorization: value } });
      expect([value, answer.status, answer.headers.get('www-authenticate')]).toEqual([
        value,
        401,
        'Basic realm="Application"',
      ]);
      bodies.add(JSON.parse(answer.body).error);
    }
    expect(bodies.size).toBe(1);
    expect(await status(at.get('/jobs', undefined, { token: 'x'.repeat(20_000) }))).toBe(431);
  });
  row('A4 a token in the address counts for nothing', async () => {
    expect(await status(at.get(`/jobs?auth_token=${at.token}`, undefined, { token: null }))).toBe(401);
  });
});

describe('I other accounts', () => {
  row('I2 jobs of others do not exist', async () => {
    await post(TURTLE, '<urn:a> <urn:p> 1 .');
    const { uuid } = await jsonOf(at.get(`${at.repository}/status`));
    for (const method of ['GET', 'DELETE']) expect(await status(at.send(method, `/jobs/${uuid}`, other()))).toBe(404);
    expect(await jsonOf(at.get('/jobs?status=completed', undefined, other()))).toEqual([]);
  });
  row('I3 revisions, namespaces, contexts, on all path forms', async () => {
    for (const root of ['/default/people', '/default/repositories/people', '/repositories/default/people'])
      for (const leaf of [
        '/timemap',
        '/sparql?query=ASK%7B%7D&revision-id=HEAD',
        '/contexts',
        '/size',
        '/status',
        '/namespaces',
        '/views',
        '/revisions',
        '.nt',
      ])
        expect([root + leaf, await status(at.get(root + leaf, undefined, other()))]).toEqual([root + leaf, 404]);
  });
  row('I4 no query reaches another repository', async () => {
    const ask = async (text: string): Promise<string> =>
      (await at.get(`/other/own/sparql?${query({ query: text })}`, 'text/csv', other())).body;
    await at.send('POST', '/other/repositories', { ...other(), type: FORM, body: 'name=own' });
    for (const pattern of [
      `FROM <${at.url}/default/people> { ?s ?p ?o }`,
      `{ GRAPH <${at.url}/default/people> { ?s ?p ?o } }`,
      `{ SERVICE <${at.url}/default/people/sparql> { ?s ?p ?o } }`,
    ])
      expect(await ask(`SELECT * ${pattern}`)).not.toContain('urn:a');
  });
});

describe('S addresses', () => {
  const importing = (url: string) => at.send('POST', statements(), { type: FORM, body: query({ url }) });
  row('S1 private addresses in every spelling: 403', async () => {
    const urls =
      'http://127.0.0.1:8080/ http://0x7f.1/ http://2130706433/ http://127.1/ http://[::ffff:7f00:1]/ http://[::]/ http://0/ http://localhost./ ' +
      'http://169.254.169.254/latest/meta-data/ http://100.64.0.1/ http://[fd00::1]/ http://[64:ff9b::7f00:1]/ http://[2002:7f00:1::]/ http://①②⑦.⓪.⓪.①/';
    for (const url of urls.split(' ')) {
      expect([url, ...(await codeOf(importing(url)))]).toEqual([url, 403, 'BLOCKED_ADDRESS']);
      expect(await jsonOf(at.get(`${at.repository}/status`))).toMatchObject({ status: 'failed' });
    }
    const context = '{"@context":"http://127.0.0.1:8080/context","@id":"urn:x","p":1}';
    expect((await post('application/ld+json', context)).status).toBe(403);
  });
  row('S2 scheme, port, user: 400', async () => {
    const urls =
      'file:///etc/passwd ftp://e.org/ gopher://e.org/ data:text/turtle, http://a@e.org/ http://e.org:22/ http://e.org:25/ http://e.org:6379/';
    for (const url of urls.split(' ')) expect([url, await status(importing(url))]).toEqual([url, 400]);
  });
  row('S4 a redirect to a private address', async () => {
    expect(await codeOf(importing(`${at.host}/away`))).toEqual([403, 'BLOCKED_ADDRESS']);
  });
  row('S6 LOAD and SERVICE are off', async () => {
    const load = { type: 'application/sparql-update', body: `LOAD <${at.host}/data.ttl>` };
    expect(await status(at.send('POST', `${at.repository}/sparql`, load))).toBeGreaterThanOrEqual(400);
    expect((await sparql(`SELECT * { SERVICE <${at.host}/sparql> { ?s ?p ?o } }`)).status).toBeGreaterThanOrEqual(400);
  });
});

const rdfXml = (type: string, text: string): string =>
  `${type}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="urn:a"><p xmlns="urn:">${text}</p></rdf:Description></rdf:RDF>`;

describe('X and D: documents', () => {
  row('X1 external entities: 400, nothing read', async () => {
    const answer = await post(
      'application/rdf+xml',
      rdfXml('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
    );
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('root:');
  });
  row('X2 entity bombs: 400, soon', async () => {
    const lol = Array.from(
      { length: 10 },
      (_, i) => `<!ENTITY l${String(i + 1)} "${`&l${String(i)};`.repeat(10)}">`,
    ).join('');
    for (const type of [
      `<!DOCTYPE r [<!ENTITY l0 "lol">${lol}]>`,
      `<!DOCTYPE r [<!ENTITY l10 "${'x'.repeat(50_000)}">]>`,
      '<!DOCTYPE r [<!ENTITY % a "x">%a;]>',
    ]) {
      const before = performance.now();
      expect((await post('application/rdf+xml', rdfXml(type, '&l10;'.repeat(2000)))).status).toBe(400);
      expect(performance.now() - before).toBeLessThan(3000);
    }
  });
  row('D1 deep JSON: 400', async () => {
    for (const body of ['['.repeat(500), '{"a":'.repeat(100_000)]) {
      expect((await post('application/ld+json', body)).status).toBe(400);
      expect((await post('application/rdf+json', body)).status).toBe(400);
    }
  });
  row('D2 deep SPARQL: 400', async () => {
    const deep = [502, 5000].map((depth) => `ASK { FILTER(${'('.repeat(depth)}1${')'.repeat(depth)}) }`);
    deep.push(`ASK { ?s ?p ${'[ <urn:p> '.repeat(5000)}1${' ]'.repeat(5000)} }`);
    deep.push(`ASK { ${'{ SELECT * { '.repeat(300)}${'} } '.repeat(300)} }`);
    deep.push(`ASK { ?s ${'('.repeat(502)}<urn:p>${')'.repeat(502)} ?o }`);
    deep.push(`ASK { FILTER(${'!'.repeat(100_000)}true) }`);
    for (const text of deep) {
      const answer = await sparql(text);
      expect([text.slice(0, 40), answer.status]).toEqual([text.slice(0, 40), 400]);
    }
  });
  row('D3 deep RDF/XML and Turtle: 400', async () => {
    const xml = `${'<p xmlns="urn:"><A>'.repeat(300)}${'</A></p>'.repeat(300)}`;
    expect((await post('application/rdf+xml', rdfXml('', '').replace('<p xmlns="urn:"></p>', xml))).status).toBe(400);
    for (const [open, close] of [
      ['[ <urn:p> ', ' ]'],
      ['( ', ' )'],
    ] as const)
      expect((await post(TURTLE, `<urn:a> <urn:p> ${open.repeat(2000)}1${close.repeat(2000)} .`)).status).toBe(400);
  });
});

describe('L and U: limits and text', () => {
  row('L1 long bodies: 413 by what they say', async () => {
    const answer = await raw(
      `POST ${statements()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${at.token}\r\nContent-Type: text/turtle\r\nContent-Length: 3000000000\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect((await sparql(`ASK {} #${'x'.repeat(1024 ** 2)}`)).status).toBe(413);
  });
  row('L2 bombs 413; unknown and nested codings 415', async () => {
    const spaces = Buffer.alloc(100 * 1024 * 1024, ' ');
    expect((await post('text/plain', gzipSync(spaces), { 'Content-Encoding': 'gzip' })).status).toBe(413);
    expect((await post('text/plain', brotliCompressSync(spaces), { 'Content-Encoding': 'br' })).status).toBe(413);
    for (const coding of ['zstd', 'gzip, gzip'])
      expect([coding, (await post('text/plain', 'x', { 'Content-Encoding': coding })).status]).toEqual([coding, 415]);
  });
  row('L3 long terms: 400 with the line and a short message', async () => {
    for (const term of [`<urn:${'x'.repeat(17 * 1024 * 1024)}>`, `"x"@${'a-'.repeat(200)}a`]) {
      const answer = await post('text/plain', `<urn:a> <urn:p> "x" .\n<urn:a> <urn:p> ${term} .\n`);
      expect([answer.status, JSON.parse(answer.body).line]).toEqual([400, 2]);
      expect(JSON.parse(answer.body).error.length).toBeLessThan(400);
    }
  });
  row('U1 invalid UTF-8: 400', async () => {
    for (const bytes of [
      [0xff, 0xfe],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
    ])
      expect(
        (
          await post(
            'text/plain',
            Buffer.concat([Buffer.from('<urn:a> <urn:p> "'), Buffer.from(bytes), Buffer.from('" .')]),
          )
        ).status,
      ).toBe(400);
    for (const parameter of ['subj=%ff', 'subj=%c0%af'])
      expect(await status(at.get(`${statements()}?${parameter}`))).toBe(400);
  });
  row('U2 surrogates 400, NUL kept where it can be, BOM skipped', async () => {
    expect((await post('text/plain', '<urn:a> <urn:p> "\\uD800" .')).status).toBe(400);
    await at.fill('<urn:nul> <urn:p> "a\\u0000b" .');
    expect((await at.get(statements(), 'application/n-triples')).body).toContain('\\u0000');
    expect((await jsonOf(at.get(statements(), 'application/rdf+json')))['urn:nul']['urn:p'][0].value).toBe('a\u0000b');
    expect((await at.get(statements(), 'application/sparql-results+xml')).status).toBe(406);
    const xml = await at.get(
      `${at.repository}/sparql?${query({ query: 'SELECT ?o { ?s ?p ?o }' })}`,
      'application/sparql-results+xml',
    );
    expect(xml.body).not.toContain('\u0000');
    expect((await post(TURTLE, '\ufeff<urn:bom> <urn:p> 1 .')).status).toBe(204);
  });
});

describe('H and P: HTTP and paths', () => {
  row('H2 smuggling: 400', async () => {
    const head = `POST ${statements()} HTTP/1.1\r\nHost: x\r\n`;
    for (const request of [
      `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'GET /health HTTP/1.1\nHost: x\n\n',
      'GET /health HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n',
      `${head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
      `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ])
      expect([request, (await raw(request)).slice(0, 12)]).toEqual([request, 'HTTP/1.1 400']);
  });
  row('H3 line ends never reach a header', async () => {
    const made = await at.send('POST', '/default/repositories', { type: FORM, body: 'name=a%0d%0aSet-Cookie:x=1' });
    expect(made.headers.get('set-cookie')).toBeUndefined();
    for (const path of [
      '/default/a%0d%0aSet-Cookie:x=1',
      `${at.repository}/namespaces/a%0d%0aSet-Cookie:x=1`,
      `${at.repository}/views/a%0d%0aSet-Cookie:x=1`,
    ]) {
      const answer = await at.get(path, undefined, { headers: { 'Client-Request-Id': 'x\ty' } });
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers.get('set-cookie')).toBeUndefined();
    }
  });
  row('P1 paths that lead elsewhere: 400 or 404', async () => {
    for (const name of ['..%2f..%2fetc', '%2e%2e', 'a%00b', 'CON', 'x'.repeat(300), '%E2%80%AE', '%252e', '..'])
      for (const path of [`/default/${name}/size`, `/${name}/people/size`]) {
        const found = await status(at.get(path, undefined, { args: ['--path-as-is'] }));
        expect([path, found === 400 || found === 404]).toEqual([path, true]);
      }
  });
  row('P2 names that collide or are reserved: 422', async () => {
    const create = (name: string) =>
      status(at.send('POST', '/default/repositories', { type: FORM, body: query({ name }) }));
    expect([
      await create('A B'),
      await create('a-b'),
      await create('a_b'),
      await create('Jobs'),
      await create('rpc'),
    ]).toEqual([200, 422, 200, 422, 422]);
  });
});

describe('F and N: names and terms', () => {
  row('F1 members of objects are data, never fields', async () => {
    for (const body of ['repository[__proto__][polluted]=1', 'repository[constructor][prototype][x]=1'])
      expect([body, await status(at.send('POST', '/default/repositories', { type: FORM, body }))]).toEqual([body, 400]);
    expect(
      await status(
        at.send('POST', '/default/repositories', { type: 'application/json', body: '{"__proto__":{"name":"x"}}' }),
      ),
    ).toBe(422);
    for (const prefix of ['constructor', 'toString', 'hasOwnProperty']) {
      expect(await status(at.get(`${at.repository}/namespaces/${prefix}`))).toBe(404);
      expect(await status(at.send('PUT', `${at.repository}/namespaces/${prefix}`, { body: `urn:${prefix}:` }))).toBe(
        204,
      );
      expect((await at.get(`${at.repository}/namespaces/${prefix}`)).body).toBe(`urn:${prefix}:`);
    }
    expect((await sparql('ASK { ?s constructor:p toString:o }')).status).toBe(200);
    expect(await status(at.send('PUT', `${at.repository}/namespaces/__proto__`, { body: 'urn:x:' }))).toBe(400);
  });
  row('N1 terms of parameters: one term and nothing else', async () => {
    await at.fill('<urn:a> <urn:p> "1" .');
    const wrong = [
      '<http://a> <http://p> <http://o> . <http://evil>',
      '# c\n<http://a>',
      '<rel>',
      '"lit"',
      '<a b>',
      '"a"@en-',
      '<http://a> .',
      'http://a> }',
    ];
    for (const value of wrong)
      for (const name of ['subj', 'context']) {
        const path = `${statements()}?${query({ [name]: value })}`;
        expect([value, name, await status(at.get(path))]).toEqual([value, name, 400]);
        expect([value, name, await status(at.send('DELETE', path))]).toEqual([value, name, 400]);
      }
    expect(await status(at.get(`${statements()}?${query({ obj: '"a"@en-' })}`))).toBe(400);
    expect(await size()).toBe(1);
  });
  row('N2 no parameter becomes SPARQL', async () => {
    for (const parameters of [
      { context: '<g> } DELETE WHERE {?s ?p ?o' },
      { 'default-graph-uri': 'urn:g> { } DELETE WHERE { ?s ?p ?o } #' },
      { $s: '<urn:a> } DELETE WHERE { ?s ?p ?o' },
    ] as unknown as Record<string, string>[]) {
      const path = 'context' in parameters ? statements() : `${at.repository}/sparql`;
      const text = 'context' in parameters ? {} : { query: 'SELECT * { ?s ?p ?o }' };
      expect(await status(at.get(`${path}?${query({ ...text, ...parameters })}`))).toBe(400);
    }
    expect(await size()).toBe(1);
  });
});

describe('O and C: what is told, and to whom', () => {
  row('O2 errors tell no stack and no path', async () => {
    for (const answer of [sparql('SELECT'), post(TURTLE, 'x'), at.get('/default/none'), at.send('PATCH', '/health')]) {
      const { body } = await answer;
      expect(Object.keys(JSON.parse(body))).toEqual(expect.arrayContaining(['error', 'code', 'status', 'requestId']));
      expect(body).not.toMatch(/\bat .*:\d+:\d+|node_modules|\/packages\/|\/tmp\//);
    }
  });
  row('O3 stored text is never a page', async () => {
    await at.send('PUT', `${at.repository}/meta`, {
      type: FORM,
      body: query({ summary: '<script>alert(1)</script>' }),
    });
    for (const path of ['', '/meta', '/statements']) {
      const answer = await at.get(at.repository + path, 'text/html, */*;q=0.1');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      if (typeOf(answer)?.startsWith('text/html') === true) expect(answer.body).not.toContain('<script');
    }
  });
  row('C1 origins: * without credentials, whoever asks', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const { headers } = await at.get('/health', undefined, { headers: { Origin: origin } });
      expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]).toEqual([
        '*',
        undefined,
      ]);
    }
  });
  row('C2 what a page of another site makes a browser send changes nothing', async () => {
    await at.fill('<urn:a> <urn:p> "1" .');
    const origin = { Origin: 'https://evil.example' };
    const site = { 'Sec-Fetch-Site': 'cross-site' };
    const senders = [
      { ...origin, ...site, 'Sec-Fetch-Mode': 'navigate' },
      { ...origin, ...site, 'Sec-Fetch-Mode': 'no-cors' },
      { ...origin, ...site, 'Sec-Fetch-Mode': 'cors' },
      // Over http, but to this machine, browsers leave out the other headers.
      origin,
      { Origin: 'null' },
      { Origin: at.url.replace(/\d+$/, '1'), 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
      { ...site, 'Sec-Fetch-Mode': 'cors' },
      { 'User-Agent': 'Mozilla/5.0 (Windows NT 6.1; rv:52.0) Gecko/20100101 Firefox/52.0' },
    ];
    for (const headers of senders)
      for (const [path, body, type] of [
        [`${at.repository}/sparql`, 'update=CLEAR ALL', FORM],
        [`${at.repository}/sparql`, 'query=CLEAR ALL', FORM],
        [`${at.repository}/sparql`, 'query=ASK{}', FORM],
        [statements(), '_method=DELETE', FORM],
        [at.repository, '_method=DELETE', FORM],
        ['/default/repositories', 'name=evil', FORM],
        ['/jobs/x', '_method=DELETE', FORM],
        ['/accounts', '{"name":"mallory","admin":true}', undefined],
        ['/accounts', '{"name":"mallory","admin":true}', 'text/plain'],
        ['/nothing/here/at/all', 'x', 'text/plain'],
      ] as const) {
        const answer = at.send('POST', path, { body, headers, ...(type === undefined ? {} : { type }) });
        expect([path, body, headers, await codeOf(answer)]).toEqual([path, body, headers, [403, 'FOREIGN_ORIGIN']]);
      }
    expect(await size()).toBe(1);
    // A page that shows a token itself, and programs, which have no origin.
    const update = { type: 'application/sparql-update', body: 'CLEAR GRAPH <urn:g>' };
    const bearer = { Authorization: `Bearer ${at.token}`, ...origin, ...site };
    expect(await status(at.send('POST', `${at.repository}/sparql`, { ...update, token: null, headers: bearer }))).toBe(
      204,
    );
    const form = { type: FORM, body: 'update=CLEAR GRAPH <urn:g>' };
    expect(await status(at.send('POST', `${at.repository}/sparql`, form))).toBe(204);
    expect(await status(at.send('POST', `${at.repository}/sparql`, { ...form, headers: { Origin: at.url } }))).toBe(
      204,
    );
  });
  row('A1 the token stands nowhere in the store', async () => {
    // The secret itself may contain underscores.
    const secret = at.token.split('_').slice(2).join('_');
    expect(secret.length).toBeGreaterThan(20);
    const found = execFileSync('sh', ['-c', `grep -rlF -- "${secret}" "${at.store}" || true`]).toString();
    expect(found).toBe('');
  });
});
