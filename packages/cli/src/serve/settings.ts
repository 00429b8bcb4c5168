/** The settings of `quadrille serve`. The value of a flag has priority over the environment, and that over the file. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import { type Command, Option } from 'commander';
import { BACKENDS } from '../options.js';

type Kind = 'text' | 'switch' | 'number' | 'port' | 'time' | 'bytes' | 'list' | 'object' | readonly string[];

interface Setting {
  readonly kind: Kind;
  readonly value?: string;
  readonly help: string;
}

/** A setting `publicBase` is the flag `--public-base`, the variable `QUADRILLE_PUBLIC_BASE` and the member `publicBase` of the file. */
const SETTINGS = {
  port: { kind: 'port', value: '<n>', help: 'port, or 0 for any free port (default: 8080, or the next free one)' },
  host: { kind: 'text', value: '<address>', help: 'address to listen on (default: 127.0.0.1)' },
  publicBase: {
    kind: 'text',
    value: '<url>',
    help: 'public address of this server, such as https://data.example.org',
  },
  basePath: {
    kind: 'text',
    value: '<path>',
    help: 'path below which the server answers, such as /rdf (default: the root)',
  },
  tlsCert: { kind: 'text', value: '<file>', help: 'serve https with this certificate (PEM); read again on SIGHUP' },
  tlsKey: { kind: 'text', value: '<file>', help: 'the key of the certificate (PEM)' },
  advertise: {
    kind: 'text',
    value: '<url>',
    help: 'be one of several servers of a shared store; the others reach this one at the URL',
  },
  follow: {
    kind: 'switch',
    help: 'never write to a shared store: follow the server that does, and forward writes',
  },
  drainTimeout: {
    kind: 'time',
    value: '<time>',
    help: 'time after SIGTERM for running answers to finish (default: 10)',
  },
  open: { kind: 'switch', help: 'require no token; accept connections from this machine only' },
  rateLimit: { kind: 'switch', help: 'do not limit requests and failed attempts' },
  accessLog: { kind: 'switch', help: 'write a line of JSON for each request to standard error' },
  mcp: { kind: 'switch', help: 'serve agents at /mcp, by the Model Context Protocol: they ask the data' },
  mcpTools: {
    kind: 'list',
    value: '<list>',
    help: 'toolsets that agents have at /mcp: memory, data, change (default with --mcp: data)',
  },
  cors: {
    kind: 'list',
    value: '<origins>',
    help: 'web pages of these origins may use the server (default: *, without credentials)',
  },
  fetch: {
    kind: ['off', 'listed', 'public', 'all'],
    value: '<mode>',
    help: 'hosts that imports may read from (default: public)',
  },
  allow: { kind: 'list', value: '<hosts>', help: 'private hosts that imports may read from' },
  context: {
    kind: 'list',
    value: '<address=file>',
    help: 'answer this JSON-LD context from a file, without network; repeatable',
  },
  service: { kind: 'list', value: '<endpoints>', help: 'endpoints that SERVICE in a query may call (default: none)' },
  callback: {
    kind: 'list',
    value: '<hosts>',
    help: 'hosts that may receive a callback at the end of an import (default: none)',
  },
  load: { kind: 'switch', help: 'allow LOAD in updates' },
  put: { kind: ['replace', 'merge'], value: '<how>', help: 'effect of a PUT of statements (default: replace)' },
  linkFormat: {
    kind: ['ntriples', 'link-format'],
    value: '<format>',
    help: 'answer to Accept: application/link-format (default: ntriples)',
  },
  rpcHttpStatus: {
    kind: ['tolerant', 'strict'],
    value: '<how>',
    help: 'HTTP status of failed JSON-RPC calls (default: tolerant: 200 for most errors)',
  },
  rpcI8: { kind: 'switch', help: 'write numbers beyond 32 bits as <i8> in XML-RPC (default: as <double>)' },
  directGraphs: {
    kind: 'switch',
    help: 'treat every other path below a repository as a graph, including mistyped paths',
  },
  protocolVersion: { kind: 'number', value: '<n>', help: 'protocol version that RDF4J clients see (default: 6)' },
  lenientProtocol: { kind: 'switch', help: 'run updates that clients send as queries' },
  requireIfMatch: { kind: 'switch', help: 'refuse writes without If-Match with 428, so that no update is lost' },
  maxConnections: { kind: 'number', value: '<n>', help: 'greatest number of connections (default: 4096)' },
  maxConnectionsPerAddress: {
    kind: 'number',
    value: '<n>',
    help: 'greatest number of connections from one address (default: 1024)',
  },
  queryTimeout: {
    kind: 'time',
    value: '<time>',
    help: 'time limit of a query, from parsing to its last row: seconds, 500ms, 2m (default: 30)',
  },
  queryMemory: {
    kind: 'bytes',
    value: '<bytes>',
    help: 'memory of one query: bytes, 64K, 256M, 1G (default: 256M, less with a small heap)',
  },
  queryConcurrency: {
    kind: 'number',
    value: '<n>',
    help: 'queries and updates that run at once; one account gets half of them (default: 4, plus 2 per core)',
  },
  queryQueue: {
    kind: 'number',
    value: '<n>',
    help: 'queries and updates that wait; one account gets an eighth of them (default: 512)',
  },
  queryQueueWait: { kind: 'time', value: '<time>', help: 'time limit of waiting (default: 10)' },
  updateBytes: { kind: 'bytes', value: '<bytes>', help: 'longest update: bytes, 64K, 16M (default: 16M)' },
  writeStall: {
    kind: 'time',
    value: '<time>',
    help: 'time after which a client that reads nothing of its answer is disconnected (default: 10)',
  },
  workbench: { kind: 'switch', help: 'do not serve the workbench; / answers 404' },
  queryToken: { kind: 'switch', help: 'accept tokens in the parameter auth_token, for older clients' },
  trustProxy: { kind: 'switch', help: 'take the address of clients from X-Forwarded-For, which a proxy in front sets' },
  backend: {
    kind: BACKENDS,
    value: '<name>',
    help: 'storage backend of a new store (default: leveldb)',
  },
  durability: { kind: ['disk', 'process'], value: '<level>', help: 'failure that a commit survives (default: disk)' },
  upgrade: {
    kind: 'switch',
    help: 'refuse the first write to a store of an earlier format, which would upgrade it permanently',
  },
  cacheBytes: { kind: 'number', value: '<n>', help: 'memory for cached blocks and terms (default: 64 MiB)' },
  diskCache: {
    kind: 'text',
    value: '<folder>',
    help: 'keep what was read of a shared store in this folder (default: no)',
  },
  diskCacheBytes: { kind: 'bytes', value: '<size>', help: 'largest size of that folder, such as 10G (default: 1G)' },
  repositoryBytes: {
    kind: 'number',
    value: '<n>',
    help: 'memory for open repositories; beyond it idle ones are unloaded (default: 128 MiB)',
  },
  workers: {
    kind: 'number',
    value: '<n>',
    help: 'threads for long queries (default: with 4 or more cores, one fewer than the cores, at most 4)',
  },
  limits: {
    kind: 'object',
    value: '<json>',
    help: 'limits of the service, such as {"importBytes": 1000000, "requestsPerSecond": 100}',
  },
} as const satisfies Readonly<Record<string, Setting>>;

