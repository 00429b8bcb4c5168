// Commands over places: what a command prints of a repository of a server is what it prints of the store itself.
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WebHost } from '@quadrille/storage-published/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok, type Outcome, quadrille, type Workspace, workspace } from './testing/command.js';

const SLOW = { timeout: 120_000 };

let work: Workspace;
let address: string;
/** The same content as that of the server. */
let copy: string;
beforeEach(async () => {
  work = await workspace();
  const people = await work.file(
    'people.trig',
    '<urn:ann> <urn:age> 7 ; <urn:name> "Ann"@en .\n<urn:g> { <urn:bob> <urn:age> 8 . _:b <urn:age> 9 }\n',
  );
  const place = [work.store, '-r', 'acme/people'];
  await ok('load', ...place, people, '-m', 'people', '--author', 'jo');
  await ok('update', ...place, 'DELETE DATA { <urn:ann> <urn:age> 7 } ; INSERT DATA { <urn:ann> <urn:age> 70 }');
  await ok('branch', ...place, 'dev');
  await ok('update', ...place, 'INSERT DATA { <urn:ann> <urn:age> 71 }', '--branch', 'dev');
  await ok('update', ...place, 'DELETE DATA { <urn:ann> <urn:age> 70 } ; INSERT DATA { <urn:ann> <urn:age> 72 }');
  await ok('settings', ...place, '--set', 'functional=urn:age');
  copy = join(work.directory, 'copy');
  await cp(work.store, copy, { recursive: true });
  address = `${(await work.serve(['--open'])).url}/acme/people`;
}, SLOW.timeout);
afterEach(() => work.remove());

/** How a command finds the content that the server has. */
type Way = 'a server' | 'a store that the server shares';
const WAYS: readonly Way[] = ['a server', 'a store that the server shares'];

/** Runs a command over both places: `PLACE` in its words. */
async function both(way: Way, ...words: string[]): Promise<{ store: Outcome; server: Outcome }> {
  const over = (...place: string[]): Promise<Outcome> =>
    quadrille(words.flatMap((word) => (word === 'PLACE' ? place : [word])));
  return {
    store: await over(copy, '-r', 'acme/people'),
    server: await (way === 'a server' ? over(address) : over(work.store, '-r', 'acme/people')),
  };
}

const READING: readonly string[][] = [
  ['query', 'PLACE', 'SELECT * { ?s ?p ?o } ORDER BY ?o'],
  ['query', 'PLACE', 'SELECT ?s { ?s <urn:age> ?age } ORDER BY ?age', '--format', 'table'],
  ['query', 'PLACE', 'ASK { <urn:ann> <urn:age> 7 }', '--at', '2', '--format', 'csv'],
  ['query', 'PLACE', 'CONSTRUCT { ?s a <urn:P> } WHERE { ?s <urn:name> ?n }', '--format', 'ttl'],
  ['query', 'PLACE', 'CONSTRUCT { ?s a <urn:P> } WHERE { ?s <urn:name> ?n }'],
  ['query', 'PLACE', 'CONSTRUCT { ?s a <urn:P> } WHERE { ?s <urn:name> ?n }', '--json'],
  ['query', 'PLACE', 'SELECT ?n { ?s <urn:name> ?n } ORDER BY ?n', '--format', 'application/sparql-results+xml'],
  ['query', 'PLACE', 'ASK { <urn:ann> <urn:age> 7 }', '--format', 'table'],
  ['query', 'PLACE', 'DESCRIBE <urn:ann>', '--format', 'csv'],
  ['query', 'PLACE', 'SELECT ?age { <urn:ann> <urn:age> ?age } ORDER BY ?age', '--branch', 'dev'],
  ['explain', 'PLACE', 'SELECT * { ?s <urn:age> ?o }'],
  ['dump', 'PLACE'],
  ['dump', 'PLACE', '--at', '2', '--format', 'trig'],
  ['dump', 'PLACE', '--graph', 'urn:g', '--format', 'nt'],
  ['dump', 'PLACE', '--drop-graphs', '--format', 'nt'],
  ['log', 'PLACE', '--json'],
  ['log', 'PLACE', '--stat', '--author', 'jo'],
  ['log', 'PLACE', '--graph'],
  ['log', 'PLACE', '--subject', 'urn:ann', '--limit', '1'],
  ['show', 'PLACE', '3', '--json'],
  ['show', 'PLACE', '--branch', 'dev'],
  ['diff', 'PLACE', '2', 'HEAD'],
  ['diff', 'PLACE', '1', '3', '--predicate', 'urn:age', '--json'],
  ['blame', 'PLACE', '--subject', 'urn:ann'],
  ['blame', 'PLACE', '--removed', '--json'],
  ['size', 'PLACE', '--at', 'HEAD~1'],
  ['branch', 'PLACE', '--json'],
  ['settings', 'PLACE', '--json'],
  ['merge', 'PLACE', 'dev', '--preview', '--json'],
  ['trim', 'PLACE', '--last', '1', '--dry-run', '--json'],
  ['erase', 'PLACE', '--term', 'urn:ann', '--reason', 'asked', '--dry-run', '--json'],
  ['erase', 'PLACE', '--graph', 'default', '--predicate', 'urn:name', '--reason', 'asked', '--dry-run'],
  ['watch', 'PLACE', '--since', '1', '--limit', '1'],
];

