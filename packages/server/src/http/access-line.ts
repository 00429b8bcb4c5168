/** A line of the access log. It contains no query, no credentials and no content. */

export interface AccessLine {
  /** When its answer was sent, ISO 8601. */
  readonly time: string;
  /** Identifies the request in the log and in the answer's `Request-Id`. */
  readonly requestId: string;
  /** The IP address of the client; empty where the adapter does not know it. */
  readonly address: string;
  /** Whose token was shown; `null` without one, and for one that is not valid. */
  readonly account: string | null;
  /** The method, in capitals. */
  readonly method: string;
  /** The pattern of the path; `none` if no route matches. */
  readonly route: string;
  /** The status of the answer. */
  readonly status: number;
  /** Bytes of the body that were handed to the connection, after compression. */
  readonly bytes: number;
  /** From the head of the request to the end of its answer. */
  readonly durationMs: number;
  /** The path as it was sent, without its query. */
  readonly path: string;
  /** `Client-Request-Id` of the request, if it has one. */
  readonly clientRequestId?: string;
}

/** Gets the line of each request. */
export type AccessLog = (line: AccessLine) => void;

/** Milliseconds with three digits. */
export const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000;
