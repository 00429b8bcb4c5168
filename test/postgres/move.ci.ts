/** Moves of repositories between stores that are served: from PostgreSQL with two servers under load, and to a bucket. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KEYS, S3Server } from '../s3/server.js';
import { serve, type Server, stop, stopAll } from '../servers/serve.js';
import { Commands } from './commands.js';
import { PostgresServer, WITHOUT_POSTGRES } from './server.js';

const UPDATE = { 'Content-Type': 'application/sparql-update' };
const KEYS_OF_BUCKET = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
/** What a client of a store that changes hands may be told: nothing was done, or nobody knows. */
const LATER = /^(?:STORE_UNAVAILABLE|LEASE_LOST|NOT_READY|REPOSITORY_MOVING|COMMIT_UNKNOWN)$/;

const send = (server: Server, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + path, { redirect: 'manual', ...init });
const insert = (server: Server, repository: string, name: string): Promise<Response> =>
  send(server, `/${repository}/sparql`, {
    method: 'POST',
    headers: UPDATE,
    body: `INSERT DATA { <urn:${name}> <urn:p> "${name}" }`,
  });

async function codeOf(response: Response): Promise<string> {
  const text = await response.text();
  return text === '' ? '' : ((JSON.parse(text) as { code?: string }).code ?? '');
}

/** Writes names until it is stopped, or the repository is no longer there. */
class Writer {
  readonly acknowledged: string[] = [];
  readonly unknown = new Set<string>();
  readonly codes = new Set<string>();
  readonly done: Promise<void>;
  isStopped = false;
  /** Answers of a server that has lost the right to write. */
  lost = 0;

  constructor(
    private readonly server: Server,
    private readonly repository: string,
    private readonly prefix: string,
  ) {
    this.done = this.#write();
  }

