/** `quadrille watch`: follows a repository, and prints each revision as a patch, or what changes in the answer of a query. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import {
  addBranch,
  addJson,
  addPattern,
  addPlace,
  given,
  patternOf,
  type PatternOptions,
  PLACE,
  wholeNumber,
} from '../options.js';
import { type Shell, READING, withRepository } from '../shell.js';
import { isServer, refuseRepository } from '../server/server-place.js';
import { serverToken } from '../server/server-token.js';
import type { FollowOptions } from './follow-repository.js';
import type { AnswerOptions } from './watch-answer.js';

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
--token-file. After a broken connection it goes on where it was, without a gap. Of a store without a server, in a directory,
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
      refuseRepository(options);
      const server = { repository: addressOf(store), token: await serverToken(options.tokenFile) };
      if (query !== undefined) return followAnswer(query, server, options, shell);
      return watchServer(server, options, pattern, shell);
    });
}

type Pattern = Awaited<ReturnType<typeof patternOf>>;

async function watchServer(
  server: Pick<FollowOptions, 'repository' | 'token'>,
  options: Options,
  { subject, predicate, object, graph }: Pattern,
  shell: Shell,
): Promise<void> {
  const { followRepository } = await import('./follow-repository.js');
  const { termToNTriples } = await import('@quadrille/model');
  const terms = given({ subj: subject, pred: predicate, obj: object, context: graph });
  const filters = Object.entries(terms).map(([name, term]) => [name, termToNTriples(term!) || 'default']);
  const patches = followRepository({
    ...server,
    resource: 'changes',
    parameters: {
      ...(Object.fromEntries(filters) as Record<string, string>),
      ...given({ since: options.since, branch: options.branch }),
    },
    limit: options.limit ?? Infinity,
    signal: shell.signal,
  });
  for await (const text of patches) await shell.stdout.write(text);
}

function addressOf(text: string): URL {
  const isAddress = URL.canParse(text);
  const address = new URL(isAddress ? text : 'http://localhost');
  if (isAddress && address.username === '' && address.password === '' && address.search === '' && address.hash === '')
    return address;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    'not the address of a repository, such as http://127.0.0.1:8080/default/default, without user and parameters',
  );
}

/** The revisions that there are. */
function printStore(store: string, options: Options, asked: Pattern, shell: Shell): Promise<void> {
  return withRepository(store, options, READING, async (repository) => {
    const { lastChange, patchesUntil } = await import('@quadrille/server');
    const given = Object.entries(asked).filter(([, term]) => term !== undefined);
    const pattern = given.length > 0 ? Object.fromEntries(given) : undefined;
    const since = await repository.at(options.since ?? 'HEAD').revision();
    const changes = { repository, since, limit: options.limit ?? Infinity, pattern };
    const last = await lastChange(changes);
    if (last !== undefined) await shell.stdout.writeAll(patchesUntil(last, changes, shell.signal));
  });
}
