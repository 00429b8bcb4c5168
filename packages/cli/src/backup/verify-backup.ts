/** `quadrille verify-backup`: checks the hashes of a backup. */
import type { Command } from 'commander';
import { bytes } from '../lines.js';
import { addJson } from '../options.js';
import type { Shell } from '../shell.js';
import { progressLine } from './progress-line.js';

const EXAMPLES = `
Examples:
  $ quadrille verify-backup ./backup
  $ quadrille verify-backup backup.tar --json

Reads all of it: every hash, and that everything is there. Exit code 70 if it is damaged. Whether the store was in order is told by
quadrille verify, of the store or of a restored one.
`;

export function addVerifyBackup(program: Command, shell: Shell): void {
  const command = program
    .command('verify-backup')
    .description('Check a backup.')
    .argument('<backup>', 'directory of the backup, or its .tar file');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (backup: string, { json }: { readonly json?: boolean }) => {
      const { verifyBackup } = await import('quadrille');
      const line = progressLine(shell);
      const options = {
        signal: shell.signal,
        onProgress: ({ bytesRead }: { bytesRead: number }) => line.show(`${bytes(bytesRead)} read`),
      };
      const report = await verifyBackup(backup, options).finally(() => line.end());
      if (json === true) {
        await shell.stdout.json(report);
        return;
      }
      const heads = report.heads.map(({ name, number }) => `  ${name} #${String(number)}\n`);
      await shell.stdout.write(
        `the backup of ${report.created.toISOString()} is in order: ${bytes(report.bytes)} in ${String(report.segments)} segments\n${heads.join('')}`,
      );
    });
}
