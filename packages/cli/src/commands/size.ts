/** `quadrille size`: how many quads there are. */
import type { Command } from 'commander';
import { PLACE, addAt, addBranch, addJson, addPlace } from '../options.js';
import { type ReadingOptions, type Shell, withView } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille size ./data
  $ quadrille size ./data --repository acme/people --at HEAD~1 --json
`;

export function addSize(program: Command, shell: Shell): void {
  const command = program.command('size').description('Print the number of quads.').argument('<store>', PLACE);
  addJson(addBranch(addPlace(addAt(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: ReadingOptions) => {
      await withView(store, options, async (view) => {
        const size = await view.size();
        await (options.json === true ? shell.stdout.json({ size }) : shell.stdout.line(String(size)));
      });
    });
}
