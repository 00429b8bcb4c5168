/** The options of commands that reach other hosts: contexts of JSON-LD from files, and which hosts may be asked. */
import { FetchError, InvalidArgumentError, isAbsoluteIri } from '@quadrille/model';
import { type Command, Option } from 'commander';
import type { FederationOptions, LoadOptions } from 'quadrille';
import { given } from '../options.js';
import type { Shell } from '../shell.js';
import { checkReadable } from '../text-input.js';

export interface HostOptions {
  readonly fetch?: NonNullable<FederationOptions['mode']>;
  readonly allow?: readonly string[];
  /** Reaches no other host, whatever the text or the document says. */
  readonly safe?: boolean;
}
export interface ContextOptions extends HostOptions {
  /** Each `ADDRESS=FILE`. */
  readonly context?: readonly string[];
}

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/**
 * @param reader who reaches other hosts, for the help
 * @param named what `--safe` refuses
 */
export function addHosts(command: Command, reader: string, named: string): Command {
  return command
    .addOption(new Option('--safe', `refuse ${named}`).conflicts(['fetch', 'allow']))
    .addOption(
      new Option('--fetch <mode>', `hosts that ${reader} may reach (default: public)`).choices([
        'off',
        'listed',
        'public',
        'all',
      ]),
    )
    .option('--allow <host>', `private host that ${reader} may reach; repeatable`, collected);
}

export function addContexts(command: Command): Command {
  return command.option(
    '--context <address=file>',
    'answer this JSON-LD context from a file, without network; repeatable',
    collected,
  );
}

/**
 * The contexts of `--context`.
 * @throws InvalidArgumentError `INVALID_OPTION`; NotFoundError `INPUT_NOT_FOUND`
 */
export async function contextFiles({
  context = [],
}: Pick<ContextOptions, 'context'>): Promise<LoadOptions['contexts']> {
  if (context.length === 0) return undefined;
  const files: Record<string, string> = {};
  for (const entry of context) {
    const at = entry.lastIndexOf('=');
    const address = entry.slice(0, at);
    const file = entry.slice(at + 1);
    if (at < 0 || file === '' || !isAbsoluteIri(address)) {
      throw new InvalidArgumentError('INVALID_OPTION', `--context takes ADDRESS=FILE, not ${entry.slice(0, 200)}`);
    }
    await checkReadable(file);
    files[address] = file;
  }
  return files;
}

const modeOf = ({ safe, fetch = 'public' }: HostOptions): NonNullable<HostOptions['fetch']> =>
  safe === true ? 'off' : fetch;

/** Fetches contexts, each once, and says so on standard error. Undefined with `--fetch off` and `--safe`. */
export function contextFetcher(shell: Shell, options: HostOptions): LoadOptions['loadDocument'] {
  const { allow } = options;
  const mode = modeOf(options);
  if (mode === 'off') return undefined;
  const loaded = new Map<string, Promise<Uint8Array | string>>();
  const load = async (address: string, signal: AbortSignal | undefined): Promise<Uint8Array | string> => {
    const [{ createGuardedFetch }, { fetchedContexts }] = await Promise.all([
      import('@quadrille/fetch'),
      import('quadrille'),
    ]);
    // A context decides what a document means, so that of a public host comes over TLS.
    const asked = mode === 'public' && allow === undefined ? address.replace(/^http:/i, 'https:') : address;
    const fetched = fetchedContexts(createGuardedFetch(given({ mode, allow })))(asked, signal);
    const document = await fetched.catch((error: unknown) => {
      const isPrivate = error instanceof FetchError && error.code === 'BLOCKED_ADDRESS';
      throw isPrivate ? new FetchError('URL_NOT_ALLOWED', error.message, { cause: error }) : error;
    });
    await shell.stderr.line(`quadrille: fetched the context ${address}`);
    return document;
  };
  return (address, signal) => {
    let document = loaded.get(address);
    if (document === undefined) loaded.set(address, (document = load(address, signal)));
    return document;
  };
}

/** What SERVICE, or LOAD, of a text may reach. Nothing is prepared for a text without the word. */
export function federationOf(
  text: string,
  word: 'SERVICE' | 'LOAD',
  options: HostOptions,
): FederationOptions | undefined {
  const { allow } = options;
  const mode = modeOf(options);
  if (mode === 'off' || !new RegExp(`\\b${word}\\b`, 'i').test(text)) return undefined;
  return { ...given({ mode, allow }), ...(word === 'LOAD' ? { load: true } : { service: ['*'] }) };
}
