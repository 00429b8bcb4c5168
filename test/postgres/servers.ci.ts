/** Several servers over one store in a real PostgreSQL: reading along, forwarding, taking over, and being stopped. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serve as serveWith, stop, stopAll, type Server } from '../servers/serve.js';
import { inShare, notInShare } from '../share.js';
import { freePort, PostgresServer, WITHOUT_POSTGRES } from './server.js';

/** Passes connections on to a server, and breaks the next one if it is told to. */
class Cutter {
  next: 'before the request' | 'before the answer' | undefined;
  /** Connections with a request. */
  connections = 0;
  readonly #server = createServer((socket) => this.#pass(socket));

  constructor(private readonly port: number) {}

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }

  #pass(socket: Socket): void {
    const onward = connect(this.port, '127.0.0.1');
    const end = (): void => {
      socket.destroy();
      onward.destroy();
    };
    for (const each of [socket, onward]) each.on('error', end).on('close', end);
    socket.once('data', () => this.connections++);
    socket.on('data', (bytes) => {
      // A connection without a request only asks whether somebody listens.
      if (this.next !== 'before the request') return void onward.write(bytes);
      this.next = undefined;
      end();
    });
    onward.on('data', (bytes) => {
      if (this.next !== 'before the answer') return void socket.write(bytes);
      this.next = undefined;
      end();
    });
  }
}

const serve = (store: string, options: readonly string[] = [], port?: number): Promise<Server> =>
  serveWith(store, { options, port });

