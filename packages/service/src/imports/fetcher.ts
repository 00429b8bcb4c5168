/** What imports need of other hosts; the guarded fetcher of `@quadrille/fetch` fits. */

export interface FetchedDocument {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where it came from, after redirects. */
  readonly url: string;
  /** Decompressed and limited. Iterate it once. */
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export type Fetcher = (request: {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly maxBytes?: number;
}) => Promise<FetchedDocument>;
