/**
 * Erases quads from all revisions of all branches. Copies of the runs without them are written aside. One write switches all lines to
 * them, and adds a revision of the kind `erase` to each. It also stores the plan of what is left to do. See {@link finishErasure}.
 */
import { NotFoundError, StorageError } from '@quadrille/model';
import { isFull } from '@quadrille/storage';
import type { WriteOp } from '@quadrille/storage';
import type { HeldLines } from '../branch/held-lines.js';
import { withLines } from '../branch/held-lines.js';
import { lineNumber } from '../branch/locate.js';
import type { Lines, OpenLine } from '../branch/lines.js';
import { erasedOp } from '../keyspace/erased-at.js';
import { endedByErasure } from '../keyspace/keyspace.js';
import { rewrittenOp } from '../keyspace/rewritten.js';
import { flushMemtable } from '../maintenance/flush.js';
import type { RepositoryHandle } from '../open/handle.js';
import type { RepositoryAccess } from '../open/repository-access.js';
import type { IntegrityPart } from '../revision/record-fields.js';
import { Pacer } from '../runtime/env.js';
import type { Switch } from '../timeline/change.js';
import { withoutChanges } from '../timeline/without-changes.js';
import { integrityOp, planOps, withoutPlanOp } from './erase-plan.js';
import { type Selection, matcherOf, type EraseTarget, selectionOf } from './selection.js';
import type { LineSurvey } from './survey.js';
import { countErased, surveyLines } from './survey.js';
import { LineSwitch } from './switch-lines.js';

/** What is erased, and what is said of it. */
export interface EraseRequest<L> {
  /** What is erased. */
  readonly target: EraseTarget;
  /** The message of the revisions that it makes, by the number of erased quads. */
  readonly message: (quads: number) => string;
  /** The author of these revisions. */
  readonly author?: string | undefined;
  /** Only counts what would be erased. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The digests of revisions of a line as they are now. The numbers are ascending. */
  readonly attest: (line: L, numbers: readonly number[]) => Promise<ReadonlyMap<number, IntegrityPart>>;
}

/** What an erasure has done. */
export interface EraseReport {
  /** Number of different quads that were erased. */
  readonly quads: number;
  /** Number of terms that no revision uses any more, which were removed. */
  readonly terms: number;
  /** Number of revisions that had, added or removed such quads. */
  readonly revisions: number;
  /** Number of branches, also deleted ones, whose history was changed. */
  readonly branches: number;
  /** Bytes that were written anew, approximately. */
  readonly bytesRewritten: number;
}

/** How long an erasure leaves readers their snapshots, in milliseconds. */
const PATIENCE_MS = 5000;
/** Revisions that are attested together. */
const ATTESTED_AT_ONCE = 4096;

/**
 * @throws NotFoundError `NOTHING_TO_ERASE` if no revision has such a quad; ConflictError `REPOSITORY_BUSY` if a writer does not end
 */
export async function eraseData<L extends OpenLine>(
  lines: Lines<L>,
  access: RepositoryAccess,
  request: EraseRequest<L>,
): Promise<EraseReport> {
  const timeline = await access.writable();
  timeline.keyspace.format.check();
  return lines.handle.maintenance.run(() =>
    withLines(lines, (held) => {
      const erasure = new Erasure(lines, held, request);
      return request.dryRun === true ? erasure.count() : erasure.run();
    }),
  );
}

class Erasure<L extends OpenLine> {
  readonly #root: RepositoryHandle;
  readonly #pacer: Pacer;
  /** By line: the last revision that was attested. */
  readonly #attested = new Map<number, number>();
  #bytes = 0;

  constructor(
    private readonly lines: Lines<L>,
    private readonly held: HeldLines,
    private readonly request: EraseRequest<L>,
  ) {
    this.#root = lines.handle;
    this.#pacer = new Pacer(this.#root.env);
  }

