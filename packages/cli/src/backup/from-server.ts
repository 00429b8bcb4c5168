/** Asks a server for a backup. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { FetchError, InvalidArgumentError, StorageError } from '@quadrille/model';
import type { VerifyBackupOptions, VerifyBackupReport } from 'quadrille';
import { serverToken } from '../watch/server-token.js';

export interface ServerOptions {
  readonly server: string;
  readonly tokenFile?: string;
}

/** Writes the backup to a file whose name ends in `.tar`, or into a directory. */
export async function backupServer(
  options: ServerOptions,
  target: string,
  reading: VerifyBackupOptions,
): Promise<VerifyBackupReport> {
  const { unpackBackup, verifyBackup } = await import('quadrille');
  const body = await streamOf(options, reading.signal);
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

async function streamOf(options: ServerOptions, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>> {
  const token = await serverToken(options.tokenFile);
  const headers = { 'Accept-Encoding': 'identity', ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  const address = addressOf(options.server);
  let response: Response;
  try {
    response = await fetch(address, { method: 'POST', headers, redirect: 'error', ...(signal && { signal }) });
  } catch (cause) {
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw new FetchError('FETCH_FAILED', `${address.origin} cannot be reached: ${reason}`, { cause });
  }
  if (response.ok && response.body !== null) return response.body;
  const { error, code } = (await response.json().catch(() => ({}))) as { error?: unknown; code?: unknown };
  const said = typeof error === 'string' ? error : 'no backup';
  throw Object.assign(new FetchError('FETCH_FAILED', `the server answered ${String(response.status)}: ${said}`), {
    ...(typeof code === 'string' && { code }),
  });
}

function addressOf(server: string): URL {
  const address = URL.canParse(server) ? new URL(server) : undefined;
  if (
    address === undefined ||
    !/^https?:$/.test(address.protocol) ||
    address.username !== '' ||
    address.password !== ''
  )
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      '--server is an address such as http://127.0.0.1:8080, without user',
    );
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/backup`;
  address.search = '';
  address.hash = '';
  return address;
}