type ValueOf<K extends Kind> = K extends 'switch'
  ? boolean
  : K extends 'number' | 'port' | 'time' | 'bytes'
    ? number
    : K extends 'list'
      ? readonly string[]
      : K extends 'object'
        ? Readonly<Record<string, number>>
        : K extends readonly (infer Word)[]
          ? Word
          : string;
export type ServeSettings = {
  readonly [Name in keyof typeof SETTINGS]?: ValueOf<(typeof SETTINGS)[Name]['kind']>;
};

/** A list may be given as one text, and in parts. */
const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, ...itemsOf(text)];
const itemsOf = (text: string): string[] => text.split(',').map((each) => each.trim());

/** Switches whose default is on. */
const ON: ReadonlySet<string> = new Set(['rateLimit', 'upgrade', 'workbench']);

export function addSettings(command: Command): Command {
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting][]) {
    const flag = `--${ON.has(name) ? 'no-' : ''}${kebab(name)}${setting.value === undefined ? '' : ` ${setting.value}`}`;
    const option = new Option(name === 'port' ? `-p, ${flag}` : flag, setting.help);
    if (Array.isArray(setting.kind)) option.choices(setting.kind);
    if (setting.kind === 'list') option.argParser(listed);
    command.addOption(option);
  }
  return command.option(
    '--config <file>',
    'JSON with these settings, such as {"port": 8080, "publicBase": "https://…"}',
  );
}

/**
 * The settings of a run.
 * @throws InvalidArgumentError `INVALID_OPTION`; NotFoundError `INPUT_NOT_FOUND` for the file
 */
