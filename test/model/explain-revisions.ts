/** After changes at once: which of them made which revision, and why the others made none. */
import type { Revision } from '@quadrille/core';
import { ConflictError } from '@quadrille/model';
import { check } from './check.js';
import { applied, difference, matches, matching, sameSet, stateAt } from './operations.mjs';
import type { Operation, State } from './operations.mjs';
import { followRevision } from './revisions.js';
import type { Staged } from './staged.js';
import type { World } from './world.js';

/** One of several operations under way at once. */
export interface Job {
  readonly operation?: Operation;
  readonly staged?: Staged;
  /** It must follow `base` or fail. */
  readonly conditional: boolean;
  /** The head when it began. */
  readonly base: number;
  revision?: Revision | undefined;
  error?: unknown;
}

/** Finds for every new revision the job that made it, and follows it in the model. */
export async function explainRevisions(world: World, jobs: ReadonlyMap<string, Job>): Promise<void> {
  const first = world.head;
  const last = world.repository.head.number;
  for (let number = first + 1; number <= last; number++) {
    const record = await world.repository.resolve(number);
    const job = jobs.get(record.message ?? '');
    check(
      job?.revision?.number === number,
      () => `revision ${number} says ${record.message}: answered ${job?.revision?.number} ${String(job?.error)}`,
    );
    if (job.conditional)
      check(job.base === number - 1, () => `${record.message} was to follow ${job.base}, and is ${number}`);
    await followRevision(world, number, record.message!, await stateAfter(world, job, number));
  }
  for (const [label, job] of jobs) {
    if (job.revision === undefined) {
      const { error } = job;
      check(
        error instanceof ConflictError && job.conditional && last > job.base,
        () => `${label} failed: ${String(error)}`,
      );
      continue;
    }
    const { number } = job.revision;
    const made = job.revision.message === label && number > first;
    if (!made) checkIdle(world, label, job, number);
  }
}

async function stateAfter(world: World, job: Job, number: number): Promise<State> {
  if (job.staged !== undefined) return job.staged.applyTo(world.state);
  const operation = job.operation!;
  if (operation.kind !== 'removeMatches') return applied(world.states, operation);
  // It removes what matched when it was called; what came since may go or stay.
  const actual = await stateAt(world.repository, number);
  const gone = difference(world.state, actual);
  const due = matching(operation.pattern, world.states[job.base]!).filter((line) => world.state.has(line));
  check(
    gone.every((line) => matches(operation.pattern, line)),
    () => `revision ${number} removes what does not match`,
  );
  check(
    due.every((line) => !actual.has(line)),
    () => `revision ${number} does not remove all that matches`,
  );
  const next = new Set(world.state);
  for (const line of gone) next.delete(line);
  return next;
}

// It made no revision: there was nothing to change at the one that it answered, or at one before it in the group.
function checkIdle(world: World, label: string, job: Job, number: number): void {
  const idle = (at: number): boolean => {
    const states = world.states.slice(0, at + 1);
    if (job.staged !== undefined) return sameSet(job.staged.applyTo(states[at]!), states[at]!);
    if (job.operation!.kind === 'removeMatches')
      return matching(job.operation!.pattern, world.states[job.base]!).every((line) => !states[at]!.has(line));
    return applied(states, job.operation!) === states[at];
  };
  check(
    number >= job.base && idle(number),
    () => `${label} changed nothing and answered revision ${number}, where it would change something`,
  );
}
