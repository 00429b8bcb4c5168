/** `quadrille copy`: copies a whole store, also to another backend. The copy is restored from a backup while that is written. */
import type { Command } from 'commander';
import type { Backend, BackupHead } from 'quadrille';
import { bytes } from '../lines.js';
import { addJson, backend } from '../options.js';
import { ALONE, READING, type Shell, warnings, withDatabase } from '../shell.js';
import { progressLine } from './progress-line.js';

interface Options {
  readonly backend?: Backend;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille copy ./data ./copy
  $ quadrille copy ./data ./copy --backend lmdb
  $ quadrille copy ./data postgres://quadrille@db.example/quadrille
  $ quadrille copy s3://bucket/sky ./copy

The copy has all repositories with their revisions, ids and times, and accounts and tokens. It must not exist; it appears when it is complete,
and what an interrupted copy left is removed by the next one. The copy is a store of its own: back it up to another place than the first.
`;

export function addCopy(program: Command, shell: Shell): void {
  const command = program
    .command('copy')
    .description('Copy a whole store, also to another backend.')
    .argument('<from>', 'directory or URL of the store')
    .argument('<to>', 'directory of the new store, or the URL of a database or bucket without one')
    .addOption(backend());
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (from: string, to: string, options: Options) => {
      const line = progressLine(shell);
      const { source, location, heads } = await copy(from, to, options, shell, line.show).finally(() => line.end());
      if (options.json === true) await shell.stdout.json({ location, heads });
      else {
        const lines = heads.map(({ name, number }) => `  ${name} #${String(number)}\n`);
        await shell.stdout.write(`${source} is copied to ${location}\n${lines.join('')}`);
      }
    });
}

interface Copied {
  /** The store that was copied, without a password. */
  readonly source: string;
  readonly location: string;
  readonly heads: readonly BackupHead[];
}

function copy(from: string, to: string, options: Options, shell: Shell, show: (text: string) => void): Promise<Copied> {
  return withDatabase(from, { ...READING, ...ALONE, logger: warnings(shell) }, async (database) => {
    const { restore } = await import('quadrille');
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    // If one side fails, the other one would wait for it.
    const stop = new AbortController();
    const signal = AbortSignal.any([shell.signal, stop.signal]);
    let failure: { readonly error: unknown } | undefined;
    const failed = (error: unknown): void => {
      failure ??= { error };
      stop.abort(error);
    };
    const onProgress = ({ bytesRead }: { bytesRead: number }): void => show(`${bytes(bytesRead)} copied`);
    const [, restored] = await Promise.all([
      database.backup(writable, { signal }).catch(failed),
      restore(readable, to, { ...(options.backend && { backend: options.backend }), signal, onProgress }).catch(failed),
    ]);
    if (failure !== undefined) throw failure.error;
    return { ...restored!, source: database.location };
  });
}