test.each(WAYS)('%s: reading prints the same, to the byte', SLOW, async (way) => {
  for (const words of READING) {
    const { store, server } = await both(way, ...words);
    expect(server, words.join(' ')).toEqual(store);
    expect(store, words.join(' ')).toMatchObject({ code: 0, stderr: '' });
    expect(store.stdout, words.join(' ')).not.toBe('');
  }
});

/** Of what can be asked of a store that takes no writes. */
const WRITING = new Set(['trim', 'erase', 'watch']);

test('a published store: reading prints the same, to the byte', SLOW, async () => {
  const site = join(work.directory, 'site');
  await ok('publish', copy, site, '--history', 'all');
  const host = await WebHost.open({ file: (name) => readFile(join(site, name)).catch(() => undefined) });
  try {
    for (const words of READING.filter(([command]) => !WRITING.has(command!))) {
      const over = (...place: string[]): Promise<Outcome> =>
        quadrille(words.flatMap((word) => (word === 'PLACE' ? place : [word])));
      const store = await over(copy, '-r', 'acme/people');
      // It is the only repository.
      expect(await over(host.url), words.join(' ')).toEqual(store);
    }
    expect(await quadrille(['size', host.url, '-r', 'acme/people'])).toMatchObject({ code: 0 });
    for (const words of [
      ['update', host.url, 'CLEAR ALL'],
      ['load', host.url, await work.file('x.nt', '')],
    ])
      expect(await quadrille(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('READ_ONLY') as string });
  } finally {
    await host.close();
  }
});

test('publish: a store that is shared, an erasure, and wrong use', SLOW, async () => {
  const site = join(work.directory, 'site');
  const first = await ok('publish', work.store, site);
  expect(first).toMatch(/^acme\/people #\d+, \d+ quads\n.*site: [\d.]+ k?B; \d+ new files, /);
  const { store } = JSON.parse(await readFile(join(site, 'quadrille.json'), 'utf8')) as { store: string };
  await ok('erase', work.store, '-r', 'acme/people', '--term', 'urn:ann', '--reason', 'asked');
  expect(await quadrille(['publish', work.store, site])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--replace.*\(PUBLISHED_OTHER\)/) as string,
  });
  const report = JSON.parse(await ok('publish', work.store, site, '--replace', '--json')) as { superfluous: string[] };
  expect(report.superfluous).toEqual([]);
  // It is the same store, asked for a copy or read itself.
  expect(JSON.parse(await readFile(join(site, 'quadrille.json'), 'utf8'))).toMatchObject({ store });
  await work.file('strange.txt', '');
  for (const [words, told] of [
    [['publish', copy, work.directory], 'NOT_EMPTY'],
    [['publish', copy, site, '-r', 'acme/nothing'], 'REPOSITORY_NOT_FOUND'],
    [['publish', copy, site, '--history', '0'], 'INVALID_OPTION'],
    [['publish', 'http://127.0.0.1:1/', site], 'INVALID_OPTION'],
    [['publish', join(work.directory, 'none'), site], 'STORE_NOT_FOUND'],
  ] as const)
    expect((await quadrille([...words])).stderr, words.join(' ')).toContain(told);
});