export async function readSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServeSettings> {
  const path = flags['config'] ?? environment['QUADRILLE_CONFIG'];
  const file = typeof path === 'string' && path !== '' ? await settingsOfFile(path) : {};
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]) {
    const flag = ON.has(name) && flags[name] === true ? undefined : flags[name];
    const variable = environment[variableOf(name)];
    const [value, from] =
      flag !== undefined
        ? [flag, `--${kebab(name)}`]
        : variable !== undefined && variable !== ''
          ? [variable, variableOf(name)]
          : [file[name], `${name} of the configuration file`];
    if (value !== undefined) settings[name] = valueOf(SETTINGS[name].kind, value, from);
  }
  return settings as ServeSettings;
}

async function settingsOfFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new InvalidArgumentError('INVALID_OPTION', `the configuration file ${path} is not JSON`, { cause });
    }
    throw new NotFoundError('INPUT_NOT_FOUND', `the configuration file ${path} cannot be read`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError('INVALID_OPTION', `the configuration file ${path} is not a JSON object`);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined) {
    const known = Object.keys(SETTINGS).join(', ');
    throw new InvalidArgumentError('INVALID_OPTION', `the configuration file knows no ${unknown} (known: ${known})`);
  }
  return value as Record<string, unknown>;
}

function valueOf(kind: Kind, value: unknown, from: string): unknown {
  const wrong = (what: string): InvalidArgumentError =>
    new InvalidArgumentError('INVALID_OPTION', `${from} is not ${what}: ${shown(value)}`);
  if (kind === 'switch') {
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === '1' || value === 'false' || value === '0')
      return value === 'true' || value === '1';
    throw wrong('true or false');
  }
  if (kind === 'number' || kind === 'port') {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (
      Number.isSafeInteger(number) &&
      (number as number) >= 0 &&
      (kind === 'number' || (number as number) <= 65_535)
    ) {
      return number;
    }
    throw wrong(kind === 'port' ? 'a port' : 'a whole number');
  }
  if (kind === 'time') return milliseconds(value) ?? fail(wrong('a time, such as 30, 500ms or 2m'));
  if (kind === 'bytes') return wholeBytes(value) ?? fail(wrong('a number of bytes, such as 1000000, 64K, 256M or 1G'));
  if (kind === 'list') {
    const list = typeof value === 'string' ? itemsOf(value) : value;
    if (Array.isArray(list) && list.every((each) => typeof each === 'string' && each !== '')) return list;
    throw wrong('a list');
  }
  if (kind === 'object') return objectOf(value) ?? fail(wrong('a JSON object'));
  if (kind === 'text') return typeof value === 'string' && value.trim() !== '' ? value.trim() : fail(wrong('a text'));
  return typeof value === 'string' && kind.includes(value) ? value : fail(wrong(`one of ${kind.join(', ')}`));
}

function objectOf(value: unknown): object | undefined {
  let found = value;
  try {
    if (typeof value === 'string') found = JSON.parse(value);
  } catch {
    return undefined;
  }
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined;
}

const MILLISECONDS: Readonly<Record<string, number>> = { '': 1000, ms: 1, s: 1000, m: 60_000 };
const BYTES: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** A time in seconds, or with its unit. */
const milliseconds = (value: unknown): number | undefined =>
  scaled(value, /^(\d+(?:\.\d+)?)\s*(ms|s|m|)$/, MILLISECONDS);
const wholeBytes = (value: unknown): number | undefined => scaled(value, /^(\d+(?:\.\d+)?)\s*([KMG]?)$/, BYTES);

function scaled(value: unknown, form: RegExp, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit] = form.exec(String(value)) ?? [];
  const found = Math.round(Number(digits) * (units[unit ?? ''] ?? 1));
  return found > 0 && Number.isSafeInteger(found) ? found : undefined;
}

function fail(error: Error): never {
  throw error;
}

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 100);
/** An error of an option, which begins with its name, as one of its flag. */
export function namedByFlag(error: unknown): unknown {
  if (!(error instanceof InvalidArgumentError)) return error;
  const name = /^(\w+) /.exec(error.message)?.[1] ?? '';
  if (!Object.hasOwn(SETTINGS, name)) return error;
  return new InvalidArgumentError('INVALID_OPTION', `--${kebab(name)}${error.message.slice(name.length)}`);
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** The environment variable of a setting. */
export const variableOf = (name: string): string =>
  `QUADRILLE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
