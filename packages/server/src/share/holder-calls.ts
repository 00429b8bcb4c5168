/**
 * Calls of the library that the holder makes for a guest: those that are no requests of the client. Their answers are frames, so that
 * a backup tells its progress, and can be one that is streamed.
 */
import { QuadrilleError } from '@quadrille/model';
import type { BackupProgress, BackupReport, Database } from 'quadrille';
import { bodyText } from '../message/body.js';
import { Reply } from '../message/reply.js';
import { type HttpRequest, pathOfUrl } from '../message/request.js';
import { encoded, frame } from './frames.js';
import { READING_CALLS, WRITING_CALLS } from './protocol.js';

/** A call by the names of its members: `maintenance.stats`. */
export interface HolderCall {
  readonly call: string;
  /** Without it, a call of the database. */
  readonly repository?: string;
  readonly branch?: string | undefined;
  readonly given: readonly unknown[];
}

/** Calls whose last argument has a signal. */
const WITH_SIGNAL = new Set(['proof.verify']);
const MOST_BYTES = 1024 * 1024;
/** Of an archive. */
const FRAME_BYTES = 64 * 1024;

const CALLS: Readonly<Record<string, ReadonlySet<string>>> = {
  [READING_CALLS]: new Set([
    'verify',
    'backup',
    'accounts.created',
    'maintenance.stats',
    'maintenance.verify',
    'settings.metadata.get',
    'proof.verify',
  ]),
  [WRITING_CALLS]: new Set(['rebuild', 'maintenance.rebuild', 'settings.metadata.set']),
};

/** The answer to a call of a guest; `undefined` for other requests. */
export async function answerToCall(database: Database, request: HttpRequest): Promise<Reply | undefined> {
  const calls = CALLS[pathOfUrl(request.url)];
  if (calls === undefined || request.method !== 'POST') return undefined;
  const asked = JSON.parse(await bodyText(request, MOST_BYTES)) as HolderCall;
  if (!calls.has(asked.call)) return new Reply(null, { status: 404 });
  const ending = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  // A guest that goes away ends what only it waits for.
  writer.closed.catch((error: unknown) => ending.abort(error));
  void told(writer, () => made(database, asked, writer, ending.signal));
  return new Reply(readable, { headers: { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' } });
}

type Writer = WritableStreamDefaultWriter<Uint8Array>;

async function told(writer: Writer, run: () => Promise<unknown>): Promise<void> {
  try {
    await writer.write(frame('result', encoded(await run())));
  } catch (error) {
    const { code, details = {} } = error instanceof QuadrilleError ? error : { code: 'INTERNAL' };
    const message = error instanceof Error ? error.message : String(error);
    await writer.write(frame('error', encoded({ code, message, details }))).catch(() => undefined);
  }
  await writer.close().catch(() => undefined);
}

async function made(
  database: Database,
  { call, repository, branch, given }: HolderCall,
  writer: Writer,
  signal: AbortSignal,
): Promise<unknown> {
  if (call === 'backup') return backup(database, given[0] as string | null, writer, signal);
  const subject = repository === undefined ? database : await opened(database, repository, branch);
  const names = call.split('.');
  const last = names.pop()!;
  const of = names.reduce((object: object, name) => Reflect.get(object, name) as object, subject);
  const more = WITH_SIGNAL.has(call) ? [{ ...(given[0] as object), signal }] : given;
  return (Reflect.get(of, last) as (...all: readonly unknown[]) => unknown).call(of, ...more);
}

const opened = async (database: Database, name: string, branch: string | undefined) =>
  database.repository(name, { create: false, ...(branch !== undefined && { branch }) });

/** @param target a directory; `null`: the archive is sent */
function backup(database: Database, target: string | null, writer: Writer, signal: AbortSignal): Promise<BackupReport> {
  const archive = (): WritableStream<Uint8Array> =>
    new WritableStream({
      async write(bytes: Uint8Array) {
        for (let at = 0; at < bytes.length; at += FRAME_BYTES)
          await writer.write(frame('bytes', bytes.subarray(at, at + FRAME_BYTES)));
      },
    });
  const onProgress = (progress: BackupProgress): void =>
    void writer.write(frame('progress', encoded(progress))).catch(() => undefined);
  return database.backup(target ?? archive(), { onProgress, signal });
}
