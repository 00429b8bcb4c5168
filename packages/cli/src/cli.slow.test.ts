import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonLines, ok, quadrille, start, type Workspace, workspace } from './testing/command.js';

const ONE = '<urn:a> <urn:p> "1" .\n<urn:b> <urn:p> "2" .\n';
const TWO = '<urn:a> <urn:p> "1" .\n<urn:c> <urn:p> "3" .\n';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
let store: string;
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
});
afterEach(() => work.remove());

const loaded = async (): Promise<void> => {
  await ok('load', store, await work.file('one.nt', ONE), await work.file('two.nt', TWO), '--replace', '-m', 'state');
};

describe('load', SLOW, () => {
  test('several files are one revision each, with what the options say', async () => {
    const files = [await work.file('one.nt', ONE), await work.file('two.nt.gz', gzipSync(TWO))];
    const lines = jsonLines(await ok('load', store, ...files, '--replace', '--json', '-m', 'state', '--author', 'jo'));
    const revisions = lines.filter((line) => 'parent' in line);
    expect(revisions).toMatchObject([
      { number: 2, added: 2, removed: 0, size: 2, message: 'state', author: 'jo' },
      { number: 3, added: 1, removed: 1, size: 2 },
    ]);
    const progress = lines.filter((line) => 'phase' in line);
    expect(progress.at(-1)).toMatchObject({ phase: 'done', fraction: 1, quads: 2 });
    expect(lines.at(-1)).toEqual(revisions.at(-1));
  });

  test('lines that are not well formed are skipped where that is asked for', async () => {
    const file = await work.file('bad.nt', `${ONE}nonsense\n<urn:c> <urn:p> 3 .\n`);
    expect(await quadrille(['load', store, file])).toMatchObject({ code: 65, stdout: '' });
    const outcome = await quadrille(['load', store, file, '--on-error', 'skip', '--max-errors', '2']);
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/#2 .*\+2 -0/) });
    expect(outcome.stderr).toMatch(/skipped \S*bad\.nt:3:1: .*\n.*skipped \S*bad\.nt:4:17: /);
    expect((await quadrille(['load', store, file, '--on-error', 'skip', '--max-errors', '1'])).code).not.toBe(0);
    expect((await quadrille(['load', store, file, '--on-error', 'ignore'])).code).not.toBe(0);
  });

  test('graph, base, repository and standard input', async () => {
    const options = ['--graph', 'urn:g', '--base', 'http://e.org/', '--repository', 'acme/people', '--format', 'ttl'];
    const outcome = await quadrille(['load', store, '-', ...options], { input: '<a> <b> <c> .' });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^-: #2 {2}\S+ \S+Z {2}\+1 -0 {2}1 quad {2}\([0-9a-f-]{36}\)\n$/);
    const nquads = await ok('dump', store, '--repository', 'acme/people');
    const triple = '<http://e.org/a> <http://e.org/b> <http://e.org/c>';
    expect(nquads).toBe(`${triple} <urn:g> .\n`);
    const dump = (...more: string[]): Promise<string> => ok('dump', store, '--repository', 'acme/people', ...more);
    expect(await dump('--graph', 'urn:g', '--format', 'nt')).toBe(`${triple} .\n`);
    expect(await dump('--graph', 'urn:other')).toBe('');
    expect(await dump('--drop-graphs')).toBe(`${triple} .\n`);
    const refused = await quadrille(['dump', store, '--repository', 'acme/people', '--format', 'ttl']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/Turtle has no named graphs.*INVALID_OPTION/);
  });

  test('a file that changes nothing makes no revision', async () => {
    const file = await work.file('one.nt', ONE);
    await ok('load', store, file);
    expect(await ok('load', store, file)).toMatch(/nothing changed, still #2/);
  });

  test('a missing file is 66 and leaves no store behind', async () => {
    const outcome = await quadrille(['load', store, join(work.directory, 'none.nt')]);
    expect(outcome).toMatchObject({ code: 66, stdout: '' });
    expect(outcome.stderr).toMatch(/^quadrille: cannot read the file .*none\.nt \(INPUT_NOT_FOUND\)\n$/);
    expect(existsSync(store)).toBe(false);
  });

  test('a syntax error is 65, says where, and changes nothing', async () => {
    await loaded();
    const file = await work.file('bad.nt', `${ONE}<urn:x> <urn:p> oops .\n`);
    const outcome = await quadrille(['load', store, file]);
    expect(outcome.code).toBe(65);
    expect(outcome.stderr).toMatch(/^quadrille: \S*bad\.nt:3:\d+: .* \(RDF_SYNTAX\)\n$/);
    const json = await quadrille(['load', store, file, '--json']);
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'RDF_SYNTAX', line: 3 });
    expect(await ok('size', store)).toBe('2\n');
  });
});

