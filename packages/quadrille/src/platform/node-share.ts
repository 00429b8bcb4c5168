/** Stores that the processes of one machine share: where their holder listens, and the code that shares them. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { EvaluationError, InvalidArgumentError, StateError } from '@quadrille/model';
import type { Database, OpenOptions } from '../api/index.js';
import type { SharedPlace } from '../host/shared-place.js';

/** The socket in the directory of a store. */
const SOCKET = 'share.sock';
/** The longest path of a socket that all systems take, in bytes. Its name gets a suffix while it is made. */
const LONGEST_PATH = 92;

type OpenOwn = (options: OpenOptions) => Promise<Database>;

/** The part of the server that shares stores. It stands above the library, which loads it where it is asked for alone. */
interface Sharing {
  openShared(place: SharedPlace): Promise<Database>;
  joinShared(place: SharedPlace): Promise<Database | undefined>;
}

const sharing = async (): Promise<Sharing> =>
  // Not a type that the compiler would look for: it knows this package before that one.
  (await import('@quadrille/server/share' as string)) as Sharing;

/** Holds the store at a path for all processes, or joins the process that does. */
export async function openShared(location: string, options: OpenOptions, openOwn: OpenOwn): Promise<Database> {
  if (options.readOnly === true)
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      'open: a store that is shared is not readOnly: leave one of them out',
    );
  return (await sharing()).openShared(placeOf(location, options, openOwn));
}

/** Joins the process that holds the store, if it shares it. @throws the given error where it does not */
export async function joinShared(
  location: string,
  options: OpenOptions,
  openOwn: OpenOwn,
  locked: unknown,
): Promise<Database> {
  // The holder signs, with its own key.
  if (options.signer !== undefined) throw locked;
  if (options.embed !== undefined)
    throw new EvaluationError(
      'UNSUPPORTED',
      'open: the process that holds the store makes its vectors: give embed to that one, or to all with share: true',
    );
  const place = placeOf(location, options, openOwn);
  if (process.platform !== 'win32' && !existsSync(await place.address())) throw locked;
  const joined = await (await sharing()).joinShared(place);
  if (joined === undefined) throw locked;
  return joined;
}

function placeOf(location: string, options: OpenOptions, openOwn: OpenOwn): SharedPlace {
  const { readOnly = false, functions = {}, aggregates = {}, logger } = options;
  return {
    location,
    address: () => addressOf(location),
    openOwn: (create) => openOwn({ ...options, create: create && options.create !== false }),
    readOnly,
    functions: Object.keys({ ...functions, ...aggregates }),
    logger,
  };
}

/** The address of the socket, or of the pipe, for the directory of a store. */
async function addressOf(location: string): Promise<string> {
  const directory = await realpath(location);
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\quadrille-${hash}`;
  const beside = join(directory, SOCKET);
  if (Buffer.byteLength(beside) <= LONGEST_PATH) return beside;
  return join(await runtimeDirectory(), `${hash}.sock`);
}

/** A directory of this user alone. */
async function runtimeDirectory(): Promise<string> {
  const { uid } = userInfo();
  const given = process.env['XDG_RUNTIME_DIR'];
  const directory =
    given !== undefined && existsSync(given) ? join(given, 'quadrille') : join(tmpdir(), `quadrille-${String(uid)}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stat = await lstat(directory);
  if (stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0) return directory;
  throw new StateError('STORE_LOCKED', `the store cannot be shared: ${directory} is open to other users`);
}
