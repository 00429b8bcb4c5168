/** How tools name revisions, and where a revision is from: its author, and the client and session as the last lines of its message. */
import type { Revision } from 'quadrille';

/** A revision that a session has made. */
export interface Made {
  readonly repository: string;
  readonly id: string;
}

/** Who asks, and in which session: the author and the message of a revision. */
export type Commit = (tool: string, message?: string) => { readonly author: string; readonly message: string };

const CLIENT = 'Client: ';
const SESSION = 'Session: ';

/** The message of a revision: what was done, and where from, in the way of git's trailers. */
const messageOf = (what: string, client: string, session: string): string =>
  `${what}\n\n${CLIENT}${client}\n${SESSION}${session}`;

/** The commits of a session. @param author where the client is not the author */
export const madeBy =
  ({ client, id }: { readonly client: string; readonly id: string }, author = client): Commit =>
  (tool, message) => ({
    author,
    message: messageOf(message === undefined ? tool : `${tool}: ${message}`, client, id),
  });

/** How answers name a revision. */
export function originOf({ id, number, time, author, message = '' }: Revision): Readonly<Record<string, unknown>> {
  const lines = message.split('\n');
  const session = lines.findLast((line) => line.startsWith(SESSION))?.slice(SESSION.length);
  return { revision: number, id, time: time.toISOString(), author, ...(session !== undefined && { session }) };
}

/** The ref of a time or a revision. A day or time in the future is now. */
export function refOf(at: string): string {
  const time = /^\d{4}-\d\d-\d\d/.test(at) ? Date.parse(at) : NaN;
  return time > Date.now() ? 'HEAD' : at;
}
