/** A place for backups in memory, for the writer of the product. Later ones build on earlier ones. */
import { createHash } from 'node:crypto';
import { Store } from '@quadrille/core';
import {
  RecordWriter,
  segmentRecords,
  type BackupTarget,
  type Manifest,
  type SegmentEntry,
  type SegmentSink,
} from '@quadrille/core/backup';
import { StorageEngine } from '@quadrille/storage';

type Env = Parameters<typeof Store.open>[1]['env'];

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export class MemoryBackup implements BackupTarget {
  readonly segmentBytes = 1_000_000;
  readonly #segments = new Map<string, Uint8Array>();
  #manifest: Manifest | undefined;

  async previous(): ReturnType<BackupTarget['previous']> {
    const manifest = this.#manifest;
    return { set: manifest?.set, manifest, attempts: [] };
  }

  async index({ name, indexBytes }: SegmentEntry): Promise<Uint8Array> {
    return this.#segments.get(name)!.slice(-indexBytes);
  }

  async segment(name: string): Promise<SegmentSink> {
    const chunks: Uint8Array[] = [];
    return {
      write: async (chunk) => void chunks.push(chunk),
      finish: async () => {
        const bytes = new Uint8Array(Buffer.concat(chunks));
        this.#segments.set(name, bytes);
        return sha256(bytes);
      },
      abandon: async () => undefined,
    };
  }

  sha256(bytes: Uint8Array): string {
    return sha256(bytes);
  }

  async note(): Promise<void> {}

  async finish(manifest: Manifest): Promise<void> {
    this.#manifest = manifest;
    const kept = new Set(manifest.segments.map(({ name }) => name));
    for (const name of this.#segments.keys()) if (!kept.has(name)) this.#segments.delete(name);
  }

  /** Writes the last complete backup into an empty storage. */
  async restore(engine: StorageEngine, env: Env): Promise<void> {
    const writer = new RecordWriter(engine, env);
    for (const { name, live } of this.#manifest!.segments) {
      const bytes = this.#segments.get(name)!;
      for await (const records of segmentRecords(once(bytes), name))
        for (const record of records)
          if (live === undefined || live.some(([first, count]) => record.at >= first && record.at < first + count))
            writer.add(record);
    }
    await writer.finish();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
