/** A stream that takes a backup as a tar archive. Such a backup is always a full one. */
import { createHash } from 'node:crypto';
import type { BackupTarget, Manifest, PreviousBackup, SegmentSink } from '@quadrille/core/backup';
import { MANIFEST_FILE, SEGMENT_FOLDER } from './backup-directory.js';
import { sealedText, sha256 } from './manifest-file.js';
import { TAR_END, tarHeader, tarPadding } from './tar.js';

/** A segment is held in memory, because the archive says its size first. */
const STREAMED_SEGMENT_BYTES = 8 * 1024 * 1024;

export class StreamTarget implements BackupTarget {
  readonly segmentBytes = STREAMED_SEGMENT_BYTES;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #began = Date.now();
  /** Rejects when the caller gives up. Never resolves. */
  readonly #aborted: Promise<never>;
  readonly #forget: () => void;

  constructor(stream: WritableStream<Uint8Array>, signal: AbortSignal | undefined) {
    this.#writer = stream.getWriter();
    // Whoever waits for a write learns of a failure from it.
    this.#writer.closed.catch(() => undefined);
    let onAbort = (): void => undefined;
    this.#aborted = new Promise((_, reject) => (onAbort = () => reject(signal?.reason as Error)));
    this.#aborted.catch(() => undefined);
    signal?.addEventListener('abort', onAbort);
    this.#forget = () => signal?.removeEventListener('abort', onAbort);
  }

  async previous(): Promise<PreviousBackup> {
    return { attempts: [] };
  }

  index(): Promise<never> {
    return Promise.reject(new Error('a stream has no earlier segments'));
  }

  async note(): Promise<void> {}

  sha256(bytes: Uint8Array): string {
    return sha256(bytes);
  }

  async segment(name: string): Promise<SegmentSink> {
    const hash = createHash('sha256');
    const chunks: Uint8Array[] = [];
    return {
      write: async (chunk) => {
        hash.update(chunk);
        chunks.push(chunk);
      },
      finish: async () => {
        await this.#file(`${SEGMENT_FOLDER}/${name}`, chunks);
        return hash.digest('hex');
      },
      abandon: async () => undefined,
    };
  }

  async finish(manifest: Manifest): Promise<void> {
    await this.#file(MANIFEST_FILE, [new TextEncoder().encode(sealedText(manifest))]);
    await this.#write(TAR_END);
    await Promise.race([this.#writer.close(), this.#aborted]);
  }

  /** Ends the stream, with an error if there is one. Never fails. Does not wait for a reader that does not read. */
  async close(error?: unknown): Promise<void> {
    this.#forget();
    if (error !== undefined) this.#writer.abort(error).catch(() => undefined);
    this.#writer.releaseLock();
  }

  // A stream that is aborted goes on waiting for the write under way.
  async #write(chunk: Uint8Array): Promise<void> {
    await Promise.race([this.#writer.write(chunk), this.#aborted]);
  }

  async #file(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    for (const chunk of [tarHeader(name, bytes, this.#began), ...chunks, tarPadding(bytes)])
      if (chunk.length > 0) await this.#write(chunk);
  }
}
