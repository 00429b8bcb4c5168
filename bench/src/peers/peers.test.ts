import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateQuads, nquadsChunks } from '../generate/quads.js';
import { AnswerDigest } from '../sparql/answer.js';
import { compareWithOxigraph, openBoth } from '../sparql/compare-with-oxigraph.js';
import { compareWithPeer, openWithPeer } from '../sparql/compare-with-peer.js';
import { readSettings } from '../settings.js';
import type { Figures } from '../workload.js';
import { cachedFolder, runProgram, versionLine } from './cache.js';
import { PEER_NAMES } from './names.js';
import { Peer, PeerError, PeerTimeout, type PeerCommand } from './peer-process.js';
import { lackOf } from './peers.js';

const QUADS = 400;
const LIMITS = { runMs: 20_000, answerMs: 20_000 };
/** Longest time of a download and a compilation, in milliseconds. */
const PREPARE_MS = 600_000;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-peers-'));
  await writeFile(join(directory, 'data.nq'), [...nquadsChunks(generateQuads({ quads: QUADS }))].join(''));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Notes how often it is started and with which files, then does what each request says. */
const PROGRAM = `
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [directory, file] = process.argv.slice(2);
if (file === 'bad') { console.error('bad file'); process.exit(1); }
appendFileSync(directory + '.starts', (file ?? 'none') + ' ');
const say = (reply) => console.log(JSON.stringify(reply));
say({ quads: 7, version: 'test 1' });
for await (const line of createInterface({ input: process.stdin })) {
  const { query, answer } = JSON.parse(line);
  if (query === 'hang') for (;;);
  if (query === 'die') process.exit(3);
  if (query === 'refuse') say({ error: 'refused' });
  else if (query === 'digest') say({ rows: 1, ns: 1, digest: 5 });
  else {
    if (answer !== undefined) writeFileSync(answer, query);
    say({ rows: 2, ns: 3_000_000 });
  }
}`;

describe('a peer', () => {
  let program: PeerCommand;
  beforeAll(async () => {
    const file = join(directory, 'program.mjs');
    await writeFile(file, PROGRAM);
    program = { command: process.execPath, args: [file] };
  });

  it('loads its file once, however often it is started', async () => {
    const store = join(directory, 'once');
    for (let i = 0; i < 2; i++) {
      const peer = await Peer.open(program, store, 'data', LIMITS);
      expect([peer.quads, peer.version]).toEqual([7, 'test 1']);
      expect(await peer.run('anything')).toEqual({ rows: 2, ms: 3 });
      await peer.close();
    }
    expect(await readFile(`${store}.starts`, 'utf8')).toBe('data none ');
  });

  it('starts again after it was stopped at its limit, after its end and after an error', async () => {
    const store = join(directory, 'again');
    const peer = await Peer.open(program, store, 'data', { runMs: 300, answerMs: 20_000 });
    await expect(peer.run('hang')).rejects.toThrow(PeerTimeout);
    await expect(peer.run('die')).rejects.toThrow(PeerError);
    await expect(peer.run('refuse')).rejects.toThrow('refused');
    expect(await peer.run('anything')).toMatchObject({ rows: 2 });
    await peer.close();
    expect(await readFile(`${store}.starts`, 'utf8')).toBe('data none none ');
  });

  it('in memory loads its file at each start', async () => {
    const store = join(directory, 'memory');
    const peer = await Peer.open({ ...program, inMemory: true }, store, 'data', { runMs: 300, answerMs: 20_000 });
    await expect(peer.run('hang')).rejects.toThrow(PeerTimeout);
    await expect(peer.run('die')).rejects.toThrow(PeerError);
    expect(await peer.run('anything')).toMatchObject({ rows: 2 });
    await peer.close();
    expect(await readFile(`${store}.starts`, 'utf8')).toBe('data data data ');
  });

  it('gives the digest of what it wrote, or the digest itself', async () => {
    const peer = await Peer.open(program, join(directory, 'digest'), 'data', LIMITS);
    const rows = [
      [
        ['a', 'literal', '1.50', 'http://www.w3.org/2001/XMLSchema#decimal'],
        ['b', 'blank', ''],
      ],
      [['a', 'iri', 'urn:ä\u2028']],
    ];
    const written = new AnswerDigest();
    await peer.run(rows.map((row) => JSON.stringify(row)).join('\n'), written);
    const expected = new AnswerDigest();
    expected.add([['a', 'urn:ä\u2028']]);
    expected.add([
      ['b', '_:'],
      ['a', (1.5).toPrecision(10)],
    ]);
    expect(written.value).toBe(expected.value);
    const given = new AnswerDigest();
    await peer.run('digest', given);
    expect(given.value).toBe(5);
    await peer.close();
  });

  it('that cannot load or start is an error with its last words', async () => {
    await expect(Peer.open(program, join(directory, 'bad'), 'bad', LIMITS)).rejects.toThrow('bad file');
    const missing = { command: join(directory, 'no-such-program'), args: [] };
    await expect(Peer.open(missing, join(directory, 'missing'), 'data', LIMITS)).rejects.toThrow('no-such-program');
  });
});

