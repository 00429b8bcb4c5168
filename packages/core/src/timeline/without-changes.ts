/** What must not meet a change under way that holds ids, such as a transaction or a load. */
import { ConflictError } from '@quadrille/model';
import type { Timeline } from './timeline.js';

/** How long it waits for such changes, in milliseconds. New ones wait for it meanwhile. */
const PATIENCE_MS = 5000;

/** Does something while no such change is under way, and none begins. @throws ConflictError `REPOSITORY_BUSY` */
export async function withoutChanges<T>(timeline: Timeline, verb: string, work: () => Promise<T>): Promise<T> {
  let done: { readonly result: T } | undefined;
  await timeline.changes.alone(async () => void (done = { result: await work() }), PATIENCE_MS);
  if (done === undefined) throw busy(timeline, verb);
  return (done as { readonly result: T }).result;
}

/** @param verb what was not done, such as `trimmed` */
export const busy = ({ keyspace: { name } }: Timeline, verb: string): ConflictError =>
  new ConflictError(
    'REPOSITORY_BUSY',
    `repository ${name}: a transaction or a load was under way for ${PATIENCE_MS / 1000} s, so nothing was ${verb}: ` +
      'try again when it has ended',
    { details: { repository: name } },
  );
