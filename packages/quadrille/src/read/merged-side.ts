/** The other side of a merge, where quads that the merge has brought are looked up. It imports no value that a page starts with. */
import type { IdPattern, Repository as CoreRepository, Snapshot } from '@quadrille/core';
import type { Revision } from '../api/index.js';

type Lines = Awaited<ReturnType<CoreRepository['lines']>>;

/** What is known of the revisions of a repository on a line. */
type OriginsOf<O> = (owner: CoreRepository, snapshot: Snapshot) => O;

export class MergedSide<O> {
  /** The lines of the repository when it was found: some may be dropped later. */
  readonly #ancestors: number;
  #origins: O | undefined;
  /** The rows of the subject that was asked for last. */
  #near: NearRows | undefined;
  /** A subject with many quads. */
  #wide = 0;

  private constructor(
    private readonly owner: CoreRepository,
    private readonly record: Snapshot['record'],
    private readonly lines: Lines,
    private readonly originsOf: OriginsOf<O>,
  ) {
    this.#ancestors = lines.ancestors;
  }

  /** `null` if the repository does not have what was merged: it has an imported history. */
  static async of<O>(
    core: CoreRepository,
    { parents: [, merged] }: Revision,
    originsOf: OriginsOf<O>,
  ): Promise<MergedSide<O> | null> {
    try {
      const found = await core.locate(merged!);
      // Kept for long, so without its changes.
      const record = { ...found, added: NO_QUADS, removed: NO_QUADS, payload: undefined };
      return new MergedSide(core.ownerOf(found), record, await core.lines(), originsOf);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === 'REVISION_NOT_FOUND' || code === 'REVISION_TRIMMED') return null;
      throw error;
    }
  }

  /** Whether its line is still there. */
  get isCurrent(): boolean {
    return this.lines.ancestors === this.#ancestors;
  }

  /** What is known of the revisions of the side. Only after {@link tryFind} or {@link find}. */
  get origins(): O {
    return this.#origins!;
  }

  /** The number of the revision with which the interval of a quad begins there; 0 if the quad is not there. `undefined` if data must be read. */
  tryFind(ids: IdPattern): number | undefined {
    if (!this.isCurrent || this.owner.ready() !== undefined) return undefined;
    const known = this.#known(ids);
    if (known !== undefined) return known;
    const found = this.#read(ids);
    if (typeof found === 'number') return found;
    found.catch(() => undefined);
    return undefined;
  }

  /** As {@link tryFind}. */
  async find(ids: IdPattern): Promise<number> {
    await this.owner.ready();
    return this.#known(ids) ?? this.#read(ids);
  }

  #known(ids: IdPattern): number | undefined {
    return this.#near?.isOf(this.owner.handle.timeline) === true ? this.#near.find(ids) : undefined;
  }

  // Quads of one subject are mostly asked for together, and stand together. So all of a subject are read, unless it has many.
  #read(ids: IdPattern): number | Promise<number> {
    const isWide = this.#wide === ids.s;
    const sought = isWide ? ids : { s: ids.s, p: 0, o: 0, g: 0 };
    const snapshot = this.owner.snapshotOf(this.record);
    const { timeline, index, number } = snapshot;
    this.#origins = this.originsOf(this.owner, snapshot);
    const lookups = timeline.datedLookups;
    const seeker = lookups.take(index, number, sought, (bound) => snapshot.seeker(bound, true));
    const near = new NearRows(ids.s, timeline);
    const end = (found: number | undefined): number | undefined => {
      lookups.give(index, number, sought, seeker);
      snapshot.close();
      return found;
    };
    // What is found so far; undefined if the subject has too many quads, `MISS` if data must be fetched.
    const step = (): number | undefined => {
      for (let rows = seeker.next(); rows !== 0; rows = seeker.next()) {
        if (rows === MISS) return MISS;
        if (isWide) return seeker.from[seeker.start]!;
        if (!near.add(seeker, rows)) return undefined;
      }
      if (isWide) return 0;
      this.#near = near;
      return near.find(ids);
    };
    const narrower = (found: number | undefined): number | Promise<number> => {
      if (found !== undefined) return found;
      this.#wide = ids.s;
      return this.#read(ids);
    };
    const found = step();
    if (found !== MISS) return narrower(end(found));
    return this.#fetched(seeker, step).then(
      (later) => narrower(end(later)),
      (error: unknown) => {
        seeker.close();
        snapshot.close();
        throw error;
      },
    );
  }

  async #fetched(seeker: Seeker, step: () => number | undefined): Promise<number | undefined> {
    for (;;) {
      await seeker.fetch();
      const found = step();
      if (found !== MISS) return found;
    }
  }
}

type Seeker = ReturnType<Snapshot['seeker']>;

/** Rows of a subject that are kept. */
const MOST_ROWS = 64;

/** All rows of one subject. */
class NearRows {
  readonly #rows: number[] = [];
  readonly #rewrites: number;

  constructor(
    private readonly subject: number,
    private readonly timeline: Snapshot['timeline'],
  ) {
    this.#rewrites = timeline.rewrites;
  }

  /** Whether they were read from this state in memory, and no history was removed since. */
  isOf(timeline: Snapshot['timeline']): boolean {
    return this.timeline === timeline && timeline.rewrites === this.#rewrites;
  }

  /** Returns false if there are too many. */
  add({ p, o, g, from, start, end }: Seeker, rows: number): boolean {
    if (this.#rows.length / 4 + rows > MOST_ROWS) return false;
    for (let i = start; i < end; i++) this.#rows.push(p[i]!, o[i]!, g[i]!, from[i]!);
    return true;
  }

  /** The `from` of a quad of the subject, 0 if it is not there; `undefined` for another subject. */
  find({ s, p, o, g }: IdPattern): number | undefined {
    if (s !== this.subject) return undefined;
    const rows = this.#rows;
    for (let i = 0; i < rows.length; i += 4)
      if (rows[i] === p && rows[i + 1] === o && rows[i + 2] === g) return rows[i + 3]!;
    return 0;
  }
}

const MISS: typeof import('@quadrille/sparql').MISS = -1;
const NO_IDS = new Uint32Array(0);
const NO_QUADS = { length: 0, s: NO_IDS, p: NO_IDS, o: NO_IDS, g: NO_IDS, from: NO_IDS };
