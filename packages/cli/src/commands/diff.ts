/** `quadrille diff`: what changed between two revisions. */
import type { Command } from 'commander';
import { changeLines } from '../lines.js';
import { PLACE, addBranch, addJson, addPattern, addPlace, patternOf, type PatternOptions } from '../options.js';
import { type CommonOptions, type Shell, READING, withRepository } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille diff ./data HEAD~1 HEAD
  $ quadrille diff ./data 2026-01-01 2026-07-01 | grep -c '^A'
  $ quadrille diff ./data 3 5 --json
  $ quadrille diff ./data v1 v2 --predicate http://xmlns.com/foaf/0.1/name

Prints RDF Patch: a line A for every quad added and D for every quad removed. Blank nodes are <_:label>.
`;

export function addDiff(program: Command, shell: Shell): void {
  const command = program
    .command('diff')
    .description('Print the quads added and removed between two revisions.')
    .argument('<store>', PLACE)
    .argument('<from>', 'a revision: a number, a UUID, HEAD~1, a time, a tag or a branch')
    .argument('[to]', 'the other revision', 'HEAD');
  addJson(addPattern(addBranch(addPlace(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, from: string, to: string, options: CommonOptions & PatternOptions) => {
      const pattern = await patternOf(options);
      await withRepository(store, options, READING, (repository) => {
        const changes = repository.diff(from, to, pattern, { signal: shell.signal });
        return shell.stdout.writeAll(changeLines(changes, options.json === true));
      });
    });
}
