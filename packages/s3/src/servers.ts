/** Signs of life as objects: `server/<uuid>`, each written by its own server alone. */

import type { Heartbeat, ServerBeat } from '@quadrille/storage-shared';
import { inTurns, type Bucket } from './bucket.js';

const FOLDER = 'server/';

export class Servers {
  readonly #bucket: Bucket;
  readonly #own = new Map<string, number>();
  /** What was read, by key, with its ETag. */
  #known = new Map<string, { readonly etag: string; readonly beat: ServerBeat }>();

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async beat({ server, body }: Heartbeat): Promise<readonly ServerBeat[]> {
    const beats = (this.#own.get(server) ?? 0) + 1;
    this.#own.set(server, beats);
    const text = JSON.stringify({ beats, body: Buffer.from(body).toString('base64') });
    await this.#bucket.put(FOLDER + server, new TextEncoder().encode(text));
    return this.all();
  }

  async all(): Promise<readonly ServerBeat[]> {
    const known = new Map<string, { readonly etag: string; readonly beat: ServerBeat }>();
    for await (const { objects } of this.#bucket.list(FOLDER)) {
      await inTurns(objects, async ({ key, etag }) => {
        const before = this.#known.get(key);
        if (before !== undefined && before.etag === etag) return known.set(key, before);
        const found = await this.#bucket.get(key);
        // It was forgotten meanwhile.
        if (found.is !== 'there') return undefined;
        const { beats, body } = JSON.parse(new TextDecoder().decode(found.bytes)) as { beats: number; body: string };
        const beat = { server: key.slice(FOLDER.length), beats, body: Uint8Array.from(Buffer.from(body, 'base64')) };
        return known.set(key, { etag: found.etag, beat });
      });
    }
    this.#known = known;
    return [...known.values()].map(({ beat }) => beat);
  }

  async forget(server: string): Promise<void> {
    await this.#bucket.delete([FOLDER + server]);
  }
}
