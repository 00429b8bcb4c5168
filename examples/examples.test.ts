import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandOf, withoutWarnings } from '../test/runtimes/command.js';

const here = import.meta.dirname;
const execute = promisify(execFile);

async function run(file: string, ...args: string[]): Promise<string[]> {
  const command = commandOf([join(here, file), ...args]);
  const { stdout, stderr } = await execute(command.program, command.args);
  expect(withoutWarnings(stderr)).toBe('');
  return stdout.trim().split('\n');
}

test('embed', async () => {
  expect(await run('embed.mjs')).toEqual([
    'Alice knows Bob',
    'revision 3 by jo: add Carol, +1 -0',
    'Carol is there now: true',
    'Carol was there before: false',
  ]);
});

test('load with progress', async () => {
  const lines = await run('load-progress.mjs');
  expect(lines.at(-2)).toMatch(/^done 100 %, \d+ quads$/);
  expect(lines.at(-1)).toMatch(/^revision 2: \d+ quads$/);
  const shares = lines.slice(0, -1).map((line) => Number(/(\d+) %/.exec(line)?.[1]));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

test('time travel', async () => {
  const lines = await run('time-travel.mjs');
  const planets = Object.fromEntries(
    lines.flatMap((line) => {
      const match = /as known in (\d+): (\d+) planets/.exec(line);
      return match === null ? [] : [[match[1], Number(match[2])]];
    }),
  );
  expect(planets).toEqual({ 1610: 6, 1787: 7, 1846: 13, 1930: 9, 2006: 8, 2015: 8 });
  const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
  expect(lines).toContain(`remove ${type} http://example.org/solar-system/Planet`);
  expect(lines).toContain(`add ${type} http://example.org/solar-system/DwarfPlanet`);
  expect(lines.at(-1)).toMatch(/^#8 back to 2006: \d+ quads$/);
});

test('RDF/JS', async () => {
  const lines = await run('rdfjs.mjs');
  expect(lines[0]).toMatch(/^imported \d{3} quads$/);
  expect(lines.slice(1)).toEqual([
    'moons of Jupiter: 16',
    'revision 3 added 1',
    expect.stringMatching(/^about Io: 8 quads; has volcanoes$/),
    'radius of Io: 1821.6 km',
  ]);
});

test('choosing a backend', async () => {
  const lines = await run('choose-backend.mjs');
  const size = Number(/\d+/.exec(lines[0]!)![0]);
  expect(size).toBeGreaterThan(600);
  expect(lines).toEqual([
    `memory: ${size} quads, and 0 at the next open`,
    `leveldb: ${size} quads, and ${size} at the next open`,
    `lmdb: ${size} quads, and ${size} at the next open`,
    `reader: ${size} quads`,
    `writer: ${size + 1} quads`,
  ]);
});

test("a backend of one's own", async () => {
  expect(await run('own-backend.mjs')).toEqual(['now: 0 quads; before: 1', 'in order: true']);
});

test('two agents with one memory', async () => {
  expect(await run('agent/session.mjs')).toEqual([
    'the planner may recall, as_of, history, why, undo',
    'the writer recalls: ships on 12 May',
    'because planner has it from a mail of Ann',
    'refused: INVALID_OPTION: The text looks like a token of GitHub',
    'after the deletion: 0 entities',
    'after undo: 4 observations',
    'at revision 3: begins in March; ships on 12 May',
    'SPARQL counts "4"^^<http://www.w3.org/2001/XMLSchema#integer>',
  ]);
});

test('an editor with undo', async () => {
  expect(await run('editor/session.mjs')).toEqual([
    'opened: Ann',
    'renamed: Anne',
    'with a nickname: Anne, annie',
    'undone once: Anne',
    'undone twice: Ann',
    'redone: Anne',
    'Bob has his nickname: true',
    '8. redo: undo: rename',
    '7. undo: rename',
    '6. undo: nickname',
    '5. somebody else',
    '4. nickname',
    '3. rename',
    '2. ',
    '1.',
  ]);
});

test('SHACL at commit', async () => {
  expect(await run('shacl/commit.mjs')).toEqual([
    'committed: +3 -0',
    'refused: urn:bob: a person has a name; urn:bob: an age is 0 or more',
    'refused: urn:ann: a person has one age',
    'committed: +1 -1',
  ]);
});

test('Comunica on top', async () => {
  expect(await run('engines/comunica.mjs')).toEqual(['1930: found by Clyde Tombaugh', '2006: no planet has a note']);
});

test('LDkit on top', async () => {
  expect(await run('engines/ldkit.mjs')).toEqual([
    'Ann, 30, knows nobody',
    'Bob, no age, knows Ann',
    'Ann is 31',
    'before: 30',
  ]);
});

test('the list has every example', async () => {
  const list = await readFile(join(here, 'README.md'), 'utf8');
  const entries = await readdir(here, { withFileTypes: true });
  const examples = entries.filter((entry) =>
    entry.isDirectory() ? !['node_modules', 'data'].includes(entry.name) : entry.name.endsWith('.mjs'),
  );
  expect(examples.length).toBeGreaterThan(12);
  expect(examples.map(({ name }) => name).filter((name) => !list.includes(`](${name})`))).toEqual([]);
});

describe('with files', () => {
  let directory: string;
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'quadrille-examples-'))));
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('a nightly import reports what changed, nothing where nothing did, and keeps the data where a file has an error', async () => {
    const [store, report] = [join(directory, 'store'), join(directory, 'report.md')];
    const imported = async (file: string): Promise<[first: string | undefined, report: string]> => {
      const [first] = await run('nightly-import/import.mjs', store, file, report);
      return [first, await readFile(report, 'utf8')];
    };
    const year = (name: number): string => join(here, `data/solar-system-${name}.ttl`);
    expect((await imported(year(1930)))[0]).toBe('Revision 2: +304 -0, 304 quads now.');
    const [first, text] = await imported(year(2006));
    expect(first).toBe('Revision 3: +294 -2, 596 quads now.');
    expect(text).toContain('# Import of solar-system-2006.ttl');
    expect(text).toMatch(/^\| \S+22-rdf-syntax-ns#type +\| +\d+ +\| +\d+ +\|$/m);
    expect(text).toContain('and 246 more.');
    expect(text.match(/^[-+] /gm)).toHaveLength(50);
    expect(await imported(year(2006))).toEqual([
      'Nothing changed.',
      '# Import of solar-system-2006.ttl\n\nNothing changed.\n',
    ]);
    const broken = join(directory, 'broken.ttl');
    await writeFile(broken, '<urn:a> <urn:b> <urn:c> . <urn:a> <urn:b> .');
    await expect(imported(broken)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^import failed, nothing was changed: .*1/),
    });
    expect(await imported(year(2006))).toMatchObject(['Nothing changed.', expect.any(String)]);
  });

  test('a notebook draws what it found', async () => {
    const lines = await run('notebook/planets.mjs', directory);
    expect(lines).toContainEqual(expect.stringMatching(/1930\D+9\D+304\D*$/));
    const [planets, radii] = await Promise.all(
      ['planets', 'radii'].map((name) => readFile(join(directory, `${name}.svg`), 'utf8')),
    );
    expect(planets).toMatch(/^<svg [^]*What was called a planet[^]*<\/svg>$/);
    // One bar for each planet of 2015.
    expect(radii!.match(/aria-roledescription="bar"/g)).toHaveLength(8);
    expect(radii).toContain('Jupiter');
  });
});
