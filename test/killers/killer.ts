/** A request that tries to end the server, to fill its memory, or to keep it from others. */

export interface Killer {
  readonly name: string;
  readonly kind: 'query' | 'update';
  /** Made when it is sent: a hundred texts of a megabyte need not be held at once. */
  readonly text: () => string;
  /** The statuses that are right. */
  readonly statuses: readonly number[];
}

/** What a request may take that asks for this time, in milliseconds. */
export const TIMEOUT_MS = 2000;

type Text = string | (() => string);
const textOf = (text: Text): (() => string) => (typeof text === 'string' ? () => text : text);

const make =
  (kind: Killer['kind'], ...statuses: readonly number[]) =>
  (name: string, text: Text): Killer => ({ name, kind, text: textOf(text), statuses });

/** It is refused before anything runs. */
export const refused = make('query', 400);
/** It has an answer. */
export const answered = make('query', 200);
/** It has an answer where the machine is fast enough. */
export const slow = make('query', 200, 503);
/** It needs more time than it has. */
export const endless = make('query', 503);
/** It needs more memory than it may have. */
export const greedy = make('query', 507);
/** One of both ends it, which one depends on the machine. */
export const bounded = make('query', 503, 507);
/** It is harmless where it is answered, and ended where it is not. */
export const any = make('query', 200, 503, 507);
/** As {@link any}; a constant pattern that is too long is refused. */
export const matching = make('query', 200, 400, 503, 507);

/** It may be too large to be planned, or nested too deep for it. */
export const large = make('query', 200, 400, 503, 507);

export const boundedUpdate = make('update', 503, 507);
export const anyUpdate = make('update', 204, 400, 503, 507);
export const refusedUpdate = make('update', 400, 403);

export const repeat = (text: string, count: number): string => text.repeat(count);
/** `count` texts, one behind the other. */
export const list = (count: number, text: (i: number) => string, separator = ' '): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(separator);
