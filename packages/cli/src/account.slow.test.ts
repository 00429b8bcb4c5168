import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonLines, ok, type Outcome, quadrille, type Workspace, workspace } from './testing/command.js';

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
      /^[0-9a-f]{16} {2}\d{4}-\d\d-\d\d {2}read,write,own,replicate\n[0-9a-f]{16} {2}\d{4}-\d\d-\d\d {2}read {2}dashboard\n$/,
    );
    expect(list).not.toContain(reading.trim().slice(21));
    expect(await ok('token', 'revoke', store, 'acme', 'dashboard')).toMatch(/^revoked [0-9a-f]{16} .* dashboard\n$/);
    const [revoked] = jsonLines(await ok('token', 'revoke', store, 'acme', String(made!['id']), '--json'));
    expect(revoked).toMatchObject({ id: made!['id'], account: 'acme', revoked: true });
    expect(await ok('token', 'list', store, 'acme')).toBe('');
  });

  test('rights, label and expiry', async () => {
    await ok('account', 'add', store, 'acme');
    const [made] = jsonLines(
      await ok(...'token add --rights write --label ci --expires 2099-01-31 --json'.split(' '), store, 'acme'),
    );
    expect(made).toMatchObject({ name: 'ci', rights: ['read', 'write'], expires: '2099-01-31T00:00:00.000Z' });
    expect(await ok('token', 'list', store, 'acme')).toMatch(
      /^[0-9a-f]{16} {2}\S+ {2}read,write {2}until 2099-01-31T00:00:00\.000Z {2}ci\n$/,
    );
    for (const options of [
      '--rights all,read',
      '--rights operate',
      '--rights read --read',
      '--expires soon',
      '--expires 2001-01-01',
    ])
      expect(await run('token', 'add', store, 'acme', ...options.split(' ')), options).toMatchObject({
        code: 2,
        stdout: '',
      });
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

describe('a server that runs', SLOW, () => {
  test('is asked at its address, by the token of the environment or of a file', async () => {
    const { url, token } = await work.serve(['--json']);
    const held = await run('account', 'add', store, 'acme');
    expect(held).toMatchObject({ code: 1, stderr: expect.stringMatching(/give its address.*\(STORE_LOCKED\)\n$/) });
    const env = { QUADRILLE_TOKEN: token };
    const asked = async (...args: string[]): Promise<string> => {
      const [group, verb, ...rest] = args;
      const outcome = await quadrille([group!, verb!, url, ...rest], { env });
      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      return outcome.stdout;
    };
    expect(await asked('account', 'add', 'acme', '--email', 'a@e.org')).toBe('added acme\n');
    expect(await asked('account', 'list')).toMatch(/^acme {2}\S+\ndefault {2}\S+ {2}\(admin\)\n$/);
    const [made] = jsonLines(await asked('token', 'add', 'acme', '--rights', 'own', '--label', 'a b', '--json'));
    expect(made).toMatchObject({ account: 'acme', name: 'a b', rights: ['read', 'write', 'own'] });
    const file = await work.file('token.txt', `${String(made!['token'])}\n`);
    const ofOwner = ['token', 'add', `${url}/`, 'acme', '--token-file', file];
    expect(await run(...ofOwner)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the right replicate.*FORBIDDEN/),
    });
    const own = await run(...ofOwner, '--rights', 'own');
    expect(own.stdout).toMatch(/^qdt_[0-9a-f]{16}_[\w-]{43}\n$/);
    const refused = await run('account', 'list', url, '--token-file', file, '--json');
    expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([1, { code: 'FORBIDDEN' }]);
    expect(await asked('token', 'revoke', 'acme', 'a b')).toMatch(/^revoked [0-9a-f]{16} .* a b\n$/);
    expect(await run('token', 'list', url, 'acme', '--token-file', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('UNAUTHENTICATED'),
    });
    const unknown = await quadrille(['token', 'revoke', url, 'acme', 'a b'], { env });
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('TOKEN_NOT_FOUND') });
    expect(await asked('account', 'remove', 'acme', '--force')).toBe('removed acme\n');
  });

  test('prefixes and collaborators are changed there, too', async () => {
    const { url, token } = await work.serve(['--json']);
    const asked = (group: string, verb: string, ...args: string[]): Promise<Outcome> =>
      quadrille([group, verb, url, ...args], { env: { QUADRILLE_TOKEN: token } });
    const said = async (group: string, verb: string, ...args: string[]): Promise<string> => {
      const outcome = await asked(group, verb, ...args);
      expect(outcome, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
      return outcome.stdout;
    };
    expect(await said('namespace', 'add', 'default', 'ex', 'http://e.org/ü#')).toBe('added ex\n');
    expect(await said('namespace', 'list', 'default')).toContain('ex  http://e.org/ü#\n');
    expect(await said('namespace', 'add', 'default/default', 'ex', 'urn:x:')).toBe('added ex\n');
    expect(await said('namespace', 'list', 'default/default')).toBe('ex  urn:x:\n');
    expect(await said('namespace', 'remove', 'default/default', 'ex')).toBe('removed ex\n');
    expect((await asked('namespace', 'remove', 'default/default', 'ex')).code).toBe(2);
    await said('account', 'add', 'jo');
    expect(await said('collaborator', 'add', 'default/default', 'jo')).toBe('jo may read\n');
    expect(await said('collaborator', 'add', 'default/default', 'jo', '--write')).toBe('jo may write\n');
    expect(await said('collaborator', 'list', 'default/default')).toBe('jo  write\n');
    expect(await said('collaborator', 'remove', 'default/default', 'jo')).toBe('removed jo\n');
    expect(await said('collaborator', 'list', 'default/default')).toBe('');
    for (const args of [
      ['namespace', 'list', store, 'default'],
      ['collaborator', 'list', store, 'default/default'],
    ])
      expect(await run(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/give its address.*STORE_LOCKED/),
      });
    for (const args of [
      ['namespace', 'list', '..'],
      ['namespace', 'list', 'nobody'],
      ['collaborator', 'add', 'default/default', 'nobody'],
      ['collaborator', 'list', 'default/default/..'],
    ] as const)
      expect((await asked(args[0], args[1], ...args.slice(2))).code, args.join(' ')).not.toBe(0);
  });

  test('no server, no address, too many words', async () => {
    for (const args of [
      ['account', 'list', 'http://'],
      ['account', 'list', 'http://user:secret@127.0.0.1:1'],
      ['account', 'list'],
      ['account', 'list', store, 'acme'],
      ['token', 'list', store],
      ['token', 'revoke', store, 'acme'],
    ])
      expect(await run(...args), args.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('account', 'list', 'http://127.0.0.1:1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be reached'),
    });
  });
});

