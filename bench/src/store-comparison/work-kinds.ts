/** The kinds of work that are measured: what each figure means, and which figures make up a kind. */

export interface WorkKind {
  /** As a verdict names it: `best for …`. */
  readonly name: string;
  readonly title: string;
  readonly meaning: string;
  includes(workload: string): boolean;
}

const named =
  (...names: string[]) =>
  (workload: string): boolean =>
    names.includes(workload);

/** Before the name of a query. */
export const QUERY_PREFIX = /^(?:query|explore|analytical) /;

export const WORK_KINDS: readonly WorkKind[] = [
  {
    name: 'loading',
    title: 'Loading',
    meaning:
      'All data from N-Quads into an empty store, from opening to closed; what is on disk is synced by Quadrille.',
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
    meaning: 'What the loaded store takes on disk, for each quad.',
    includes: named('disk'),
  },
  {
    name: 'starting',
    title: 'Cold start',
    meaning: 'From the start of a process to its first answer; a store in memory has to load everything again.',
    includes: named('start'),
  },
  {
    name: 'reading everything',
    title: 'Full scan',
    meaning: 'All quads as RDF/JS objects, warm; each store by the call that it documents.',
    includes: named('scan'),
  },
  {
    name: 'lookups',
    title: 'Lookups',
    meaning:
      'Everything about one random subject after the other, warm; each store by the call that it documents, some of which are synchronous.',
    includes: named('lookups'),
  },
  {
    name: 'reading by match',
    title: 'The same through match()',
    meaning:
      "The scan and the lookups by the call that RDF/JS has for them, each read by 'data' events: the same for all.",
    includes: named('scan by match', 'lookups by match'),
  },
  {
    name: 'durable commits',
    title: 'Durable commits',
    meaning: 'One quad a commit, each waiting until the disk has it (fsync).',
    includes: named('commits of 1, synced'),
  },
  {
    name: 'small commits',
    title: 'Small commits',
    meaning: 'One quad a commit, not waiting for the disk.',
    includes: named('commits of 1'),
  },
  {
    name: 'batches',
    title: 'Batches',
    meaning: 'Commits of 100 and of 1,000 quads, not waiting for the disk.',
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
    meaning: 'Lookups in the revision of the load, under all later commits. Only Quadrille keeps revisions.',
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
