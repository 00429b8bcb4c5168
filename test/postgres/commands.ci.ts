/** Commands over a real PostgreSQL: each takes the URL of a database in place of a directory, and none shows its password. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openPostgres, PostgresDriver } from '@quadrille/storage-postgres';
import { open } from 'quadrille';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PostgresServer, WITHOUT_POSTGRES } from './server.js';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/dist/bundle/main.js');

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function command(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env } });
  const texts = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (texts[0] += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts[1] += chunk.toString()));
  child.stdin.end();
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout: texts[0]!, stderr: texts[1]! }));
  });
}

/** What a command prints that has to succeed. */
async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await command(args);
  expect([args, code, stderr]).toEqual([args, 0, '']);
  return stdout;
}

describe.skipIf(WITHOUT_POSTGRES !== '')(`commands${WITHOUT_POSTGRES}`, { timeout: 60_000 }, () => {
  let server: PostgresServer;
  let folder: string;
  beforeAll(async () => {
    server = await PostgresServer.start();
    folder = await mkdtemp(join(tmpdir(), 'quadrille-commands-'));
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function document(quads: number): Promise<string> {
    const path = join(folder, `${quads}.nt`);
    await writeFile(path, Array.from({ length: quads }, (_, i) => `<urn:s${i}> <urn:q> "${i}" .\n`).join(''));
    return path;
  }

  test('a copy from a directory to a database and back has the same revisions, times and tokens', async () => {
    const from = join(folder, 'from');
    const db = await open(from);
    const people = await db.repository('acme/people', { create: true });
    for (let i = 0; i < 5; i++) await people.update(`INSERT DATA { <urn:a> <urn:p> ${i} }`, { message: `m${i}` });
    await (await people.branch('dev', { create: true })).update('CLEAR ALL');
    await people.namespaces.set('ex', 'urn:ex:');
    const hash = await people.contentHash();
    await db.records.write([{ key: 'account/acme', value: { name: 'acme' } }]);
    await db.close();
    const url = await server.database('copied');
    expect(await ok('copy', from, url)).toMatch(/acme\/people #6/);
    const back = join(folder, 'back');
    await ok('copy', url, back);
    const log = (store: string): Promise<string> => ok('log', store, '-r', 'acme/people', '--json', '--graph');
    const [first, ...others] = await Promise.all([from, url, back].map(log));
    expect(first!.split('\n').length).toBeGreaterThan(6);
    for (const other of others) expect(other).toBe(first);
    const [copied, returned] = [await open(url, { readOnly: true }), await open(back)];
    for (const each of [copied, returned]) {
      expect(await each.records.get('account/acme')).toEqual({ name: 'acme' });
      const repository = await each.repository('acme/people');
      expect((await repository.verify()).problems).toEqual([]);
      expect(await repository.contentHash()).toBe(hash);
      await each.close();
    }
    const again = await command(['copy', from, url]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has a store already')]);
  });

  test('what an interrupted copy left cannot be opened, and the next copy removes it', async () => {
    const url = await server.database('broken');
    const damaged = join(folder, 'damaged.tar');
    await writeFile(damaged, new Uint8Array(10_000));
    const { code } = await command(['restore', damaged, url]);
    expect(code).not.toBe(0);
    // As if the process had been killed after its first batches.
    const { beginUnfinished } = await import('@quadrille/core/backup');
    const { StorageEngine } = await import('@quadrille/storage');
    const engine = await StorageEngine.open(openPostgres(url));
    await beginUnfinished(engine, 'x');
    await engine.write([{ type: 'put', key: Uint8Array.of(3, 97, 47, 98), value: new Uint8Array(4) }], {
      durable: true,
    });
    await engine.close();
    expect(await command(['size', url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not completed') as string,
    });
    const from = join(folder, 'small');
    await ok('load', from, await document(1));
    await ok('copy', from, url);
    expect(await ok('size', url)).toBe('1\n');
  });

  test('after migrate the servers need a role that may change rows alone', async () => {
    const owner = await server.database('migrated');
    const client = new Client({ connectionString: owner });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`CREATE ROLE serving LOGIN PASSWORD 'of-serving'`);
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    const serving = owner.replace('owner:secret', 'serving:of-serving');
    expect(await command(['size', serving])).toMatchObject({ code: 1, stdout: '' });
    await ok('migrate', owner);
    await client.query(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON qd_meta, qd_root, qd_log, qd_pack, qd_server TO serving',
    );
    await ok('load', serving, await document(2));
    await ok('update', serving, 'INSERT DATA { <urn:a> <urn:p> 1 }');
    expect(await ok('size', serving)).toBe('3\n');
    await client.end();
    expect(await command(['migrate', folder])).toMatchObject({ code: 2, stdout: '' });
  });

  test('gc deletes packs without use, and no others; while a process writes it is refused', async () => {
    const url = await server.database('garbage');
    await ok('load', url, await document(3000));
    const driver = new PostgresDriver(url);
    await driver.open();
    await driver.putPacks(0, [{ id: '00000000-0000-4000-8000-000000000001', bytes: new Uint8Array(1000) }]);
    const before = (await driver.listPacks(0)).length;
    expect(before).toBeGreaterThan(1);
    const writer = await open(url);
    expect(await command(['gc', url, '--older-than', '0'])).toMatchObject({ code: 1, stdout: '' });
    await writer.close();
    expect(await ok('gc', url)).toBe('deleted 0 packs, 0 B\n');
    expect(JSON.parse(await ok('gc', url, '--older-than', '0', '--json'))).toMatchObject({
      packs: expect.any(Number) as number,
    });
    expect((await driver.listPacks(0)).map(({ id }) => id)).not.toContain('00000000-0000-4000-8000-000000000001');
    await driver.close();
    expect(await ok('size', url)).toBe('3000\n');
    expect(await ok('verify', url)).toBeTruthy();
    for (const wrong of [
      ['gc', folder],
      ['gc', url, '--older-than', '-1'],
      ['gc', url, '--older-than', 'x'],
    ])
      expect(await command(wrong)).toMatchObject({ code: 2, stdout: '' });
  });

  test('no message has a password of a URL', async () => {
    const url = await server.database('masked');
    const secret = 'hunter2-%C3%A4%40';
    const shown = ['hunter2', decodeURIComponent(secret)];
    const wrong = url.replace('secret', secret);
    const away = wrong.replace(/127.0.0.1:\d+/, '127.0.0.1:1');
    const inQuery = `${url.replace(/owner:secret@/, '')}?user=owner&password=${secret}`;
    const debug = { QUADRILLE_DEBUG: '1' };
    const outcomes = await Promise.all([
      command(['size', wrong], debug),
      command(['size', away], debug),
      command(['size', inQuery], debug),
      command(['serve', wrong, '--port', '0'], debug),
      command(['serve', away, '--port', '0', '--advertise', 'http://127.0.0.1:9', '--json'], debug),
      command(['copy', folder, away], debug),
      command(['size', away.replace('postgres', 'postgres:x'), '--json'], debug),
      command(['size', wrong.replace('postgres', 'postgress')], debug),
      command(['nothing', away], debug),
    ]);
    for (const { code, stdout, stderr } of outcomes) {
      expect(code).not.toBe(0);
      for (const text of shown) expect(stdout + stderr).not.toContain(text);
    }
  });
});
