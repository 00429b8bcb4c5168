/** Several changes, transactions and compactions under way at once, beside a reader. */
import { check } from './check.js';
import { explainRevisions } from './explain-revisions.js';
import type { Job } from './explain-revisions.js';
import {
  below,
  differenceText,
  perform,
  quadOf,
  randomOperation,
  randomQuad,
  randomQuads,
  readState,
  someOf,
} from './operations.mjs';
import type { Operation } from './operations.mjs';
import { Staged } from './staged.js';
import type { World } from './world.js';

export async function changesAtOnce(world: World): Promise<void> {
  const base = world.head;
  const jobs = new Map<string, Job>();
  const running: Promise<unknown>[] = [];
  const count = 2 + below(world.random, 5);
  world.operations += count - 1;
  for (let n = 0; n < count; n++) {
    const label = world.newLabel();
    const chance = world.random();
    if (chance < 0.2) {
      world.say(label, 'a transaction, at once with others');
      running.push(stageAndCommit(world, label, jobs));
      continue;
    }
    if (chance < 0.25) {
      world.say(label, 'compact, at once with others');
      running.push(world.repository.maintenance.compact());
      continue;
    }
    const operation = forMany(world, randomOperation(world.random, world.words, world.states, world.most));
    const conditional = world.random() < 0.2;
    world.say(label, { atOnce: operation, conditional });
    const info = { message: label, ...(conditional ? { ifRevision: base } : {}) };
    const job: Job = { operation, conditional, base };
    jobs.set(label, job);
    running.push(
      perform(world.repository, operation, info).then(
        (revision) => (job.revision = revision),
        (error: unknown) => (job.error = error),
      ),
    );
  }
  if (world.random() < 0.5) await readMeanwhile(world, base);
  for (const result of await Promise.allSettled(running)) if (result.status === 'rejected') throw result.reason;
  await explainRevisions(world, jobs);
}

// Which prefix a load gets cannot be told where several begin at once; and a removal that begins before the first
// quad of a term was added may pass over it.
function forMany(world: World, operation: Operation): Operation {
  if (operation.kind === 'change') return { ...operation, removed: world.ofKnownTerms(operation.removed) };
  if (operation.kind !== 'load') return operation;
  const lines = operation.lines.filter((line) => !line.includes('_:'));
  return { ...operation, lines: lines.length > 0 ? lines : ['<a:s0> <a:p0> "plain" .'] };
}

// A snapshot taken now is one revision, whatever is committed meanwhile.
async function readMeanwhile(world: World, base: number): Promise<void> {
  await world.repository.ready();
  const snapshot = world.repository.snapshot();
  try {
    if (snapshot.number !== base) return;
    const wrong = differenceText(await readState(snapshot), world.states[base]!);
    check(wrong === undefined, () => `read beside commits, revision ${base}: ${wrong}`);
  } finally {
    snapshot.close();
  }
}

/** A transaction that others may overtake. */
async function stageAndCommit(world: World, label: string, jobs: Map<string, Job>): Promise<void> {
  // All chance before the first wait: what else is under way takes from the same.
  const reading = world.random() < 0.4;
  const added = randomQuads(world.random, world.words, 4);
  const removed = world.ofKnownTerms([randomQuad(world.random, world.words), ...someOf(world.random, world.state, 2)]);
  world.say(label, { reading, removed, added });
  const transaction = await world.repository.begin();
  try {
    // What it was based on may be a revision that the model learns of only later: it stages blindly, or reads once.
    const staged = new Staged(new Set());
    await transaction.remove(removed.map((line) => quadOf(line).quad));
    await transaction.add(added.map((line) => quadOf(line).quad));
    staged.remove(removed);
    staged.add(added);
    if (reading) await transaction.beginReading();
    const job: Job = { staged, conditional: reading, base: transaction.base.number };
    jobs.set(label, job);
    job.revision = await world.repository.commitTransaction(transaction, { message: label }).catch((error: unknown) => {
      job.error = error;
      return undefined;
    });
  } finally {
    transaction.close();
  }
}