  async run(): Promise<EraseReport> {
    const root = this.#root;
    // What an erasure left that had no effect.
    await root.keyspace.writeAlone([withoutPlanOp(root.keyspace)]);
    const selection = await selectionOf(root.timeline, this.request.target, this.#pacer);
    if (selection === undefined) throw nothingToErase(root);
    // Hashing takes long, so most of it comes before writers have to wait.
    await this.#attest(await this.#survey(selection));
    return withoutChanges(root.timeline, 'erased', () => this.#alone(selection));
  }

  /** What would be erased. Terms and bytes are known afterwards only, and are 0. */
  async count(): Promise<EraseReport> {
    const selection = await selectionOf(this.#root.timeline, this.request.target, this.#pacer);
    if (selection === undefined) throw nothingToErase(this.#root);
    const surveys = await this.#survey(selection);
    const quads = await countErased(await this.held.handles(), selection, this.#pacer);
    return { quads, terms: 0, revisions: revisionsOf(surveys), branches: surveys.length, bytesRewritten: 0 };
  }

  async #survey(selection: Selection): Promise<readonly LineSurvey[]> {
    const handles = new Map<number, RepositoryHandle>();
    for (const handle of await this.held.handles()) {
      await flushMemtable(handle.timeline, this.#pacer);
      handles.set(lineNumber(handle.keyspace), handle);
    }
    const surveys = await surveyLines(this.lines, handles, matcherOf(selection), this.#pacer);
    const changed = surveys.filter((survey) => survey.changed.length > 0);
    if (changed.length === 0) throw nothingToErase(this.#root);
    return changed;
  }

  // Keeps what the revisions are attested by in the storage, until their records have it.
  async #attest(surveys: readonly LineSurvey[]): Promise<void> {
    const { keyspace } = this.#root;
    for (const { line, changed } of surveys) {
      const known = this.#attested.get(line) ?? 0;
      const numbers = changed.filter((number) => number > known);
      if (numbers.length === 0) continue;
      const on = await this.lines.at(line);
      for (let at = 0; at < numbers.length; at += ATTESTED_AT_ONCE) {
        const some = numbers.slice(at, at + ATTESTED_AT_ONCE);
        const found = await this.request.attest(on, some);
        await keyspace.writeAlone(Array.from(found, ([number, part]) => integrityOp(keyspace, line, number, part)));
      }
      this.#attested.set(line, numbers.at(-1)!);
    }
  }

  // No writer is at work, and none begins.
  async #alone(selection: Selection): Promise<EraseReport> {
    const surveys = await this.#survey(selection);
    await this.#attest(surveys);
    const quads = await countErased(await this.held.handles(), selection, this.#pacer);
    const switches = surveys.map((survey) => new LineSwitch(survey, selection, this.#pacer));
    let done = false;
    try {
      for (const each of switches) await each.copyRuns();
      for (const { bytesWritten } of switches) this.#bytes += bytesWritten;
      const finished = await this.#root.writeLock.run(async () => {
        done = await this.#root.timeline.switch(() => this.#prepare(selection, switches, quads));
        return this.#finish();
      });
      return {
        quads,
        terms: finished.terms,
        revisions: revisionsOf(surveys),
        branches: surveys.length,
        bytesRewritten: this.#bytes + finished.bytesWritten,
      };
    } finally {
      if (!done && this.#root.timeline.failure === undefined)
        for (const each of switches) await each.abandon().catch(() => undefined);
    }
  }

  async #prepare(selection: Selection, switches: readonly LineSwitch[], quads: number): Promise<Switch> {
    const { keyspace, env } = this.#root;
    const { author, message } = this.request;
    const ops: WriteOp[] = [rewrittenOp(keyspace, env)];
    // No revision of any line is later, as nothing is staged.
    const last = Math.max(...(await this.held.handles()).map((handle) => handle.timeline.published.time));
    for (const each of switches) ops.push(...(await each.ops({ author, message: message(quads), after: last })));
    ops.push(erasedOp(keyspace, keyspace.erasedAt, last));
    ops.push(...planOps(keyspace, { selection, lines: switches.map((each) => each.plan()) }));
    await keyspace.format.raise();
    // The lines are read again from what is written.
    return { ops, publish: () => ({}) };
  }

  // The state in memory is read anew, which also does what the plan says.
  async #finish(): Promise<{ terms: number; bytesWritten: number }> {
    const root = this.#root;
    await this.#endReaders();
    root.erasure = undefined;
    await root.timeline.dictionary.lock.run(() => root.recover());
    const { erasure } = root as RepositoryHandle;
    if (erasure instanceof StorageError) throw notEnded(root, erasure);
    if (erasure === undefined) throw root.keyspace.missing('the plan');
    return erasure;
  }

  // Readers of older revisions may read what is deleted next.
  async #endReaders(): Promise<void> {
    const { env, keyspace } = this.#root;
    const timelines = [this.#root, ...this.#root.lines].map(({ timeline }) => timeline);
    const end = env.ticks() + PATIENCE_MS;
    for (const { readers } of timelines) await readers.quiet(end - env.ticks());
    for (const timeline of timelines) timeline.readersEnded = endedByErasure(keyspace.name);
    keyspace.beginErasure();
  }
}

const revisionsOf = (surveys: readonly LineSurvey[]): number =>
  surveys.reduce((sum, { changed }) => sum + changed.length, 0);

/** The erasure is in effect. Writers, and the next open, try to end it. */
const notEnded = ({ keyspace: { name } }: RepositoryHandle, cause: StorageError): StorageError =>
  new StorageError(
    cause.code,
    `repository ${name}: the data are erased from all revisions, but files of the store still contain them: ` +
      `${cause.message}. ${isFull(cause) ? 'Free space: the' : 'The'} next write, or the next open, removes them`,
    { cause, details: { repository: name, erased: true } },
  );

const nothingToErase = ({ keyspace: { name } }: RepositoryHandle): NotFoundError =>
  new NotFoundError('NOTHING_TO_ERASE', `repository ${name}: no revision of any branch has such a quad`, {
    details: { repository: name },
  });