describe('reading', SLOW, () => {
  beforeEach(loaded);

  test('query: SPARQL JSON, other formats, an old revision', async () => {
    const text = 'SELECT ?s { ?s <urn:p> ?o } ORDER BY ?s';
    expect(JSON.parse(await ok('query', store, text))).toMatchObject({
      head: { vars: ['s'] },
      results: { bindings: [{ s: { value: 'urn:a' } }, { s: { value: 'urn:c' } }] },
    });
    expect(JSON.parse(await ok('query', store, text, '--json'))).toHaveProperty('results');
    expect((await ok('query', store, text, '--format', 'csv', '--at', 'HEAD~1')).split(/\r?\n/)).toEqual([
      's',
      'urn:a',
      'urn:b',
      '',
    ]);
    expect(await ok('query', store, text, '--format', 'table')).toBe('?s\n-------\n<urn:a>\n<urn:c>\n2 rows\n');
    expect(JSON.parse(await ok('query', store, 'ASK { <urn:b> ?p ?o }'))).toMatchObject({ boolean: false });
    expect(await ok('query', store, 'CONSTRUCT { ?s <urn:q> 1 } WHERE { ?s ?p "3" }')).toMatch(
      /^<urn:c> <urn:q> "1"\^\^<.*> \.\n$/,
    );
    const construct = 'CONSTRUCT WHERE { ?s ?p "3" }';
    expect(await ok('query', store, construct, '--format', 'ttl')).toContain('<urn:c>');
    expect(JSON.parse(await ok('query', store, construct, '--json'))).toMatchObject({
      head: { vars: ['s', 'p', 'o'] },
    });
  });

  test('explain: a plan, and what it did', async () => {
    const text = 'SELECT ?s { ?s <urn:p> ?o }';
    expect(await ok('explain', store, text)).toMatch(/^scan \?s <urn:p> .*\[about 2 rows\]\n$/);
    expect(await ok('explain', store, text, '--analyze')).toMatch(/got 2 in [\d.]+ ms/);
    expect(JSON.parse(await ok('explain', store, text, '--json', '--at', 'HEAD~1'))).toMatchObject({
      evaluator: 'native',
      plan: { operator: 'scan', variables: ['s'] },
    });
    expect((await quadrille(['explain', store, 'SELECT {'])).code).toBe(65);
    expect((await quadrille(['explain', store, 'CLEAR ALL', '--analyze'])).code).toBe(2);
  });

  test('query from a file and from standard input', async () => {
    const file = await work.file('q.rq', 'ASK { <urn:a> ?p ?o }');
    expect(JSON.parse(await ok('query', store, '--file', file))).toMatchObject({ boolean: true });
    const piped = await quadrille(['query', store, '-'], { input: 'ASK { <urn:a> ?p ?o }' });
    expect(JSON.parse(piped.stdout)).toMatchObject({ boolean: true });
    expect((await quadrille(['query', store])).code).toBe(2);
    expect((await quadrille(['query', store, '--file', join(work.directory, 'none.rq')])).code).toBe(66);
    expect((await quadrille(['query', store, 'SELECT * {'])).code).toBe(65);
    expect((await quadrille(['query', store, 'ASK {}', '--format', 'nonsense'])).code).toBe(2);
  });

  test('dump to a file, by its name, compressed', async () => {
    const target = join(work.directory, 'out.nt.gz');
    expect(jsonLines(await ok('dump', store, '-o', target, '--at', 'HEAD~1', '--json'))).toMatchObject([
      { file: target },
    ]);
    expect(
      gunzipSync(await readFile(target))
        .toString()
        .split('\n')
        .sort(),
    ).toEqual(`${ONE}`.split('\n').sort());
    expect((await readdir(work.directory)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('log, newest first', async () => {
    const lines = jsonLines(await ok('log', store, '--json'));
    expect(lines.map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(lines[0]).toMatchObject({ added: 1, removed: 1, size: 2, message: 'state', parent: lines[1]?.['id'] });
    expect(jsonLines(await ok('log', store, '--json', '--limit', '1', '--before', 'HEAD'))).toMatchObject([
      { number: 2 },
    ]);
    expect(await ok('log', store)).toMatch(/^#3 .*\+1 -1 {2}2 quads {2}state {2}\(/);
  });

  test('blame of a pattern, at a revision, with what is gone', async () => {
    const [first, second] = [/^#2 {2}\S+ \S+Z {2}state {2}/, /^#3 {2}\S+ \S+Z {2}state {2}/];
    const lines = (await ok('blame', store)).trim().split('\n').toSorted();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(first);
    expect(lines[0]).toContain('  <urn:a> <urn:p> "1" .');
    expect(lines[1]).toMatch(second);
    expect(lines[1]).toContain('  <urn:c> <urn:p> "3" .');
    expect(await ok('blame', store, '--subject', 'urn:b')).toBe('');
    expect(await ok('blame', store, '-s', '<urn:b>', '--removed')).toMatch(
      / {2}removed by #3 {2}<urn:b> <urn:p> "2" \.\n$/,
    );
    expect(await ok('blame', store, '-p', 'urn:p', '-o', '"2"', '-g', 'default', '--at', '2')).toMatch(first);
    expect(jsonLines(await ok('blame', store, '-s', 'urn:b', '--removed', '--json'))).toMatchObject([
      { quad: '<urn:b> <urn:p> "2" .', revision: { number: 2, message: 'state' }, removed: { number: 3 } },
    ]);
    for (const wrong of [
      ['-s', '"x"'],
      ['-s', 'relative'],
      ['-p', '_:b'],
      ['-g', '<urn:g> .'],
    ]) {
      expect(await quadrille(['blame', store, ...wrong])).toMatchObject({ code: 2, stdout: '' });
    }
  });

  test('diff as RDF Patch and as JSON', async () => {
    const patch = (await ok('diff', store, 'HEAD~1', 'HEAD')).trim().split('\n');
    expect(patch.sort()).toEqual(['A <urn:c> <urn:p> "3" .', 'D <urn:b> <urn:p> "2" .']);
    expect(jsonLines(await ok('diff', store, '2', '--json'))).toContainEqual({
      op: 'add',
      quad: '<urn:c> <urn:p> "3" .',
    });
  });

  test('size', async () => {
    expect(await ok('size', store, '--at', 'TAIL')).toBe('0\n');
    expect(await ok('size', store, '--json')).toBe('{"size":2}\n');
  });

  test('nothing is made by reading', async () => {
    const none = join(work.directory, 'none');
    for (const command of [
      ['size'],
      ['log'],
      ['verify'],
      ['dump'],
      ['query', 'ASK {}'],
      ['update', 'CLEAR ALL'],
      ['revert', 'HEAD'],
    ]) {
      const [name = '', ...rest] = command;
      const outcome = await quadrille([name, none, ...rest]);
      expect([name, outcome.code, outcome.stdout]).toEqual([name, 1, '']);
      expect(outcome.stderr).toMatch(/\(STORE_NOT_FOUND\)/);
      expect(existsSync(none)).toBe(false);
    }
    expect((await quadrille(['size', store, '--repository', 'no/such'])).stderr).toMatch(/\(REPOSITORY_NOT_FOUND\)/);
    expect((await quadrille(['size', store, '--at', '99'])).stderr).toMatch(/\(REVISION_NOT_FOUND\)/);
  });
});

describe('writing and keeping', SLOW, () => {
  beforeEach(loaded);

  test('update and revert', async () => {
    const update = jsonLines(await ok('update', store, 'INSERT DATA { <urn:d> <urn:p> 4 }', '--json', '-m', 'add d'));
    expect(update).toMatchObject([{ number: 4, added: 1, removed: 0, message: 'add d' }]);
    expect(jsonLines(await ok('revert', store, 'HEAD', '--json'))).toMatchObject([{ number: 5, added: 0, removed: 1 }]);
    expect(await ok('size', store)).toBe('2\n');
    expect((await quadrille(['update', store, 'INSERT DATA {'])).code).toBe(65);
  });

  test('verify, compact and rebuild', async () => {
    expect(jsonLines(await ok('verify', store, '--json'))).toMatchObject([{ ok: true, problems: [] }]);
    expect(await ok('verify', store, '--repository', 'default/default')).toMatch(/^everything is in order; checked /);
    for (const command of ['compact', 'rebuild']) {
      const [report] = jsonLines(await ok(command, store, '--json'));
      expect(Object.keys(report ?? {}).sort()).toEqual(['bytesAfter', 'bytesBefore']);
      expect(await ok(command, store)).toMatch(/before, .* after\n$/);
    }
    expect(await ok('size', store)).toBe('2\n');
  });

  test('log with filters and --stat, and show', async () => {
    await ok(
      'update',
      store,
      'INSERT DATA { <urn:d> <urn:q> 4, 5 . <urn:d> <urn:p> 4 }',
      '-m',
      'Add D',
      '--author',
      'jo',
    );
    expect(jsonLines(await ok('log', store, '--json', '--author', 'jo', '--message', 'add'))).toMatchObject([
      { number: 4, author: 'jo' },
    ]);
    expect(jsonLines(await ok('log', store, '--json', '--subject', 'urn:d', '--from', '2'))).toHaveLength(1);
    expect(await ok('log', store, '--to', '2001-01-01')).toBe('');
    expect(await ok('log', store, '--limit', '1', '--stat')).toMatch(
      /^#4 .*jo: Add D.*\n {4}\+2 -0 {2}<urn:q>\n {4}\+1 -0 {2}<urn:p>\n$/,
    );
    expect(jsonLines(await ok('log', store, '--limit', '1', '--stat', '--json'))).toMatchObject([
      { number: 4, stat: [{ predicate: '<urn:q>', added: 2, removed: 0 }, { predicate: '<urn:p>' }] },
    ]);
    expect((await ok('show', store)).split('\n')).toEqual([
      expect.stringMatching(/^#4 /),
      expect.stringMatching(/^A <urn:d> /),
      expect.stringMatching(/^A <urn:d> /),
      expect.stringMatching(/^A <urn:d> /),
      '',
    ]);
    expect(await ok('show', store, 'HEAD~3')).toMatch(/^#1 .*\n$/);
    expect(jsonLines(await ok('show', store, '@{2999-01-01}', '--json'))).toHaveLength(4);
    expect((await quadrille(['show', store, 'nothing'])).code).not.toBe(0);
  });

  test('verify names what was made before its name was reserved', async () => {
    const { open } = await import('quadrille');
    const database = await open(store);
    for (const name of ['acme/branches', 'tokens/mine']) await database.repository(name, { create: true });
    await database.close();
    expect(jsonLines(await ok('verify', store, '--json'))).toMatchObject([
      { ok: true, problems: [], reserved: ['tokens', 'acme/branches'] },
    ]);
    expect(await ok('verify', store)).toMatch(/^tokens: .*reserved.*\nacme\/branches: .*\neverything is in order/);
    expect(await ok('size', store, '--repository', 'acme/branches')).toBe('0\n');
  });

  test('--no-upgrade refuses to write to a store of an earlier format, and a warning comes before an upgrade', async () => {
    const [update, marker] = ['INSERT DATA { <urn:d> <urn:p> 4 }', join(store, 'quadrille.json')];
    expect((await quadrille(['update', store, update, '--no-upgrade'])).code).toBe(0);
    const { format } = JSON.parse(await readFile(marker, 'utf8')) as { format: number };
    await writeFile(marker, (await readFile(marker, 'utf8')).replace(`"format":${format}`, '"format":3'));
    expect(await quadrille(['revert', store, 'HEAD', '--no-upgrade'])).toMatchObject({
      code: 70,
      stdout: '',
      stderr: expect.stringMatching(/earlier format.*\(FORMAT_VERSION\)\n$/) as string,
    });
    expect(await readFile(marker, 'utf8')).toContain('"format":3');
    const reverted = await quadrille(['revert', store, 'HEAD']);
    expect([reverted.code, reverted.stderr]).toEqual([
      0,
      expect.stringMatching(/^quadrille: warning: .*cannot be undone\n$/),
    ]);
    expect(await readFile(marker, 'utf8')).toContain(`"format":${format}`);
    expect((await quadrille(['revert', store, 'HEAD'])).stderr).toBe('');
  });

  test('a store that is no store, and one of a newer format', async () => {
    const marker = join(store, 'quadrille.json');
    const text = await readFile(marker, 'utf8');
    await writeFile(marker, text.replace(/"format":\d+/, '"format":99'));
    const newer = await quadrille(['size', store]);
    expect([newer.code, newer.stderr]).toEqual([70, expect.stringMatching(/^quadrille: .*99.*\(FORMAT_VERSION\)\n$/)]);

    await work.file('file.txt', 'x');
    const outcome = await quadrille(['size', work.directory]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/^quadrille: .*\((?:NOT_A_STORE|STORE_NOT_FOUND)\)\n$/);
  });
});

describe('use', SLOW, () => {
  test('help teaches by example for every command', async () => {
    const help = await ok('--help');
    expect(help).toContain('Examples:');
    for (const command of 'load query explain update dump log diff blame watch revert size verify rebuild compact serve'.split(
      ' ',
    )) {
      expect(help).toContain(`  ${command} `);
      const text = await ok(command, '--help');
      expect(text).toContain(`$ quadrille ${command} ./data`);
    }
    expect(await quadrille([])).toMatchObject({ code: 2, stdout: '', stderr: help });
    expect(await ok('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [['size']],
    [['size', 'x', '--nonsense']],
    [['siez', 'x']],
    [['log', 'x', '--limit', 'many']],
    [['load', 'x', 'y', '--durability', 'none']],
    [['serve', 'x', '--port', '99999']],
  ])('%j is wrong use', async (args) => {
    const outcome = await quadrille(args, { cwd: work.directory });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/^quadrille: .* \(INVALID_OPTION\)\n$/);
    const json = await quadrille([...args, '--json'], { cwd: work.directory });
    expect(JSON.parse(json.stderr)).toHaveProperty('code', 'INVALID_OPTION');
    expect(await readdir(work.directory)).toEqual([]);
  });

  test('stack traces only on demand', async () => {
    const args = ['size', store];
    expect((await quadrille(args)).stderr).not.toContain('    at ');
    expect((await quadrille(args, { env: { QUADRILLE_DEBUG: '1' } })).stderr).toContain('    at ');
  });
});

describe('a larger store', SLOW, () => {
  let large: Workspace;
  beforeAll(async () => {
    large = await workspace();
    const lines = Array.from({ length: 50_000 }, (_, i) => `<urn:s${String(i)}> <urn:p> "${String(i)}" .\n`);
    await quadrille(['load', large.store, await large.file('large.nt', lines.join(''))]);
  });
  afterAll(() => large.remove());

  test('a reader that goes away ends it quietly', async () => {
    const child = start(['dump', large.store]);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, stderr]).toEqual([0, '']);
  });

  test('an interrupt ends a query and frees the store', async () => {
    const child = start(['query', large.store, 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(?c + ?f < 0) }']);
    const ended = once(child, 'close');
    // It writes there when it opens the store.
    for await (const _ of watch(large.store, { recursive: true })) break;
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(130);
    expect((await quadrille(['size', large.store])).stdout).toBe('50000\n');
  });
});

test('the options of JSON-LD', async () => {
  const file = await work.file('directed.jsonld', '{"@id":"urn:a","p":{"@value":"x","@direction":"rtl"}}');
  const context = await work.file('context.jsonld', '{"@context":{"p":"urn:p"}}');
  const options = ['--rdf-direction', 'i18n-datatype', '--expand-context', context];
  expect(await quadrille(['load', work.store, file, '--replace', ...options])).toMatchObject({ code: 0, stderr: '' });
  const typed = '<urn:a> <urn:p> "x"^^<https://www.w3.org/ns/i18n#_rtl> .\n';
  expect((await quadrille(['dump', work.store])).stdout).toBe(typed);
  const dumped = await quadrille(['dump', work.store, '--format', 'jsonld', '--rdf-direction', 'i18n-datatype']);
  expect(dumped.stdout).toContain('"urn:p":{"@value":"x","@direction":"rtl"}');
  for (const wrong of [
    ['--rdf-direction', 'rtl'],
    ['--processing-mode', '1.0'],
    ['--expand-context', file.replace('directed', 'none')],
    ['--expand-context', await work.file('wrong.jsonld', '{"p":')],
  ]) {
    expect((await quadrille(['load', work.store, file, ...wrong])).code).not.toBe(0);
  }
  expect((await quadrille(['dump', work.store])).stdout).toBe(typed);
});

test('every format, by the extension of a file and by name', async () => {
  const file = await work.file('a.jsonld', '{"@id":"urn:a","http://e.org/p":"x"}');
  expect((await quadrille(['load', work.store, file])).code).toBe(0);
  for (const format of ['rdf', 'jsonld', 'rj', 'trix', 'n3']) {
    const dumped = await quadrille(['dump', work.store, '--format', format]);
    expect(dumped).toMatchObject({ code: 0, stderr: '' });
    const again = await work.file(`again.${format}`, dumped.stdout);
    const loaded = await quadrille(['load', work.store, again, '--replace', '--json']);
    expect(loaded).toMatchObject({ code: 0, stderr: '' });
    expect((await quadrille(['dump', work.store])).stdout).toBe('<urn:a> <http://e.org/p> "x" .\n');
  }
});

test('load and update with --dry-run tell what they would do, and do nothing', { timeout: 60_000 }, async () => {
  const file = await work.file('dry.nt', '<urn:a> <urn:p> "1" .\n<urn:b> <urn:p> "2" .\n');
  expect(await quadrille(['load', work.store, file, '--dry-run'])).toMatchObject({ code: 1, stdout: '' });
  await ok('load', work.store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
  const log = await ok('log', work.store);
  expect(await ok('load', work.store, file, '--dry-run')).toBe(`${file}: +1 -0\n`);
  expect(await ok('load', work.store, file, '--dry-run', '--replace', '--graph', 'urn:g')).toBe(`${file}: +2 -0\n`);
  expect(await ok('update', work.store, 'DELETE WHERE { ?s ?p ?o }', '--dry-run')).toBe('+0 -1\n');
  expect(jsonLines(await ok('update', work.store, 'CLEAR ALL', '--dry-run', '--json'))).toEqual([
    { added: 0, removed: 1 },
  ]);
  expect(await ok('log', work.store)).toBe(log);
});
