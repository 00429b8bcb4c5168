/** `quadrille merge`: merges a branch into another one. */
import { printTerm } from '@quadrille/model';
import { type Command, Option } from 'commander';
import type { MergePreview } from 'quadrille';
import { addBranch, addCommit, addJson, addPlace, type CommitOptions, given, PLACE } from '../options.js';
import { refuseLocal } from '../server/server-place.js';
import { type CommonOptions, READING, type Shell, showRevision, withChange, withRepository } from '../shell.js';

interface Options extends CommonOptions, CommitOptions {
  readonly preview?: boolean;
  readonly fastForward?: boolean;
  readonly strategy?: 'three-way' | 'ours' | 'theirs';
  readonly onConflict?: 'fail' | 'ours' | 'theirs';
}

const EXAMPLES = `
Examples:
  $ quadrille merge ./data dev                    into main
  $ quadrille merge ./data main --branch dev      the changes of main into dev
  $ quadrille merge ./data dev --preview
  $ quadrille merge ./data dev --fast-forward
  $ quadrille merge ./data dev --on-conflict theirs
  $ quadrille merge https://data.example.org/acme/people dev

Predicates with one value (quadrille settings, functional) have conflicts where both branches changed the value.
`;

export function addMerge(program: Command, shell: Shell): void {
  const command = program
    .command('merge')
    .description('Merge a branch into another one.')
    .argument('<store>', PLACE)
    .argument('<source>', 'what to merge: a branch or another revision; of a server a branch')
    .option('--preview', 'say what the merge would do, and change nothing')
    .option('--fast-forward', 'take over revisions that follow the head as they are')
    .addOption(new Option('--strategy <name>', 'what to take').choices(['three-way', 'ours', 'theirs']))
    .addOption(new Option('--on-conflict <side>', 'what decides conflicts').choices(['fail', 'ours', 'theirs']));
  addJson(addBranch(addPlace(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, source: string, options: Options) => {
      const { strategy, onConflict, fastForward } = options;
      const how = given({ strategy, onConflict, fastForward });
      if (options.preview !== true)
        return withChange(shell, store, options, {}, async ({ branches }, change) =>
          showRevision(shell, await branches.merge(source, { ...how, ...change }), options),
        );
      const { author, durability } = options;
      refuseLocal(store, { author, durability });
      await withRepository(store, options, READING, async ({ branches }) => {
        const preview = await branches.merge(source, { ...how, signal: shell.signal, dryRun: true });
        await showPreview(shell, preview, options);
      });
    });
}

async function showPreview({ stdout }: Shell, preview: MergePreview, { json }: Pick<Options, 'json'>): Promise<void> {
  const { base, added, removed, conflictCount } = preview;
  if (json === true) return stdout.json({ base, added, removed, conflictCount, conflicts: [...conflicts(preview)] });
  await stdout.line(
    `+${String(added)} -${String(removed)}  conflicts: ${String(conflictCount)}  base: #${String(base.number)}`,
  );
  for (const { subject, predicate, graph, base: before, ours, theirs } of conflicts(preview))
    await stdout.line(
      `${subject} ${predicate} ${graph}  base: ${list(before)}  ours: ${list(ours)}  theirs: ${list(theirs)}`,
    );
}

const list = (terms: readonly string[]): string => (terms.length === 0 ? '-' : terms.join(' '));

function* conflicts({
  conflicts: found,
}: MergePreview): Generator<
  Record<'subject' | 'predicate' | 'graph', string> & Record<'base' | 'ours' | 'theirs', string[]>
> {
  for (const { subject, predicate, graph, base, ours, theirs } of found)
    yield {
      subject: printTerm(subject),
      predicate: printTerm(predicate),
      graph: printTerm(graph),
      base: base.map(printTerm),
      ours: ours.map(printTerm),
      theirs: theirs.map(printTerm),
    };
}
