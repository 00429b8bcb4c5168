/** Fetches documents from other hosts. The guarded fetcher of `@quadrille/fetch` implements it. */

export interface FetchedDocument {
  /** Status of the answer. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its address after redirects. */
  readonly url: string;
  /** Decompressed, with a limited length. It can be iterated once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the answer, also before its body was read. */
  close(): void;
}

/** Reads a document of another host. It refuses addresses that are not allowed. */
export type Fetcher = (request: {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
}) => Promise<FetchedDocument>;
