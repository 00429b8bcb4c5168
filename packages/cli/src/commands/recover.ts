/** `quadrille recover`: creates a new store from a damaged one. */
import type { Command } from 'commander';
import type { RecoverReport } from 'quadrille';
import { EXIT } from '../exit.js';
import { quads } from '../lines.js';
import { addJson } from '../options.js';
import type { Shell } from '../shell.js';

interface Options {
  readonly to?: string;
  readonly inPlace?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille recover ./data                    creates ./data.recovered
  $ quadrille recover ./data --to /mnt/other/data
  $ quadrille recover ./data --in-place         the damaged store becomes ./data.damaged

For a store that does not open, or whose verify names its log or its terms. Each repository keeps everything before its first
damaged revision. The report says what is lost. The damaged store is only read. If only indexes are damaged, use
quadrille rebuild. Exit code 0 if nothing is lost, 70 if something is or may be lost.
`;

export function addRecover(program: Command, shell: Shell): void {
  const command = program
    .command('recover')
    .description('Create a new store with the intact revisions of a damaged one.')
    .argument('<store>', 'directory of the store')
    .option('--to <directory>', 'directory of the new store (default: <store>.recovered)')
    .option('--in-place', 'move the store to <store>.damaged and put the new one in its place');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, { to, inPlace, json }: Options) => {
      const { recover } = await import('quadrille');
      const options = { ...(to !== undefined && { to }), ...(inPlace === true && { inPlace }), signal: shell.signal };
      const report = await recover(store, options);
      const { repositories, problems, lost } = report;
      await (json === true ? shell.stdout.json({ repositories, problems }) : shell.stdout.write(reportText(report)));
      if (lost) shell.setExitCode(EXIT.corrupt);
    });
}

function reportText({ location, damaged, lost, repositories, problems }: RecoverReport): string {
  const found = problems.map(({ code, message, where }) => `${where}: ${message} (${code})\n`);
  const kept = repositories.map(({ name, revisionsKept, revisionsLost, quadsLost }) => {
    const gone = revisionsLost === 0 ? '' : `, ${revisions(revisionsLost)} lost with ${quads(quadsLost)}`;
    return `${name}: ${revisions(revisionsKept)} kept${gone}\n`;
  });
  const verdict = lost ? 'something is lost, or may be' : 'nothing is lost';
  return `${found.join('')}${kept.join('')}${verdict}; the recovered store is ${location}, the damaged one ${damaged}\n`;
}

const revisions = (count: number): string => `${String(count)} ${count === 1 ? 'revision' : 'revisions'}`;