const QUERIES = {
  all: 'SELECT * { ?s ?p ?o }',
  numbers: 'SELECT ?p (COUNT(*) AS ?n) (AVG(?o) AS ?mean) { ?s ?p ?o FILTER(isNumeric(?o)) } GROUP BY ?p',
  optional: 'SELECT ?s ?none { ?s a ?type OPTIONAL { ?s <urn:none> ?none } }',
  construct: 'CONSTRUCT { ?s <urn:p> "a\\tb\\n" } { ?s ?p ?o }',
  ask: 'ASK { ?s a ?type }',
  limit: 'SELECT ?s { ?s ?p ?o } LIMIT 3',
};

describe.each(PEER_NAMES)('%s', (name) => {
  it(
    'answers like Quadrille over the same file',
    async (context) => {
      const lack = lackOf(name);
      if (lack !== undefined) {
        console.log(`skipped: ${name}: not installed (${lack})`);
        return context.skip(lack);
      }
      const stores = await openWithPeer(name, join(directory, 'data.nq'), join(directory, name), LIMITS);
      try {
        expect(stores.peer.quads).toBe(QUADS);
        const cases = Object.entries(QUERIES).map(([query, text]) => ({ name: query, texts: [text, text] }));
        const figures = await compareWithPeer('set', cases, stores);
        expect(Object.keys(figures).filter((figure) => /fail|differ/.test(figure))).toEqual([
          'set: failed',
          'set: answers that differ',
        ]);
        for (const query of Object.keys(QUERIES)) expect(figures[`set: ${query}, new`]?.value).toBeGreaterThan(0);
        expect(figures['set: below 1, repeated']?.unit).toBe(`of ${cases.length}`);
        await expect(stores.peer.run('no query')).rejects.toThrow(PeerError);
      } finally {
        await stores.close();
      }
    },
    PREPARE_MS,
  );
});

describe('Oxigraph in a process of its own', () => {
  const compared = async (texts: Readonly<Record<string, string>>, program?: PeerCommand): Promise<Figures> => {
    const scratch = await mkdtemp(join(directory, 'oxigraph-'));
    const stores = await openBoth(join(directory, 'data.nq'), scratch, program, program === undefined ? 20_000 : 1000);
    try {
      const ours = async (text: string): Promise<number> => stores.run(text in FAKES ? QUERIES.limit : text);
      const cases = Object.entries(texts).map(([name, text]) => ({ name, texts: [text, text] }));
      return await compareWithOxigraph('set', cases, program === undefined ? stores : { ...stores, run: ours });
    } finally {
      await stores.close();
    }
  };
  const FAKES = { hang: 'hang', refuse: 'refuse', die: 'die', digest: 'digest' };

  it('answers like Quadrille over the same file', async () => {
    const figures = await compared(QUERIES);
    expect(figures).toMatchObject({
      'set: Oxigraph did not end in 20 s': { value: 0 },
      'set: failed': { value: 0 },
      'set: answers that differ': { value: 0 },
      'set: below half, new': { unit: `of ${Object.keys(QUERIES).length}` },
    });
    for (const name of Object.keys(QUERIES)) expect(figures[`set: ${name}, repeated`]?.value).toBeGreaterThan(0);
  });

  it('may hang, end and refuse: the others are measured', async () => {
    const file = join(directory, 'oxigraph.mjs');
    await writeFile(file, PROGRAM);
    const program = { command: process.execPath, args: [file], inMemory: true };
    expect(await compared(FAKES, program)).toMatchObject({
      'set: hang, new': { atLeast: true },
      'set: Oxigraph did not end in 1 s': { value: 1 },
      'set: failed': { value: 2, bound: { most: 0 } },
      'set: answers that differ': { value: 1, bound: { most: 0 } },
      'set: below half, new': { unit: 'of 1' },
    });
  });
});

