/** Requests to a bucket, and answers: what lies between the driver and HTTP. */

import type { Bytes } from '@quadrille/storage';

/** A request for an object, or for a list if there is a query. */
export interface ObjectRequest {
  /** What to do with the object. */
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** The key; empty for lists. */
  readonly key: string;
  /** Parameters of a list. Default: none. */
  readonly query?: Readonly<Record<string, string>>;
  /** Conditions and ranges, by names in lower case. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What to write. Default: nothing. */
  readonly body?: Bytes;
}

/** An answer as it came. */
export interface ObjectAnswer {
  /** The status of HTTP. */
  readonly status: number;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The whole body. */
  readonly body: Bytes;
}

/** No whole answer has come. If the request was sent, it may have had its effect, or may still have it. */
export class NoAnswer extends Error {
  constructor(
    message: string,
    /** Whether the request may have been sent. */
    readonly sent: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Sends one request once. It rejects with {@link NoAnswer} if no whole answer comes. */
export type Transport = (request: ObjectRequest) => Promise<ObjectAnswer>;
