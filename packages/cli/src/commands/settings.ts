/** `quadrille settings`: what the owner of a repository has set for its commits. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { RepositorySettings, SettingsChange } from 'quadrille';
import { addJson, addPlace, PLACE } from '../options.js';
import { type CommonOptions, type Shell, READING, withRepository } from '../shell.js';

interface Options extends CommonOptions {
  readonly set: readonly string[];
  readonly unset: readonly string[];
}

const EXAMPLES = `
Examples:
  $ quadrille settings ./data
  $ quadrille settings ./data --set 'functional=http://xmlns.com/foaf/0.1/age http://xmlns.com/foaf/0.1/homepage'
  $ quadrille settings ./data --set shapes=http://example.org/shapes
  $ quadrille settings ./data --unset shapes
  $ quadrille settings https://data.example.org/acme/people --json

  functional     IRIs of predicates that have one value for each subject and graph, with spaces between them
  shapes         IRI of the graph with the SHACL shapes that every later revision obeys
  shapesMode     report: a change that violates the shapes is committed, and log tells how often it does
  shapesSince    now: results that were there before a change do not refuse it
  shapesStrict   true: shapes with statements that have no meaning are refused
  defaultBranch  the branch for requests to a server that name none
  protected      branches that only the owner changes by a server, with spaces between them
  search         true: an index of words for quadrille search and text:query; or JSON, as in 'search={"text":{"fold":"diacritics"}}'
                 or 'search={"vectors":{"sense":{"property":"http://example.org/sense","dimension":384}}}' for vec:nearest
  retention      which revisions compaction keeps, as in 'retention=last:1000 days:90 perDay:1'
`;

const LISTS: ReadonlySet<string> = new Set(['functional', 'protected']);
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };
const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];

export function addSettings(program: Command, shell: Shell): void {
  const command = program
    .command('settings')
    .description('Print or change what is set for the commits of a repository.')
    .argument('<store>', PLACE)
    .option('--set <name=value>', 'change a setting; may be repeated', collect, [])
    .option('--unset <name>', 'reset a setting; may be repeated', collect, []);
  addJson(addPlace(command))
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const settings = await changed(store, options, changeOf(options));
      if (options.json === true) await shell.stdout.json(settings);
      else for (const line of linesOf(settings)) await shell.stdout.line(line);
    });
}

function changed(place: string, options: Options, change: SettingsChange | undefined): Promise<RepositorySettings> {
  const open = change === undefined ? READING : ({ create: false } as const);
  return withRepository(place, options, open, async ({ settings }) =>
    change === undefined ? settings.get() : settings.set(change),
  );
}

/** The change that the options say; the library or the server checks it. */
function changeOf({ set, unset }: Options): SettingsChange | undefined {
  if (set.length + unset.length === 0) return undefined;
  const change: Record<string, unknown> = {};
  for (const text of set) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new InvalidArgumentError('INVALID_OPTION', `--set takes NAME=VALUE, not ${text.slice(0, 100)}`);
    change[name] = valueOf(name, value);
  }
  for (const name of unset) change[name] = null;
  return change as SettingsChange;
}

function valueOf(name: string, value: string): unknown {
  const words = value.split(/\s+/).filter((word) => word !== '');
  if (LISTS.has(name)) return words;
  if (name === 'shapesStrict') return FLAGS[value] ?? value;
  if (name === 'search') return searchOf(value);
  if (name !== 'retention') return value;
  return Object.fromEntries(words.map((word) => word.split(':')).map(([member, count]) => [member, Number(count)]));
}

function searchOf(value: string): unknown {
  if (value === 'true') return { text: true };
  if (value === 'false') return null;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function* linesOf({ functional, shapes, defaultBranch, ...others }: RepositorySettings): Generator<string> {
  yield `functional     ${functional.join(' ') || '-'}`;
  yield `shapes         ${shapes ?? '-'}`;
  if (others.shapesMode === 'report') yield 'shapesMode     report';
  if (others.shapesSince === 'now') yield 'shapesSince    now';
  if (others.shapesStrict) yield 'shapesStrict   true';
  yield `defaultBranch  ${defaultBranch}`;
  yield `protected      ${others.protected.join(' ') || '-'}`;
  const kept = Object.entries(others.retention ?? {}).map(([member, count]) => `${member}:${String(count)}`);
  yield `retention      ${kept.join(' ') || '-'}`;
  if (others.search !== undefined) {
    const { text, vectors, progress } = others.search;
    yield `search         ${JSON.stringify(vectors === undefined ? text : { text, vectors })}${progress < 1 ? `, ${String(Math.floor(progress * 100))} % indexed` : ''}`;
  }
  for (const { shape, statement, reason } of others.shapesWarnings ?? [])
    yield `warning        ${shape} ${statement}: ${reason}`;
}
