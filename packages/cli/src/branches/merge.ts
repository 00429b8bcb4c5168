/** `quadrille merge`: merges a branch into another one. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { placeOf } from '../accounts/place.js';
import { heldByServer } from '../accounts/with-administrator.js';
import { type MergeCommand, showPreview, showRevision } from './merge-command.js';
import { addBranch, addCommit, addJson, addRepository, given } from '../options.js';
import { addServer } from '../server/ask-server.js';
import { READING, type Shell, warnings, withRepository } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille merge ./data dev                    into main
  $ quadrille merge ./data main --branch dev      the changes of main into dev
  $ quadrille merge ./data dev --preview
  $ quadrille merge ./data dev --fast-forward
  $ quadrille merge ./data dev --on-conflict theirs
  $ quadrille merge dev --server https://data.example.org -r acme/people

Predicates with one value (quadrille settings, functional) have conflicts where both branches changed the value.
`;

export function addMerge(program: Command, shell: Shell): void {
  const command = program
    .command('merge')
    .description('Merge a branch into another one.')
    .argument('[store]', 'directory or URL of the store; omit it with --server')
    .argument('[source]', 'what to merge: a branch or another revision; of a server a branch')
    .option('--preview', 'say what the merge would do, and change nothing')
    .option('--fast-forward', 'take over revisions that follow the head as they are')
    .addOption(new Option('--strategy <name>', 'what to take').choices(['three-way', 'ours', 'theirs']))
    .addOption(new Option('--on-conflict <side>', 'what decides conflicts').choices(['fail', 'ours', 'theirs']));
  addJson(addServer(addBranch(addRepository(addCommit(command)))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string | undefined, source: string | undefined, options: MergeCommand) => {
      const { place, rest } = placeOf([store, source], 1, options);
      if ('server' in place) return (await import('./server-merge.js')).mergeAtServer(shell, place, rest[0]!, options);
      await mergeInStore(shell, place.store, rest[0]!, options).catch(heldByServer);
    });
}

async function mergeInStore(shell: Shell, store: string, source: string, options: MergeCommand): Promise<void> {
  const { message, author, durability, upgrade, strategy, onConflict, preview, fastForward } = options;
  const merge = { signal: shell.signal, ...given({ message, author, strategy, onConflict, fastForward }) };
  if (preview === true)
    return withRepository(store, options, READING, async (repository) =>
      showPreview(shell, await repository.branches.merge(source, { ...merge, dryRun: true }), options),
    );
  const open = { create: false, logger: warnings(shell), upgrade, ...given({ durability }) } as const;
  await withRepository(store, options, open, async (repository) =>
    showRevision(shell, await repository.branches.merge(source, merge), options),
  );
}
