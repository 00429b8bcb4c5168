import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openService } from '@quadrille/server/host';
import { createHandler, serveNode } from '@quadrille/server';
import { open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { jsonLines, ok, quadrille, start, type Workspace, workspace } from '../testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
let store: string;
const at = (name: string): string => join(work.directory, name);
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
  for (const n of [2, 3]) await add(n);
});
afterEach(() => work.remove());

const add = async (n: number): Promise<string> =>
  ok('load', store, await work.file('some.nt', `<urn:s> <urn:p> "number ${String(n)}" .\n`));

const GENERATION = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

describe('backup, verify-backup, restore', SLOW, () => {
  test('a full backup, an increment, a check, a restored store, one set back', async () => {
    const first = await ok('backup', store, at('backup'));
    expect(first).toMatch(/^\S+backup: full backup of 20\S+, [\d.]+ k?B written\n {2}default\/default #3\n$/);
    await add(4);
    expect(JSON.parse(await ok('backup', store, at('backup'), '--json'))).toMatchObject({
      location: at('backup'),
      full: false,
      heads: [{ name: 'default/default', number: 4 }],
    });
    expect(await ok('verify-backup', at('backup'))).toMatch(
      /^the backup of 20\S+ is in order: .*\n {2}default\/default #4\n$/,
    );
    expect(await ok('restore', at('backup'), at('restored'))).toBe(`${at('restored')} is restored\n`);
    expect(await ok('log', at('restored'), '--json')).toBe(await ok('log', store, '--json'));
    expect(await ok('dump', at('restored'))).toBe(await ok('dump', store));
    expect(await ok('verify', at('restored'))).toMatch(/everything is in order/);
    await ok('restore', at('backup'), at('earlier'), '--to', 'HEAD~1', '--backend', 'lmdb');
    expect(await ok('size', at('earlier'))).toBe('2\n');
    await ok('restore', at('backup'), at('second'), '-r', 'default/default', '--to', '2', '--json');
    expect(await ok('size', at('second'))).toBe('1\n');
  });

  test('wrong use and damage have their exit codes', async () => {
    await ok('backup', store, at('backup'));
    expect(await quadrille(['backup', store])).toMatchObject({ code: 2, stdout: '' });
    expect(await quadrille(['backup', store, at('backup'), '--every', 'often'])).toMatchObject({ code: 2, stdout: '' });
    expect(await quadrille(['restore', at('backup'), at('x'), '-r', 'a/b'])).toMatchObject({ code: 2, stdout: '' });
    expect(await quadrille(['verify-backup', at('none')])).toMatchObject({ code: 66, stdout: '' });
    await work.file('file.txt', 'x');
    const foreign = await quadrille(['backup', store, work.directory]);
    expect(foreign.stderr).toMatch(/\(INVALID_OPTION|NOT_A_BACKUP\)\n$/);
    const exists = await quadrille(['restore', at('backup'), store]);
    expect(exists).toMatchObject({ code: 1, stdout: '' });
    const [segment = ''] = await readdir(join(at('backup'), 'segments'));
    const file = join(at('backup'), 'segments', segment);
    const content = await readFile(file);
    content[40]! ^= 1;
    await writeFile(file, content);
    const damaged = await quadrille(['verify-backup', at('backup'), '--json']);
    expect(damaged).toMatchObject({ code: 70, stdout: '' });
    expect(JSON.parse(damaged.stderr)).toMatchObject({ code: 'BACKUP_DAMAGED' });
  });

  test('--keep has a directory for each time, and removes the oldest', async () => {
    const names: string[] = [];
    for (let n = 4; n < 7; n++) {
      await add(n);
      const { location } = JSON.parse(await ok('backup', store, at('backups'), '--keep', '2', '--json')) as {
        location: string;
      };
      names.push(location);
    }
    const kept = await readdir(at('backups'));
    expect(kept.map((name) => GENERATION.test(name))).toEqual([true, true]);
    expect(kept.map((name) => join(at('backups'), name))).toEqual(names.slice(1));
    const numbers = [];
    for (const name of kept) {
      const report = JSON.parse(await ok('verify-backup', join(at('backups'), name), '--json')) as {
        heads: { number: number }[];
      };
      numbers.push(report.heads[0]!.number);
    }
    expect(numbers).toEqual([5, 6]);
    // They share a file. Of one whose records were all written again since, the next backup has no use.
    const segments = await readdir(join(names[1]!, 'segments'));
    const links = await Promise.all(
      segments.map(async (name) => (await stat(join(names[1]!, 'segments', name))).nlink),
    );
    expect(Math.max(...links)).toBeGreaterThan(1);
    await writeFile(join(at('backups'), 'mine.txt'), '');
    expect(await quadrille(['backup', store, at('backups'), '--keep', '2'])).toMatchObject({ code: 1 });
  });

  test('--every goes on, also after a failure, until it is ended', async () => {
    const child = start(['backup', store, at('backups'), '--every', '1s', '--keep', '3', '--json']);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<number | null>((done) => child.on('close', done));
    await expect.poll(() => jsonLines(stdout).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    await writeFile(join(at('backups'), 'mine.txt'), '');
    await expect.poll(() => stderr, { timeout: 60_000 }).toContain('NOT_A_BACKUP');
    await rm(join(at('backups'), 'mine.txt'));
    const before = jsonLines(stdout).length;
    await expect.poll(() => jsonLines(stdout).length, { timeout: 60_000 }).toBeGreaterThan(before);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

describe('backup of a server', SLOW, () => {
  test('by the token of an operator, into a file and into a directory', async () => {
    const database = await open(store);
    const service = await openService(database, { rateLimit: false });
    await service.accounts.create('root', { admin: true });
    await service.accounts.create('other');
    const token = (await service.tokens.create('root')).text;
    const other = (await service.tokens.create('other')).text;
    const node = await serveNode(createHandler({ service }), { port: 0 });
    onTestFinished(async () => {
      await node.close(100);
      await service.close();
      await database.close();
    });
    const file = await work.file('token.txt', `${token}\n`);
    const run = (target: string, ...rest: string[]) => quadrille(['backup', node.url, target, ...rest]);
    expect(await run(at('backup.tar'), '--token-file', file)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(at('backup'), '--token-file', file)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(at('backup'), '--token-file', file, '--json')).toMatchObject({ code: 0, stderr: '' });
    const byEnvironment = await quadrille(['backup', `${node.url}/`, at('again.tar')], {
      env: { QUADRILLE_TOKEN: token },
    });
    expect(byEnvironment).toMatchObject({ code: 0, stderr: '' });
    for (const backup of ['backup.tar', 'backup', 'again.tar'])
      expect(await ok('verify-backup', at(backup))).toMatch(/ default\/default #3\n/);
    await ok('restore', at('backup.tar'), at('restored'));
    expect(await ok('size', at('restored'))).toBe('2\n');
    const refused = await quadrille(['backup', node.url, at('none.tar')], {
      env: { QUADRILLE_TOKEN: other },
    });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/\(FORBIDDEN\)\n$/);
    expect(existsSync(at('none.tar'))).toBe(false);
    expect(await quadrille(['backup', 'http://127.0.0.1:9', at('n')])).toMatchObject({ code: 1 });
  });
});
