/** `quadrille backup`: writes a backup of a store, or of the store of a server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { BackupHead } from 'quadrille';
import { printFailure } from '../failure.js';
import { bytes } from '../lines.js';
import { addJson, wholeNumber } from '../options.js';
import { READING, type Shell, warnings, withDatabase } from '../shell.js';
import { exitCodeOf } from '../exit.js';
import { isServer, requestsTo } from '../server/server-place.js';
import { addTokenFile } from '../server/server-token.js';
import { backupServer } from './from-server.js';
import { beginGeneration, endGeneration } from './generations.js';
import { progressLine } from './progress-line.js';

interface Options {
  readonly tokenFile?: string;
  readonly every?: number;
  readonly keep?: number;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille backup ./data ./backup                    full the first time, then only what the backup lacks
  $ quadrille backup ./data ./backups --every 1h --keep 24
  $ quadrille backup https://data.example.org ./backup --token-file token.txt
  $ quadrille backup http://127.0.0.1:8080 backup.tar

A directory holds one backup, of which every earlier revision can be restored. With --keep there is a directory for each time below it;
they share what has not changed. A store that a server has open is asked of the server, by an operator's token in QUADRILLE_TOKEN or
the file of --token-file; such a backup is always a full one, in a directory or in a file whose name ends in .tar. With --every a backup
that fails is reported, and tried again at the next time.
`;

export function addBackup(program: Command, shell: Shell): void {
  const command = program
    .command('backup')
    .description('Back a store up: all repositories with their history, accounts and tokens.')
    .argument('<store>', 'directory or URL of the store, or address of the server that has it open')
    .argument('<target>', 'directory of the backup; of a server also a .tar file')
    .option('--every <time>', 'repeat at this interval until Ctrl+C: 30s, 15m, 1h, 1d', duration)
    .option(
      '--keep <n>',
      'keep this number of backups, each in a directory named by its time',
      wholeNumber('--keep', 1),
    );
  addJson(addTokenFile(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, target: string, options: Options) => {
      if (isUrl(target))
        throw new InvalidArgumentError(
          'INVALID_OPTION',
          'the target of a backup is a directory of this machine: quadrille copy copies a store into a database or a bucket',
        );
      const run = (): Promise<void> => backupOnce(store, target, options, shell);
      if (options.every === undefined) await run();
      else await repeat(run, options.every, options.json === true, shell);
    });
}

const isUrl = (place: string): boolean => /^\w+:\/\//.test(place);

/** The report of a backup. */
interface Made {
  readonly heads: readonly BackupHead[];
  readonly created: Date;
  readonly full: boolean;
  readonly bytesWritten: number;
  readonly bytesReused: number;
}

async function backupOnce(store: string, target: string, options: Options, shell: Shell): Promise<void> {
  const { keep, json } = options;
  const place = keep === undefined ? target : await beginGeneration(target);
  const line = progressLine(shell);
  let made: Made;
  try {
    made = isServer(store)
      ? await ofServer(store, place, options, shell, line.show)
      : await ofStore(store, place, shell, line.show);
  } finally {
    await line.end();
  }
  const location = keep === undefined ? target : await endGeneration(target, made.created.toISOString(), keep);
  if (json === true) await shell.stdout.json({ location, ...made });
  else {
    const kind = made.full ? 'full backup' : 'increment';
    const reused = made.full ? '' : `, ${bytes(made.bytesReused)} were there`;
    const heads = made.heads.map(({ name, number }) => `  ${name} #${String(number)}\n`);
    await shell.stdout.write(
      `${location}: ${kind} of ${made.created.toISOString()}, ${bytes(made.bytesWritten)} written${reused}\n${heads.join('')}`,
    );
  }
}

type Show = (text: string) => void;

function ofStore(store: string, place: string, shell: Shell, show: Show): Promise<Made> {
  // A shared store may have a writer, beside which it is read.
  const open = isUrl(store) ? READING : { create: false };
  return withDatabase(store, { ...open, logger: warnings(shell) }, async (database) => {
    const { heads, created, full, bytesWritten, bytesReused } = await database.backup(place, {
      signal: shell.signal,
      onProgress: (progress) =>
        show(`${bytes(progress.bytesWritten)} written, ${bytes(progress.bytesReused)} are there already`),
    });
    return { heads, created, full, bytesWritten, bytesReused };
  });
}

async function ofServer(
  server: string,
  place: string,
  { tokenFile }: Options,
  shell: Shell,
  show: Show,
): Promise<Made> {
  const report = await backupServer(await requestsTo(server, tokenFile), place, {
    signal: shell.signal,
    onProgress: ({ bytesRead }) => show(`${bytes(bytesRead)} read`),
  });
  return { heads: report.heads, created: report.created, full: true, bytesWritten: report.bytes, bytesReused: 0 };
}

/** Until the signal. A failure is reported and does not end it. */
async function repeat(run: () => Promise<void>, everyMs: number, json: boolean, shell: Shell): Promise<void> {
  while (!shell.signal.aborted) {
    const next = Date.now() + everyMs;
    let code = 0;
    try {
      await run();
    } catch (error) {
      if (shell.signal.aborted) break;
      await shell.stderr.write(printFailure(error, json, process.env['QUADRILLE_DEBUG'] === '1'));
      code = exitCodeOf(error);
    }
    shell.setExitCode(code);
    await sleep(Math.max(0, next - Date.now()), undefined, { signal: shell.signal }).catch(() => undefined);
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Longest time of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

function duration(text: string): number {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const value = Number(count) * (UNITS[unit] ?? 0);
  if (value > 0 && value <= LONGEST_MS) return value;
  throw new InvalidArgumentError('INVALID_OPTION', `--every is a time such as 30s, 15m, 1h or 1d, not ${text}`);
}
