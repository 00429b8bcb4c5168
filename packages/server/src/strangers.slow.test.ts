/** What clients without a token can make a server read, hold and keep open, and what is left for the others. */
import { connect, type Socket } from 'node:net';
import { ANONYMOUS, openService, type ServiceLimits } from './host/index.js';
import { open } from 'quadrille';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ServeOptions, serveNode } from './node/node.js';
import { createHandler, type HandlerOptions } from './handler.js';

const FORM = 'application/x-www-form-urlencoded';
const OPERATOR = { account: undefined, readOnly: false, admin: true };

/** A server with a public repository `acme/people` and a private one `acme/secret`. */
async function served(limits: Partial<ServiceLimits> = {}, options: Partial<HandlerOptions> = {}) {
  const database = await open(':memory:');
  const service = await openService(database, { limits });
  onTestFinished(async () => {
    await service.close();
    await database.close();
  });
  await service.accounts.create('acme');
  await service.repositories.create(OPERATOR, 'acme', { name: 'people', privacy: 'public' });
  await service.repositories.create(OPERATOR, 'acme', { name: 'secret' });
  const token = (await service.tokens.create('acme')).text;
  const handler = createHandler({ ...(options as object), service });
  const listen = async (serve: Partial<ServeOptions> = {}) => {
    const node = await serveNode(handler, { port: 0, ...serve });
    onTestFinished(() => node.close(0).then(() => undefined));
    return node;
  };
  return { database, service, token, handler, listen };
}

/** A body that tells whether somebody has asked for it. It gives its pieces, and then nothing until it is let go. */
function slowBody(...pieces: string[]) {
  let asked = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[asked++];
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        return piece === undefined ? new Promise<void>(() => undefined) : undefined;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, asked: () => asked };
}

const post = (path: string, body: ReadableStream, headers: Record<string, string> = {}): Request =>
  new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'Content-Type': FORM, 'Content-Length': '100', ...headers },
    body,
    duplex: 'half',
  } as RequestInit);

describe('before its sender is known', () => {
  test.each([
    '/acme/secret',
    '/acme/secret/statements',
    '/acme/people/statements',
    '/jobs/x',
    '/nobody/here',
    '/accounts',
  ])('a form to %s is not read', async (path) => {
    const { handler } = await served();
    for (const authorization of [undefined, 'Bearer qdt_0_0', 'Basic eDo=']) {
      const { body, asked } = slowBody('_method=DELETE');
      const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
      const { status } = await handler(post(path, body, headers));
      expect([path, authorization, status === 401 || (status === 404 && authorization === undefined), asked()]).toEqual(
        [path, authorization, true, 0],
      );
    }
  });

  test('nor is one where the embedding server refuses, and one that is allowed means its method', async () => {
    const { database } = await served();
    let allowed = false;
    const { AccessError } = await import('@quadrille/model');
    const handler = createHandler({
      database,
      authorize: async () => {
        if (!allowed) throw new AccessError('UNAUTHENTICATED', 'who are you?');
      },
    });
    const { body, asked } = slowBody('_method=DELETE');
    expect([(await handler(post('/acme/people/statements', body))).status, asked()]).toEqual([401, 0]);
    allowed = true;
    const text = '_method=DELETE&subj=%3Curn:a%3E';
    const sent = new Request('http://localhost/acme/people/statements', {
      method: 'POST',
      headers: { 'Content-Type': FORM, 'Content-Length': String(text.length) },
      body: text,
    });
    expect((await handler(sent)).status).toBe(204);
  });
});

