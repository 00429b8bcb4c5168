/** The configuration file of a Virtuoso server. */
import { join } from 'node:path';

/** Number of buffers of 8 KB, as Virtuoso's documentation recommends for 2 GB of memory. */
const BUFFERS = 170_000;
const DIRTY_BUFFERS = 130_000;
const MANY = 100_000_000;

export interface ServerPlaces {
  /** Directory of its files, from which it may also load. */
  readonly directory: string;
  /** Host and port. */
  readonly sql: string;
  readonly http: string;
}

export function configuration({ directory, sql, http }: ServerPlaces): string {
  const file = (name: string): string => join(directory, name);
  return sections({
    Database: {
      DatabaseFile: file('virtuoso.db'),
      ErrorLogFile: file('virtuoso.log'),
      LockFile: file('virtuoso.lck'),
      TransactionFile: file('virtuoso.trx'),
      xa_persistent_file: file('virtuoso.pxa'),
    },
    TempDatabase: {
      DatabaseFile: file('virtuoso-temp.db'),
      TransactionFile: file('virtuoso-temp.trx'),
    },
    Parameters: {
      ServerPort: sql,
      DisableUnixSocket: 1,
      ServerThreads: 10,
      // Checkpoints only when the server is stopped or when it is requested.
      CheckpointInterval: 0,
      NumberOfBuffers: BUFFERS,
      MaxDirtyBuffers: DIRTY_BUFFERS,
      DirsAllowed: directory,
    },
    HTTPServer: { ServerPort: http, ServerRoot: directory, ServerThreads: 10 },
    // Answers are complete, however long they take.
    SPARQL: { ResultSetMaxRows: MANY },
  });
}

function sections(all: Readonly<Record<string, Readonly<Record<string, string | number>>>>): string {
  return Object.entries(all)
    .map(([name, values]) => {
      const lines = Object.entries(values).map(([key, value]) => `${key} = ${value}\n`);
      return `[${name}]\n${lines.join('')}`;
    })
    .join('\n');
}
