/** The keys with which requests are signed. They appear in no message. */

import { StorageError } from '@quadrille/model';

/** Keys of the service. */
export interface S3Credentials {
  /** The public part. */
  readonly accessKeyId: string;
  /** The secret part. */
  readonly secretAccessKey: string;
  /** The token that belongs to keys for some hours. Default: none. */
  readonly sessionToken?: string | undefined;
}

/** Keys, or a function that fetches them. It is called again after five minutes, and when the service says that the keys have expired. */
export type CredentialsSource = S3Credentials | (() => Promise<S3Credentials>);

const KEPT_MS = 300_000;

export class Credentials {
  readonly #source: CredentialsSource | undefined;
  readonly #env: Readonly<Record<string, string | undefined>>;
  #fetched: Promise<S3Credentials> | undefined;
  #since = 0;

  constructor(source: CredentialsSource | undefined, env: Readonly<Record<string, string | undefined>>) {
    this.#source = source;
    this.#env = env;
  }

  /** @throws StorageError `STORE_ACCESS` if there are none */
  async get(): Promise<S3Credentials> {
    if (typeof this.#source !== 'function') return this.#source ?? fromEnvironment(this.#env);
    if (this.#fetched === undefined || performance.now() - this.#since > KEPT_MS) {
      this.#since = performance.now();
      this.#fetched = this.#source();
      // The next request asks again.
      this.#fetched.catch(() => (this.#fetched = undefined));
    }
    return this.#fetched;
  }

  /** Notes that the keys have expired. False if there can be no others. */
  expired(): boolean {
    this.#fetched = undefined;
    return typeof this.#source === 'function';
  }
}

function fromEnvironment(env: Readonly<Record<string, string | undefined>>): S3Credentials {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  if (!accessKeyId || !secretAccessKey) {
    throw new StorageError(
      'STORE_ACCESS',
      'There are no keys for the bucket. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  return { accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN'] || undefined };
}
