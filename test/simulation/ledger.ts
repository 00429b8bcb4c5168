/**
 * What the callers of a simulation were told, beside a naive model: which change has which label, which revision it became, and which
 * quads each revision has. Nothing here knows how the product works.
 */
import { applied, type Operation, type State } from '../model/operations.mjs';

export type Change = Operation | { readonly kind: 'reset'; readonly number: number } | { readonly kind: 'merge' };

/** A change that was asked for. Its label is the message of its revision. */
export interface Job {
  readonly label: string;
  readonly change: Change;
  /** Whether the caller was told that it has no effect. */
  refused: boolean;
}

/** A change that was acknowledged. */
interface Acknowledged {
  readonly label: string;
  branch: string;
  readonly number: number;
  readonly id: string;
}

/** The revisions of a branch as they were read, by number. */
export class Line {
  readonly ids: string[] = [];
  /** What they hold; `undefined`: not known, because the revision before is trimmed. */
  readonly states: (State | undefined)[] = [];

  get head(): number {
    return this.ids.length - 1;
  }
}

/** What a reader has seen. */
interface Seen {
  readonly id: string;
  readonly state: State;
  readonly where: string;
}

/** What is known of one repository. */
export class Book {
  readonly lines = new Map<string, Line>([['main', new Line()]]);
  /** The quads of each revision, by its id. */
  readonly states = new Map<string, State>();
  /** The one revision that each label became. */
  readonly revisions = new Map<string, string>();
  readonly acknowledged: Acknowledged[] = [];
  /** What was read, to be compared when it is known which quads the revision has. */
  seen: Seen[] = [];
  /** Branches so far. */
  branches = 0;
  /** Branches that may be there, although nobody has seen them. */
  readonly maybeMade = new Set<string>();
  /** Branches whose deletion may have had its effect. */
  readonly maybeDeleted = new Set<string>();
  /** Names that branches may have got, and their names before. */
  readonly maybeRenamed = new Map<string, string>();
  /** Whether revisions may be missing at the beginning of lines. */
  trimmed = false;
  /** Subjects whose quads may have been erased, or may be erased soon. */
  erasing = new Set<string>();
  hasErased = false;
  /** Erasures that are over. What is read while one ends shows the state before or after it. */
  erasures = 0;
  /** Revisions that say of themselves that they violate the shapes. */
  readonly violating = new Set<string>();
  /** Subjects that one commit has added, and that no later one adds. */
  marks: string[] = [];
  /** Whether a step learns which revisions there are, so that no other one may. */
  isRead = false;
  /** Steps that use the repository, and whether one uses it for itself. */
  users = 0;
  alone = false;

  line(branch: string): Line {
    let line = this.lines.get(branch);
    if (line === undefined) this.lines.set(branch, (line = new Line()));
    return line;
  }

  rename(from: string, to: string): void {
    this.maybeRenamed.delete(to);
    const line = this.lines.get(from);
    if (line === undefined) return;
    this.lines.delete(from);
    this.lines.set(to, line);
    for (const told of this.acknowledged) if (told.branch === from) told.branch = to;
    if (this.maybeDeleted.has(from)) this.maybeDeleted.add(to);
  }

  /**
   * Notes what a reader sees, unless an erasure is under way, or has ended since it began. Returns a function that notes it.
   * @param isLate whether it may show an earlier state of the store, with what was erased since
   */
  reader(isLate: boolean): (seen: Seen) => void {
    const { erasures } = this;
    const isSure = this.erasing.size === 0 && !(isLate && this.hasErased);
    return (seen) => {
      if (isSure && erasures === this.erasures && this.erasing.size === 0) this.seen.push(seen);
    };
  }

  acknowledge(label: string, branch: string, { number, id }: { number: number; id: string }): void {
    this.acknowledged.push({ label, branch, number, id: id.replaceAll('-', '') });
  }

  /** Number of the last revision that was acknowledged on a branch. */
  lastNumber(branch: string): number {
    let last = 1;
    for (const told of this.acknowledged) if (told.branch === branch) last = Math.max(last, told.number);
    return last;
  }

  /** All quads with a subject were erased. */
  erased(subject: string): void {
    this.erasing.delete(subject);
    this.hasErased = true;
    this.erasures++;
    for (const [id, state] of this.states)
      this.states.set(id, new Set([...state].filter((quad) => !quad.includes(subject))));
    for (const line of this.lines.values())
      for (const [number, id] of line.ids.entries())
        if (line.states[number] !== undefined) line.states[number] = this.states.get(id);
    this.seen = [];
  }
}

/** All that was asked for. */
export class Ledger {
  readonly jobs = new Map<string, Job>();
  readonly books: ReadonlyMap<string, Book>;

  constructor(names: Iterable<string>) {
    this.books = new Map(Array.from(names, (name) => [name, new Book()]));
  }

  job(label: string, change: Change): Job {
    const job: Job = { label, change, refused: false };
    this.jobs.set(label, job);
    return job;
  }
}

/**
 * What a change makes of the revisions before it; `undefined`: that cannot be told from them.
 * @param trimmed whether a revision may have the changes of those before it, too
 */
export function outcome(change: Change, states: readonly (State | undefined)[], trimmed: boolean): State | undefined {
  if (change.kind === 'merge') return undefined;
  const present = states.at(-1);
  if (present === undefined) return undefined;
  if (change.kind === 'reset') return states[change.number];
  if (change.kind !== 'revert') return applied([present], change);
  if (trimmed) return undefined;
  const [before, after] = [states[change.number - 1], states[change.number]];
  if (before === undefined || after === undefined) return undefined;
  const next = new Set(present);
  for (const line of after) if (!before.has(line)) next.delete(line);
  for (const line of before) if (!after.has(line)) next.add(line);
  return next;
}

/** Values under names that one caller at a time changes: what may be read is what was acknowledged last, or was asked for since. */
export class Registers {
  readonly #possible = new Map<string, (string | undefined)[]>();
  readonly #busy = new Set<string>();

  /** Changes a value, unless somebody else does so now. */
  async set(name: string, value: string | undefined, change: () => Promise<unknown>): Promise<void> {
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    const before = this.possible(name);
    this.#possible.set(name, [...before, value]);
    try {
      await change();
      this.#possible.set(name, [value]);
    } finally {
      this.#busy.delete(name);
    }
  }

  possible(name: string): readonly (string | undefined)[] {
    return this.#possible.get(name) ?? [undefined];
  }

  /** Whoever was about to change a value has died. */
  forget(): void {
    this.#busy.clear();
  }

  get names(): Iterable<string> {
    return this.#possible.keys();
  }
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
