/** The settings of the command line. */
import { resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { PEER_NAMES } from './peers/names.js';
import type { Demand } from './workload.js';

export interface Settings extends Demand {
  readonly suite: string;
  readonly json: boolean;
  readonly runs: number;
  /** Names of workloads; empty for all. */
  readonly only: readonly string[];
  /** Names of the measured backends; empty for all. */
  readonly backends: readonly string[];
  /** Names of native stores that are measured besides. */
  readonly peers: readonly string[];
  /** The directory that contains `bsbm/` and `schemaorg/`. */
  readonly data: string;
  /** Directory for stores, on the disk that is to be measured. */
  readonly scratch: string;
}

export const USAGE = `npm run -s bench -- [--suite engine|history|http|layers|limits|ordinary|rpc|search|shapes|sparql|scale|uploads] [--json] [--runs 5] [--only NAME[,NAME]] [--queries NAME[,NAME]]
  [--backends NAME[,NAME]] [--peers pyoxigraph|jena|rdf4j|virtuoso[,NAME]] [--megabytes 1000] [--quads 50000000] [--repositories 10000] [--revisions 100000]
  [--subjects 100000] [--seed 1] [--data DIR] [--scratch DIR]`;

export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string', default: 'engine' },
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: '5' },
      only: { type: 'string', multiple: true, default: [] },
      queries: { type: 'string', multiple: true, default: [] },
      megabytes: { type: 'string', default: '1000' },
      quads: { type: 'string' },
      repositories: { type: 'string', default: '10000' },
      revisions: { type: 'string', default: '100000' },
      subjects: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      peers: { type: 'string', multiple: true, default: [] },
      backends: { type: 'string', multiple: true, default: [] },
      data: { type: 'string', default: resolve(process.env['QUADRILLE_SHARED'] ?? '../shared', 'data') },
      scratch: { type: 'string', default: tmpdir() },
    },
  });
  return {
    suite: values.suite,
    json: values.json,
    runs: positive('runs', values.runs),
    megabytes: positive('megabytes', values.megabytes),
    sizes: {
      quads: positive('quads', values.quads ?? (['layers', 'search'].includes(values.suite) ? '1000000' : '50000000')),
      repositories: positive('repositories', values.repositories),
      revisions: positive('revisions', values.revisions),
      subjects: positive('subjects', values.subjects),
    },
    seed: positive('seed', values.seed),
    only: namesIn(values.only),
    queries: namesIn(values.queries),
    backends: namesIn(values.backends),
    peers: peersIn(values.peers),
    data: resolve(values.data),
    scratch: resolve(values.scratch),
  };
}

const namesIn = (values: readonly string[]): string[] => values.flatMap((names) => names.split(','));

function peersIn(values: readonly string[]): string[] {
  const names = namesIn(values);
  const unknown = names.filter((name) => !(PEER_NAMES as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`no peer ${unknown.join(', ')}: there is ${PEER_NAMES.join(', ')}`);
  return names;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1, not ${text}`);
  return value;
}
