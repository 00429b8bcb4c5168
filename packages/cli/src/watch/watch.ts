/** `quadrille watch`: follows a repository, and prints each revision as a patch, or what changes in the answer of a query. */
import type { Change as RemoteChange } from '@quadrille/client';
import type { Command } from 'commander';
import type { Repository } from 'quadrille';
import {
  addBranch,
  addJson,
  addPattern,
  addPlace,
  patternOf,
  type PatternOptions,
  PLACE,
  wholeNumber,
} from '../options.js';
import { type Shell, READING, withRepository } from '../shell.js';
import { isServer, remoteRepository } from '../server/server-place.js';
import { type AnswerOptions, untilSignal } from './watch-answer.js';

type Options = AnswerOptions & PatternOptions;

const EXAMPLES = `
Examples:
  $ quadrille watch http://127.0.0.1:8080/default/default                   until Ctrl+C
  $ quadrille watch https://data.example.org/acme/people --since 12 --token-file token.txt
  $ quadrille watch http://127.0.0.1:8080/default/default --branch dev
  $ quadrille watch ./data --since HEAD~3 --predicate http://xmlns.com/foaf/0.1/name
  $ quadrille watch http://127.0.0.1:8080/default/default --query 'SELECT ?name { ?person foaf:name ?name }'
  $ quadrille watch ./data --file report.rq --since HEAD~1 --json

Prints RDF Patch: a transaction for each revision, as soon as it is there. The token of a server is in QUADRILLE_TOKEN or the file of
--token-file. After a broken connection it goes on where it was, without a gap. Of a store that no running process shares, in a directory,
a database or a bucket, the revisions after --since are printed, and that is the end.

With --query or --file the answer of a SELECT is followed: after a line with the revision, each row that came begins with + and each row
that went with -. The first answer is whole, or with --since what has changed since. A store without a server gives one answer.
`;

export function addWatch(program: Command, shell: Shell): void {
  const command = program
    .command('watch')
    .description('Follow a repository: print each revision as RDF Patch, or the changes of an answer.')
    .argument('<store>', PLACE)
    .option('--since <ref>', 'begin after this revision (default: HEAD)')
    .option(
      '-n, --limit <n>',
      'end after this number of revisions, or of changes of the answer',
      wholeNumber('--limit', 1),
    )
    .option('--query <text>', 'follow the answer of this SELECT; - for standard input')
    .option('--file <path>', 'read the query from this file');
  addJson(addBranch(addPlace(addPattern(command))))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const { queryOf, followAnswer, printAnswer } = await import('./watch-answer.js');
      const pattern = await patternOf(options);
      const query = await queryOf(options, pattern);
      if (!isServer(store))
        return query === undefined
          ? printStore(store, options, pattern, shell)
          : printAnswer(store, query, options, shell);
      const repository = await remoteRepository(store, options);
      if (query !== undefined) return followAnswer(repository, query, options, shell);
      return watchServer(repository, options, pattern, shell);
    });
}

type Pattern = Awaited<ReturnType<typeof patternOf>>;

/** The patch of each revision, as soon as it is there. Changes of a server have their patch. */
async function watchServer(repository: Repository, options: Options, pattern: Pattern, shell: Shell): Promise<void> {
  const { since, limit } = options;
  const changes = repository.watch({ since, pattern, signal: shell.signal }) as AsyncIterable<RemoteChange>;
  for await (const { patch } of untilSignal(changes, limit, shell))
    await shell.stdout.writeAll(patch({ signal: shell.signal }));
}

/** The revisions that there are. */
function printStore(store: string, options: Options, asked: Pattern, shell: Shell): Promise<void> {
  return withRepository(store, options, READING, async (repository, database) => {
    // The process that has the store tells of later ones.
    if (database?.role === 'guest') return watchServer(repository, options, asked, shell);
    const { lastChange, patchesUntil } = await import('@quadrille/server');
    const given = Object.entries(asked).filter(([, term]) => term !== undefined);
    const pattern = given.length > 0 ? Object.fromEntries(given) : undefined;
    const since = await repository.at(options.since ?? 'HEAD').revision();
    const changes = { repository, since, limit: options.limit ?? Infinity, pattern };
    const last = await lastChange(changes);
    if (last !== undefined) await shell.stdout.writeAll(patchesUntil(last, changes, shell.signal));
  });
}