describe('the cache', () => {
  it('makes a folder once for the same sources, and keeps no part of one', async () => {
    const before = process.env['QUADRILLE_BENCH_CACHE'];
    process.env['QUADRILLE_BENCH_CACHE'] = join(directory, 'cache');
    try {
      const file = join(directory, 'source');
      await writeFile(file, 'one');
      const made: string[] = [];
      const make = (folder: string): void => void made.push(folder);
      const folderOf = (text: string): string => cachedFolder('name', { files: [file], texts: [text] }, make);
      const first = folderOf('1');
      expect(folderOf('1')).toBe(first);
      expect(made).toHaveLength(1);
      expect(folderOf('2')).not.toBe(first);
      await writeFile(file, 'two');
      expect(folderOf('1')).not.toBe(first);
      const fails = (): void => runProgram(process.execPath, ['-e', 'console.error("no network"); process.exit(1)']);
      expect(() => cachedFolder('bad', { files: [], texts: [] }, fails)).toThrow('no network');
      expect((await readdir(join(directory, 'cache'))).filter((name) => name.startsWith('bad'))).toEqual([]);
      expect(versionLine('no-such-program-anywhere')).toBeUndefined();
    } finally {
      if (before === undefined) delete process.env['QUADRILLE_BENCH_CACHE'];
      else process.env['QUADRILLE_BENCH_CACHE'] = before;
    }
  });
});

it('peers are settings, if they are known', () => {
  expect(readSettings(['--peers', 'jena,rdf4j']).peers).toEqual(['jena', 'rdf4j']);
  expect(readSettings([]).peers).toEqual([]);
  expect(() => readSettings(['--peers', 'jenna'])).toThrow('no peer jenna: there is pyoxigraph, jena');
});

describe('a comparison', () => {
  it('names differing answers, refused queries and those over the limit', async () => {
    const file = join(directory, 'other.mjs');
    await writeFile(file, PROGRAM);
    const other = { command: process.execPath, args: [file] };
    const limits = { runMs: 300, answerMs: 20_000 };
    const stores = await openWithPeer(other, join(directory, 'data.nq'), join(directory, 'other'), limits);
    const asked = stores.repository.query.bind(stores.repository);
    // The program of this test understands words, not queries.
    stores.repository.query = ((_text: string) => asked('SELECT ?s { ?s ?p ?o } LIMIT 2')) as never;
    // A limit makes any rows right, if there are as many.
    const texts = { hang: 'hang', refuse: 'refuse', digest: 'digest', alike: '[["LIMIT", "blank", ""]]' };
    const cases = Object.entries(texts).map(([name, text]) => ({ name, texts: [text, text] }));
    const figures = await compareWithPeer('set', cases, stores);
    expect(figures).toMatchObject({
      'set: hang, new': { atLeast: true },
      'set: refuse, failed': { value: 1 },
      'set: digest, answer differs': { value: 1 },
      'set: alike, repeated': { unit: 'x' },
      'set: over 0.3 s': { value: 1 },
      'set: failed': { value: 1 },
      'set: answers that differ': { value: 1 },
      'set: below 1, new': { unit: 'of 2' },
    });
    await stores.close();
  });
});
