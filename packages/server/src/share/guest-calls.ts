/** Calls of the library that a guest lets the holder make. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Requests } from '@quadrille/client';
import { EvaluationError, InvalidArgumentError } from '@quadrille/model';
import type { BackupOptions, BackupProgress, BackupReport, Database } from 'quadrille';
import { errorOfCode } from './errors.js';
import { decoded, type Frame, framesOf } from './frames.js';
import type { HolderCall } from './holder-calls.js';
import { unavailable } from './lost.js';
import { READING_CALLS, WRITING_CALLS } from './protocol.js';

/** Makes calls on one subject: the database, or a repository. */
export class HolderCalls {
  readonly #server: Requests;

  /** @param requests of any place of the store */
  constructor(
    { place }: Requests,
    private readonly subject: Pick<HolderCall, 'repository' | 'branch'> = {},
  ) {
    this.#server = new Requests({ ...place, url: new URL(place.url).origin, branch: undefined });
  }

  /** One that changes nothing: it is made again where the holder ends. */
  reading(call: string) {
    return (...given: readonly unknown[]): Promise<unknown> => this.#call(READING_CALLS, call, given);
  }

  writing(call: string) {
    return (...given: readonly unknown[]): Promise<unknown> => this.#call(WRITING_CALLS, call, given);
  }

  async #call(path: string, call: string, given: readonly unknown[]): Promise<unknown> {
    const [options] = given;
    const signal = options instanceof Object && 'signal' in options ? (options.signal as AbortSignal) : undefined;
    const sent = signal === undefined ? given : [{ ...(options as object), signal: undefined }];
    return this.#result(path, { ...this.subject, call, given: sent }, signal, () => undefined);
  }

  /** The holder writes a directory itself; a stream gets the archive from it. */
  readonly backup: Database['backup'] = (target, options = {}) =>
    target instanceof WritableStream ? this.#streamed(target, options) : this.#directory(target, options);

  async #directory(target: string | URL, { signal, onProgress }: BackupOptions): Promise<BackupReport> {
    const path = target instanceof URL ? fileURLToPath(target) : target;
    if (typeof path !== 'string' || path === '')
      throw new InvalidArgumentError('INVALID_OPTION', 'backup: a target is a directory or a WritableStream');
    const asked = { call: 'backup', given: [resolve(path)] };
    return (await this.#result(READING_CALLS, asked, signal, (frame) => tell(frame, onProgress))) as BackupReport;
  }

  async #streamed(target: WritableStream<Uint8Array>, { signal, onProgress }: BackupOptions): Promise<BackupReport> {
    if (target.locked)
      throw new InvalidArgumentError('INVALID_OPTION', 'backup: the stream is locked: another writer has it');
    const writer = target.getWriter();
    writer.closed.catch(() => undefined);
    try {
      const report = await this.#result(READING_CALLS, { call: 'backup', given: [null] }, signal, (frame) =>
        frame.kind === 'bytes' ? writer.write(frame.bytes) : tell(frame, onProgress),
      );
      await writer.close();
      return report as BackupReport;
    } catch (error) {
      await writer.abort(error).catch(() => undefined);
      throw error;
    }
  }

  async #result(
    path: string,
    asked: HolderCall,
    signal: AbortSignal | undefined,
    on: (frame: Frame) => void | Promise<void>,
  ): Promise<unknown> {
    try {
      const { body } = await this.#server.send({ method: 'POST', path, json: asked, signal });
      for await (const frame of framesOf(body!)) {
        if (frame.kind === 'result') return decoded(frame.bytes);
        if (frame.kind === 'error') {
          const { code, message, details } = decoded(frame.bytes) as Told;
          throw errorOfCode(code, message, details);
        }
        await on(frame);
      }
      throw unavailable('the process that holds the store ended within its answer');
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      throw new EvaluationError('ABORTED', `the caller aborted the ${asked.call}`, { cause: signal.reason });
    }
  }
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

function tell({ kind, bytes }: Frame, onProgress: BackupOptions['onProgress']): void {
  if (kind === 'progress') onProgress?.(decoded(bytes) as BackupProgress);
}