describe.skipIf(WITHOUT_POSTGRES !== '')(`several servers${WITHOUT_POSTGRES}`, { timeout: 60_000 }, () => {
  let postgres: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterEach(stopAll);
  afterAll(() => postgres.stop());

  const pair = async (
    options: readonly string[] = ['--open'],
  ): Promise<{ store: string; one: Server; two: Server }> => {
    const store = await postgres.database(`s${++databases}`);
    const one = await serve(store, options);
    return { store, one, two: await serve(store, options) };
  };
  const insert = (server: Server, name: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${server.url}/default/default/sparql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sparql-update', ...headers },
      body: `INSERT DATA { <urn:${name}> <urn:p> "${name}" }`,
    });
  const names = async (server: Server, headers: Readonly<Record<string, string>> = {}): Promise<string[]> => {
    const query = encodeURIComponent('SELECT ?o { ?s <urn:p> ?o } ORDER BY ?o');
    const answer = await fetch(`${server.url}/default/default/sparql?query=${query}`, {
      headers: { Accept: 'application/sparql-results+json', ...headers },
    });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { results } = (await answer.json()) as { results: { bindings: { o: { value: string } }[] } };
    return results.bindings.map(({ o }) => o.value);
  };
  /** Writes until it is done. An answer 503 that says that nothing was done is tried again. */
  const eventually = async (server: Server, name: string): Promise<void> => {
    for (;;) {
      const answer = await insert(server, name);
      if (answer.ok) return;
      const { code } = (await answer.json()) as { code: string };
      expect(answer.headers.get('Retry-After')).toBe('1');
      expect(['STORE_UNAVAILABLE', 'LEASE_LOST', 'NOT_READY']).toContain(code);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  /** Writes, although the holder may not answer. */
  const patiently = async (server: Server, name: string): Promise<void> => {
    for (let i = 0; ; i++) {
      const answer = await fetch(`${server.url}/default/default/sparql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/sparql-update' },
        body: `INSERT DATA { <urn:${name}> <urn:p> "${name}" }`,
        signal: AbortSignal.timeout(1000),
      }).catch(() => undefined);
      if (answer?.ok === true) return;
      expect(i).toBeLessThan(60);
    }
  };

  test('a write through any server is read on any server at once', async () => {
    const { one, two } = await pair();
    const expected: string[] = [];
    for (let i = 10; i < 20; i++) {
      expect((await insert(i % 2 === 0 ? one : two, `n${i}`)).ok).toBe(true);
      expected.push(`n${i}`);
      expect(await names(one)).toEqual(expected);
      expect(await names(two)).toEqual(expected);
    }
    const written = await insert(one, 'n20');
    const etag = written.headers.get('ETag')!;
    expect(await names(two, { 'Min-Revision': etag })).toEqual([...expected, 'n20']);
    // A revision that the other server has not seen yet.
    const newer = (await insert(one, 'n21')).headers.get('ETag')!.replaceAll('"', '');
    const fixed = await fetch(`${two.url}/default/default/size?revision-id=${newer}`);
    expect([fixed.status, await fixed.text()]).toEqual([200, '12']);
    const unknown = { 'Min-Revision': '"0192e4a0-0000-7000-8000-000000000000"' };
    await expect(names(two, unknown)).rejects.toThrow(/503.*STALE_READ/s);
    expect((await fetch(`${two.url}/ready`)).status).toBe(200);
  });

  test('documents of strangers are parsed by the parsers of the server', async () => {
    const { one, two } = await pair();
    const body = '{"@context":"http://127.0.0.1:8080/context","@id":"urn:x","p":1}';
    for (const server of [one, two]) {
      const sent = { method: 'POST', body, headers: { 'Content-Type': 'application/ld+json' } };
      const refused = await fetch(`${server.url}/default/default/statements`, sent);
      // Others would tell where in the document it was.
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'BLOCKED_ADDRESS' }]);
    }
  });

  test('operators see which server writes, and the figures of both', async () => {
    const { one, two } = await pair();
    await eventually(two, 'a');
    expect(await names(two)).toEqual(['a']);
    const shown = async ({ url }: Server): Promise<unknown> => {
      const servers = (await (await fetch(`${url}/servers`)).json()) as { url: string; role: string; self: boolean }[];
      return servers.map((server) => [server.url, server.role, server.self]).toSorted();
    };
    const expected = (self: Server): unknown =>
      [
        [one.url, 'holder', self === one],
        [two.url, 'follower', self === two],
      ].toSorted();
    await expect.poll(() => shown(one)).toEqual(expected(one));
    await expect.poll(() => shown(two)).toEqual(expected(two));
    const figures = async ({ url }: Server): Promise<string> => (await fetch(`${url}/metrics`)).text();
    expect(await figures(one)).toMatch(/^quadrille_store_holder 1$/m);
    expect(await figures(one)).toMatch(/^quadrille_store_takeovers_total 1$/m);
    expect(await figures(two)).toMatch(/^quadrille_store_holder 0$/m);
    expect(await figures(two)).toMatch(/^quadrille_store_checks_total [1-9]\d*$/m);
  });

  test('a token that was revoked through one server is refused by the other', async () => {
    const { one, two } = await pair([]);
    const as = (token: string) => ({ Authorization: `Bearer ${token}` });
    const admin = as(one.token!);
    const made = await fetch(`${two.url}/default/tokens`, {
      method: 'POST',
      headers: { ...admin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ label: 'x' }),
    });
    expect(made.status).toBe(201);
    const { id, token } = (await made.json()) as { id: string; token: string };
    expect(await names(two, as(token))).toEqual([]);
    expect((await insert(two, 'a', as(token))).ok).toBe(true);
    expect((await fetch(`${one.url}/default/tokens/${id}`, { method: 'DELETE', headers: admin })).status).toBe(204);
    await expect(names(two, as(token))).rejects.toThrow(/401/);
    await expect(names(one, as(token))).rejects.toThrow(/401/);
    expect((await insert(two, 'b', as(token))).status).toBe(401);
  });

  test('the holder is killed, and another server goes on', async () => {
    const { store, one, two } = await pair();
    await eventually(two, 'a');
    await stop(one, 'SIGKILL');
    await eventually(two, 'b');
    expect(await names(two)).toEqual(['a', 'b']);
    const three = await serve(store, ['--open']);
    await eventually(three, 'c');
    await stop(two);
    await eventually(three, 'd');
    expect(await names(three)).toEqual(['a', 'b', 'c', 'd']);
  });

  const insertOnce = (server: Server, key: string): Promise<Response> =>
    fetch(`${server.url}/default/default/sparql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sparql-update', 'Idempotency-Key': key },
      body: `INSERT { ?s <urn:p> ?o } WHERE { BIND(UUID() AS ?s) BIND(STR(?s) AS ?o) }`,
    });

  test('a write with a key is done once, through both servers, after a kill and a take-over', async () => {
    const { one, two } = await pair();
    await eventually(two, 'a');
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => insertOnce(i % 2 === 0 ? one : two, 'k')));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(204));
    const [etag, ...others] = new Set(answers.map(({ headers }) => headers.get('ETag')));
    expect(others).toEqual([]);
    expect(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null)).toHaveLength(1);
    await stop(one, 'SIGKILL');
    const again = await insertOnce(two, 'k');
    expect([again.status, again.headers.get('ETag'), again.headers.get('Idempotency-Replayed')]).toEqual([
      204,
      etag,
      'true',
    ]);
    expect((await names(two)).length).toBe(2);
  });

  test('a commit whose connection between two servers breaks is done once', async () => {
    const store = await postgres.database(`s${++databases}`);
    const port = await freePort();
    const cuts = new Cutter(port);
    const one = await serve(store, ['--open', '--advertise', await cuts.listen()], port);
    const two = await serve(store, ['--open']);
    try {
      await eventually(two, 'a');
      for (const what of ['before the answer', 'before the request'] as const) {
        cuts.next = what;
        const answer = await fetch(`${two.url}/default/default/sparql`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/sparql-update' },
          body: `INSERT { ?s <urn:p> ?o } WHERE { BIND(UUID() AS ?s) BIND(STR(?s) AS ?o) }`,
        });
        expect([what, answer.status, answer.headers.get('Idempotency-Replayed')]).toEqual([what, 204, null]);
        expect(cuts.next).toBe(undefined);
      }
      expect((await names(one)).length).toBe(3);
    } finally {
      cuts.close();
    }
  });

  test('commits that share a connection between two servers are answered each on its own', async () => {
    const store = await postgres.database(`s${++databases}`);
    const port = await freePort();
    const cuts = new Cutter(port);
    const one = await serve(store, ['--advertise', await cuts.listen()], port);
    const two = await serve(store);
    const headers = { 'Content-Type': 'application/sparql-update', Authorization: `Bearer ${one.token!}` };
    const send = (body: string, more: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Response> =>
      fetch(`${two.url}/default/default/sparql`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body,
        signal: signal ?? null,
      });
    const add = (name: string): string => `INSERT DATA { <urn:${name}> <urn:p> "${name}" }`;
    const slow = `INSERT { ?s <urn:q> ?o } WHERE { ${Array.from('abcdefgh', (v) => `VALUES ?${v} { ${'1 '.repeat(20)} }`).join(' ')} }`;
    try {
      const first = (await send(add('first'))).headers.get('ETag')!;
      let burst = 0;
      let inBursts = 0;
      // From the second burst on there may be a link.
      const connectionsOfBurst = async (): Promise<number> => {
        const before = cuts.connections;
        const names = Array.from({ length: 20 }, (_, i) => `b${burst}-${i}`);
        burst++;
        inBursts += names.length;
        for (const answer of await Promise.all(names.map((name) => send(add(name))))) expect(answer.status).toBe(204);
        return cuts.connections - before;
      };
      await expect.poll(connectionsOfBurst, { timeout: 20_000 }).toBe(0);
      const over = new AbortController();
      const gone = send(slow, {}, over.signal).catch(() => 'gone');
      const before = cuts.connections;
      const answers = Array.from({ length: 40 }, (_, i) => {
        if (i % 5 === 0) return send(add('stale'), { 'If-Match': first });
        if (i % 5 === 1) return send('INSERT DATA { nothing');
        if (i % 5 === 2) return send(add('stranger'), { Authorization: 'Bearer of-nobody' });
        if (i % 5 === 3) return send(add('once'), { 'Idempotency-Key': 'k' });
        return send(add(`own${i}`));
      });
      over.abort();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses).toEqual(Array.from({ length: 40 }, (_, i) => [412, 400, 401, 204, 204][i % 5]));
      expect(await gone).toBe('gone');
      expect(cuts.connections).toBe(before);
      const tags = await Promise.all(answers.map(async (answer) => (await answer).headers.get('ETag')));
      const made = new Set(tags.filter((tag) => tag !== null));
      // Eight commits of their own, and one with a key.
      expect(made.size).toBe(9);
      const found = await names(one, headers);
      expect(found).toEqual(
        expect.arrayContaining(['once', ...Array.from({ length: 8 }, (_, i) => `own${5 * i + 4}`)]),
      );
      expect(found).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:stale|stranger)$/)]));
      expect(found).toHaveLength(1 + inBursts + 9);
    } finally {
      cuts.close();
    }
  });

  test('a holder that sleeps past its take-over follows when it wakes', async () => {
    const { one, two } = await pair();
    await eventually(one, 'a');
    one.process.kill('SIGSTOP');
    // It waits for the holder first, and is sent again when another server writes.
    expect((await insert(two, 'b')).status).toBe(204);
    one.process.kill('SIGCONT');
    await eventually(one, 'c');
    for (const server of [one, two]) {
      const found = await names(server);
      expect(found).toEqual(['a', 'b', 'c']);
    }
  });

  test.skipIf(!inShare(0, 3))(
    `a holder that sleeps past its take-over during a load changes nothing when it wakes${notInShare(0, 3)}`,
    async () => {
      const { one, two } = await pair();
      await eventually(one, 'a');
      const body = Array.from({ length: 60_000 }, (_, i) => `<urn:s${i}> <urn:q> "${i}" .\n`).join('');
      const loading = fetch(`${one.url}/default/default/statements`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/n-triples' },
        body,
      }).then(async (answer) => ({ status: answer.status, body: await answer.text() }));
      await new Promise((resolve) => setTimeout(resolve, 150));
      one.process.kill('SIGSTOP');
      await patiently(two, 'b');
      const size = async (server: Server): Promise<number> =>
        Number(await (await fetch(`${server.url}/default/default/size`)).text());
      const before = await size(two);
      one.process.kill('SIGCONT');
      const { status, body: told } = await loading;
      // It was done before the take-over, or not at all.
      if (before === 2) expect([status, told]).toEqual([503, expect.stringMatching(/LEASE_LOST|STORE_UNAVAILABLE/)]);
      else expect([before, status]).toEqual([60_002, expect.any(Number)]);
      await eventually(one, 'c');
      expect([await size(one), await size(two)]).toEqual([before + 1, before + 1]);
    },
  );

  test.skipIf(!inShare(1, 3))(
    `the clock of the holder jumps by a day, and that of the next one back${notInShare(1, 3)}`,
    async () => {
      const store = await postgres.database(`s${++databases}`);
      const clock = ['--import', new URL('../servers/clock.mjs', import.meta.url).href];
      const start = (): Promise<Server> => serveWith(store, { options: ['--open'], node: clock });
      const [one, two] = [await start(), await start()];
      await eventually(two, 'a');
      one.process.kill('SIGUSR2');
      await eventually(two, 'b');
      // Nobody has taken over: no clocks are compared.
      await eventually(one, 'c');
      await stop(one, 'SIGKILL');
      await eventually(two, 'd');
      expect(await names(two)).toEqual(['a', 'b', 'c', 'd']);
      const log = await fetch(`${two.url}/default/default/revisions`, { headers: { Accept: 'application/json' } });
      const times = ((await log.json()) as { datetime: string }[]).map(({ datetime }) => Date.parse(datetime));
      expect(times.length).toBeGreaterThanOrEqual(4);
      expect(times).toEqual(times.toSorted((x, y) => y - x));
    },
  );

  test.skipIf(!inShare(2, 3))(
    `while the database is away, reads of what is known go on, and others wait until it is back${notInShare(2, 3)}`,
    async () => {
      const { one, two } = await pair();
      await eventually(one, 'a');
      for (const server of [one, two]) expect(await names(server)).toEqual(['a']);
      const { headers } = await fetch(`${two.url}/default/default/size`);
      const revision = headers.get('ETag')!.replaceAll('"', '');
      await postgres.kill();
      for (const server of [one, two]) {
        expect(await names(server, { 'Cache-Control': 'max-age=600' })).toEqual(['a']);
        const fixed = await fetch(`${server.url}/default/default/size?revision-id=${revision}`);
        expect([fixed.status, await fixed.text()]).toEqual([200, '1']);
      }
      const waiting = [names(one), names(two), insert(one, 'b')] as const;
      await postgres.resume();
      expect(await waiting[0]).toContain('a');
      expect(await waiting[1]).toContain('a');
      expect((await waiting[2]).ok).toBe(true);
      // Nobody has taken over from the holder, which lives.
      expect((await insert(two, 'c')).ok).toBe(true);
      expect(await names(two)).toEqual(['a', 'b', 'c']);
    },
  );

  test('a server that only follows never takes over', async () => {
    const store = await postgres.database(`s${++databases}`);
    const one = await serve(store, ['--open']);
    const two = await serve(store, ['--open', '--follow']);
    await eventually(two, 'a');
    await stop(one);
    expect((await insert(two, 'b')).status).toBe(503);
    expect(await names(two)).toEqual(['a']);
  });

  test('two servers with the same address: the second one does not start', async () => {
    const store = await postgres.database(`s${++databases}`);
    const one = await serve(store, ['--open']);
    const other = String(await freePort());
    await expect(serve(store, ['--open', '--port', other], Number(new URL(one.url).port))).rejects.toThrow(
      /ended with 1.*Another server of this store has the address/s,
    );
  });
});
