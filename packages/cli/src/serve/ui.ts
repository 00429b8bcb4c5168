/** `quadrille ui`: a store in the browser. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { EXIT } from '../exit.js';
import { addJson, wholeNumber } from '../options.js';
import { textLogger } from './loggers.js';
import { signInLink } from './announcement.js';
import { openBrowser } from './open-browser.js';
import { withoutSecrets } from '../secrets.js';
import type { Shell } from '../shell.js';
import { firstRepository, serverOptions } from '../commands/serve.js';

interface Options {
  readonly port?: number;
  readonly open: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ quadrille ui ./data                     opens the browser, until Ctrl+C
  $ quadrille ui ./data --no-open           prints the link; on a machine with other users, or without a screen

Serves the store to this machine alone, on a free port. The link signs in once, within ten minutes. Creates the store if it does not
exist. quadrille serve has all settings of a server.
`;

export function addUi(program: Command, shell: Shell): void {
  const command = program
    .command('ui')
    .description('Open a store in the browser. Creates the store if it does not exist.')
    .argument('<store>', 'directory or URL of the store')
    .option('-p, --port <n>', 'port (default: any free port)', wholeNumber('--port', 0))
    .option('--no-open', 'print the link, and open no browser');
  addJson(command)
    .addHelpText('after', EXAMPLES)
    .action((store: string, options: Options) => serveOnce(shell, store, options));
}

async function serveOnce(shell: Shell, store: string, options: Options): Promise<void> {
  const settings = { port: options.port ?? 0, host: '127.0.0.1' };
  const { serve } = await import('@quadrille/server');
  let found = { repository: '', code: '' };
  const server = await serve(store, {
    ...(await serverOptions(store, settings, { logger: textLogger(shell, false), access: undefined })),
    whenOpen: async (service) => {
      const account = await service.administrator();
      found = { repository: await firstRepository(service), code: service.signIn.create(account) };
    },
  });
  try {
    const link = signInLink({ server, settings, ...found })!;
    await tell(shell, store, link, options);
    if (options.open) {
      const missing = await openBrowser(link);
      if (missing !== undefined) await shell.stderr.line(`quadrille: ${missing} cannot be started: open the link`);
    }
    if (!shell.signal.aborted) await once(shell.signal, 'abort');
  } finally {
    if (!(await server.close(2000))) shell.setExitCode(EXIT.failed);
  }
}

function tell(shell: Shell, store: string, link: string, { json }: Options): Promise<void> {
  if (json === true) return shell.stdout.json({ url: new URL(link).origin, pid: process.pid, signIn: link });
  const lines = [`Serving ${withoutSecrets(store)} to this machine`, `  open        ${link}`, 'Ctrl+C ends it.'];
  return shell.stdout.write(`${lines.join('\n')}\n`);
}