describe('a body that is held in memory', () => {
  const BODIES = [
    ['/acme/people/sparql', FORM],
    ['/acme/people/sparql', 'application/sparql-update'],
    ['/acme/people/statements', FORM],
    ['/acme/people/parse', 'application/sparql-query'],
    ['/acme/repositories', 'application/json'],
    ['/acme/tokens', 'application/json'],
    ['/session', 'application/json'],
    ['/acme/people/changes', 'application/rdf-patch'],
  ] as const;
  test.each(BODIES)('has its time: POST %s as %s', async (path, type) => {
    const { handler, token } = await served({ bodyIdleMs: 50 });
    const { body } = slowBody('a');
    const answer = await handler(post(path, body, { Authorization: `Bearer ${token}`, 'Content-Type': type }));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([408, 'INPUT_TIMEOUT']);
  });

  test('a byte now and then does not lengthen it', async () => {
    const { handler, token } = await served({ bodyIdleMs: 200 });
    let timer: NodeJS.Timeout | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (timer = setInterval(() => controller.enqueue(new Uint8Array([97])), 20)),
    });
    const answer = await handler(post('/acme/people/sparql', body, { Authorization: `Bearer ${token}` }));
    clearInterval(timer);
    expect(answer.status).toBe(408);
  });

  test('those of strangers are counted together, and by their networks', async () => {
    const { handler, token, service } = await served({ strangersBytes: 4000 });
    const query = `query=${encodeURIComponent(`ASK {} #${'x'.repeat(900)}`)}`;
    const ask = (address: string, body: BodyInit, headers: Record<string, string> = {}) =>
      handler(
        new Request('http://localhost/acme/people/sparql', {
          method: 'POST',
          headers: { 'Content-Type': FORM, ...headers },
          body,
          duplex: 'half',
        } as RequestInit),
        { address },
      );
    const held = Array.from({ length: 4 }, () => slowBody(query));
    held.forEach(({ body }, i) => void ask(`2001:db8:0:${String(i)}::1`, body));
    await expect.poll(() => held.every(({ asked }) => asked() === 2)).toBe(true);
    const hold = (address: string): void => void service.strangers.hold(ANONYMOUS, address, 300);
    expect(() => hold('2001:db8:0:1::ffff')).toThrow('all memory');
    expect(() => hold('2001:db8:0:8::1')).not.toThrow();
    const refused = await ask('2001:db8:0:9::1', query);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([429, 'RATE_LIMITED']);
    expect((await ask('192.0.2.1', query, { Authorization: `Bearer ${token}` })).status).toBe(200);
    expect(() => service.strangers.hold(OPERATOR, '', 10_000)).not.toThrow();
  });
});

describe('an IPv6 network counts as one', () => {
  const client = (i: number) => ({ address: `2001:db8:0:1::${i.toString(16)}` });
  test('for its requests', async () => {
    const { handler } = await served({ requestsPerSecond: 1, requestBurst: 3 });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++)
      statuses.push((await handler(new Request('http://localhost/system'), client(i))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await handler(new Request('http://localhost/system'), { address: '2001:db8:0:2::1' })).status).toBe(200);
  });

  test('for failed tokens and sign-in codes', async () => {
    const { handler } = await served({ failuresPerMinute: 3 });
    const guess = (i: number): Promise<Response> =>
      handler(
        new Request('http://localhost/acme/people/size', {
          headers: { Authorization: `Bearer qdt_${String(i).repeat(16)}_${'a'.repeat(43)}` },
        }),
        client(i),
      );
    const statuses: number[] = [];
    for (let i = 1; i < 6; i++) statuses.push((await guess(i)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const code = new Request('http://localhost/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"code":"x"}',
    });
    expect((await handler(code, client(9))).status).toBe(429);
  });

  test('for its feeds, of which strangers leave some for accounts', async () => {
    const { handler, token } = await served({ feedsPerAccount: 2, feedsAtOnce: 8 });
    const feed = async (address: string, headers: Record<string, string> = {}): Promise<number> => {
      const request = new Request('http://localhost/acme/people/changes', {
        headers: { Accept: 'text/event-stream', ...headers },
      });
      const response = await handler(request, { address });
      onTestFinished(() => response.body?.cancel());
      return response.status;
    };
    expect([await feed('2001:db8::1'), await feed('2001:db8::2'), await feed('2001:db8::3')]).toEqual([200, 200, 429]);
    for (const network of [1, 2])
      for (const host of [1, 2]) expect(await feed(`2001:db8:0:${network}::${host}`)).toBe(200);
    expect(await feed('2001:db8:0:3::1')).toBe(429);
    const known = { Authorization: `Bearer ${token}` };
    expect([await feed('2001:db8:0:3::1', known), await feed('2001:db8:0:3::1', known)]).toEqual([200, 200]);
  });
});

describe('connections', () => {
  test('strangers with slow requests leave some for accounts and for probes', async () => {
    const { listen, token } = await served();
    const node = await listen({ maxConnections: 8, maxConnectionsPerAddress: 100 });
    const sockets: Socket[] = [];
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const texts: string[] = [];
    const head = `POST /acme/people/sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\n\r\nq`;
    for (let i = 0; i < 8; i++) {
      const socket = connect(node.port, '127.0.0.1', () => socket.write(head));
      socket.on('data', (chunk: Buffer) => (texts[i] = (texts[i] ?? '') + chunk.toString()));
      socket.on('error', () => undefined);
      sockets.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    await expect.poll(() => texts.filter((text) => text.startsWith('HTTP/1.1 429')).length).toBe(2);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${node.url}/acme/secret/size`, { headers })).status).toBe(200);
    expect((await fetch(`${node.url}/health`)).status).toBe(200);
    expect((await fetch(`${node.url}/acme/people/size`)).status).toBe(429);
    sockets[0]!.destroy();
    await expect.poll(async () => (await fetch(`${node.url}/acme/people/size`)).status).toBe(200);
  });
});
