/** The measured kinds of work: their meanings, and the figures that belong to each. */

export interface WorkKind {
  /** Name in a verdict: `best for …`. */
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  includes(workload: string): boolean;
}

const named =
  (...names: string[]) =>
  (workload: string): boolean =>
    names.includes(workload);

/** Prefix of the names of queries. */
export const QUERY_PREFIX = /^(?:query|explore|analytical) /;

export const WORK_KINDS: readonly WorkKind[] = [
  {
    name: 'loading',
    title: 'Loading',
    meaning: 'All data from N-Quads into an empty store, from opening to closed; Quadrille syncs the data to disk.',
    includes: named('load'),
  },
  {
    name: 'memory while loading',
    title: 'Memory to load',
    meaning: 'The most memory that the loading process held.',
    includes: named('memory to load'),
  },
  {
    name: 'disk space',
    title: 'Disk space',
    meaning: 'Disk space of the loaded store per quad.',
    includes: named('disk'),
  },
  {
    name: 'starting',
    title: 'Cold start',
    meaning: 'From the start of a process to its first answer; a store in memory must load all data again.',
    includes: named('start'),
  },
  {
    name: 'reading everything',
    title: 'Full scan',
    meaning: 'All quads as RDF/JS objects, warm; each store by its documented call.',
    includes: named('scan'),
  },
  {
    name: 'lookups',
    title: 'Lookups',
    meaning:
      'All quads of one random subject after the other, warm; each store by its documented call. Some of these calls are synchronous.',
    includes: named('lookups'),
  },
  {
    name: 'reading by match',
    title: 'The same through match()',
    meaning: "The scan and the lookups by the call match() of RDF/JS, read by 'data' events: the same for all stores.",
    includes: named('scan by match', 'lookups by match'),
  },
  {
    name: 'durable commits',
    title: 'Durable commits',
    meaning: 'One quad a commit, each waits for the disk (fsync).',
    includes: named('commits of 1, synced'),
  },
  {
    name: 'small commits',
    title: 'Small commits',
    meaning: 'One quad a commit, without waiting for the disk.',
    includes: named('commits of 1'),
  },
  {
    name: 'batches',
    title: 'Batches',
    meaning: 'Commits of 100 and of 1,000 quads, without waiting for the disk.',
    includes: named('commits of 100', 'commits of 1000'),
  },
  {
    name: 'reading while writing',
    title: 'Readers and a writer',
    meaning: 'Four readers look up subjects while a writer commits ten quads at a time.',
    includes: named('mixed, lookups', 'mixed, commits of 10'),
  },
  {
    name: 'reading the past',
    title: 'Reading an old revision',
    meaning: 'Lookups in the revision of the load, below all later commits. Only Quadrille keeps revisions.',
    includes: named('lookups in the past'),
  },
  {
    name: 'queries',
    title: 'Queries',
    meaning: 'SPARQL, from the call to the last row, warm.',
    includes: (workload) => QUERY_PREFIX.test(workload),
  },
];

const LESS_IS_BETTER: ReadonlySet<string> = new Set(['ms', 'MB', 'B/quad']);
export const lessIsBetter = (unit: string): boolean => LESS_IS_BETTER.has(unit);
