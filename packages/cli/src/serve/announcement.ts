/** The output of `quadrille serve` when it is ready: a JSON line, or instructions for people. */
import type { Served } from '@quadrille/server';
import type { FirstAccount } from '@quadrille/server/host';
import type { ServeSettings } from './settings.js';
import type { Shell } from '../shell.js';

export interface Ready {
  readonly server: Pick<Served, 'url' | 'port'>;
  readonly store: string;
  /** A repository for the examples. */
  readonly repository: string;
  /** Only when a store is served for the first time. */
  readonly first?: FirstAccount;
  /** The code of the sign-in link; with `first`. */
  readonly code?: string;
  readonly settings: ServeSettings;
}

export function announceAsJson(shell: Shell, ready: Ready): Promise<void> {
  const { server, store, repository, first, settings } = ready;
  const { port } = server;
  const signIn = signInLink(ready);
  return shell.stdout.json({
    url: addressOf(server),
    port,
    pid: process.pid,
    store,
    repository,
    ...first,
    ...(signIn === undefined ? {} : { signIn }),
    settings,
  });
}

export function announce(shell: Shell, ready: Ready): Promise<void> {
  const { server, store, repository, first, settings } = ready;
  const address = addressOf(server);
  const url = `${address}/${repository}`;
  const user = settings.open === true ? '' : ` -u ${first === undefined ? 'TOKEN' : first.token}:`;
  const link = signInLink(ready);
  const lines = [
    `Serving ${store} at ${address}`,
    ...(link === undefined
      ? pageLine(ready, address)
      : [`  open        ${link}`, '              (signs you in once, within 10 minutes)']),
    ...(first === undefined ? [] : [`  account     ${first.account}`, `  token       ${first.token}`]),
    `  query       curl${user} ${url}/sparql --data-urlencode 'query=SELECT * { ?s ?p ?o } LIMIT 5'`,
    `  load        curl${user} ${url}/statements -H 'Content-Type: text/turtle' --data-binary @file.ttl`,
    `  read        curl${user} ${url}/statements`,
    ...Object.entries(settings).map(([name, value]) => `  ${name.padEnd(11)} ${settingText(value)}`),
    access(settings, first),
  ];
  return shell.stdout.write(`${lines.join('\n')}\n`);
}

/** One that a browser on this machine can open, where the server listens on all addresses. */
const addressOf = ({ url }: Ready['server']): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, '//127.0.0.1');

const pageLine = ({ repository, settings }: Ready, address: string): string[] =>
  settings.workbench === false ? [] : [`  open        ${address}/#/${repository}/query`];

/** The page of the repository, with a code in the fragment, which browsers do not send and servers do not log. */
export function signInLink({ server, repository, code, settings }: Omit<Ready, 'store'>): string | undefined {
  if (code === undefined || settings.workbench === false) return undefined;
  const address = settings.publicBase?.replace(/\/+$/, '') ?? addressOf(server);
  return `${address}/#/${repository}/query?code=${code}`;
}

const settingText = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);

function access({ open }: ServeSettings, first: FirstAccount | undefined): string {
  if (open === true) return 'Only this machine can reach it, without a token. Ctrl+C ends it.';
  if (first !== undefined) return 'The token is shown this once; only its hash is kept. Ctrl+C ends the server.';
  return 'Clients show a token; quadrille token add --server makes one. Ctrl+C ends it.';
}
