/** `quadrille log`: the revisions of a repository, the newest first. */
import { InvalidArgumentError, termToNTriples } from '@quadrille/model';
import type { Command } from 'commander';
import type { LogOptions, Repository, Revision } from 'quadrille';
import { GraphDrawing } from '../branches/graph.js';
import { changesOf, revisionLine } from '../lines.js';
import {
  PLACE,
  addBranch,
  addJson,
  addPattern,
  addPlace,
  given,
  patternOf,
  type PatternOptions,
  wholeNumber,
} from '../options.js';
import { type CommonOptions, type Shell, READING, withRepository } from '../shell.js';

interface Options extends CommonOptions, Omit<PatternOptions, 'graph'> {
  readonly limit?: number;
  readonly before?: string;
  readonly author?: string;
  readonly message?: string;
  readonly from?: string;
  readonly to?: string;
  readonly stat?: boolean;
  /** True without a term. */
  readonly graph?: string | true;
}

const EXAMPLES = `
Examples:
  $ quadrille log ./data
  $ quadrille log ./data --limit 10 --before HEAD~10
  $ quadrille log ./data --author jo --message import --from 2026-05-01 --to 2026-05-31
  $ quadrille log ./data --subject http://example.org/ann --stat
  $ quadrille log ./data --graph
  $ quadrille log ./data --json | jq -r .message

--from and --to take revisions or times and include them. With a subject, predicate, object or graph, only revisions that have
changed such a quad are listed. --stat adds how many quads of each predicate a revision has added and removed. --graph without a term shows the revisions of all branches, each
before its parents; it goes with --limit, --before, --author and --message.
`;

export function addLog(program: Command, shell: Shell): void {
  const command = program
    .command('log')
    .description('List the revisions, the newest first.')
    .argument('<store>', PLACE)
    .option('-n, --limit <n>', 'greatest number of revisions', wholeNumber('--limit', 0))
    .option('--before <ref>', 'only revisions before this one')
    .option('--author <name>', 'only revisions of this author')
    .option('--message <text>', 'only revisions whose message contains this')
    .option('--from <ref>', 'the first revision, or a time')
    .option('--to <ref>', 'the last revision, or a time')
    .option('--stat', 'also the changes by predicate');
  addJson(
    addBranch(addPlace(addPattern(command, 'all branches, drawn as a graph; with a term: only changes of this graph'))),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const logOptions = await logOptionsOf(options);
      await withRepository(store, options, READING, async (repository) => {
        if (options.graph === true) return showGraph(shell, repository, logOptions, options);
        for await (const revision of repository.log({ ...logOptions, signal: shell.signal })) {
          const stat = options.stat === true ? await statOf(repository, revision, shell.signal) : undefined;
          if (options.json === true) await shell.stdout.json(stat === undefined ? revision : { ...revision, stat });
          else await shell.stdout.write(textOf(revision, stat));
        }
      });
    });
}

async function showGraph(
  { stdout, signal }: Shell,
  repository: Repository,
  logOptions: LogOptions,
  { json, stat, branch }: Options,
): Promise<void> {
  for (const [option, value] of Object.entries({ stat, branch }))
    if (value !== undefined) throw new InvalidArgumentError('INVALID_OPTION', `--${option} does not go with --graph`);
  const drawing = new GraphDrawing();
  for await (const revision of repository.log({ ...logOptions, branches: 'all', signal })) {
    if (json === true) {
      await stdout.json(revision);
      continue;
    }
    const { before, own, after } = drawing.draw(revision);
    const lines = [...before, `${own} ${revision.branch ?? ''}${revisionLine(revision)}`, ...after];
    await stdout.write(`${lines.join('\n')}\n`);
  }
}

async function logOptionsOf(options: Options): Promise<LogOptions> {
  const { limit, before, author, message, from, to } = options;
  const { graph, ...others } = options;
  const pattern = given(await patternOf(typeof graph === 'string' ? { ...others, graph } : others));
  const hasPattern = Object.keys(pattern).length > 0;
  return given({ limit, before, author, message, from, to, pattern: hasPattern ? pattern : undefined });
}

interface PredicateStat {
  readonly predicate: string;
  added: number;
  removed: number;
}

/** The changes of a revision by predicate, those with most changes first. */
async function statOf(repository: Repository, revision: Revision, signal: AbortSignal): Promise<PredicateStat[]> {
  const stats = new Map<string, PredicateStat>();
  for await (const { op, quad } of changesOf(repository, revision, signal)) {
    const predicate = termToNTriples(quad.predicate);
    let stat = stats.get(predicate);
    if (stat === undefined) stats.set(predicate, (stat = { predicate, added: 0, removed: 0 }));
    if (op === 'add') stat.added++;
    else stat.removed++;
  }
  return [...stats.values()].sort((a, b) => b.added + b.removed - a.added - a.removed);
}

function textOf(revision: Revision, stat: readonly PredicateStat[] = []): string {
  const lines = stat.map(({ predicate, added, removed }) => `    +${String(added)} -${String(removed)}  ${predicate}`);
  return [revisionLine(revision), ...lines, ''].join('\n');
}
