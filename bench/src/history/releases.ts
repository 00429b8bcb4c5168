/** FIBO's releases as triples, each with what it adds to the one before and removes from it, and patterns to ask them with. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Random } from '../generate/random.js';

/** Subject, predicate and object in N-Triples. */
export type Triple = readonly [subject: string, predicate: string, object: string];

export interface Release {
  readonly added: readonly Triple[];
  readonly removed: readonly Triple[];
}

/** Positions that are bound, as in the names of BEAR's query files. */
export const SHAPES = ['(s p o)', '(s p ?)', '(s ? ?)', '(? p o)', '(? ? o)', '(? p ?)'] as const;
export type Shape = (typeof SHAPES)[number];
/** The terms of a pattern; `undefined` matches any. */
export type Pattern = readonly (string | undefined)[];

export interface Releases {
  readonly releases: readonly Release[];
  /** All triples that any release has. */
  readonly ever: readonly Triple[];
  readonly patterns: Readonly<Record<Shape, readonly Pattern[]>>;
}

/** Patterns of each shape. A pattern of the last shapes has thousands of results, and OSTRICH takes minutes for it. */
const PATTERNS: Readonly<Record<Shape, number>> = {
  '(s p o)': 25,
  '(s p ?)': 25,
  '(s ? ?)': 25,
  '(? p o)': 25,
  '(? ? o)': 10,
  '(? p ?)': 3,
};

export const lineOf = (triple: Triple): string => `${triple.join(' ')} .\n`;

/** The folder has `01-VERSION.nq.gz` and, for each release after it, `NN-VERSION.add.nq.gz` and `NN-VERSION.del.nq.gz`. */
export async function readReleases(folder: string, seed: number): Promise<Releases> {
  const names = (await readdir(folder)).filter((name) => /^\d\d-.*\.nq\.gz$/.test(name)).sort();
  const versions = [...new Set(names.map((name) => name.replace(/(\.add|\.del)?\.nq\.gz$/, '')))];
  const counts = new Map<string, number>();
  const ever = new Map<string, Triple>();
  let before = new Set<string>();
  const releases: Release[] = [];
  for (const version of versions) {
    // A triple may be in several graphs.
    for (const [end, change] of [
      ['.del', -1],
      ['.add', 1],
      ['', 1],
    ] as const) {
      const name = `${version}${end}.nq.gz`;
      if (!names.includes(name)) continue;
      for (const line of gunzipSync(await readFile(join(folder, name)))
        .toString('utf8')
        .split('\n')) {
        if (line === '') continue;
        const triple = tripleOf(line);
        const key = lineOf(triple);
        ever.set(key, triple);
        const count = (counts.get(key) ?? 0) + change;
        if (count === 0) counts.delete(key);
        else counts.set(key, count);
      }
    }
    const now = new Set(counts.keys());
    const notIn = (keys: ReadonlySet<string>, others: ReadonlySet<string>): Triple[] =>
      [...keys].filter((key) => !others.has(key)).map((key) => ever.get(key)!);
    releases.push({ added: notIn(now, before), removed: notIn(before, now) });
    before = now;
  }
  const all = [...ever.keys()].sort().map((key) => ever.get(key)!);
  return { releases, ever: all, patterns: patternsOf(all, seed) };
}

const TERM = /<[^>]*>|_:\S+|"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@\S+)?/g;

function tripleOf(line: string): Triple {
  const [s, p, o] = line.match(TERM)!;
  return [s!, p!, o!];
}

function patternsOf(ever: readonly Triple[], seed: number): Releases['patterns'] {
  const iris = ever.filter((triple) => triple.every((term) => term.startsWith('<')));
  const random = new Random();
  random.restart(seed, 0, 0);
  const picked = (shape: Shape, count: number): Pattern[] => {
    const found = new Map<string, Pattern>();
    const bound = shape.slice(1, -1).split(' ');
    while (found.size < count) {
      const triple = iris[random.below(iris.length)]!;
      const pattern = triple.map((term, i) => (bound[i] === '?' ? undefined : term));
      found.set(pattern.join(' '), pattern);
    }
    return [...found.values()];
  };
  return Object.fromEntries(
    SHAPES.map((shape) => [shape, picked(shape, PATTERNS[shape])]),
  ) as unknown as Releases['patterns'];
}
