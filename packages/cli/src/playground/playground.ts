/** `quadrille playground`: writes the page that needs no server. */
import type { Command } from 'commander';
import type { Shell } from '../shell.js';
import { writeFolder } from './write-folder.js';

interface Options {
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille playground --out ./public
  $ quadrille playground --out ./public --force      writes over the files of an earlier version

Copy the folder to any host of static files, at any path, and open index.html there. The page needs https, or localhost: browsers
keep data, and files for times without a network, for such pages alone. All data stay in the browser of who opens it. With --force
other files in the folder stay: pages that are open go on with the earlier ones.
`;

export function addPlayground(program: Command, shell: Shell): void {
  program
    .command('playground')
    .description('Write a web page with a store in the browser, as files that need no server.')
    .requiredOption('--out <directory>', 'directory to write to; created if it does not exist')
    .option('--force', 'write even if the directory has files')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ out, force, json }: Options) => {
      const { playgroundFiles } = await import('@quadrille/workbench');
      const files = playgroundFiles();
      await writeFolder(out, files, { force: force === true });
      const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
      if (json === true) return shell.stdout.json({ directory: out, files: files.length, bytes });
      const size = `${(bytes / 1e6).toFixed(1)} MB`;
      await shell.stdout.write(
        `${out}: ${String(files.length)} files, ${size}; serve it by any host of static files\n`,
      );
    });
}