test('shapes of a file, a report, and what shapes make a guard do', SLOW, async () => {
  const shapes = await work.file(
    'shapes.ttl',
    '@prefix sh: <http://www.w3.org/ns/shacl#> . <urn:S> sh:targetSubjectsOf <urn:age> ; sh:property [ sh:path <urn:name> ; sh:minCount 1 ] .',
  );
  for (const format of ['table', 'json']) {
    for (const explain of [[], ['--explain']]) {
      const { store, server } = await both(
        'a server',
        'validate',
        'PLACE',
        '--shapes',
        shapes,
        '--format',
        format,
        ...explain,
      );
      expect([server.code, store.code], server.stderr).toEqual([1, 1]);
      expect(withoutLabels(server.stdout)).toBe(withoutLabels(store.stdout));
      expect(server.stdout.includes('MinCountConstraintComponent')).toBe(explain.length > 0 || format === 'json');
    }
  }
  const report = await quadrille(['validate', address, '--shapes', shapes, '--format', 'turtle']);
  expect(report.stdout.match(/sh:focusNode/g)).toHaveLength(2);
  await ok('load', address, shapes, '--graph', 'urn:shapes');
  await ok('settings', address, '--set', 'shapesMode=report', '--set', 'shapes=urn:shapes');
  await ok('update', address, 'INSERT DATA { <urn:eve> <urn:age> 1 }');
  // The server knows what its commits have cost.
  const explained = JSON.parse((await quadrille(['validate', address, '--explain', '--format', 'json'])).stdout) as {
    constraints: object[];
  };
  expect(explained.constraints).toMatchObject([{ component: /./, path: '<urn:name>', all: [], commits: 1, nodes: 1 }]);
});

