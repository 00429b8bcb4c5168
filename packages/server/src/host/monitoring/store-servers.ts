/** The servers of a store that several of them serve. */

/** One of the servers, as this one knows it. */
export interface ServerState {
  /** UUID of its process. */
  readonly id: string;
  /** Process and machine, for people. */
  readonly label: string;
  /** The URL at which the other servers reach it. */
  readonly url: string | undefined;
  /** The holder writes, and the others follow it. */
  readonly role: 'holder' | 'follower';
  /** Whether it is the one that answers. */
  readonly self: boolean;
  /** Whether it is about to end. */
  readonly leaving: boolean;
  /** For how long it has given no sign of life, in milliseconds. */
  readonly silentMs: number;
  /** The last position of the log that it has shown, as of its last sign of life. */
  readonly position: number | undefined;
}

/** How many entries of the log each server had not shown yet with its last sign of life. */
export function behind(servers: readonly ServerState[]): ReadonlyMap<string, number | undefined> {
  const newest = Math.max(0, ...servers.map(({ position = 0 }) => position));
  return new Map(servers.map(({ id, position }) => [id, position === undefined ? undefined : newest - position]));
}
