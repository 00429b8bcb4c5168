/** `Client-Request-Id`: an id that a client gives its request, repeated in the answer. */

/** The id to repeat; `undefined` unless it is printable text of at most 200 characters. */
export const clientRequestId = (field: string | null | undefined): string | undefined =>
  field !== null && field !== undefined && /^[\x21-\x7e]{1,200}$/.test(field) ? field : undefined;