  async #write(): Promise<void> {
    for (let i = 0; !this.isStopped; i++) {
      const name = `${this.prefix}${i}`;
      const answer = await insert(this.server, this.repository, name).catch(() => undefined);
      if (answer?.ok === true) {
        this.acknowledged.push(name);
        continue;
      }
      const code = answer === undefined ? 'COMMIT_UNKNOWN' : await codeOf(answer);
      this.codes.add(code);
      if (code === 'LEASE_LOST') this.lost++;
      if (code === 'COMMIT_UNKNOWN') this.unknown.add(name);
      if (!LATER.test(code)) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

describe.skipIf(WITHOUT_POSTGRES !== '')(`moves${WITHOUT_POSTGRES}`, { timeout: 60_000 }, () => {
  let postgres: PostgresServer;
  let bucket: S3Server;
  let commands: Commands;
  let folder: string;
  beforeAll(async () => {
    postgres = await PostgresServer.start({ settings: ['fsync = on'] });
    bucket = await S3Server.start();
    folder = await mkdtemp(join(tmpdir(), 'quadrille-move-'));
    await writeFile(join(folder, 'first.nt'), '<urn:first> <urn:p> "first" .\n');
    commands = new Commands(KEYS_OF_BUCKET);
  });
  afterEach(stopAll);
  afterAll(async () => {
    commands.stop();
    await bucket.stop();
    await postgres.stop();
    await rm(folder, { recursive: true });
  });

  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await commands.run(args);
    expect([args, code, stderr]).toEqual([args, 0, '']);
    return stdout;
  };
  const load = (store: string, repository: string, ...more: string[]): Promise<string> =>
    ok('load', store, join(folder, 'first.nt'), '-r', repository, ...more);
  const fails = async (wanted: string, ...args: string[]): Promise<void> => {
    const { stderr } = await commands.run(args);
    expect([args, stderr]).toEqual([args, expect.stringContaining(`(${wanted})`) as string]);
  };

  test('from PostgreSQL to a directory, while two servers take writes: nothing that was acknowledged is lost', async () => {
    const store = await postgres.database('moving');
    await load(store, 'acme/people', '-m', 'the first one');
    await load(store, 'acme/notes');
    const [one, two] = [await serve(store, { options: ['--open'] }), await serve(store, { options: ['--open'] })];
    const to = join(folder, 'people');
    // A server of the store itself would be a loop, and a name that is not there changes nothing.
    await fails('INVALID_OPTION', 'repository', 'move', store, 'acme/people', to, '--redirect', two.url);
    await fails('REPOSITORY_NOT_FOUND', 'repository', 'move', store, 'acme/none', to);
    await fails('INVALID_OPTION', 'repository', 'move', one.url, 'acme/people', to);
    await fails(
      'STORE_UNAVAILABLE',
      'repository',
      'move',
      store,
      'acme/people',
      's3://store/x?endpoint=http://127.0.0.1:1',
    );
    const writers = [new Writer(one, 'acme/people', 'a'), new Writer(two, 'acme/people', 'b')];
    const others = new Writer(two, 'acme/notes', 'n');
    while (writers.some(({ acknowledged }) => acknowledged.length < 5))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const redirect = 'http://127.0.0.1:9/base';
    expect(await ok('repository', 'move', store, 'acme/people', to, '--redirect', redirect)).toContain('has moved to');
    await Promise.all(writers.map(({ done }) => done));
    others.isStopped = true;
    await others.done;
    for (const { codes, lost } of writers) {
      expect([...codes]).toContain('REPOSITORY_MOVED');
      // A server that has lost the right to write follows soon, also if clients do not let it rest.
      expect(lost).toBeLessThan(500);
    }
    expect([...others.codes].filter((code) => !LATER.test(code))).toEqual([]);
    // Both servers go on, whoever writes now.
    for (const server of [one, two]) {
      const moved = await insert(server, 'acme/people', 'late');
      const location = `${redirect}/acme/people/sparql`;
      expect([moved.status, moved.headers.get('Location'), await codeOf(moved)]).toEqual([
        308,
        location,
        'REPOSITORY_MOVED',
      ]);
      const read = await send(server, '/acme/people/sparql?query=ASK%7B%7D');
      expect([read.status, read.headers.get('Location')]).toEqual([308, `${location}?query=ASK%7B%7D`]);
      expect((await insert(server, 'acme/notes', 'after')).ok).toBe(true);
      const list = (await (await send(server, '/acme/repositories')).json()) as { repository_id: string }[];
      expect(list.map(({ repository_id: name }) => name)).toEqual(['acme/notes']);
    }
    // Whatever was acknowledged is in the store that it was acknowledged for.
    const names = async (place: string, repository: string): Promise<Set<string>> => {
      const dumped = await ok('dump', place, '-r', repository);
      return new Set(Array.from(dumped.matchAll(/"(\w+)" \.$/gm), ([, name]) => name!));
    };
    const expected = ['first', ...writers.flatMap(({ acknowledged }) => acknowledged)];
    const found = await names(to, 'acme/people');
    expect(expected.filter((name) => !found.has(name))).toEqual([]);
    const unknown = new Set(writers.flatMap((writer) => [...writer.unknown]));
    expect([...found].filter((name) => !expected.includes(name) && !unknown.has(name))).toEqual([]);
    const notes = await names(store, 'acme/notes');
    expect(others.acknowledged.filter((name) => !notes.has(name))).toEqual([]);
    expect(await ok('log', to, '-r', 'acme/people')).toContain('the first one');
    await fails('REPOSITORY_MOVED', 'clone', `${one.url}/acme/people`, join(folder, 'cloned'));
    await fails('REPOSITORY_MOVED', 'query', store, 'ASK {}', '-r', 'acme/people');
    expect(await ok('verify', to)).toMatch(/everything is in order/);
    expect(await ok('verify', store)).toMatch(/everything is in order/);
    expect(await ok('repository', 'move', store, 'acme/people', to)).toContain('already');
  });

  test('from a directory to a bucket: its server has to end, and answers 410 when it is back', async () => {
    const [store, to] = [join(folder, 'served'), bucket.url('moved')];
    await load(store, 'acme/people', '--author', 'jo');
    await ok('account', 'add', store, 'jo');
    await ok('collaborator', 'add', store, 'acme/people', 'jo', '--write');
    await ok('settings', store, '-r', 'acme/people', '--set', 'protected=main');
    const digest = await ok('digest', store, '-r', 'acme/people');
    const running = await serve(store, { alone: true, options: ['--open'] });
    await fails('STORE_LOCKED', 'repository', 'move', store, 'acme/people', to);
    expect((await insert(running, 'acme/people', 'b')).ok).toBe(true);
    await stop(running);
    expect(digest).not.toBe(await ok('digest', store, '-r', 'acme/people'));
    const last = await ok('digest', store, '-r', 'acme/people');
    const report = JSON.parse(await ok('repository', 'move', store, 'acme/people', to, '--json')) as object;
    expect(report).toMatchObject({ repository: 'acme/people', outcome: 'moved', redirect: null, left: ['jo'] });
    expect(JSON.stringify(report)).not.toContain(KEYS.secretAccessKey);
    expect(await ok('digest', to, '-r', 'acme/people')).toBe(last);
    await fails('REPOSITORY_MOVED', 'log', store, '-r', 'acme/people');
    const again = await serve(store, { alone: true, options: ['--open'] });
    const moved = await insert(again, 'acme/people', 'c');
    expect([moved.status, await codeOf(moved)]).toEqual([410, 'REPOSITORY_MOVED']);
    await stop(again);
    const there = await serve(to, { options: ['--open'], env: KEYS_OF_BUCKET });
    expect((await insert(there, 'acme/people', 'c')).ok).toBe(true);
    expect(await ok('repository', 'forget', store, 'acme/people')).toBe('forgot acme/people\n');
    await load(store, 'acme/people');
    await fails('PRECONDITION_FAILED', 'repository', 'forget', store, 'acme/people');
    expect((await readdir(store)).length).toBeGreaterThan(0);
  });
});
