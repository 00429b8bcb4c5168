import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonLines, type Outcome, quadrille, type Workspace, workspace } from './testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
let store: string;
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
});
afterEach(() => work.remove());

const run = (...args: string[]): Promise<Outcome> => quadrille(args);
const ok = async (...args: string[]): Promise<string> => {
  const outcome = await run(...args);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return outcome.stdout;
};

describe('account', SLOW, () => {
  test('add makes the store, list shows, remove takes away', async () => {
    expect(await ok('account', 'add', store, 'acme', '--full-name', 'Acme Inc.', '--email', 'a@e.org')).toBe(
      'added acme\n',
    );
    const [added] = jsonLines(await ok('account', 'add', store, 'boss', '--admin', '--json'));
    expect(added).toMatchObject({ account: 'boss', admin: true, created: expect.stringMatching(/Z$/) });
    expect(await ok('account', 'list', store)).toMatch(
      /^acme {2}\d{4}-\d\d-\d\d {2}Acme Inc\. <a@e\.org>\nboss {2}\d{4}-\d\d-\d\d {2}\(admin\)\n$/,
    );
    expect(await ok('account', 'remove', store, 'boss')).toBe('removed boss\n');
    const listed = jsonLines(await ok('account', 'list', store, '--json'));
    expect(listed).toMatchObject([{ account: 'acme', fullName: 'Acme Inc.', email: 'a@e.org', admin: false }]);
  });

  test('what cannot be is said in one line', async () => {
    await ok('account', 'add', store, 'acme');
    expect(await run('account', 'add', store, 'acme')).toMatchObject({
      code: 1,
      stderr: 'quadrille: there is an account acme already (ALREADY_EXISTS)\n',
    });
    const reserved = await run('account', 'add', store, 'jobs', '--json');
    expect(reserved.code).toBe(2);
    expect(JSON.parse(reserved.stderr)).toMatchObject({ code: 'INVALID_RECORD' });
    expect(await run('account', 'remove', store, 'nobody')).toMatchObject({ code: 1 });
    const file = await work.file('one.nt', '<urn:a> <urn:p> "1" .\n');
    await ok('load', store, file, '--repository', 'acme/people');
    const held = await run('account', 'remove', store, 'acme');
    expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining('ACCOUNT_NOT_EMPTY') });
  });
});

describe('token', SLOW, () => {
  test('add prints it once; list and revoke know it by id and name', async () => {
    await ok('account', 'add', store, 'acme');
    const [made] = jsonLines(await ok('token', 'add', store, 'acme', '--json'));
    expect(made).toMatchObject({ account: 'acme', token: expect.stringMatching(/^qdt_[0-9a-f]{16}_[\w-]{43}$/) });
    const reading = await ok('token', 'add', store, 'acme', '--read', '--name', 'dashboard');
    expect(reading).toMatch(/^qdt_[0-9a-f]{16}_[\w-]{43}\n$/);
    const list = await ok('token', 'list', store, 'acme');
    expect(list).toMatch(
      /^[0-9a-f]{16} {2}\d{4}-\d\d-\d\d {2}read and write\n[0-9a-f]{16} {2}\d{4}-\d\d-\d\d {2}read {2}dashboard\n$/,
    );
    expect(list).not.toContain(reading.trim().slice(21));
    expect(await ok('token', 'revoke', store, 'acme', 'dashboard')).toMatch(/^revoked [0-9a-f]{16} .* dashboard\n$/);
    const [revoked] = jsonLines(await ok('token', 'revoke', store, 'acme', String(made!['id']), '--json'));
    expect(revoked).toMatchObject({ id: made!['id'], account: 'acme', revoked: true });
    expect(await ok('token', 'list', store, 'acme')).toBe('');
  });

  test('of an account that is not there, or of a store that is not', async () => {
    await ok('account', 'add', store, 'acme');
    for (const command of [
      ['token', 'add', store, 'nobody'],
      ['token', 'list', store, 'nobody'],
      ['token', 'revoke', store, 'acme', 'x'],
      ['token', 'add', `${store}-else`, 'acme'],
    ])
      expect(await run(...command), command.join(' ')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('namespace', SLOW, () => {
  test('of an account holds in its repositories; that of a repository beats it', async () => {
    await ok('account', 'add', store, 'acme');
    const file = await work.file('one.nt', '<http://e.org/a> <urn:p> "1" .\n');
    await ok('load', store, file, '--repository', 'acme/people');
    expect(await ok('namespace', 'add', store, 'acme', 'ex', 'http://e.org/')).toBe('added ex\n');
    expect(await ok('namespace', 'list', store, 'acme')).toMatch(/^ex {2}http:\/\/e\.org\/$/m);
    const ask = ['query', store, 'ASK { ex:a ?p ?o }', '--repository', 'acme/people', '--format', 'text/boolean'];
    expect(await ok(...ask)).toBe('true');
    const [added] = jsonLines(await ok('namespace', 'add', store, 'acme/people', 'ex', 'urn:else:', '--json'));
    expect(added).toEqual({ prefix: 'ex', namespace: 'urn:else:' });
    expect(await ok(...ask)).toBe('false');
    expect(await ok('namespace', 'list', store, 'acme/people')).toBe('ex  urn:else:\n');
    expect(await ok('namespace', 'remove', store, 'acme/people', 'ex')).toBe('removed ex\n');
    expect(await ok(...ask)).toBe('true');
  });

  test('what cannot be is said in one line', async () => {
    await ok('account', 'add', store, 'acme');
    for (const args of [
      ['add', store, 'nobody', 'ex', 'http://e.org/'],
      ['add', store, 'acme', '__proto__', 'http://e.org/'],
      ['add', store, 'acme', 'ex', 'not an IRI'],
      ['remove', store, 'acme', 'ex'],
      ['list', store, 'acme/nothing'],
    ]) {
      const outcome = await run('namespace', ...args);
      expect(outcome, args.join(' ')).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^quadrille: .*\n$/) });
      expect(outcome.code).not.toBe(0);
    }
  });
});
