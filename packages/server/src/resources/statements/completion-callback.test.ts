import { FetchError } from '@quadrille/model';
import { type Callback, openService, type Service, type ServiceOptions } from '../../host/index.js';
import { open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHandler, type Handler } from '../../handler.js';

const OWNER = { account: 'acme', readOnly: false, admin: false };
const HERE = 'https://client.example/done';

let service: Service;
let handler: Handler;
let token: string;
let sent: Callback[];
let statuses: number[];
let log: unknown[][];
beforeEach(async () => {
  sent = [];
  statuses = [];
  log = [];
  service = await openService(await open(':memory:'), options());
  await service.accounts.create('acme');
  await service.repositories.create(OWNER, 'acme', { name: 'people' });
  token = (await service.tokens.create('acme')).text;
  handler = createHandler({ service });
});
afterEach(async () => {
  await service.close();
  await service.database.close();
});

function options(): ServiceOptions {
  const write = (...line: unknown[]): void => void log.push(line);
  return {
    logger: { info: write, warn: write, error: write },
    callbacks: {
      check: (url) => {
        if (!url.startsWith('https://client.example/')) throw new FetchError('BLOCKED_ADDRESS', 'not there');
      },
      fetch: async ({ url, method, headers, body }) => {
        sent.push({ url, method, headers, body });
        return { status: statuses.shift() ?? 204, close: () => undefined };
      },
    },
  };
}

const post = (headers: Record<string, string>, body = '<urn:a> <urn:p> 1 .'): Promise<Response> =>
  handler(
    new Request('http://localhost/acme/people/statements', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/turtle', ...headers },
      body,
    }),
  );
const NOTIFY = { 'Accept-Asynchronous': 'notify', 'Asynchronous-Location': HERE };

describe('the client is told when its job is done', () => {
  test('with its own words, and the address of the revision', async () => {
    const headers = {
      'Asynchronous-Method': 'PUT',
      'Asynchronous-Authorization': 'Bearer secret',
      'Client-Request-Id': 'mine',
    };
    const answer = await post({ ...NOTIFY, ...headers });
    expect(answer.status).toBe(202);
    await service.callbacks.idle();
    const uuid = answer.headers.get('Location')?.split('/').at(-1) ?? '';
    const revision = (await (await service.database.repository('acme/people')).revision()).id;
    expect(sent).toMatchObject([
      {
        url: HERE,
        method: 'PUT',
        headers: {
          'content-type': 'application/n-triples',
          authorization: 'Bearer secret',
          'client-request-id': 'mine',
        },
      },
    ]);
    const lines = sent[0]!.body.trim().split('\n');
    const as = 'https://www.w3.org/ns/activitystreams#';
    for (const end of [
      `<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${as}Update> .`,
      `<${as}inReplyTo> "mine" .`,
      `<${as}object> <http://localhost/acme/people?revision-id=${revision}> .`,
      '<urn:quadrille:status> "completed" .',
    ])
      expect(lines).toContain(`<urn:uuid:${uuid}> ${end}`);
    for (const name of ['startedAtTime', 'endedAtTime'])
      expect(sent[0]!.body).toMatch(new RegExp(`prov#${name}> "[^"]+"\\^\\^<[^>]+#dateTime>`));
  });

  test('also that it failed, then without a revision', async () => {
    await post(NOTIFY, 'no turtle');
    await service.callbacks.idle();
    expect(sent[0]?.body).toContain('<urn:quadrille:status> "failed"');
    expect(sent[0]?.body).not.toContain('activitystreams#object');
  });

  test('in another format, and by Prefer too', async () => {
    const type = { 'Asynchronous-Content-Type': 'application/ld+json; charset=utf-8' };
    await post({ Prefer: 'respond-async', 'Asynchronous-Location': HERE, ...type });
    await service.callbacks.idle();
    expect(sent[0]?.headers['content-type']).toBe('application/ld+json; charset=utf-8');
    expect(JSON.stringify(JSON.parse(sent[0]!.body))).toContain('Update');
  });

  test('again where the host has a passing trouble, not where it refuses; what it was sent is not logged', async () => {
    statuses = [503, 204];
    await post({ ...NOTIFY, 'Asynchronous-Authorization': 'Bearer secret' });
    await service.callbacks.idle();
    expect(sent).toHaveLength(2);
    statuses = [403];
    await post({ ...NOTIFY, 'Asynchronous-Authorization': 'Bearer secret' });
    await service.callbacks.idle();
    expect(sent).toHaveLength(3);
    expect(JSON.stringify(log)).toContain('403');
    expect(JSON.stringify(log)).not.toContain('secret');
  });

  test.each([
    ['a host that is not listed', { 'Asynchronous-Location': 'http://127.0.0.1/' }, 403, 'BLOCKED_ADDRESS'],
    ['another method', { 'Asynchronous-Method': 'DELETE' }, 400, 'BAD_REQUEST'],
    ['a type that is no RDF', { 'Asynchronous-Content-Type': 'image/png' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%s is refused before anything happens', async (_, headers, status, code) => {
    const answer = await post({ ...NOTIFY, ...headers });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code]);
    expect(await (await service.database.repository('acme/people')).size()).toBe(0);
    expect(sent).toEqual([]);
  });

  test('more than is to be held until it is sent is refused, and welcome again afterwards', async () => {
    let send!: (callback: Callback) => void;
    const callback = new Promise<Callback>((resolve) => (send = resolve));
    const note = { text: 'x'.repeat(60_000) };
    for (let i = 0; i < 140; i++) await service.callbacks.send(`job${String(i)}`, note, callback);
    const refused = await post(NOTIFY);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(await (await service.database.repository('acme/people')).size()).toBe(0);
    send({ url: HERE, method: 'POST', headers: {}, body: '' });
    await service.callbacks.idle();
    expect((await post(NOTIFY)).status).toBe(202);
    await service.callbacks.idle();
  });

  test('who waits is told by the answer alone', async () => {
    expect((await post({ 'Asynchronous-Location': HERE })).status).toBe(204);
    await service.callbacks.idle();
    expect(sent).toEqual([]);
  });
});

