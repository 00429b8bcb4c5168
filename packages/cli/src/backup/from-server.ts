/** Asks a server for a backup. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Requests } from '@quadrille/client';
import { FetchError, StorageError } from '@quadrille/model';
import type { VerifyBackupOptions, VerifyBackupReport } from 'quadrille';

/** Writes the backup to a file whose name ends in `.tar`, or into a directory. */
export async function backupServer(
  server: Requests,
  target: string,
  reading: VerifyBackupOptions,
): Promise<VerifyBackupReport> {
  const { unpackBackup, verifyBackup } = await import('quadrille');
  const body = await streamOf(server, reading.signal);
  if (!target.endsWith('.tar')) return unpackBackup(body, target, reading);
  const partial = `${target}.${String(process.pid)}.partial`;
  try {
    await pipeline(Readable.fromWeb(body as NodeReadableStream), createWriteStream(partial, { flush: true })).catch(
      (error: unknown) => {
        throw error instanceof Error && 'syscall' in error ? writeError(target, error) : error;
      },
    );
    const report = await verifyBackup(partial, reading);
    await rename(partial, target);
    return report;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

function writeError(target: string, cause: Error): StorageError {
  const full = 'code' in cause && cause.code === 'ENOSPC';
  return new StorageError(full ? 'STORAGE_FULL' : 'STORAGE_IO', `cannot write ${target}: ${cause.message}`, { cause });
}

async function streamOf(server: Requests, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>> {
  const headers = { 'Accept-Encoding': 'identity' };
  const { body } = await server.send({ method: 'POST', path: '/backup', headers, signal });
  if (body !== null) return body;
  throw new FetchError('FETCH_FAILED', 'the server sent no backup');
}
