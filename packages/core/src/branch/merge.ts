/** Merges a revision of another line into a line, and repeats the changes of a revision on another one. */
import { ConflictError, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { quadIds } from '../dictionary/encode-quads.js';
import { QuadColumns } from '../index/quad-columns.js';
import type { Timeline } from '../timeline/timeline.js';
import type { DiffRow } from '../read/diff.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { baseOf, toRevision } from '../revision/record.js';
import { Pacer } from '../runtime/env.js';
import { commitIds } from '../write/commit.js';
import { type CommitMeta, isConflict } from '../timeline/change.js';
import { Ancestry } from './ancestry.js';
import type { Conflict, IdConflict } from './conflicts.js';
import { conflictsOf, conflictTerms } from './conflicts.js';
import type { Place } from './diff-across.js';
import type { LinePosition } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';
import { FastForward } from './fast-forward.js';
import { lineNumber, locateKept } from './locate.js';
import type { MergeState } from './merge-states.js';
import { difference, stateAt, virtualBase } from './merge-states.js';

/** Whose value stays in a conflict, or the values themselves; `undefined` where the conflict is left undecided. */
export type Resolution = 'ours' | 'theirs' | 'base' | readonly RDF.Term[] | undefined;

/** How a merge is made. */
export interface MergeChoice {
  /**
   * `three-way`: what the other side has changed since the common base is changed here too. `ours` and `theirs`: the
   * whole state of one side.
   */
  readonly strategy?: 'three-way' | 'ours' | 'theirs' | undefined;
  /**
   * Whether revisions that follow the head of this side are taken over as they are. Otherwise there is a merge.
   */
  readonly fastForward?: boolean | undefined;
  /** `fail`: a conflict is an error. A function decides each conflict. Default `fail`. */
  readonly onConflict?: 'fail' | 'ours' | 'theirs' | ((conflict: Conflict) => Resolution) | undefined;
  /** IRIs of predicates that have one value for each subject and graph. */
  readonly functional: readonly string[];
}

/** What a merge would do. */
export interface MergePlan {
  /** The newest revision that both sides have; of lines that were merged crosswise, one of several. */
  readonly base: RevisionRecord;
  /** Whether the history of this branch has the revision already. */
  readonly merged: boolean;
  readonly added: QuadColumns;
  readonly removed: QuadColumns;
  readonly conflicts: readonly IdConflict[];
}

/** Times that a merge is made anew after it has lost to a commit. */
const ATTEMPTS = 10;
/** Conflicts that an error and a preview tell. */
export const MOST_CONFLICTS = 100;

export class Merger {
  readonly #pacer: Pacer;
  readonly #ancestry: Ancestry;

  constructor(
    private readonly lines: Lines<OpenLine>,
    private readonly timeline: Timeline,
  ) {
    this.#pacer = new Pacer(timeline.env);
    this.#ancestry = Ancestry.of(lines);
  }

  /** Merges a revision. Returns the head if its history has the revision already. */
  async merge(theirs: Place, choice: MergeChoice, meta: CommitMeta): Promise<Revision> {
    const lineage = { kind: 'merge', mergedParent: theirs.record.id, origin: undefined } as const;
    if (choice.fastForward === true && choice.strategy !== 'ours') {
      const head = await this.#fastForward(theirs, meta);
      if (head !== undefined) return head;
    }
    return this.#attempts(meta, lineage, async (ours) => {
      const plan = await this.plan(ours, theirs, choice);
      return plan.merged ? undefined : this.#resolved(plan, choice);
    });
  }

  #fastForward(theirs: Place, meta: CommitMeta): Promise<Revision | undefined> {
    return new FastForward(this.lines, this.timeline, this.#pacer).to(theirs, meta);
  }

  /** Repeats the changes of a revision. Returns the head if they change nothing. */
  async cherryPick(picked: Place, choice: MergeChoice, meta: CommitMeta): Promise<Revision> {
    const lineage = { kind: 'commit', mergedParent: undefined, origin: picked.record.id } as const;
    const { timeline, record } = picked;
    const before = stateAt({ timeline, record: { ...record, number: Math.max(baseOf(record), 1) } });
    return this.#attempts(meta, lineage, async (ours) => {
      const plan = await this.#threeWay(before, ours, stateAt(picked), choice);
      return this.#resolved({ ...plan, base: record, merged: false }, choice);
    });
  }

  async #attempts(
    meta: CommitMeta,
    lineage: NonNullable<CommitMeta['lineage']>,
    work: (ours: Place) => Promise<Pick<MergePlan, 'added' | 'removed'> | undefined>,
  ): Promise<Revision> {
    const { timeline } = this;
    for (let left = ATTEMPTS; ; left--) {
      const record = timeline.published;
      const condition = { ...meta, lineage, ifRevision: meta.ifRevision ?? record.number };
      if (condition.ifRevision !== record.number) timeline.checkCondition(condition);
      const plan = await work({ timeline, record });
      if (plan === undefined) return toRevision(record);
      try {
        const made = await commitIds(timeline, plan.added, plan.removed, condition, this.#pacer);
        if (made.number !== record.number || lineage.kind !== 'merge') return made;
        // A large change that turned out to change nothing.
        return await commitIds(timeline, new QuadColumns(), new QuadColumns(), condition, this.#pacer);
      } catch (error) {
        if (!isConflict(error) || meta.ifRevision !== undefined || left <= 1) throw error;
        await timeline.settled();
      }
    }
  }

  /** What a merge would do on a revision of this line. */
  async plan(ours: Place, theirs: Place, choice: MergeChoice): Promise<MergePlan> {
    const [own, other] = [positionOf(ours), positionOf(theirs)];
    const merged = await this.#ancestry.has(await this.#ancestry.of(own), other);
    const base = await this.#base(own, other);
    const none = { added: new QuadColumns(), removed: new QuadColumns(), conflicts: [] };
    const known = { base: base.place.record, merged };
    if (merged || choice.strategy === 'ours') return { ...known, ...none };
    if (choice.strategy === 'theirs') {
      const rows = await difference(stateAt(ours), stateAt(theirs), this.#pacer);
      return { ...known, ...none, ...columnsOf(rows.values()) };
    }
    return { ...known, ...(await this.#threeWay(base, ours, stateAt(theirs), choice)) };
  }

  async #threeWay(
    base: MergeState,
    ours: Place,
    theirs: MergeState,
    { functional }: MergeChoice,
  ): Promise<Pick<MergePlan, 'added' | 'removed' | 'conflicts'>> {
    const rows = await difference(base, theirs, this.#pacer);
    const states = { base, ours: stateAt(ours), theirs };
    const conflicts = await conflictsOf(this.timeline, functional, rows.values(), states);
    const open = new Set(conflicts.map(({ s, p, g }) => `${s} ${p} ${g}`));
    const clear = [...rows.values()].filter(({ s, p, g }) => !open.has(`${s} ${p} ${g}`));
    return { ...columnsOf(clear), conflicts };
  }

  async #base(ours: LinePosition, theirs: LinePosition): Promise<MergeState> {
    const [first, ...others] = await this.#ancestry.bases(ours, theirs);
    let state = stateAt(await this.#place(first!));
    let at = first!;
    for (const other of others) {
      const below = await this.#base(at, other);
      state = await virtualBase(state, stateAt(await this.#place(other)), below, this.#pacer);
      at = other;
    }
    return state;
  }

  async #place(position: LinePosition): Promise<Place> {
    const { on, record } = await locateKept(this.lines, position);
    return { timeline: on.handle.timeline, record };
  }

  // The changes with what was decided of the conflicts.
  async #resolved(
    plan: MergePlan,
    { onConflict = 'fail' }: MergeChoice,
  ): Promise<Pick<MergePlan, 'added' | 'removed'>> {
    const { added, removed, conflicts } = plan;
    if (conflicts.length > 0 && onConflict === 'fail') throw await this.#failure(conflicts);
    const undecided: IdConflict[] = [];
    for (const conflict of conflicts) {
      const wanted = await this.#wanted(conflict, onConflict as Exclude<typeof onConflict, 'fail'>);
      if (wanted === undefined) {
        undecided.push(conflict);
        continue;
      }
      const { s, p, g, ours } = conflict;
      for (const o of wanted) if (!ours.has(o)) added.push(s, p, o, g);
      for (const o of ours) if (!wanted.has(o)) removed.push(s, p, o, g);
    }
    if (undecided.length > 0) throw await this.#failure(undecided);
    return { added, removed };
  }

  async #wanted(
    conflict: IdConflict,
    onConflict: 'ours' | 'theirs' | ((conflict: Conflict) => Resolution),
  ): Promise<ReadonlySet<number> | undefined> {
    if (typeof onConflict === 'string') return conflict[onConflict];
    const terms = await conflictTerms(this.timeline, conflict);
    const decided = onConflict(terms);
    if (decided === undefined || typeof decided === 'string') return decided && conflict[decided];
    const { subject, predicate, graph } = terms;
    const quads = decided.map((object) =>
      quad(
        subject as RDF.Quad_Subject,
        predicate as RDF.Quad_Predicate,
        object as RDF.Quad_Object,
        graph as RDF.Quad_Graph,
      ),
    );
    return new Set((await quadIds(this.timeline, quads, true, this.#pacer)).o.subarray(0, quads.length));
  }

  async #failure(conflicts: readonly IdConflict[]): Promise<ConflictError> {
    const told = conflicts.slice(0, MOST_CONFLICTS).map((conflict) => conflictTerms(this.timeline, conflict));
    const first = await Promise.all(told);
    const { subject, predicate } = first[0]!;
    const error = new ConflictError(
      'MERGE_CONFLICT',
      `${conflicts.length} values were changed on both branches in different ways, the first one of ${subject.value} ` +
        `(${predicate.value}): decide with onConflict`,
      { details: { repository: this.timeline.keyspace.name, count: conflicts.length } },
    );
    return Object.assign(error, { conflicts: first });
  }
}

const positionOf = ({ timeline, record: { number } }: Place): LinePosition => ({
  line: lineNumber(timeline.keyspace.at(number)),
  number,
});

function columnsOf(rows: Iterable<DiffRow>): { added: QuadColumns; removed: QuadColumns } {
  const [added, removed] = [new QuadColumns(), new QuadColumns()];
  for (const { op, s, p, o, g } of rows) (op === 1 ? added : removed).push(s, p, o, g);
  return { added, removed };
}
