/** `quadrille merge`: merges a branch into another one. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { printTerm } from '@quadrille/model';
import type { Durability, MergeOptions, MergePreview, Repository } from 'quadrille';
import { revisionLine } from '../lines.js';
import { addBranch, addCommit, addJson, addRepository, given } from '../options.js';
import { type CommonOptions, READING, type Shell, warnings, withRepository } from '../shell.js';

interface Options extends CommonOptions {
  readonly message?: string;
  readonly author?: string;
  readonly durability?: Durability;
  readonly upgrade: boolean;
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

Predicates with one value (quadrille settings, functional) have conflicts where both branches changed the value.
`;

export function addMerge(program: Command, shell: Shell): void {
  const command = program
    .command('merge')
    .description('Merge a branch into another one.')
    .argument('<store>', 'directory of the store')
    .argument('<source>', 'what to merge: a branch or another revision')
    .option('--preview', 'say what the merge would do, and change nothing')
    .option('--fast-forward', 'take over revisions that follow the head as they are')
    .addOption(new Option('--strategy <name>', 'what to take').choices(['three-way', 'ours', 'theirs']))
    .addOption(new Option('--on-conflict <side>', 'what decides conflicts').choices(['fail', 'ours', 'theirs']));
  addJson(addBranch(addRepository(addCommit(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, source: string, options: Options) => {
      const { message, author, durability, upgrade, strategy, onConflict, preview, fastForward } = options;
      const merge = { signal: shell.signal, ...given({ message, author, strategy, onConflict, fastForward }) };
      if (preview === true)
        return withRepository(store, options, READING, (repository) => show(shell, repository, source, merge, options));
      const open = { create: false, logger: warnings(shell), upgrade, ...given({ durability }) } as const;
      await withRepository(store, options, open, async (repository) => {
        const revision = await repository.merge(source, merge);
        if (options.json === true) await shell.stdout.json(revision);
        else await shell.stdout.line(revisionLine(revision));
      });
    });
}

async function show(
  { stdout }: Shell,
  repository: Repository,
  source: string,
  merge: MergeOptions,
  { json }: Options,
): Promise<void> {
  const preview = await repository.previewMerge(source, merge);
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
