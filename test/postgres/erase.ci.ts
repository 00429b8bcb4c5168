/** Erasures from stores in a real PostgreSQL and in a bucket: what is left there, and what other servers still answer. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KEYS, S3Server } from '../s3/server.js';
import { serve, stopAll, type Server } from '../servers/serve.js';
import { inShare, notInShare } from '../share.js';
import { PostgresServer, WITHOUT_POSTGRES } from './server.js';

const SECRET = 'x3k9q0v7m2zt8c4w1r6y5u0b9d7f3h1j';
const TABLES = ['qd_meta', 'qd_root', 'qd_log', 'qd_pack', 'qd_server'] as const;

describe.skipIf(WITHOUT_POSTGRES !== '')(`erasures from shared stores${WITHOUT_POSTGRES}`, { timeout: 120_000 }, () => {
  let postgres: PostgresServer;
  let bucket: S3Server;
  let folder: string;
  beforeAll(async () => {
    [postgres, bucket] = await Promise.all([PostgresServer.start(), S3Server.start()]);
    folder = await mkdtemp(join(tmpdir(), 'quadrille-erase-'));
  });
  afterEach(stopAll);
  afterAll(async () => {
    await bucket.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Where the term still is: tables, or objects. */
  const ofDatabase = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const table of TABLES) {
      const has = table === 'qd_meta' ? `product LIKE '%${SECRET}%'` : `position('${SECRET}'::bytea IN body) > 0`;
      const rows = await postgres.ask((query) => query(`SELECT FROM ${table} WHERE ${has}`), 'erased');
      if (rows.length > 0) found.push(table);
    }
    return found;
  };
  const ofBucket = async (): Promise<string[]> =>
    [...bucket.objects.objects].filter(([, { bytes }]) => Buffer.from(bytes).includes(SECRET)).map(([key]) => key);
  const ofFolder = async (path: string): Promise<string[]> => {
    const found: string[] = [];
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name))).includes(SECRET))
        found.push(entry.name);
    return found;
  };

  const kinds = [
    { kind: 'a database', url: (): Promise<string> => postgres.database('erased'), where: ofDatabase },
    { kind: 'a bucket', url: async (): Promise<string> => bucket.url('erased'), where: ofBucket },
  ];
  for (const [i, { kind, url, where }] of kinds.entries()) {
    test.skipIf(!inShare(i, 2))(
      `nothing is left in ${kind}, and the other server does not answer it${notInShare(i, 2)}`,
      async () => {
        const store = await url();
        const caches = ['one', 'two'].map((name) => join(folder, `${name}${String(i)}`));
        const env = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };
        const start = (cache: string): Promise<Server> =>
          serve(store, { options: ['--open', '--disk-cache', cache], env });
        const [one, two] = [await start(caches[0]!), await start(caches[1]!)];
        const path = '/default/default/statements';
        const send = async (body: string, type = 'application/n-quads'): Promise<string> => {
          const answer = await fetch(one.url + path, { method: 'POST', headers: { 'Content-Type': type }, body });
          expect(answer.ok).toBe(true);
          return answer.headers.get('ETag')!.replaceAll('"', '');
        };
        const read = (server: Server, query = ''): Promise<Response> =>
          fetch(`${server.url}${path}${query}`, { headers: { Accept: 'application/n-quads' } });
        // Enough for packs with blocks, and a long term, which has a pack of its own.
        const lines = Array.from({ length: 3000 }, (_, n) => `<urn:s${String(n)}> <urn:p> "value ${String(n)}" .\n`);
        const revision = await send(
          `${lines.join('')}<urn:${SECRET}> <urn:p> "x" .\n<urn:s> <urn:p> "${SECRET.repeat(200)}" .\n`,
        );
        await send(`<urn:${SECRET}> <urn:q> "y" .\n`);
        const old = `?revision-id=${revision}`;
        for (const server of [one, two]) {
          expect(await (await read(server, old)).text()).toContain(SECRET);
          expect(await (await read(server)).text()).toContain(SECRET);
        }
        expect((await where()).length).toBeGreaterThan(0);
        for (const match of [
          `{"term":"urn:${SECRET}","reason":"asked"}`,
          `{"pattern":{"subject":"<urn:s>"},"reason":"asked"}`,
        ]) {
          const erased = await fetch(`${one.url}/default/default/erase`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: match,
          });
          expect([match, erased.status, erased.ok ? '' : await erased.text()]).toEqual([match, erased.status, '']);
        }
        expect(await where()).toEqual([]);
        expect(await ofFolder(caches[0]!)).toEqual([]);
        // Whoever asks for the present gets it. A fixed revision may come from what the server knew, for a sign of life longer.
        for (const server of [one, two]) expect(await (await read(server)).text()).not.toContain(SECRET);
        for (const server of [one, two]) {
          const answer = await read(server, old);
          const text = await answer.text();
          expect(text).not.toContain(SECRET);
          if (answer.ok) expect(text.split('\n').length).toBe(3001);
          else expect([answer.status, text]).toEqual([410, expect.stringContaining('SNAPSHOT_EXPIRED')]);
        }
        expect(await ofFolder(caches[1]!)).toEqual([]);
      },
    );
  }
});
