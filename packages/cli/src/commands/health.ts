/** `quadrille health`: whether a server takes requests, for health checks of containers and service managers. */
import { InvalidArgumentError } from '@quadrille/model';
import type { Command } from 'commander';
import { EXIT } from '../exit.js';
import { addJson, seconds } from '../options.js';
import { readSettings } from '../serve/settings.js';
import { serverHealth } from '../server/server-health.js';
import type { Shell } from '../shell.js';

const EXAMPLES = `
Examples:
  $ quadrille health                                    the server of this machine
  $ quadrille health https://data.example.org --live
  $ QUADRILLE_PORT=9000 quadrille health                finds the port as serve does

The exit code is 0 if the server is ready, and 1 if it is not or does not answer. Without an address it asks the server that
quadrille serve would start with this environment: QUADRILLE_PORT, QUADRILLE_HOST, QUADRILLE_BASE_PATH, QUADRILLE_TLS_CERT.
The certificate of a server on this machine is not checked.
`;

const DEFAULT_TIMEOUT_MS = 5000;

interface Options {
  readonly live?: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

export function addHealth(program: Command, shell: Shell): void {
  const command = program
    .command('health')
    .description('Check whether a server accepts requests.')
    .argument('[url]', 'address of the server, with its base path')
    .option('--live', 'check only whether the process answers, even while it opens the store')
    .option('--timeout <seconds>', 'time limit of the answer (default: 5)', seconds('--timeout'));
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action(async (url: string | undefined, { live, timeout = DEFAULT_TIMEOUT_MS, json }: Options) => {
      const base = url === undefined ? await addressOfEnvironment() : addressOfServer(url);
      const { ok, status } = await serverHealth(new URL(live === true ? 'health' : 'ready', base), timeout);
      if (!ok) shell.setExitCode(EXIT.failed);
      await (json === true ? shell.stdout.json({ ok, status }) : shell.stdout.line(status));
    });
}

function addressOfServer(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw new InvalidArgumentError('INVALID_OPTION', `the address of a server begins with http:// or https://: ${url}`);
  return withSlash(address);
}

/** Where `quadrille serve` listens in this environment. A server that listens on all addresses is asked on this machine's own. */
async function addressOfEnvironment(): Promise<URL> {
  const { host = '127.0.0.1', port = 8080, basePath = '', tlsCert } = await readSettings({}, process.env);
  const name = /^(?:0\.0\.0\.0|\[?::\]?)$/.test(host) ? '127.0.0.1' : host;
  const authority = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  return withSlash(new URL(`${tlsCert === undefined ? 'http' : 'https'}://${authority}:${String(port)}${basePath}`));
}

/** Paths are resolved below it. */
function withSlash(address: URL): URL {
  const base = new URL(address);
  base.pathname = base.pathname.replace(/\/*$/, '/');
  return base;
}
