/** Commands over a real PostgreSQL: each takes the URL of a database in place of a directory, and none shows its password. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KEYS, S3Server } from '../s3/server.js';
import { serve, stopAll } from '../servers/serve.js';
import { inShare, notInShare } from '../share.js';
import { Commands, type Outcome } from './commands.js';
import { PostgresServer, WITHOUT_POSTGRES } from './server.js';

/**
 * Every command once, in this order, and what it prints. STORE is the URL of a store, OTHER, THIRD those of new ones, DIR a folder, HTTP a server with the
 * repository default/people.
 */
const EACH: readonly (readonly [command: string, prints: RegExp | string])[] = [
  ['load STORE DIR/2.nt -m first', /#2 .*\+2 -0 .*first/],
  ['query STORE SELECT(COUNT(*)AS?n){?s?p?o}', /"value": "2"/],
  ['explain STORE SELECT*{?s?p?o}', /^scan/],
  ['update STORE INSERTDATA{<urn:a><urn:p>1} -m second', /#3 .*second/],
  ['dump STORE', /<urn:a> <urn:p> "1"/],
  ['show STORE HEAD', /A <urn:a> <urn:p> "1"/],
  ['diff STORE HEAD~1 HEAD', /^A <urn:a> <urn:p> "1"/],
  ['blame STORE', /#3 .*second .*<urn:a>/],
  ['watch STORE --since HEAD~1', /A <urn:a> <urn:p> "1"/],
  ['watch STORE --query SELECT?s{?s<urn:p>?o}', /urn:a/],
  ['revert STORE HEAD', /#4 .*\+0 -1/],
  ['branch STORE dev', /^dev /],
  ['update STORE INSERTDATA{<urn:b><urn:p>2} --branch dev', /#5 /],
  ['merge STORE dev', /Merge dev/],
  ['fork STORE default/default acme/forked', /^acme\/forked: #5/],
  ['export-history STORE -o DIR/history.rdfp', ''],
  ['import-history STORE DIR/history.rdfp -r acme/imported', /5 revisions imported/],
  ['patch STORE DIR/changes.rdfp -r acme/imported -m patched', /^#\d+ .*\+1 -0 .*patched/],
  ['remote STORE origin HTTP/default/people', ''],
  ['remote STORE', /^origin +http/],
  ['clone HTTP/default/people STORE -r acme/cloned', /2 revisions cloned/],
  ['pull STORE HTTP/default/people -r acme/cloned', /./],
  ['push STORE HTTP/default/people -r acme/cloned', /./],
  ['settings STORE --set protected=dev', /dev/],
  ['settings STORE --set search=true', /search/],
  ['search STORE 2', /urn:b/],
  ['size STORE', '3\n'],
  ['verify STORE', /everything is in order; checked 4 repositories/],
  ['validate STORE --shapes DIR/shapes.ttl', 'The data conform to the shapes.\n'],
  ['digest STORE', /^revision 5 /],
  ['sign STORE --key DIR/key.pem', /revision 5 is signed/],
  ['rebuild STORE', /^rebuilt/],
  ['compact STORE', /^compacted/],
  ['trim STORE --last 3', /^removed 2 revisions/],
  ['erase STORE -s urn:b --reason asked', /^erased 1 quads/],
  ['log STORE', /#6 /],
  ['account add STORE ann', 'added ann\n'],
  ['account list STORE', /^ann /m],
  ['token add STORE ann', /^qdt_/],
  ['token list STORE ann', /read,write/],
  ['collaborator add STORE acme/imported ann', /ann may read/],
  ['collaborator list STORE acme/imported', /ann/],
  ['namespace add STORE acme/imported ex urn:ex:', 'added ex\n'],
  ['namespace list STORE acme/imported', /ex +urn:ex:/],
  ['backup STORE DIR/NAME', /full backup/],
  ['verify-backup DIR/NAME', /in order/],
  ['restore DIR/NAME OTHER', /is restored/],
  ['copy STORE THIRD', /is copied to/],
  ['size THIRD', '2\n'],
  ['verify OTHER', /everything is in order/],
  ['publish STORE DIR/site-NAME -r default/default', /^default\/default #\d+, .*new files/s],
  ['gc STORE', /^deleted 0 packs/],
  ['repository move STORE acme/forked DIR/moved', /^acme\/forked has moved to .*moved, /],
  ['repository forget STORE acme/forked', 'forgot acme/forked\n'],
];
/** What no store is given to, or what other tests try. */
const WITHOUT_STORE = ['health', 'playground', 'bench', 'migrate', 'recover', 'serve', 'ui', 'mcp'];
/** Spaces that the table has left out, for it splits commands at spaces. */
const QUERIES: Readonly<Record<string, string>> = {
  'SELECT(COUNT(*)AS?n){?s?p?o}': 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
  'SELECT*{?s?p?o}': 'SELECT * { ?s ?p ?o }',
  'SELECT?s{?s<urn:p>?o}': 'SELECT ?s { ?s <urn:p> ?o }',
  'INSERTDATA{<urn:a><urn:p>1}': 'INSERT DATA { <urn:a> <urn:p> "1" }',
  'INSERTDATA{<urn:b><urn:p>2}': 'INSERT DATA { <urn:b> <urn:p> "2" }',
};

describe.skipIf(WITHOUT_POSTGRES !== '')(`commands${WITHOUT_POSTGRES}`, { timeout: 60_000 }, () => {
  let server: PostgresServer;
  let bucket: S3Server;
  let folder: string;
  let commands: Commands;
  const command = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> =>
    commands.run(args, env);
  /** What a command prints that has to succeed. */
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await command(args);
    expect([args, code, stderr]).toEqual([args, 0, '']);
    return stdout;
  };
  beforeAll(async () => {
    [server, bucket] = await Promise.all([PostgresServer.start(), S3Server.start()]);
    folder = await mkdtemp(join(tmpdir(), 'quadrille-commands-'));
    commands = new Commands({ AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey });
  });
  afterEach(stopAll);
  afterAll(async () => {
    commands.stop();
    await bucket.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function document(quads: number): Promise<string> {
    const path = join(folder, `${quads}.nt`);
    await writeFile(path, Array.from({ length: quads }, (_, i) => `<urn:s${i}> <urn:q> "${i}" .\n`).join(''));
    return path;
  }

  const urls: Readonly<Record<string, (name: string) => Promise<string>>> = {
    'a database': (name) => server.database(name),
    'a bucket': async (name) => bucket.url(name),
  };

  test('the table has every command', async () => {
    const all = (await ok('commands')).split('\n');
    const tried = new Set([...EACH.map(([text]) => text.split(' ')[0]!), ...WITHOUT_STORE]);
    expect([...tried].sort()).toEqual(all.sort());
  });

  // The kinds take turns.
  for (const [i, kind] of Object.keys(urls).entries())
    test.skipIf(!inShare(i, 2))(`every command over ${kind}${notInShare(i, 2)}`, () => tryEach(kind));

  async function tryEach(kind: string): Promise<void> {
    const name = kind.replace(/^a /, '');
    const url = (of: string): Promise<string> => urls[kind]!(`${name}_${of}`);
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await document(2);
    const shapes = '<urn:S> sh:targetSubjectsOf <urn:p> ; sh:property [ sh:path <urn:p> ; sh:minCount 1 ] .';
    await writeFile(join(folder, 'shapes.ttl'), `@prefix sh: <http://www.w3.org/ns/shacl#> . ${shapes}\n`);
    await writeFile(join(folder, 'changes.rdfp'), 'TX .\nA <urn:patched> <urn:p> "1" .\nTC .\n');
    const http = join(folder, `http-${name}`);
    await ok('load', http, join(folder, '2.nt'), '-r', 'default/people');
    const remote = await serve(http, { options: ['--open'], alone: true });
    const words: Readonly<Record<string, string>> = {
      STORE: await url('first'),
      OTHER: await url('other'),
      THIRD: await url('third'),
      DIR: folder,
      HTTP: remote.url,
      NAME: `backup-${name}`,
    };
    for (const [text, prints] of EACH) {
      const args = text
        .split(' ')
        .map((word) => QUERIES[word] ?? word.replace(/[A-Z]{3,}/g, (each) => words[each] ?? each));
      const { code, stdout, stderr } = await command(args);
      expect([text, code, stderr]).toEqual([text, 0, '']);
      if (typeof prints === 'string') expect(stdout, text).toBe(prints);
      else expect(stdout, text).toMatch(prints);
      expect(stdout, text).not.toMatch(/:secret@|geheim/);
    }
  }

  test('a copy from a directory to a database and back has the same revisions, times and tokens', async () => {
    const from = join(folder, 'from');
    const of = ['-r', 'acme/people'];
    await ok('load', from, await document(2), ...of, '-m', 'first');
    await ok('update', from, 'INSERT DATA { <urn:a> <urn:p> 1 }', ...of, '-m', 'second');
    await ok('branch', from, 'dev', ...of);
    await ok('update', from, 'CLEAR ALL', ...of, '--branch', 'dev');
    await ok('namespace', 'add', from, 'acme/people', 'ex', 'urn:ex:');
    await ok('token', 'add', from, 'acme');
    const url = await server.database('copied');
    expect(await ok('copy', from, url)).toMatch(/acme\/people #3/);
    const back = join(folder, 'back');
    await ok('copy', url, back);
    for (const args of [
      ['log', 'STORE', ...of, '--json', '--graph'],
      ['digest', 'STORE', ...of],
      ['token', 'list', 'STORE', 'acme'],
      ['namespace', 'list', 'STORE', 'acme/people'],
    ]) {
      const at = (store: string): Promise<string> => ok(...args.map((word) => (word === 'STORE' ? store : word)));
      const first = await at(from);
      expect(first).toMatch(/./);
      expect([await at(url), await at(back)]).toEqual([first, first]);
    }
    for (const store of [url, back]) expect(await ok('verify', store)).toMatch(/everything is in order/);
    const again = await command(['copy', from, url]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has a store already')]);
  });

  test('what an interrupted copy left cannot be opened, and the next copy removes it', async () => {
    const url = await server.database('broken');
    const damaged = join(folder, 'damaged.tar');
    await writeFile(damaged, new Uint8Array(10_000));
    const { code } = await command(['restore', damaged, url]);
    expect(code).not.toBe(0);
    await ok('unfinished', url);
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

  test('gc deletes packs without use, and no others', async () => {
    const url = await server.database('garbage');
    await ok('load', url, await document(3000));
    const unused = '00000000-0000-4000-8000-000000000001';
    const packs = (): Promise<readonly unknown[]> =>
      server.ask(async (query) => (await query('SELECT pack FROM qd_pack')).map(({ pack }) => pack), 'garbage');
    await server.ask((query) => query(`INSERT INTO qd_pack (log, pack, body) VALUES (0, '${unused}', 'x')`), 'garbage');
    const before = await packs();
    expect(before.length).toBeGreaterThan(1);
    expect(await ok('gc', url)).toBe('deleted 0 packs, 0 B\n');
    expect(await packs()).toEqual(expect.arrayContaining([...before]));
    const report = JSON.parse(await ok('gc', url, '--older-than', '0', '--json')) as { packs: number };
    const after = await packs();
    expect(after).not.toContain(unused);
    expect(report.packs).toBeGreaterThan(0);
    expect(await ok('size', url)).toBe('3000\n');
    expect(await ok('verify', url)).toMatch(/everything is in order/);
    for (const wrong of [
      ['gc', folder],
      ['gc', url, '--older-than', '-1'],
      ['gc', url, '--older-than', 'x'],
    ])
      expect(await command(wrong)).toMatchObject({ code: 2, stdout: '' });
  });

  test('wrong input has a code, changes nothing, and shows no password', async () => {
    const url = await server.database('masked');
    await server.database('none');
    const foreign = await server.database('others');
    const secret = 'hunter2-%C3%A4%40';
    const wrong = url.replace('secret', secret);
    const away = wrong.replace(/127.0.0.1:\d+/, '127.0.0.1:1');
    const inQuery = `${url.replace(/owner:secret@/, '')}?user=owner&password=${secret}`;
    const mysql = wrong.replace('postgres', 'mysql');
    await ok('load', url, await document(2));
    await server.ask((query) => query('CREATE TABLE qd_meta (other int)'), 'others');
    await server.ask(async (query) => {
      await query(`CREATE ROLE reading LOGIN PASSWORD 'hunter2'`);
      await query('GRANT SELECT ON qd_meta, qd_root, qd_log, qd_pack, qd_server TO reading');
    }, 'masked');
    const reading = url.replace('owner:secret', 'reading:hunter2');
    const empty = bucket.url('nothing');
    const cases: readonly (readonly [args: readonly string[], code: string])[] = [
      [['size', wrong], 'STORE_ACCESS'],
      [['size', inQuery], 'STORE_ACCESS'],
      [['size', `${wrong}?sslmode=require`], 'STORE_ACCESS'],
      [['size', url.replace('masked', 'missing')], 'STORE_ACCESS'],
      [['size', url.replace('masked', 'none')], 'STORE_NOT_FOUND'],
      [['gc', url.replace('masked', 'none')], 'STORE_NOT_FOUND'],
      [['size', foreign], 'STORE_NOT_FOUND'],
      [['load', foreign, join(folder, '2.nt')], 'NOT_A_STORE'],
      [['migrate', foreign], 'NOT_A_STORE'],
      [['serve', wrong, '--port', '0'], 'STORE_ACCESS'],
      [['update', reading, 'INSERT DATA { <urn:x> <urn:y> 1 }'], 'STORE_ACCESS'],
      [['serve', reading, '--port', '0', '--advertise', 'http://127.0.0.1:9'], 'STORE_ACCESS'],
      [['size', away], 'STORE_UNAVAILABLE'],
      [['serve', away, '--port', '0', '--advertise', 'http://127.0.0.1:9'], 'STORE_UNAVAILABLE'],
      [['serve', url, '--port', '0', '--advertise', wrong], 'INVALID_OPTION'],
      [['serve', url, '--port', '0', '--config', wrong], 'INPUT_NOT_FOUND'],
      [['copy', url, away], 'STORE_UNAVAILABLE'],
      [['copy', url, mysql], 'INVALID_OPTION'],
      [['size', away.replace('postgres', 'postgres:x')], 'INVALID_OPTION'],
      [['size', wrong.replace('postgres', 'postgress')], 'INVALID_OPTION'],
      [['size', wrong.replace('//', '')], 'INVALID_OPTION'],
      [['load', mysql, join(folder, '2.nt')], 'INVALID_OPTION'],
      [['load', url, wrong], 'INPUT_NOT_FOUND'],
      [['nothing', away], 'INVALID_OPTION'],
      [[wrong], 'INVALID_OPTION'],
      [['size', url, `--${wrong}`], 'INVALID_OPTION'],
      [['recover', wrong], 'INVALID_OPTION'],
      [['recover', folder, '--to', wrong], 'INVALID_OPTION'],
      [['backup', url, wrong], 'INVALID_OPTION'],
      [['backup', url, wrong, '--keep', '2'], 'INVALID_OPTION'],
      [['verify-backup', wrong], 'INVALID_OPTION'],
      [['restore', wrong, join(folder, 'new')], 'INVALID_OPTION'],
      [['restore', folder, mysql], 'INVALID_OPTION'],
      [['clone', wrong, url], 'INVALID_OPTION'],
      [['health', wrong], 'INVALID_OPTION'],
      [['dump', url, '-o', join(wrong, 'x')], 'STORAGE_IO'],
      [['size', empty], 'STORE_NOT_FOUND'],
      [['size', empty.replace('store', 'nobucket')], 'STORE_ACCESS'],
      [['size', 's3://store/x?endpoint=http://127.0.0.1:1'], 'STORE_UNAVAILABLE'],
      [['size', `s3://store/x?endpoint=http://me:hunter2@127.0.0.1:1`], 'INVALID_OPTION'],
      [['migrate', empty], 'INVALID_OPTION'],
    ];
    const before = (await readdir('.')).length;
    for (const [args, wanted] of cases) {
      for (const json of [false, true]) {
        const { code, stdout, stderr } = await command(json ? [...args, '--json'] : args, { QUADRILLE_DEBUG: '1' });
        expect(code, args.join(' ')).not.toBe(0);
        // With --json the failure is the first line, and an option that the command lacks is another one.
        const told = json
          ? (JSON.parse(stderr.split('\n')[0]!) as { code: string }).code
          : /\(([A-Z_]+)\)/.exec(stderr)?.[1];
        expect([args, told]).toEqual([args, json && told === 'INVALID_OPTION' ? told : wanted]);
        for (const text of ['hunter2', decodeURIComponent(secret)])
          expect(stdout + stderr, args.join(' ')).not.toContain(text);
      }
    }
    const refused = await command(['size', empty], { AWS_SECRET_ACCESS_KEY: 'hunter2' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^(?!.*hunter2).*\(STORE_ACCESS\)/) as string,
    });
    expect((await readdir('.')).length).toBe(before);
    expect(await ok('size', url)).toBe('2\n');
  });

  test('beside a server commands read, and the others say who writes', async () => {
    const url = await server.database('served');
    await ok('load', url, await document(2), '-r', 'acme/people');
    const one = await serve(url, { options: ['--access-log'] });
    const has = ['-r', 'acme/people'];
    expect(await ok('size', url, ...has)).toBe('2\n');
    expect(await ok('query', url, 'ASK { <urn:s1> ?p ?o }', ...has)).toMatch(/true/);
    expect(await ok('verify', url)).toMatch(/everything is in order/);
    expect(await ok('account', 'list', url)).toMatch(/^acme /m);
    expect(await ok('token', 'list', url, 'acme')).toMatch(/ first$/m);
    expect(await ok('collaborator', 'list', url, 'acme/people')).toBe('');
    expect(await ok('namespace', 'list', url, 'acme/people')).toBe('');
    expect(await ok('backup', url, join(folder, 'beside'))).toMatch(/acme\/people #2/);
    expect(await ok('migrate', url)).toBe('The tables are there.\n');
    const refused = [
      ['update', url, 'CLEAR ALL', ...has],
      ['compact', url, ...has],
      ['gc', url],
      ['token', 'add', url, 'acme'],
      ['serve', url, '--port', '0'],
    ];
    for (const { code, stderr } of await Promise.all(refused.map((args) => command(args))))
      expect([code, stderr]).toEqual([1, expect.stringMatching(/process \d+ on .*\(STORE_LOCKED\)/)]);
    const printed = one.printed();
    expect(printed).toContain('"store":"postgres://owner@127.0.0.1');
    for (const path of ['/system', '/metrics', '/servers', '/ready', '/health', '/nothing']) {
      const headers = one.token === undefined ? {} : { Authorization: `Bearer ${one.token}` };
      expect(await (await fetch(one.url + path, { headers })).text()).not.toMatch(/secret@|:secret/);
    }
    expect(one.printed()).not.toContain('secret@');
  });
});
