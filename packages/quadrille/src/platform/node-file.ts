/** A file to load from. */
import { open } from 'node:fs/promises';
import { NotFoundError, StorageError } from '@quadrille/model';
import type { OpenSource } from '../load-source.js';

const CHUNK_BYTES = 256 * 1024;

export async function openFile(location: string | URL): Promise<OpenSource> {
  const name = String(location);
  let file: Awaited<ReturnType<typeof open>> | undefined;
  let length: number;
  try {
    file = await open(location, 'r');
    const stat = await file.stat();
    if (stat.isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' });
    length = stat.size;
  } catch (cause) {
    await file?.close();
    throw fileError(name, cause);
  }
  const opened = file;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const { bytesRead, buffer } = await opened.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } catch (cause) {
      throw fileError(name, cause);
    } finally {
      await opened.close();
    }
  }
  // A pipe or a device has no length.
  return { chunks: chunks(), length: length > 0 ? length : undefined, name, fileName: name };
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
