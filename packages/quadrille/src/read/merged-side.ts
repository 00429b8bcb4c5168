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
    const found = this.#read(ids);
    if (typeof found === 'number') return found;
    found.catch(() => undefined);
    return undefined;
  }

  /** As {@link tryFind}. */
  async find(ids: IdPattern): Promise<number> {
    await this.owner.ready();
    return this.#read(ids);
  }

  #read(ids: IdPattern): number | Promise<number> {
    const snapshot = this.owner.snapshotOf(this.record);
    const { generation, index, number } = snapshot;
    this.#origins = this.originsOf(this.owner, snapshot);
    const lookups = generation.datedLookups;
    const seeker = lookups.take(index, number, ids, (bound) => snapshot.seeker(bound, true));
    const end = (rows: number): number => {
      const from = rows === 0 ? 0 : seeker.from[seeker.start]!;
      lookups.give(index, number, ids, seeker);
      snapshot.close();
      return from;
    };
    const rows = seeker.next();
    if (rows !== MISS) return end(rows);
    return this.#fetch(seeker).then(end, (error: unknown) => {
      seeker.close();
      snapshot.close();
      throw error;
    });
  }

  async #fetch(seeker: ReturnType<Snapshot['seeker']>): Promise<number> {
    for (;;) {
      await seeker.fetch();
      const rows = seeker.next();
      if (rows !== MISS) return rows;
    }
  }
}

const MISS: typeof import('@quadrille/sparql').MISS = -1;
const NO_IDS = new Uint32Array(0);
const NO_QUADS = { length: 0, s: NO_IDS, p: NO_IDS, o: NO_IDS, g: NO_IDS, from: NO_IDS };