test('account remove --force takes repositories with it', SLOW, async () => {
  const file = await work.file('one.nt', '<urn:a> <urn:p> "1" .\n');
  await ok('load', store, file, '--repository', 'acme/people');
  expect(await ok('account', 'remove', store, 'acme', '--force')).toBe('removed acme\n');
  expect(await ok('account', 'list', store)).toBe('');
});

test('collaborators of a store', SLOW, async () => {
  const file = await work.file('one.nt', '<urn:a> <urn:p> "1" .\n');
  await ok('load', store, file, '--repository', 'acme/people');
  await ok('account', 'add', store, 'jo');
  expect(await ok('collaborator', 'add', store, 'acme/people', 'jo')).toBe('jo may read\n');
  const [written] = jsonLines(await ok('collaborator', 'add', store, 'acme/people', 'jo', '--write', '--json'));
  expect(written).toEqual({ repository: 'acme/people', account: 'jo', read: true, write: true });
  expect(await ok('collaborator', 'list', store, 'acme/people')).toBe('jo  write\n');
  expect(await ok('collaborator', 'remove', store, 'acme/people', 'jo')).toBe('removed jo\n');
  expect(await run('collaborator', 'add', store, 'acme/people', 'nobody')).toMatchObject({ code: 1, stdout: '' });
});

describe('namespace', SLOW, () => {
  test('of an account holds in its repositories; that of a repository beats it', async () => {
    await ok('account', 'add', store, 'acme');
    const file = await work.file('one.nt', '<http://e.org/a> <urn:p> "1" .\n');
    await ok('load', store, file, '--repository', 'acme/people');
    expect(await ok('namespace', 'add', store, 'acme', 'ex', 'http://e.org/')).toBe('added ex\n');
    expect(await ok('namespace', 'list', store, 'acme')).toMatch(/^ex {2}http:\/\/e\.org\/$/m);
    const ask = ['query', store, 'ASK { ex:a ?p ?o }', '--repository', 'acme/people', '--format', 'text/boolean'];
    expect(await ok(...ask)).toBe('true\n');
    const [added] = jsonLines(await ok('namespace', 'add', store, 'acme/people', 'ex', 'urn:else:', '--json'));
    expect(added).toEqual({ prefix: 'ex', namespace: 'urn:else:' });
    expect(await ok(...ask)).toBe('false\n');
    expect(await ok('namespace', 'list', store, 'acme/people')).toBe('ex  urn:else:\n');
    expect(await ok('namespace', 'remove', store, 'acme/people', 'ex')).toBe('removed ex\n');
    expect(await ok(...ask)).toBe('true\n');
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
