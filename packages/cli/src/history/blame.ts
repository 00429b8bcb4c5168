/** `quadrille blame`: which revision each quad is from. */
import type { Command } from 'commander';
import type { BlameEntry, Revision } from 'quadrille';
import { nquadsLine, revisionNote } from '../lines.js';
import { PLACE, addAt, addBranch, addJson, addPattern, addPlace, patternOf, type PatternOptions } from '../options.js';
import { type ReadingOptions, type Shell, withView } from '../shell.js';

interface Options extends ReadingOptions, PatternOptions {
  readonly removed?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille blame ./data --subject http://example.org/ann
  $ quadrille blame ./data --predicate http://xmlns.com/foaf/0.1/name --object '"Ann"' --at HEAD~10
  $ quadrille blame ./data --graph http://example.org/people --removed --json

Terms are IRIs, or as in N-Triples: '"Ann"@en', _:b1. --graph default is the default graph. Prints the number, time, author and message of
the revision that added each quad, and with --removed also the quads that are gone and the number of the revision that removed them.
`;

export function addBlame(program: Command, shell: Shell): void {
  const command = program
    .command('blame')
    .description('Print the revision that added each quad.')
    .argument('<store>', PLACE);
  addPattern(command).option('--removed', 'include removed quads');
  addJson(addBranch(addPlace(addAt(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const pattern = await patternOf(options);
      await withView(store, options, (view) => {
        const entries = view.blame(pattern, { removed: options.removed === true, signal: shell.signal });
        return shell.stdout.writeAll(blameLines(entries, options.json === true));
      });
    });
}

async function* blameLines(entries: AsyncIterable<BlameEntry>, json: boolean): AsyncGenerator<string> {
  for await (const { quad, revision, merged, removed } of entries) {
    const text = nquadsLine(quad);
    if (json) yield `${JSON.stringify({ quad: text, revision, merged, removed })}\n`;
    else {
      const more = [said('merged by', merged), said('removed by', removed)].filter((part) => part !== '');
      yield `${[...revisionNote(revision), ...more, text].join('  ')}\n`;
    }
  }
}

const said = (how: string, revision: Revision | undefined): string =>
  revision === undefined ? '' : `${how} #${String(revision.number)}`;
