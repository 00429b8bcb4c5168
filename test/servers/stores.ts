/** Stores that servers share, for suites that run over each kind of store: `QUADRILLE_STORE` names the kind. */
import { SharedMemory, SharedMemoryDriver, SharedStorage, type SharedDriver } from '@quadrille/storage-shared';
import { PostgresDriver } from '@quadrille/postgres';
import { S3Driver } from '@quadrille/s3';
import { PostgresServer } from '../postgres/server.js';
import { Objects, transportOf } from '../s3/objects.js';
import { KEYS, S3Server } from '../s3/server.js';

const KINDS = ['shared-memory', 'postgres', 's3'] as const;
export type StoreKind = (typeof KINDS)[number];

/** Where suites run; `undefined`: on a store in a directory or in memory, as ever. */
export const STORE_KIND = ((): StoreKind | undefined => {
  const kind = process.env['QUADRILLE_STORE'] ?? '';
  if (kind === '') return undefined;
  if (!(KINDS as readonly string[]).includes(kind)) throw new Error(`QUADRILLE_STORE is one of ${KINDS.join(' ')}`);
  return kind as StoreKind;
})();

/** Each call connects to the same new store. */
export interface SharedStore {
  readonly connect: () => SharedDriver;
  stop(): Promise<void>;
}

/** A new store of a kind, for use in this process. That of S3 is without HTTP. */
export async function newStore(kind: StoreKind): Promise<SharedStore> {
  const stop = async (): Promise<void> => undefined;
  if (kind === 'shared-memory') {
    const memory = new SharedMemory();
    return { connect: () => new SharedMemoryDriver(memory), stop };
  }
  if (kind === 's3') {
    const transport = transportOf(new Objects());
    return { connect: () => new S3Driver('s3://store', { transport }), stop };
  }
  const server = await PostgresServer.start();
  const url = await server.database('suite');
  return { connect: () => new PostgresDriver(url), stop: () => server.stop() };
}

/** A storage over a store that nobody else has. */
export const storageOver = ({ connect }: SharedStore): SharedStorage =>
  new SharedStorage(connect(), { silenceMs: 0, beatMs: 3_600_000 });

/** URLs of new stores, for processes. */
export class StoreUrls {
  readonly #byName = new Map<string, Promise<string>>();
  #stop: (() => Promise<void>) | undefined;
  #newUrl: ((name: string) => Promise<string>) | undefined;

  /** Variables that processes need to use them. */
  readonly env: Readonly<Record<string, string>> = {
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  };

  private constructor(readonly kind: Exclude<StoreKind, 'shared-memory'>) {}

  static async start(kind: StoreKind): Promise<StoreUrls> {
    if (kind === 'shared-memory') throw new Error('other processes cannot reach a store in memory');
    const urls = new StoreUrls(kind);
    if (kind === 's3') {
      const server = await S3Server.start();
      urls.#newUrl = async (name) => server.url(name);
      urls.#stop = () => server.stop();
    } else {
      const server = await PostgresServer.start();
      urls.#newUrl = (name) => server.database(name);
      urls.#stop = () => server.stop();
    }
    return urls;
  }

  /** The URL for a name, always the same. */
  of(name: string): Promise<string> {
    let url = this.#byName.get(name);
    if (url === undefined) this.#byName.set(name, (url = this.#newUrl!(`store${this.#byName.size + 1}`)));
    return url;
  }

  async stop(): Promise<void> {
    await this.#stop!();
  }
}
