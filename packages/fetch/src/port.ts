/** What a guarded fetch takes and gives: plain data, so that a package that needs one can declare an equal type of its own. */

/** Milliseconds. */
export interface FetchTimeouts {
  /** From the start of a hop until its connection stands: name, TCP and TLS. */
  readonly connectMs?: number | undefined;
  /** Longest wait for the head of an answer, and for each next piece of a body. */
  readonly idleMs?: number | undefined;
  /** From the call to the last byte, redirects included, and with the time that the reader of the body takes. */
  readonly totalMs?: number | undefined;
}

/** A request to another host. */
export interface FetchRequest {
  /** The address, http or https. */
  readonly url: string;
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | undefined;
  /** Not those of the connection (`Host`, `Content-Length`, `Accept-Encoding`, …): the fetcher makes them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body of POST and PUT. */
  readonly body?: string | Uint8Array | undefined;
  /** Ends the fetch, also while its body is read, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of the body, compressed and decompressed alike. Default: that of the fetcher. */
  readonly maxBytes?: number | undefined;
  /** Time limits that differ from those of the fetcher. */
  readonly timeouts?: FetchTimeouts | undefined;
  /**
   * Where 301, 302 or 303 make a GET of a POST: the address to ask, with what the body said. `undefined` where that is too long for
   * an address; 301 and 302 keep the POST then. Default: the address alone.
   */
  readonly asGet?: ((url: string) => string | undefined) | undefined;
  /** A further rule of the caller for every URL that is about to be asked, redirects included. */
  readonly mayVisit?: ((url: string) => boolean) | undefined;
}

/** The answer of another host. */
export interface FetchResponse {
  /** Also 4xx and 5xx are answers. */
  readonly status: number;
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /**
   * Decompressed and within the limits; nothing is read ahead of the reader by more than a buffer. Iterate it once. Its end, its failure and leaving its loop close
   * the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection; needed where the body is not iterated. May be called again. */
  close(): void;
}

/**
 * Asks another host.
 * @throws FetchError `URL_NOT_ALLOWED`, `BLOCKED_ADDRESS`, `FETCH_FAILED`, `FETCH_TIMEOUT`, `FETCH_TOO_LARGE`, the last three
 * also through the body; EvaluationError `ABORTED`; InvalidArgumentError `INVALID_OPTION`
 */
export type GuardedFetch = (request: FetchRequest) => Promise<FetchResponse>;
