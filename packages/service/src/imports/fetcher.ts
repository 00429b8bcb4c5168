/** Fetches documents from other hosts. The guarded fetcher of `@quadrille/fetch` implements it. */

export interface FetchedDocument {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its address after redirects. */
  readonly url: string;
  /** Decompressed, with a limited length. It can be iterated once. */
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export type Fetcher = (request: {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly maxBytes?: number;
}) => Promise<FetchedDocument>;