/** What two runs of a change have in common: no ids, no times, no labels. */
const withoutLabels = (text: string): string =>
  text
    .replace(/[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\d[T ][\d:.]+Z|_:[\w.-]+|\d+ bytes/g, '…')
    .replace(/ {2,}|-{2,}/g, ' ');

test.each(WAYS)('%s: changes print the same, and have done the same', SLOW, async (way) => {
  const more = await work.file('more.nq', '<urn:eve> <urn:age> "1" .\n');
  const patch = await work.file('patch.rdfp', 'A <urn:eve> <urn:name> "Eve" .\n');
  const changes: readonly string[][] = [
    ['update', 'PLACE', 'INSERT DATA { <urn:dan> <urn:age> 1 }', '-m', 'grüße'],
    ['update', 'PLACE', 'INSERT DATA { <urn:dan> <urn:age> 1 }'],
    ['load', 'PLACE', more, '--replace', '--dry-run'],
    ['load', 'PLACE', more, '--graph', 'urn:h', '--dry-run'],
    ['update', 'PLACE', 'CLEAR ALL', '--dry-run'],
    ['update', 'PLACE', 'CLEAR ALL', '--branch', 'dev', '--dry-run', '--json'],
    ['load', 'PLACE', more],
    ['load', 'PLACE', more],
    ['load', 'PLACE', more, '--graph', 'urn:h', '--replace'],
    ['patch', 'PLACE', patch],
    ['revert', 'PLACE', 'HEAD~1', '-m', 'wrong'],
    ['branch', 'PLACE', 'fix', '--from', '2'],
    ['update', 'PLACE', 'INSERT DATA { <urn:fix> <urn:p> 1 }', '--branch', 'fix', '--json'],
    ['merge', 'PLACE', 'fix', '-m', 'both'],
    ['merge', 'PLACE', 'dev', '--on-conflict', 'theirs', '-m', 'both'],
    ['branch', 'PLACE', 'fix', '--rename', 'done'],
    ['branch', 'PLACE', 'done', '--delete'],
    ['settings', 'PLACE', '--set', 'retention=last:5'],
    ['erase', 'PLACE', '--term', '"Ann"@en', '--reason', 'asked'],
    ['trim', 'PLACE', '--last', '2'],
  ];
  for (const words of changes) {
    const { store, server } = await both(way, ...words);
    expect(withoutLabels(server.stdout), words.join(' ')).toBe(withoutLabels(store.stdout));
    expect([server.code, store.code, server.stderr], words.join(' ')).toEqual([0, 0, '']);
  }
  const { store, server } = await both(way, 'dump', 'PLACE');
  expect(withoutLabels(server.stdout)).toBe(withoutLabels(store.stdout));
});

test.each(WAYS)('%s: what a store refuses, is refused with the same code', SLOW, async (way) => {
  const wrong: readonly string[][] = [
    ['query', 'PLACE', 'SELEC * {}'],
    ['query', 'PLACE', 'CLEAR ALL'],
    ['query', 'PLACE', 'SELECT * {}', '--format', 'ttl'],
    ['query', 'PLACE', 'CONSTRUCT WHERE {}', '--format', 'table'],
    ['query', 'PLACE', 'ASK {}', '--format', 'none'],
    ['query', 'PLACE', 'ASK {}', '--at', '99'],
    ['query', 'PLACE', 'ASK {}', '--branch', 'none'],
    ['update', 'PLACE', 'ASK {}'],
    ['dump', 'PLACE', '--format', 'nt'],
    ['show', 'PLACE', '99'],
    ['patch', 'PLACE', await work.file('none.rdfp', 'D <urn:none> <urn:p> 1 .\n')],
    ['patch', 'PLACE', 'missing.rdfp'],
    ['load', 'PLACE', await work.file('wrong.ttl', '<urn:a> <urn:p> .')],
    ['load', 'PLACE', await work.file('wrong.ttl', '<urn:a> <urn:p> .'), '--dry-run'],
    ['update', 'PLACE', 'CLEAR', '--dry-run'],
    ['merge', 'PLACE', 'dev'],
    ['branch', 'PLACE', 'dev', '--delete'],
    ['settings', 'PLACE', '--set', 'shapes=nothing'],
  ];
  for (const words of wrong) {
    const { store, server } = await both(way, ...words);
    expect([server.code, codeIn(server), server.stdout], words.join(' ')).toEqual([store.code, codeIn(store), '']);
    expect(store.code, words.join(' ')).not.toBe(0);
  }
});

const codeIn = ({ stderr }: Outcome): string => /\((\w+)\)\n$/.exec(stderr)?.[1] ?? stderr;

test('what only the process with the store can do is refused before anything is asked', SLOW, async () => {
  const local: readonly [RegExp, string[]][] = [
    [/--repository is part of the address/, ['query', address, 'ASK {}', '-r', 'acme/people']],
    [/--author/, ['update', address, 'CLEAR ALL', '--author', 'x']],
    [/--durability/, ['revert', address, 'HEAD', '--durability', 'disk']],
    [/--no-upgrade/, ['update', address, 'CLEAR ALL', '--no-upgrade']],
    [/--allow/, ['query', address, 'ASK {}', '--allow', 'https://example.org']],
    [/--strict/, ['load', address, await work.file('a.nt', ''), '--strict']],
    [/--repository is part of the address/, ['load', address, await work.file('c.nt', ''), '-r', 'acme/people']],
    [/--repository is part of the address/, ['watch', address, '-r', 'acme/people']],
    [/needs the store itself/, ['compact', address]],
    [/needs the store itself/, ['verify', address]],
    [/the address is such as/, ['size', 'http://jo:secret@127.0.0.1:1/acme/people']],
  ];
  for (const [reason, words] of local) {
    const outcome = await quadrille(words);
    expect(outcome, words.join(' ')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(reason) });
    expect(outcome.stderr).not.toContain('secret');
  }
  expect(await quadrille(['size', 'http://127.0.0.1:1/acme/people'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be reached.*\(FETCH_FAILED\)/),
  });
  const other = await quadrille(['size', `${new URL(address).origin}/acme/none`]);
  expect([other.code, codeIn(other)]).toEqual([1, 'REPOSITORY_NOT_FOUND']);
});