describe('what is not sent when the process ends', () => {
  const notes = async (): Promise<number> => (await hostOf(service.database).records.list('callback/')).size;
  /** Another process, which takes the store over. */
  async function restart(given: ServiceOptions = options()): Promise<void> {
    service = await openService(service.database, given);
    handler = createHandler({ service });
    expect((await handler(new Request('http://localhost/health'))).status).toBe(200);
    await service.callbacks.idle();
  }

  test('is sent by the next one, with its credentials, once', async () => {
    statuses = [503];
    await post({ ...NOTIFY, 'Asynchronous-Authorization': 'Bearer secret', 'Client-Request-Id': 'mine' });
    await expect.poll(() => sent.length).toBe(1);
    await service.close();
    expect(await notes()).toBe(1);
    await restart();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[1]?.headers).toMatchObject({ authorization: 'Bearer secret', 'client-request-id': 'mine' });
    expect(await notes()).toBe(0);
    await restart();
    expect(sent).toHaveLength(2);
  });

  test('tells of a job that went down with it that it failed', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const url = 'http://localhost/acme/people/statements';
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain', ...NOTIFY };
    const request = new Request(url, { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit);
    const running = handler(request).catch(() => undefined);
    void writer.write(new TextEncoder().encode('<urn:a> <urn:p> "1" .\n')).catch(() => undefined);
    await expect.poll(notes).toBe(1);
    const killed = service;
    await restart();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toContain('<urn:quadrille:status> "failed"');
    expect(await notes()).toBe(0);
    await killed.close();
    await running;
  });

  test('is forgotten where nobody is told any more, or not that host', async () => {
    for (const check of [undefined, 'other']) {
      statuses = [503];
      await post(NOTIFY);
      await expect.poll(() => sent.length).toBe(1);
      await service.close();
      const refusing = {
        ...options().callbacks!,
        check: () => {
          throw new FetchError('BLOCKED_ADDRESS', 'not there');
        },
      };
      await restart(check === undefined ? {} : { ...options(), callbacks: refusing });
      expect([sent.length, await notes()]).toEqual([1, 0]);
      sent = [];
      await restart();
    }
  });
});

test('a server that tells nobody says so', async () => {
  const database = await open(':memory:');
  const silent = await openService(database);
  expect(() => silent.callbacks.check(HERE)).toThrow(expect.objectContaining({ code: 'BLOCKED_ADDRESS' }));
  await silent.close();
  await database.close();
});
