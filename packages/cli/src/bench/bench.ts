/** `quadrille bench`: which storage backend is best for given data and queries, and how other stores compare. */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import type { ComparisonReport, Phase, Runs, StoreKind } from '@quadrille/bench';
import { InvalidArgumentError, ParseError } from '@quadrille/model';
import type { Command } from 'commander';
import { benchPackage } from './bench-package.js';
import { benchProgress } from './bench-progress.js';
import { addJson, minutes, percent, seconds, wholeNumber } from '../options.js';
import type { Shell } from '../shell.js';
import { checkReadable, inputMissing, readInput } from '../text-input.js';
import { versionOfCommand } from '../version.js';

interface Options {
  readonly data: readonly string[];
  readonly queries?: string;
  readonly quads: number;
  readonly graphs: number;
  readonly seed: number;
  readonly backends?: string;
  readonly peers?: string;
  readonly only?: string;
  readonly runs: number;
  readonly minRuns?: number;
  readonly spread: number;
  readonly minutes?: number;
  readonly queryLimit: number;
  readonly out: string;
  readonly scratch: string;
  readonly json?: boolean;
}

const LEAST_RUNS = 2;

const EXAMPLES = `
Examples:
  $ quadrille bench --data people.ttl.gz --queries ./queries      a folder of .rq files
  $ quadrille bench --data people.nq --backends leveldb,lmdb --peers none --runs 3
  $ quadrille bench --quads 1000000 --only load,read --minutes 5  generated data
  $ quadrille bench --data people.nq --backends leveldb,./my-backend.js

Measures each backend, and other stores that are installed where the command runs (npm install quadstore oxigraph n3
rdf-stores @comunica/query-sparql-rdfjs quadstore-comunica; virtuoso-t in the PATH), in processes of their own, in turn,
several times. Says first how long it takes, and shows figures as they come. Writes report.html, report.md and
report.json, also when it is interrupted. Stores are made in --scratch and removed. A backend of your own is a module
that exports openStorage(directory). Do nothing else on the machine meanwhile.
`;

export function addBench(program: Command, shell: Shell): void {
  const command = program
    .command('bench')
    .description('Compare storage backends and other stores on your data and queries. Writes a report with plots.')
    .option('-d, --data <files...>', 'RDF documents, measured together (default: generated data)', [])
    .option('-q, --queries <path>', 'a .rq or .sparql file, or a folder of them (default: queries that fit the data)')
    .option('--quads <n>', 'number of generated quads', wholeNumber('--quads', 1), 100_000)
    .option('--graphs <n>', 'number of named graphs in generated data', wholeNumber('--graphs', 0), 0)
    .option('--seed <n>', 'seed of generated data', wholeNumber('--seed', 0), 1)
    .option('--backends <names>', 'leveldb, lmdb, memory or modules; the others are compared with the first one')
    .option(
      '--peers <names>',
      'quadstore, oxigraph, n3, rdf-stores, comunica, virtuoso, or none (default: those installed)',
    )
    .option('--only <phases>', 'load, read, write, queries (default: all)')
    .option('--runs <n>', 'how often each measurement is made at most', wholeNumber('--runs', 1), 5)
    .option('--min-runs <n>', 'how often each is made at least (default: 2)', wholeNumber('--min-runs', 1))
    .option('--spread <percent>', 'a figure with a smaller standard error is settled', percent('--spread'), 0.05)
    .option('--minutes <n>', 'ends with what is measured by then (default: no limit)', minutes('--minutes'))
    .option('--query-limit <seconds>', 'time limit of a query', seconds('--query-limit'), 30_000)
    .option('-o, --out <directory>', 'directory of the reports', 'quadrille-bench')
    .option('--scratch <directory>', 'directory of the measured stores, on the disk to be measured', tmpdir());
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const report = await withFolder(options.out, () => compared(options, shell));
      const files = await writeReports(report, options.out);
      if (report.measurements.length === 0) {
        throw wrong(`nothing could be measured: ${report.failures[0]?.reason ?? 'no store does what --only names'}`);
      }
      if (options.json === true) for (const line of report.measurements) await shell.stdout.json(line);
      else await shell.stdout.line(await summary(report, files));
      // The exit code tells a script that the report is not whole.
      shell.signal.throwIfAborted();
    });
}

/** Creates the output before the long work, and removes it if the work fails. */
async function withFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const made = await mkdir(folder, { recursive: true }).catch((error: Error) =>
    Promise.reject(wrong(`--out ${folder}: ${error.message}`)),
  );
  try {
    return await work();
  } catch (error) {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    throw error;
  }
}

async function compared(options: Options, shell: Shell): Promise<ComparisonReport> {
  const { compareStores } = await benchPackage();
  for (const file of options.data) await checkReadable(file);
  const queries = options.queries === undefined ? {} : await queriesIn(options.queries);
  const stores = await storesFor(options, shell);
  for (const { module } of stores) if (module !== undefined) await checkReadable(module);
  const phases = await phasesFor(options);
  const runs = runsFor(options);
  const progress = benchProgress(shell, options.json === true);
  try {
    return await compareStores({
      stores,
      files: options.data.map((file) => resolve(file)),
      generate: { quads: options.quads, graphs: options.graphs, seed: options.seed },
      queries,
      phases,
      runs,
      ...(options.minutes === undefined ? {} : { limitMs: options.minutes }),
      scratch: resolve(options.scratch),
      queryLimitMs: options.queryLimit,
      quadrille: versionOfCommand(),
      command: commandLine(options, stores, phases),
      signal: shell.signal,
      progress,
    });
  } finally {
    await progress.end();
  }
}

