/** `quadrille watch`: follows a repository, and prints each revision as a patch. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import { addPattern, addRepository, given, patternOf, type PatternOptions, wholeNumber } from '../options.js';
import { type CommonOptions, type Shell, READING, withRepository } from '../shell.js';
import { serverToken } from '../server/server-token.js';

interface Options extends CommonOptions, PatternOptions {
  readonly since?: string;
  readonly limit?: number;
  readonly tokenFile?: string;
}

const EXAMPLES = `
Examples:
  $ quadrille watch http://127.0.0.1:8080/default/default                   until Ctrl+C
  $ quadrille watch https://data.example.org/acme/people --since 12 --token-file token.txt
  $ quadrille watch ./data --since HEAD~3 --predicate http://xmlns.com/foaf/0.1/name

Prints RDF Patch: a transaction for each revision, as soon as it is there. The token of a server is in QUADRILLE_TOKEN or the file of
--token-file. After a broken connection it goes on where it was, without a gap. A store in a directory is open here alone, so nothing
can be added to it meanwhile: the revisions after --since are printed, and that is the end.
`;

export function addWatch(program: Command, shell: Shell): void {
  const command = program
    .command('watch')
    .description('Follow a repository: print each revision as RDF Patch.')
    .argument('<store>', 'address of a repository of a server, or directory of a store')
    .option('--since <ref>', 'begin after this revision (default: HEAD)')
    .option('-n, --limit <n>', 'end after this number of revisions', wholeNumber('--limit', 1))
    .option('--token-file <file>', 'file with the token for the server');
  addRepository(addPattern(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      if (/^https?:\/\//i.test(store)) await watchServer(store, options, shell);
      else await printStore(store, options, shell);
    });
}

async function watchServer(store: string, options: Options, shell: Shell): Promise<void> {
  const repository = addressOf(store);
  const { followRepository } = await import('./follow-repository.js');
  const { termToNTriples } = await import('@quadrille/model');
  const { subject, predicate, object, graph } = await patternOf(options);
  const terms = given({ subj: subject, pred: predicate, obj: object, context: graph });
  const filters = Object.entries(terms).map(([name, term]) => [name, termToNTriples(term!) || 'default']);
  const patches = followRepository({
    repository,
    parameters: { ...(Object.fromEntries(filters) as Record<string, string>), ...given({ since: options.since }) },
    token: await serverToken(options.tokenFile),
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
function printStore(store: string, options: Options, shell: Shell): Promise<void> {
  return withRepository(store, options, READING, async (repository) => {
    const { lastChange, patchesUntil } = await import('@quadrille/rest');
    const given = Object.entries(await patternOf(options)).filter(([, term]) => term !== undefined);
    const pattern = given.length > 0 ? Object.fromEntries(given) : undefined;
    const since = await repository.at(options.since ?? 'HEAD').revision();
    const changes = { repository, since, limit: options.limit ?? Infinity, pattern };
    const last = await lastChange(changes);
    if (last !== undefined) await shell.stdout.writeAll(patchesUntil(last, changes, shell.signal));
  });
}
