/** `quadrille mcp`: a store for an agent, by the Model Context Protocol on standard input and output. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { Toolset } from '@quadrille/server/mcp';
import type { Command } from 'commander';
import type { Database } from 'quadrille';
import { storedDocuments } from '../documents/stored-documents.js';
import { sharing } from '../commands/serve.js';
import { given, wholeNumber } from '../options.js';
import { toolsets } from './toolsets.js';
import { withoutSecrets } from '../secrets.js';
import { serverToken } from '../server/server-token.js';
import { type Shell, warnings, withDatabase } from '../shell.js';
import { versionOfCommand } from '../version.js';

interface Options {
  readonly tools?: readonly Toolset[];
  readonly repository?: string;
  readonly import?: string;
  readonly allowSecrets?: boolean;
  readonly keep?: number;
  readonly http?: string;
  readonly tokenFile?: string;
}

const EXAMPLES = `
Examples:
  $ quadrille mcp ./memory                        the memory of an agent, which keeps its history
  $ quadrille mcp ./memory --import memory.jsonl  begins with the file of @modelcontextprotocol/server-memory
  $ quadrille mcp ./data --tools data             an agent asks the data, and changes nothing
  $ quadrille mcp --http https://data.example.org --token-file token   what a server with --mcp serves

A client starts this command, and speaks with it by standard input and output:
  { "mcpServers": { "memory": { "command": "npx", "args": ["-y", "quadrille", "mcp", "./memory"] } } }

  memory  the nine tools of server-memory, with the same results; recall, as_of, history, why, undo
  data    describe, query, compare, find; docs_search over the documents of this version
  change  update, branch, merge, revert

Each change is a revision with the client as its author and the session in its message. Creates the store if it does not exist.
`;

export function addMcp(program: Command, shell: Shell): void {
  program
    .command('mcp')
    .description('Serve a store to an agent, by the Model Context Protocol on standard input and output.')
    .argument('[store]', 'directory or URL of the store; none with --http')
    .option('--http <url>', 'a server that serves agents, in place of a store: lines are sent there')
    .option('--token-file <file>', 'file with the token for that server (default: the token in QUADRILLE_TOKEN)')
    .option(
      '--tools <list>',
      'toolsets, with commas between them: memory, data, change (default: memory)',
      (text: string) => toolsets(text),
    )
    .option(
      '-r, --repository <account/repository>',
      'repository to use (default: memory/graph with the toolset memory)',
    )
    .option('--import <file>', 'first import a file of @modelcontextprotocol/server-memory')
    .option('--allow-secrets', 'keep texts that look like keys and passwords, which are refused otherwise')
    .option('--keep <n>', 'keep the last n revisions: older ones are removed at the end', wholeNumber('--keep', 1))
    .addHelpText('after', EXAMPLES)
    .action((store: string | undefined, options: Options) => {
      if (options.http !== undefined) return bridge(shell, options.http, store, options);
      if (store !== undefined && options.tokenFile === undefined) return serveAgent(shell, store, options);
      throw new InvalidArgumentError(
        'INVALID_OPTION',
        store === undefined ? 'give a store, or --http' : '--token-file needs --http',
      );
    });
}

/** What a server has decided is no option here. */
async function bridge(shell: Shell, url: string, store: string | undefined, options: Options): Promise<void> {
  const { http: _, tokenFile, ...others } = options;
  const [other] = Object.keys(others);
  if (store !== undefined || other !== undefined)
    throw new InvalidArgumentError('INVALID_OPTION', `--http leads to a server: ${other ?? store!} is for a store`);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new InvalidArgumentError('INVALID_OPTION', `--http is no http or https URL: ${withoutSecrets(url)}`);
  const token = await serverToken(tokenFile);
  const { bridgeLines, LineWriter } = await import('@quadrille/server/mcp-lines');
  await bridgeLines({ url, ...given({ token }) }, process.stdin, new LineWriter(process.stdout), shell.signal);
  shell.signal.throwIfAborted();
}

async function serveAgent(shell: Shell, store: string, options: Options): Promise<void> {
  const file = options.import === undefined ? undefined : await textOf(options.import);
  const { LineWriter, serveLines, Session, StoreDoor } = await import('@quadrille/server/mcp-lines');
  const { tools = ['memory'], repository, allowSecrets } = options;
  const writer = new LineWriter(process.stdout);
  const memory = repository ?? 'memory/graph';
  const hasMemory = tools.includes('memory');
  const opening = new Opening();
  const door = new StoreDoor(
    opening.database,
    hasMemory,
    given({ memory, repository: hasMemory ? memory : repository }),
  );
  const session = new Session({
    version: versionOfCommand(),
    tools: new Set(tools),
    documents: storedDocuments,
    notify: (message) => writer.write(message),
    ...given({ allowSecrets, client: shell.agent }),
  });
  const signal = AbortSignal.any([shell.signal, opening.failed]);
  const serve = (): Promise<void> => serveLines(session, door, process.stdin, writer, signal);
  // A client asks for the tools first: that needs no store. What is imported comes before all calls.
  const serving = file === undefined ? serve() : undefined;
  serving?.catch(() => undefined);
  // Each client of a machine starts a process of its own.
  const how = { create: true, logger: warnings(shell), ...sharing(store) };
  const served = withDatabase(store, how, async (database) => {
    opening.done(database);
    if (file !== undefined) await tell(shell, options.import!, await session.import(file, door));
    await (serving ?? serve());
    if (options.keep !== undefined) await keepLast(database, memory, options.keep);
  });
  await served.catch(async (error: unknown) => {
    opening.fail(error);
    await serving;
    throw error;
  });
  shell.signal.throwIfAborted();
}

/** A store that is being opened. */
class Opening {
  readonly #failed = new AbortController();
  #resolve: (database: Database) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  readonly database = new Promise<Database>((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor() {
    // Who asks hears of it.
    this.database.catch(() => undefined);
  }

  /** Aborts when it cannot be opened. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  done(database: Database): void {
    this.#resolve(database);
  }

  fail(error: unknown): void {
    this.#reject(error);
    this.#failed.abort();
  }
}

/** Removes what is older than the last revisions. The setting stays, so that later compactions do the same. */
async function keepLast(database: Database, name: string, last: number): Promise<void> {
  const repository = await database.repository(name, { create: false });
  const { retention } = await repository.settings.get();
  await repository.settings.set({ retention: { ...retention, last } });
  await repository.maintenance.compact();
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new NotFoundError('INPUT_NOT_FOUND', `--import ${path} cannot be read`, { cause: error });
  }
}

/** Standard output has the protocol and nothing else. */
async function tell(
  { stderr }: Shell,
  path: string,
  { entities, relations, skipped }: { entities: number; relations: number; skipped: readonly number[] },
): Promise<void> {
  await stderr.line(`quadrille: imported ${String(entities)} entities and ${String(relations)} relations from ${path}`);
  if (skipped.length > 0)
    await stderr.line(
      `quadrille: passed over lines without an entity or a relation: ${skipped.slice(0, 20).join(', ')}`,
    );
}
