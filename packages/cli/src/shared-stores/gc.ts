/** `quadrille gc`: deletes what no state of a shared store needs. */
import type { Command } from 'commander';
import { bytes } from '../lines.js';
import { addJson } from '../options.js';
import type { Shell } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille gc postgres://quadrille@db.example/quadrille
  $ quadrille gc s3://bucket/sky --older-than 3600

A server that writes deletes such data by itself after an hour, so this is for stores that no server keeps open. While a server writes, it is refused.
A process that still reads an older state then gets SNAPSHOT_EXPIRED.
`;

export function addGc(program: Command, shell: Shell): void {
  const command = program
    .command('gc')
    .description('Delete data of a shared store that no state needs.')
    .argument('<url>', 'URL of the store')
    .option('--older-than <seconds>', 'at least so old by the clock of the store', '86400');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (url: string, { olderThan, json }: { readonly olderThan: string; readonly json?: boolean }) => {
      const { collectGarbage } = await import('quadrille');
      const report = await collectGarbage(url, { olderThanMs: secondsOf(olderThan) * 1000 });
      if (json === true) await shell.stdout.json(report);
      else await shell.stdout.line(`deleted ${String(report.packs)} packs, ${bytes(report.bytes)}`);
    });
}

/** Anything but a number is refused with the option of the library. */
const secondsOf = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);
