/** The body of an upload in parts: what several requests bring, as one stream. */
import { HttpError } from '../../http/index.js';
import type { StartedImport } from '../../host/index.js';

/** An import whose document is not complete yet. */
export interface UnfinishedUpload {
  readonly body: UploadedBody;
  readonly started: StartedImport;
}

export class UploadedBody {
  #received = 0;
  #slot: Uint8Array | undefined;
  #state: 'open' | 'complete' | 'closed' = 'open';
  #appender: object | undefined;
  #wake: (() => void)[] = [];

  /** Bytes that were taken of all parts. */
  get received(): number {
    return this.#received;
  }

  get isComplete(): boolean {
    return this.#state === 'complete';
  }

  /**
   * Takes a part that begins at this byte. A part that another request is still sending ends, because its client has come back.
   * @throws HttpError `UPLOAD_CONFLICT` where the part does not begin where the last one has ended; the error of the part
   */
  async append(part: AsyncIterable<Uint8Array>, offset: number): Promise<void> {
    if (this.#state !== 'open' || offset !== this.#received) throw this.conflict();
    const me = (this.#appender = {});
    for await (const chunk of part) {
      if (chunk.length === 0) continue;
      // At most one chunk waits: the rest stays with the client.
      while (this.#slot !== undefined && this.#mayAppend(me)) await this.#change();
      if (!this.#mayAppend(me)) throw this.conflict();
      this.#slot = chunk;
      this.#received += chunk.length;
      this.#changed();
    }
  }

  /** All parts are there. */
  complete(): void {
    if (this.#state === 'open') this.#state = 'complete';
    this.#changed();
  }

  /** The import has ended, and takes nothing more. */
  close(): void {
    if (this.#state === 'open') this.#state = 'closed';
    this.#changed();
  }

  conflict(): HttpError {
    const message = `the upload has ${String(this.#received)} bytes${this.#state === 'open' ? '' : ', and takes no more'}`;
    return new HttpError('UPLOAD_CONFLICT', message, { headers: { 'Upload-Offset': String(this.#received) } });
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#slot;
      if (chunk !== undefined) {
        this.#slot = undefined;
        this.#changed();
        yield chunk;
      } else if (this.#state === 'open') await this.#change();
      else return;
    }
  }

  #mayAppend(me: object): boolean {
    return this.#state === 'open' && this.#appender === me;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
