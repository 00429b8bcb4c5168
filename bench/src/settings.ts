/** The command line. */
import { resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

export interface Settings {
  readonly suite: string;
  readonly json: boolean;
  readonly runs: number;
  /** Names of workloads; empty for all. */
  readonly only: readonly string[];
  /** Names of queries of the suite `sparql`; empty for all. */
  readonly queries: readonly string[];
  /** Who is measured; empty for all. */
  readonly backends: readonly string[];
  /** Holds `bsbm/` and `schemaorg/`. */
  readonly data: string;
  /** Where stores are made: on the disk that is to be measured. */
  readonly scratch: string;
}

export const USAGE = `npm run -s bench -- [--suite engine|sparql] [--json] [--runs 5] [--only NAME[,NAME]] [--queries NAME[,NAME]]
  [--backends NAME[,NAME]] [--data DIR] [--scratch DIR]`;

export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string', default: 'engine' },
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: '5' },
      only: { type: 'string', multiple: true, default: [] },
      queries: { type: 'string', multiple: true, default: [] },
      backends: { type: 'string', multiple: true, default: [] },
      data: { type: 'string', default: resolve(process.env['QUADRILLE_SHARED'] ?? '../shared', 'data') },
      scratch: { type: 'string', default: tmpdir() },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs is a whole number from 1, not ${values.runs}`);
  return {
    suite: values.suite,
    json: values.json,
    runs,
    only: namesIn(values.only),
    queries: namesIn(values.queries),
    backends: namesIn(values.backends),
    data: resolve(values.data),
    scratch: resolve(values.scratch),
  };
}

const namesIn = (values: readonly string[]): string[] => values.flatMap((names) => names.split(','));