async function storesFor({ backends, peers }: Options, shell: Shell): Promise<StoreKind[]> {
  const { BACKENDS, missingOf, PEERS, storeNamed } = await benchPackage();
  const absent: string[] = [];
  const present = (kinds: readonly StoreKind[]): StoreKind[] =>
    kinds.filter((kind) => {
      const missing = missingOf(kind);
      if (missing !== undefined) absent.push(`${kind.name} (${missing})`);
      return missing === undefined;
    });
  const named = (names: string): StoreKind[] =>
    names.split(',').map((name) => {
      const kind = storeNamed(name.trim());
      const missing = missingOf(kind);
      if (missing === undefined) return kind;
      throw wrong(`${kind.name} needs what is not installed: ${missing}`);
    });
  const ours = backends === undefined ? present(BACKENDS) : named(backends);
  if (ours.some(({ role }) => role === 'peer'))
    throw wrong('--backends names a store that is none of ours: name it in --peers');
  const others = peers === 'none' ? [] : peers === undefined ? present(PEERS) : named(peers);
  if (absent.length > 0) await shell.stderr.line(`not installed, so not measured: ${absent.join(', ')}`);
  return [...ours, ...others];
}

function runsFor({ runs, minRuns, spread }: Options): Runs {
  if (minRuns !== undefined && minRuns > runs) throw wrong(`--min-runs ${minRuns} is more than --runs ${runs}`);
  return { least: minRuns ?? Math.min(runs, LEAST_RUNS), most: runs, spread };
}

async function phasesFor({ only }: Options): Promise<readonly Phase[]> {
  const { PHASES } = await benchPackage();
  if (only === undefined) return PHASES;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(PHASES as readonly string[]).includes(name));
  if (unknown.length > 0) throw wrong(`--only ${unknown.join(',')}: there is ${PHASES.join(', ')}`);
  return PHASES.filter((phase) => names.includes(phase));
}

/** Texts by the names of their files. */
async function queriesIn(path: string): Promise<Record<string, string>> {
  const { parseSparql } = await import('quadrille');
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => Promise.reject(inputMissing(path, error)),
  );
  const names = isFolder ? (await readdir(path)).filter((name) => /\.(?:rq|sparql)$/.test(name)).sort() : [''];
  if (names.length === 0) throw wrong(`--queries ${path}: no file there ends in .rq or .sparql`);
  const texts: Record<string, string> = {};
  for (const name of names) {
    const file = join(path, name);
    const text = await readInput(file);
    const { kind } = await parseSparql(text).catch((error: unknown) => {
      if (!(error instanceof ParseError)) throw error;
      const { reason, line, column } = error;
      throw new ParseError('SPARQL_SYNTAX', reason, { source: file, line, column }, { cause: error });
    });
    if (kind === 'update') throw wrong(`--queries: ${file} is an update`);
    texts[basename(file, extname(file))] = text;
  }
  return texts;
}

async function writeReports(report: ComparisonReport, directory: string): Promise<string[]> {
  const { htmlReport, markdownReport } = await benchPackage();
  const texts = {
    'report.html': htmlReport(report),
    'report.md': markdownReport(report),
    'report.json': `${JSON.stringify(report, undefined, 2)}\n`,
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(directory, name), text);
  return Object.keys(texts).map((name) => join(directory, name));
}

async function summary(report: ComparisonReport, files: readonly string[]): Promise<string> {
  const { terminalReport } = await benchPackage();
  return `${terminalReport(report)}\n\nWritten: ${files.join(', ')}`;
}

/** With all names written out, so that it measures the same where more is installed. */
function commandLine(options: Options, stores: readonly StoreKind[], phases: readonly Phase[]): string {
  const { data, quads, graphs, seed, queries, backends, queryLimit, minutes: limit } = options;
  const { most, least, spread } = runsFor(options);
  const names = (role: StoreKind['role']): string =>
    stores
      .filter((store) => store.role === role)
      .map(({ name }) => name)
      .join(',');
  const input = data.length > 0 ? ['--data', ...data] : ['--quads', quads, '--graphs', graphs, '--seed', seed];
  const words = ['quadrille', 'bench', ...input, ...(queries === undefined ? [] : ['--queries', queries])];
  words.push('--backends', backends ?? names('backend'), '--peers', names('peer') || 'none');
  words.push('--only', phases.join(','), '--runs', most, '--min-runs', least, '--spread', spread * 100);
  words.push('--query-limit', queryLimit / 1000, ...(limit === undefined ? [] : ['--minutes', limit / 60_000]));
  return words.map((word) => quoted(String(word))).join(' ');
}

const quoted = (word: string): string => (/^[\w./:,@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const wrong = (message: string): InvalidArgumentError => new InvalidArgumentError('INVALID_OPTION', message);
