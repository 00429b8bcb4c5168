/** A file to load from. */
import { open } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError, NotFoundError, StorageError } from '@quadrille/model';
import type { OpenSource } from '../load/source.js';

const CHUNK_BYTES = 256 * 1024;
/** Code that is not compiled yet takes twenty times as long: until it is, a chunk should be small. */
const FIRST_CHUNK_BYTES = 16 * 1024;
const FIRST_CHUNKS = 48;
/** Read at once, for several chunks: each read takes a turn of another thread. */
const READ_BYTES = 4 * CHUNK_BYTES;

export async function openFile(location: string | URL): Promise<OpenSource> {
  const name = String(location);
  if (location instanceof URL ? location.protocol !== 'file:' : /^https?:\/\//i.test(location)) throw notAFile(name);
  // As a path it would be one that begins with a directory `file:`.
  if (typeof location === 'string' && /^file:\/\//i.test(location)) throw urlAsText(name);
  let file: Awaited<ReturnType<typeof open>> | undefined;
  let length: number;
  try {
    file = await open(location, 'r');
    const stat = await file.stat();
    if (stat.isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' });
    length = stat.size;
  } catch (cause) {
    await file?.close();
    throw typeof location === 'string' && looksLikeText(location) ? textAsPath(location) : fileError(name, cause);
  }
  const opened = file;
  let handedOut = 0;
  let released = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // Memory that is used again is neither cleared by the system nor collected: a large file would cost its own size.
    let memory = new Uint8Array(READ_BYTES);
    try {
      for (;;) {
        if (released < handedOut) memory = new Uint8Array(READ_BYTES);
        const { bytesRead } = await opened.read(memory, 0, READ_BYTES);
        if (bytesRead === 0) return;
        for (let at = 0; at < bytesRead;) {
          const end = Math.min(bytesRead, at + (handedOut < FIRST_CHUNKS ? FIRST_CHUNK_BYTES : CHUNK_BYTES));
          handedOut++;
          yield memory.subarray(at, end);
          at = end;
        }
      }
    } catch (cause) {
      throw fileError(name, cause);
    } finally {
      await opened.close();
    }
  }
  const release = (): void => void (released = handedOut);
  // A pipe or a device has no length.
  const { href: iri } = location instanceof URL ? location : pathToFileURL(location);
  return { chunks: chunks(), length: length > 0 ? length : undefined, name, fileName: name, iri, release };
}

function notAFile(url: string): InvalidArgumentError {
  return new InvalidArgumentError(
    'INVALID_OPTION',
    `load reads files, bytes and streams, not ${url}: give a body, load((await fetch(url)).body, { format }), or use ` +
      'LOAD in an update of a database that was opened with { federation: { load: true } }',
    { details: { url } },
  );
}

function urlAsText(url: string): InvalidArgumentError {
  const message = `load: ${url} is a URL: give a path, or new URL('${url}')`;
  return new InvalidArgumentError('INVALID_OPTION', message, { details: { url } });
}

/** Whether a string that is no path is the text to read: paths hardly have line ends, and systems refuse long ones. */
const looksLikeText = (location: string): boolean =>
  location.length > 4096 || /[\n\r\0<>]/.test(location) || /^\s*[{[@]/.test(location);

function textAsPath(text: string): InvalidArgumentError {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return new InvalidArgumentError(
    'INVALID_OPTION',
    `a string is the path of a file: give the text ${shown} as { text: … }`,
  );
}

function fileError(name: string, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return new NotFoundError('INPUT_NOT_FOUND', `there is no file ${name}`, { cause, details: { file: name } });
  if (code === 'EISDIR' || code === 'EACCES') {
    return new NotFoundError('INPUT_NOT_FOUND', `cannot read ${name}: ${message}`, { cause, details: { file: name } });
  }
  return new StorageError('STORAGE_IO', `cannot read ${name}: ${message}`, { cause, details: { file: name } });
}
