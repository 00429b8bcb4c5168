import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANONYMOUS, type Caller, jobRecord, openService, OPERATOR, type Service } from '../index.js';
import {
  bodyOf,
  directory,
  hosted,
  memoryDatabase,
  OTHER,
  OWNER,
  SlowBody,
  triples,
  until,
} from '../testing/fixtures.js';

const NAME = 'acme/people';
const load = (service: Service, text: string): Promise<unknown> =>
  service.imports.run(OWNER, NAME, { source: { body: bodyOf(text), mediaType: 'text/plain' } });

test('a record has the fields of the interface', async () => {
  const service = await hosted();
  await load(service, triples(1));
  const job = service.jobs.latest(NAME)!;
  expect(jobRecord(job)).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    status: 'completed',
    working: false,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
    message: 'imported request body: 1 statements read',
    pct: 100,
    operation: 'import',
    repository_id: NAME,
    created: expect.stringMatching(/\+00:00$/),
    bytes: triples(1).length,
    bytes_total: triples(1).length,
    statements: 1,
    rate: expect.any(Number),
    revision: job.revision,
  });
});

describe('jobs', () => {
  test('are listed to whom they belong, by status', async () => {
    const service = await hosted();
    await load(service, triples(1));
    await load(service, 'nonsense').catch(() => undefined);
    const statuses = (caller: Caller, status?: 'completed' | 'failed' | 'all') =>
      service.jobs.list(caller, status === undefined ? {} : { status }).map(({ kind }) => kind);
    expect(statuses(OWNER)).toEqual([]);
    expect(statuses(OWNER, 'completed')).toEqual(['import', 'create']);
    expect(statuses(OWNER, 'failed')).toEqual(['import']);
    expect(statuses(OWNER, 'all')).toEqual(['import', 'import', 'create']);
    expect(statuses(OTHER, 'all')).toEqual([]);
    expect(statuses(OTHER, 'completed')).toEqual([]);
    expect(statuses(OPERATOR, 'failed')).toEqual(['import']);
    expect(() => service.jobs.list(ANONYMOUS)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    expect(() => service.jobs.get(ANONYMOUS, 'x')).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
  });

  test('are deleted by whom they belong to', async () => {
    const service = await hosted();
    await load(service, triples(1));
    const { uuid } = service.jobs.latest(NAME)!;
    await expect(service.jobs.delete(OTHER, uuid)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    await service.jobs.delete(OWNER, uuid);
    await expect(service.jobs.delete(OWNER, uuid)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    const again = await openService(service.database);
    expect(again.jobs.list(OWNER, { status: 'completed' }).map(({ kind }) => kind)).toEqual(['create']);
  });

  test('show the newest that is under way, else the newest of all', async () => {
    const service = await hosted();
    const body = new SlowBody();
    const { uuid, done } = await service.imports.start(OWNER, NAME, { source: { body, mediaType: 'text/plain' } });
    await load(service, triples(1));
    expect(service.jobs.latest(NAME)?.uuid).toBe(uuid);
    body.end();
    await done;
    expect(service.jobs.latest(NAME)?.uuid).not.toBe(uuid);
  });

  test('stay for a day, or as long as they are among the last', async () => {
    let time = Date.now();
    const database = await memoryDatabase();
    const options = { now: () => time, limits: { jobsKept: 3, jobsKeptAtMost: 6, jobsKeptMs: 1000 } };
    const service = await hosted(options, database);
    const count = async (): Promise<number> =>
      (await openService(database, options)).jobs.list(OWNER, { status: 'completed' }).length;
    for (let i = 0; i < 4; i++) await load(service, triples(1, i));
    expect(await count()).toBe(5);
    for (let i = 0; i < 4; i++) await load(service, triples(1, i));
    expect(await count()).toBe(6);
    time += 1001;
    expect(await count()).toBe(3);
    expect((await openService(database, options)).jobs.latest(NAME)).toEqual(service.jobs.latest(NAME));
  });

  test('take so many bytes, however long their messages are', async () => {
    const database = await memoryDatabase();
    const options = { limits: { jobsKeptBytes: 10_000 } };
    const service = await hosted(options, database);
    const fileName = `${'long'.repeat(5000)}.nt`;
    for (let i = 0; i < 6; i++) {
      await service.imports.run(OWNER, NAME, { source: { body: bodyOf(triples(1, i)), fileName } });
    }
    const kept = (await openService(database, options)).jobs.list(OWNER, { status: 'completed' });
    expect(kept).toHaveLength(3);
    expect(Math.max(...kept.map(({ message }) => message.length))).toBeLessThan(1100);
  });

  test('that were under way when the process ended have failed', async () => {
    const database = await memoryDatabase();
    const service = await hosted({}, database);
    const body = new SlowBody();
    const { uuid } = await service.imports.start(
      OWNER,
      NAME,
      { source: { body, mediaType: 'text/plain' } },
      { durable: true },
    );
    const next = await openService(database);
    expect(next.interrupted).toMatchObject([{ uuid, status: 'pending' }]);
    expect(next.jobs.get(OWNER, uuid)).toMatchObject({
      status: 'failed',
      message: 'the server ended before this was done; nothing of it was kept',
    });
    expect((await openService(database)).interrupted).toEqual([]);
  });

  test('are completed in one batch with the revision', async () => {
    const database = await memoryDatabase();
    const service = await hosted({}, database);
    const write = hostOf(database).records.write.bind(hostOf(database).records);
    // As where the process ends right after the commit.
    hostOf(database).records.write = (changes) => write(changes.filter(({ key }) => !key.startsWith('job/')));
    await load(service, triples(3));
    await load(service, triples(200_000, 3));
    hostOf(database).records.write = write;
    const next = await openService(database);
    expect(next.interrupted).toEqual([]);
    const imports = next.jobs.list(OWNER, { status: 'completed' }).filter(({ kind }) => kind === 'import');
    const [head, before] = await (await next.rights.open(OWNER, NAME, 'read')).log().toArray();
    expect(imports).toMatchObject([
      { revision: head!.id, statements: 200_000, percent: 100 },
      { revision: before!.id, statements: 3, percent: 100 },
    ]);
    expect(imports[0]).toEqual(service.jobs.latest(NAME));
  });

  test('are not hindered by a store that cannot be written, whatever they do to it', async () => {
    const database = await memoryDatabase();
    const warnings: string[] = [];
    const logger = { info: () => undefined, error: () => undefined, warn: (text: string) => void warnings.push(text) };
    const service = await hosted({ logger }, database);
    hostOf(database).records.write = async () => {
      throw new Error('full');
    };
    await load(service, triples(1));
    expect(service.jobs.latest(NAME)).toMatchObject({ status: 'completed' });
    await expect(load(service, 'nonsense')).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
    expect(service.jobs.latest(NAME)).toMatchObject({ status: 'failed' });
    expect(warnings).toContain('a job could not be written');
  });
});

describe('a process that is killed in an import', () => {
  const packages = resolve(import.meta.dirname, '../../../..');
  const addressOf = (path: string): string => pathToFileURL(join(packages, path)).href;

  const child = (path: string): string => `
    import { open } from ${JSON.stringify(addressOf('quadrille/dist/index.js'))};
    import { openService } from ${JSON.stringify(addressOf('server/dist/host.js'))};
    const service = await openService(await open(${JSON.stringify(path)}));
    const caller = { account: 'acme', readOnly: false, admin: false };
    await service.accounts.create('acme');
    await service.repositories.create(caller, 'acme', { name: 'people' });
    async function* endless() {
      for (let at = 0; ; at += 5000) {
        let text = '';
        for (let i = at; i < at + 5000; i++) text += '<urn:subject:' + i + '> <urn:p> "an object of its own, ' + i + '" .\\n';
        yield Buffer.from(text);
      }
    }
    const source = { body: endless(), mediaType: 'text/plain' };
    const { uuid, job } = await service.imports.start(caller, 'acme/people', { source });
    setInterval(() => console.log(JSON.stringify({ uuid, statements: job().statements ?? 0 })), 50);
  `;

  async function bytesOf(path: string): Promise<number> {
    const names = await readdir(path, { recursive: true });
    // Files of the storage come and go.
    const sizes = names.map((name) =>
      stat(join(path, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }

  test('leaves a failed job, no statement, and no space taken', { timeout: 120_000 }, async () => {
    const path = join(await directory(), 'store');
    const running = spawn(process.execPath, ['--input-type=module', '-e', child(path)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = { uuid: '', statements: 0 };
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      told = JSON.parse(text.trim().split('\n').at(-1)!) as typeof told;
    });
    onTestFinished(() => void running.kill('SIGKILL'));
    const exited = once(running, 'exit');
    // Beyond what is held in memory before it is written.
    await until(async () => told.statements > 1_000_000 && (await bytesOf(path)) > 30_000_000, 90_000);
    running.kill('SIGKILL');
    await exited;

    const database = await open(path);
    try {
      const service = await openService(database);
      expect(service.interrupted).toMatchObject([{ uuid: told.uuid, status: 'running' }]);
      expect(service.jobs.get(OWNER, told.uuid)).toMatchObject({ status: 'failed', repository: NAME });
      expect(service.jobs.get(OWNER, told.uuid).statements).toBeGreaterThan(0);
      const repository = await service.rights.open(OWNER, NAME, 'read');
      expect(await repository.revision()).toMatchObject({ number: 1, size: 0 });
      await service.reclaimed();
      expect(await repository.maintenance.stats()).toMatchObject({ quads: 0 });
      expect((await repository.maintenance.verify()).ok).toBe(true);
      await load(service, triples(10));
      expect(await repository.size()).toBe(10);
      await service.close();
    } finally {
      await database.close();
    }
    expect(await bytesOf(path)).toBeLessThan(3_000_000);
  });
});
