/** What the seed of a schedule decides before it begins: the form of the store, its sizes, what is done in it, and what may fail. */
import type { Tuning } from '@quadrille/core';
import { tinyTuning } from '../model/environment.js';
import { below, pick, type Random } from '../model/operations.mjs';
import { FORMS, type DiskOptions } from './disk.js';
import type { ShapesPlan } from './guard.js';
import { someRules } from './shapes-model.js';

export interface Plan {
  readonly disk: DiskOptions;
  readonly tuning: Partial<Tuning>;
  readonly cacheBytes: number;
  readonly repositoryBytes: number;
  /** Loads before the first step, after which the store is opened again. */
  readonly loads: number;
  /** Most quads of a load. */
  readonly mostLines: number;
  /** Number of steps. */
  readonly steps: number;
  /** Steps that may be under way at once. */
  readonly atOnce: number;
  /** Kinds of steps, each as often as it is to be chosen. */
  readonly kinds: readonly string[];
  /** How likely it is that the store is compacted at the end, and what is stored counted. */
  readonly quiet: number;
  readonly faults: number;
  readonly faultRate: number;
  /** Whether only writes fail. */
  readonly onlyWritesFail: boolean;
  /** Whether reads take much longer than writes. */
  readonly slowReads: boolean;
  /** How many of the quads have a subject that no quad had before, so that no block has to be read for them. */
  readonly freshSubjects: number;
  /** The shapes of the repositories, if they have some. */
  readonly shapes: ShapesPlan | undefined;
}

/** @param kinds of steps, with their weights */
export function planOf(random: Random, kinds: ReadonlyMap<string, number>): Plan {
  const mixed = mixedPlan(random, kinds);
  const plan = random() < 0.2 ? coldPlan(mixed, random) : mixed;
  return { ...plan, shapes: random() < 0.5 ? shapesPlan(random, plan.kinds) : undefined };
}

function shapesPlan(random: Random, kinds: readonly string[]): ShapesPlan {
  return {
    rules: someRules(random, erases(kinds)),
    mode: random() < 0.7 ? 'refuse' : 'report',
    since: random() < 0.7 ? 'always' : 'now',
    changes: random() < 0.5,
  };
}

/** Whether quads may be erased. */
export const erases = (kinds: readonly string[]): boolean => kinds.some((kind) => kind.startsWith('erase'));

const COLD_KINDS = [
  'commit',
  'suspect',
  'burst',
  'burst',
  'transaction',
  'fast-forward',
  'prefix',
  'tag',
  'token',
  'branch',
];

/** Commits wait for one block after the other, in repositories of many runs that are not in memory, while writes fail. */
function coldPlan(mixed: Plan, random: Random): Plan {
  return {
    ...mixed,
    disk: { ...mixed.disk, getSync: false },
    // Commits are in the log, so that the runs stay as they are.
    tuning: {
      ...mixed.tuning,
      tierRuns: 1000,
      chunkRows: 3,
      memtableRows: 1000,
      deltaBytes: 250,
      checkpointRevisions: 256,
      wholeStatistics: 3,
    },
    loads: 2,
    mostLines: 30,
    steps: 6 + below(random, 10),
    atOnce: 4 + below(random, 5),
    kinds: COLD_KINDS,
    faults: 1 + below(random, 3),
    faultRate: 0.05,
    onlyWritesFail: true,
    slowReads: random() < 0.7,
    freshSubjects: 0.3,
  };
}

function mixedPlan(random: Random, kinds: ReadonlyMap<string, number>): Plan {
  const form = pick(random, FORMS);
  // Short schedules are many, and large ones have long manifests, several packs and files.
  const isLarge = random() < 0.5;
  // Runs that are never merged make long manifests.
  const manyRuns = random() < 0.4 ? { tierRuns: 1000, chunkRows: 3 } : {};
  return {
    disk: {
      form,
      getSync: random() < 0.3,
      journal: { fileBytes: 500 + below(random, 6000), recordBytes: 200 + below(random, 2000) },
      blobs: { valueBytes: 30, batchBytes: below(random, 400), fileBytes: 500 + below(random, 5000) },
      shared: {
        checkpointEntries: 3 + below(random, 30),
        keptInline: 4,
        graceMs: random() < 0.5 ? 0 : 2000,
        resolveMs: random() < 0.5 ? 0 : 5000,
        readOnly: false,
      },
    },
    tuning: { ...tinyTuning(random), ...manyRuns },
    cacheBytes: random() < 0.7 ? 1 : 4 * 1024 * 1024,
    repositoryBytes: random() < 0.3 ? 1 : 128 * 1024 * 1024,
    loads: random() < 0.5 ? 0 : isLarge ? 1 + below(random, 3) : 1,
    mostLines: isLarge ? 30 : 10,
    steps: isLarge ? 4 + below(random, random() < 0.2 ? 40 : 14) : 3 + below(random, 8),
    atOnce: 1 + below(random, 8),
    kinds: someOf(random, kinds),
    quiet: 0.15,
    faults: random() < 0.4 ? 0 : 1 + below(random, 4),
    faultRate: pick(random, [0.002, 0.01, 0.05]),
    onlyWritesFail: random() < 0.3,
    slowReads: random() < 0.2,
    freshSubjects: random() < 0.5 ? 0 : 0.2,
    shapes: undefined,
  };
}

/** Some kinds are left out, so that the others come close to each other. */
function someOf(random: Random, kinds: ReadonlyMap<string, number>): string[] {
  const share = pick(random, [0.2, 0.5, 1]);
  const some = [...kinds].filter(([kind]) => kind === 'commit' || random() < share);
  return some.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
}
