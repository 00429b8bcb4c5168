/** `quadrille serve`: SPARQL and REST over a store, for this machine. */
import { once } from 'node:events';
import type { NodeServer } from '@quadrille/rest';
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import type { Database, Logger } from 'quadrille';
import { addJson, DEFAULT_REPOSITORY, wholeNumber } from '../options.js';
import { type Shell, withDatabase } from '../shell.js';

interface Options {
  readonly port?: number;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille serve ./data
  $ quadrille serve ./data --port 9000
  $ quadrille serve ./data --port 0 --json              any free port; prints {"url": …}
  $ curl http://127.0.0.1:8080/default/default/sparql --data-urlencode 'query=ASK { ?s ?p ?o }'

Answers on 127.0.0.1 only and asks for no password. Makes the store where there is none. While it runs the store is
its own: other commands on the same store are refused. Ctrl+C lets running requests finish and closes the store.
`;

export function addServe(program: Command, shell: Shell): void {
  const command = program
    .command('serve')
    .description('Serve a store over HTTP to this machine. Makes the store where there is none.')
    .argument('<store>', 'directory of the store')
    .option('-p, --port <n>', '0 for any free one (default: 8080, or the next free)', port);
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (store: string, options: Options) => {
      const logger = options.json === true ? jsonLogger(shell) : textLogger(shell);
      await withDatabase(store, { create: true, logger }, async (database) => {
        const first = await firstRepository(database);
        const { createHandler, serveOnPort } = await import('@quadrille/rest');
        const server = await serveOnPort(createHandler({ database, open: true, logger }), options.port);
        await announce(shell, server, store, first, options.json === true);
        if (!shell.signal.aborted) await once(shell.signal, 'abort');
        await server.close();
      });
    });
}

const port = (text: string): number => {
  const value = wholeNumber('--port', 0)(text);
  if (value > 65_535) throw new InvalidArgumentError('INVALID_OPTION', `--port is at most 65535: ${text}`);
  return value;
};

/** A repository to show; a store without any gets the one that all commands take by default. */
async function firstRepository(database: Database): Promise<string> {
  const [first] = await database.repositories();
  return first?.name ?? (await database.repository(DEFAULT_REPOSITORY, { create: true })).name;
}

async function announce(
  shell: Shell,
  server: NodeServer,
  store: string,
  repository: string,
  json: boolean,
): Promise<void> {
  if (json) return shell.stdout.json({ url: server.url, port: server.port, pid: process.pid, store, repository });
  const url = `${server.url}/${repository}`;
  await shell.stdout.write(
    `Serving ${store} at ${server.url}\n` +
      `  query       curl ${url}/sparql --data-urlencode 'query=SELECT * { ?s ?p ?o } LIMIT 5'\n` +
      `  load        curl ${url}/statements -H 'Content-Type: text/turtle' --data-binary @file.ttl\n` +
      `  read        curl ${url}/statements\n` +
      'Only this machine can reach it, without a password. Ctrl+C ends it.\n',
  );
}

const textLogger = (shell: Shell): Logger => ({
  info: () => undefined,
  warn: (message, details) => void shell.stderr.line(logLine('warning', message, details)),
  error: (message, details) => void shell.stderr.line(logLine('error', message, details)),
});
const logLine = (level: string, message: string, details: object | undefined): string =>
  `quadrille: ${level}: ${message}${details === undefined ? '' : ` ${JSON.stringify(details)}`}`;

const jsonLogger = (shell: Shell): Logger => {
  const log = (level: string) => (message: string, details?: object) => {
    void shell.stderr.json({ level, time: new Date().toISOString(), message, ...details });
  };
  return { info: log('info'), warn: log('warn'), error: log('error') };
};
