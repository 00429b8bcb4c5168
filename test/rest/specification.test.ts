// Every endpoint of the Graph Repository Service (docs/reference/interface.md), with curl against the bundled server.
// A line is printed for each.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, curl, hasCurl, serve, type Served, stopStores } from './curl.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const NT = '<urn:a> <urn:p> "1" .\n<urn:b> <urn:p> <urn:a> .\n';
const RECORD = {
  repository_id: expect.stringMatching(/^default\//),
  name: expect.any(String),
  triple_count: expect.any(Number),
  byte_size: expect.any(Number),
};
const JOB = {
  uuid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  status: expect.stringMatching(/^(pending|running|completed|failed|aborted)$/),
  working: expect.any(Boolean),
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/),
  message: expect.any(String),
  pct: expect.any(Number),
};

let directory: string;
let host: Server;
let served: Served;
let repository: string;
let documents: string;
beforeAll(async () => {
  if (!hasCurl) return console.log('curl is not installed: no row of the specification is tried');
  directory = await mkdtemp(join(tmpdir(), 'quadrille-rest-'));
  await writeFile(join(directory, 'data.ttl'), '@prefix e: <urn:> . e:file e:p <rel> .');
  host = createServer((request, response) => {
    if (request.url !== '/data.nt') return void setTimeout(() => response.end(), 20_000).unref();
    response.setHeader('Content-Type', 'application/n-triples').end('<urn:fetched> <urn:p> "x" .\n');
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  const address = `127.0.0.1:${String((host.address() as AddressInfo).port)}`;
  documents = `http://${address}`;
  served = await serve(join(directory, 'store'), '--allow', address);
  repository = `${served.url}/default/people`;
});
afterAll(async () => {
  if (!hasCurl) return;
  served.child.kill('SIGTERM');
  await new Promise((done) => served.child.once('close', done));
  host.closeAllConnections();
  host.close();
  await stopStores();
  await rm(directory, { recursive: true, force: true });
});

/** With the token as user and an empty password. */
const as = (...args: readonly string[]): Promise<Answer> => curl('-u', `${served.token}:`, ...args);

/** A row: what is sent, and what has to come back. */
function row(name: string, run: () => Promise<void>): void {
  test.skipIf(!hasCurl)(name, async () => {
    await run();
    console.log(`ok  ${name}`);
  });
}

const type = (answer: Answer): string | undefined => answer.headers.get('content-type');
const json = (answer: Answer): unknown => {
  expect([answer.status, type(answer)]).toEqual([200, JSON_TYPE]);
  return JSON.parse(answer.body);
};
const done = (answer: Answer, status: number): void => expect([answer.status, answer.body]).toEqual([status, '']);
const statements = (parameters = ''): string => `${repository}/statements${parameters}`;
const parameter = (name: string, value: string): string[] => ['-G', '--data-urlencode', `${name}=${value}`];
/** Without an address among the arguments to the statements. A text that begins with @ would be a file to curl. */
const post = (body: string, contentType: string, ...args: readonly string[]): Promise<Answer> => {
  const to = args.some((arg) => arg.startsWith('http')) ? [] : [statements()];
  return as(...args, ...to, '-H', `Content-Type: ${contentType}`, '--data-binary', body.replace(/^@/, ' @'));
};
const lines = async (...args: readonly string[]): Promise<string[]> => {
  const answer = await as('-H', 'Accept: text/plain', ...args, statements());
  expect([answer.status, type(answer)]).toEqual([200, TEXT]);
  return answer.body
    .split('\n')
    .filter((line) => line !== '')
    .sort();
};
const size = async (): Promise<string> => (await as(`${repository}/size`)).body;
const empty = (): Promise<Answer> => as('-X', 'DELETE', statements());

describe('4.3 create repository', () => {
  row('4.3 POST /A/repositories repository[name]', async () => {
    const answer = await as(
      '-H',
      'Accept: application/json',
      '-d',
      'repository[name]=people',
      `${served.url}/default/repositories`,
    );
    expect(json(answer)).toMatchObject({
      repository_id: 'default/people',
      name: 'people',
      summary: null,
      description: null,
      homepage: null,
      triple_count: 0,
      byte_size: 0,
    });
  });
  row('4.3 repository[summary], [description], [homepage]', async () => {
    const fields = [
      'repository[name]=More Data!',
      'repository[summary]=short',
      'repository[description]=*long*',
      'repository[homepage]=http://e.org/',
    ];
    const answer = await as(
      ...fields.flatMap((field) => ['--data-urlencode', field]),
      `${served.url}/default/repositories`,
    );
    expect(json(answer)).toMatchObject({
      repository_id: 'default/more-data',
      name: 'More Data!',
      summary: 'short',
      description: '*long*',
      homepage: 'http://e.org/',
    });
  });
});

describe('4.2 repository list', () => {
  row('4.2 GET /A/repositories', async () => {
    const answer = await as('-H', 'Accept: application/json', `${served.url}/default/repositories`);
    const list = json(answer) as Record<string, unknown>[];
    expect(list.map((record) => record['repository_id'])).toEqual([
      'default/default',
      'default/more-data',
      'default/people',
    ]);
    for (const record of list) expect(record).toMatchObject(RECORD);
    expect(list[2]).toMatchObject({ summary: '', description: null, homepage: null });
  });
});

describe('4.5 repository metadata', () => {
  row('4.5 GET meta', async () => {
    expect(json(await as('-H', 'Accept: application/json', `${repository}/meta`))).toMatchObject({
      ...RECORD,
      summary: null,
    });
  });
  row('4.5 PUT meta repository[…]', async () => {
    const fields = [
      'repository[name]=People',
      'repository[summary]=s',
      'repository[description]=d',
      'repository[homepage]=http://e.org/h',
    ];
    done(await as('-X', 'PUT', ...fields.flatMap((field) => ['--data-urlencode', field]), `${repository}/meta`), 200);
    expect(json(await as(`${repository}/meta`))).toMatchObject({
      repository_id: 'default/people',
      name: 'People',
      summary: 's',
      description: 'd',
      homepage: 'http://e.org/h',
    });
  });
  row('4.5 PUT meta with plain field names', async () => {
    done(await as('-X', 'PUT', '-d', 'summary=plain', `${repository}/meta`), 200);
    expect(json(await as(`${repository}/meta`))).toMatchObject({ summary: 'plain', description: 'd' });
  });
});

describe('4.6 statements: operations', () => {
  row('4.6 POST body', async () => {
    done(await post(NT, 'text/plain'), 204);
    expect(await size()).toBe('2');
  });
  row('4.6 GET', async () => {
    const answer = await as('-H', 'Accept: text/plain', statements());
    expect([answer.status, type(answer)]).toEqual([200, TEXT]);
    expect(answer.body.split('\n').sort().join('\n').trim()).toBe(NT.trim());
    expect(answer.headers.get('etag')).toMatch(/^"[0-9a-f-]{36}"$/);
  });
  row('4.6 PUT body', async () => {
    done(await post('<urn:c> <urn:p> "3" .', 'text/plain', '-X', 'PUT'), 204);
    expect(await lines()).toEqual(['<urn:c> <urn:p> "3" .']);
  });
  row('4.6 DELETE', async () => {
    done(await empty(), 204);
    expect(await lines()).toEqual([]);
  });
  const formats: readonly (readonly [string, string])[] = [
    ['text/plain', '<urn:a> <urn:p> "x" .'],
    ['application/x-turtle', '@prefix : <urn:> . :a :p "x" .'],
    ['text/rdf+n3', '@prefix : <urn:> . :a :p "x" .'],
    [
      'application/rdf+xml',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><rdf:Description rdf:about="urn:a"><u:p>x</u:p></rdf:Description></rdf:RDF>',
    ],
  ];
  for (const [mediaType, body] of formats) {
    row(`2.7 ${mediaType} in and out`, async () => {
      done(await post(body, mediaType, '-X', 'PUT'), 204);
      expect(await lines()).toEqual(['<urn:a> <urn:p> "x" .']);
      const answer = await as('-H', `Accept: ${mediaType}`, statements());
      expect(answer.status).toBe(200);
      expect(type(answer)).toMatch(mediaType);
      done(await post(answer.body, mediaType, '-X', 'PUT'), 204);
      expect(await lines()).toEqual(['<urn:a> <urn:p> "x" .']);
    });
  }
});

describe('4.6 statements: parameters', () => {
  row('4.6 POST file (multipart)', async () => {
    await empty();
    done(
      await as(
        '-F',
        `file=@${join(directory, 'data.ttl')};type=application/x-turtle`,
        '-F',
        'baseURI=http://e.org/',
        statements(),
      ),
      204,
    );
    expect(await lines()).toEqual(['<urn:file> <urn:p> <http://e.org/rel> .']);
  });
  row('4.6 PUT file (multipart)', async () => {
    done(
      await as(
        '-X',
        'PUT',
        '-F',
        `file=@${join(directory, 'data.ttl')}`,
        '--form-string',
        'baseURI=<http://f.org/>',
        statements(),
      ),
      204,
    );
    expect(await lines()).toEqual(['<urn:file> <urn:p> <http://f.org/rel> .']);
  });
  row('4.6 POST url', async () => {
    done(await as('--data-urlencode', `url=${documents}/data.nt`, statements()), 204);
    expect(await lines(...parameter('subj', '<urn:fetched>'))).toHaveLength(1);
  });
  row('4.6 PUT url', async () => {
    done(await as('-X', 'PUT', '--data-urlencode', `url=${documents}/data.nt`, statements()), 204);
    expect(await lines()).toEqual(['<urn:fetched> <urn:p> "x" .']);
  });
  row('4.6 POST baseURI', async () => {
    done(await post('<x> <p> <y> .', 'application/x-turtle', statements('?baseURI=http://e.org/')), 204);
    expect(await lines(...parameter('subj', '<http://e.org/x>'))).toEqual([
      '<http://e.org/x> <http://e.org/p> <http://e.org/y> .',
    ]);
  });
  row('4.6 POST, PUT and GET context', async () => {
    done(await post(NT, 'text/plain', statements('?context=urn:g')), 204);
    done(await post(NT, 'text/plain', '-X', 'PUT', statements('?context=%3Curn:h%3E')), 204);
    expect(await lines(...parameter('context', 'urn:g'))).toHaveLength(2);
    expect(await lines(...parameter('context', '<urn:h>'))).toHaveLength(2);
    expect(await size()).toBe('6');
  });
  row('4.6 GET subj', async () =>
    expect(await lines(...parameter('subj', '<urn:b>'))).toEqual(['<urn:b> <urn:p> <urn:a> .']),
  );
  row('4.6 GET pred', async () => expect(await lines(...parameter('pred', '<http://e.org/p>'))).toHaveLength(1));
  row('4.6 GET obj', async () => expect(await lines(...parameter('obj', '"1"'))).toEqual(['<urn:a> <urn:p> "1" .']));
  row('4.6 DELETE subj, pred, obj, context', async () => {
    const removed = (name: string, value: string): Promise<Answer> =>
      as('-X', 'DELETE', ...parameter(name, value), statements());
    done(await removed('subj', '<urn:b>'), 204);
    expect(await size()).toBe('4');
    done(await removed('pred', '<http://e.org/p>'), 204);
    expect(await size()).toBe('3');
    done(await removed('context', '<urn:h>'), 204);
    expect(await size()).toBe('2');
    done(await removed('obj', '"1"'), 204);
    expect(await size()).toBe('1');
  });
});

describe('4.7 to 4.9', () => {
  row('4.7 GET size', async () => {
    await empty();
    await post(NT, 'text/plain', statements('?context=urn:g'));
    const answer = await as(`${repository}/size`);
    expect([answer.status, type(answer), answer.body]).toEqual([200, TEXT, '2']);
  });
  row('4.8 GET status', async () => {
    expect(json(await as('-H', 'Accept: application/json', `${repository}/status`))).toMatchObject({
      ...JOB,
      status: 'completed',
      working: false,
      pct: 100,
    });
  });
  row('4.9 GET contexts as JSON', async () => {
    const answer = await as('-H', 'Accept: application/sparql-results+json', `${repository}/contexts`);
    expect([answer.status, type(answer)]).toEqual([200, 'application/sparql-results+json; charset=utf-8']);
    expect(JSON.parse(answer.body)).toMatchObject({
      head: { vars: ['contextID'] },
      results: { bindings: [{ contextID: { type: 'uri', value: 'urn:g' } }] },
    });
  });
  for (const mediaType of ['application/sparql-results+xml', 'text/csv', 'text/tab-separated-values']) {
    row(`4.9 GET contexts as ${mediaType}`, async () => {
      const answer = await as('-H', `Accept: ${mediaType}`, `${repository}/contexts`);
      expect([answer.status, type(answer)]).toEqual([200, `${mediaType}; charset=utf-8`]);
      expect(answer.body).toContain('urn:g');
    });
  }
});

describe('4.10 namespaces', () => {
  const one = (): string => `${repository}/namespaces/ex`;
  row('4.10 PUT namespaces/<PREFIX>', async () =>
    done(await as('-X', 'PUT', '-H', 'Content-Type: text/plain', '-d', 'http://e.org/ns#', one()), 204),
  );
  row('4.10 GET namespaces/<PREFIX>', async () => {
    const answer = await as(one());
    expect([answer.status, type(answer), answer.body]).toEqual([200, TEXT, 'http://e.org/ns#']);
  });
  row('4.10 GET namespaces', async () =>
    expect(json(await as(`${repository}/namespaces`))).toEqual({ ex: 'http://e.org/ns#' }),
  );
  row('4.10 DELETE namespaces/<PREFIX>', async () => {
    done(await as('-X', 'DELETE', one()), 204);
    expect(json(await as(`${repository}/namespaces`))).toEqual({});
  });
  row('4.10 DELETE namespaces', async () => {
    await as('-X', 'PUT', '-d', 'http://e.org/ns#', one());
    done(await as('-X', 'DELETE', `${repository}/namespaces`), 204);
    expect(json(await as(`${repository}/namespaces`))).toEqual({});
  });
});

describe('4.11 jobs', () => {
  row('4.11 GET /jobs and /ops while an import runs, GET /jobs/<JOB_ID>', async () => {
    const importing = curl('-u', `${served.token}:`, '--data-urlencode', `url=${documents}/slow.nt`, statements());
    const list = async (path: string): Promise<Record<string, unknown>[]> =>
      json(await as(`${served.url}${path}`)) as Record<string, unknown>[];
    await expect.poll(() => list('/jobs')).toMatchObject([{ ...JOB, status: 'running', working: true }]);
    const [job] = await list('/ops');
    const path = `/jobs/${String(job?.['uuid'])}`;
    expect(json(await as(`${served.url}${path}`))).toMatchObject({ ...JOB, uuid: job?.['uuid'] });
    expect(json(await as(`${served.url}/repositories${path}`))).toMatchObject({ ...JOB, uuid: job?.['uuid'] });
    done(await as('-X', 'DELETE', `${served.url}${path}`), 204);
    expect((await importing).status).toBe(503);
    expect(await list('/jobs')).toEqual([]);
    expect(json(await as(`${served.url}${path}`))).toMatchObject({ ...JOB, status: 'aborted', working: false });
  });
  row('5 GET /jobs without credentials', async () => {
    const answer = await curl(`${served.url}/jobs`);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Application"']);
  });
});

describe('4.12 revision metadata', () => {
  const BUNDLE = /<http:\/\/www\.mementoweb\.org\/terms\/tb\/TimeBundle>/;
  row('4.12 GET /A/R with Accept application/link-format', async () => {
    const answer = await as('-H', 'Accept: application/link-format', repository);
    expect([answer.status, type(answer)]).toEqual([200, 'application/n-triples']);
    expect(answer.body).toMatch(BUNDLE);
  });
  row('4.12 GET timemap', async () => {
    const answer = await as(`${repository}/timemap`);
    expect([answer.status, type(answer)]).toEqual([200, 'application/n-triples']);
    expect(answer.body).toMatch(BUNDLE);
  });
  row('4.12 GET sparql with query and revision-id', async () => {
    const before = (await as(`${repository}/size`)).headers.get('etag')?.replaceAll('"', '') ?? '';
    await post('<urn:new> <urn:p> "new" .', 'text/plain');
    const ask = ['-H', 'Accept: text/boolean', ...parameter('query', 'ASK { <urn:new> ?p ?o }')];
    const now = await as(...ask, `${repository}/sparql`);
    expect([now.status, type(now), now.body.trim()]).toEqual([200, 'text/boolean; charset=utf-8', 'true']);
    const then = await as(
      ...ask,
      '--data-urlencode',
      `revision-id=<urn:quadrille:revision:${before}>`,
      `${repository}/sparql`,
    );
    expect([then.status, then.body.trim()]).toEqual([200, 'false']);
    const update = [
      '--data-urlencode',
      'update=CLEAR ALL',
      '--data-urlencode',
      `revision-id=<urn:x:revision:${before}>`,
    ];
    expect((await as(...update, `${repository}/sparql`)).status).toBe(400);
    expect(await size()).toBe('3');
  });
});

describe('4.1 every path, and its forms with /repositories', () => {
  const paths = [
    '/meta',
    '/size',
    '/statements',
    '/status',
    '/contexts',
    '/namespaces',
    '/timemap',
    '/sparql?query=ASK%7B%7D',
    '',
  ];
  for (const path of paths) {
    row(`4.1 GET /A/R${path}, /A/repositories/R${path}, /repositories/A/R${path}`, async () => {
      const roots = ['/default/people', '/default/repositories/people', '/repositories/default/people'];
      const answers = await Promise.all(roots.map((root) => as(`${served.url}${root}${path}`)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [first] = answers;
      for (const answer of answers) expect([type(answer), answer.body]).toEqual([type(first!), first?.body]);
      for (const root of roots) {
        const refused = await curl(`${served.url}${root}${path}`);
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Application"']);
      }
    });
  }
});

describe('4.4 delete repository', () => {
  row('4.4 DELETE /A/R', async () => {
    done(await as('-X', 'DELETE', repository), 200);
    const answer = await as(`${repository}/meta`);
    expect([answer.status, type(answer)]).toEqual([404, JSON_TYPE]);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'REPOSITORY_NOT_FOUND',
      status: 404,
      requestId: answer.headers.get('request-id'),
    });
  });
});
