/** The revisions that quads are from. Loaded with the first question: it imports no value that a page starts with. */
import type { IdPattern, Repository as CoreRepository, Snapshot, TermPattern, toRevision } from '@quadrille/core';
import { iterate } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Revision } from '../api/index.js';
import { MergedSide } from './merged-side.js';

type Record = Snapshot['record'];

/** Revisions that are kept for each repository: those of neighbours are mostly the same. */
const KEPT_REVISIONS = 1024;

/** The known facts about a revision. */
interface Known {
  readonly revision: Revision;
  /** Whether it may have taken intervals over, so that an earlier revision added the quad. */
  readonly handsOver: boolean;
  /** That it is the origin itself. */
  readonly itself: Origin;
  /** Of a merge: what was merged, once that was looked for; `null` if the repository does not have it. */
  side?: MergedSide<QuadOrigins> | null;
}

/** The revision that a quad is from. */
export interface Origin {
  readonly revision: Revision;
  /** The merge that has brought it to the branch. */
  readonly merged?: Revision;
}

/** A quad whose origin is asked for, as far as that has to look at it. */
export interface AskedQuad {
  quad(): RDF.Quad | Promise<RDF.Quad>;
  ids(): IdPattern | Promise<IdPattern>;
}

/** Published revisions change only by a trim or an erasure. What is kept of them goes when the repository is unloaded. */
const origins = new WeakMap<Snapshot['timeline'], QuadOrigins>();

export class QuadOrigins {
  readonly #known = new Map<number, Known>();

  private constructor(
    private readonly core: CoreRepository,
    private readonly describe: typeof toRevision,
    private readonly rewrites: number,
  ) {}

  static of(core: CoreRepository, { timeline }: Snapshot, describe: typeof toRevision): QuadOrigins {
    const { rewrites } = timeline;
    let known = origins.get(timeline);
    if (known?.rewrites !== rewrites) origins.set(timeline, (known = new QuadOrigins(core, describe, rewrites)));
    return known;
  }

  /** The revision that began the life of a quad with an interval that begins with this one; `undefined` if something has to be read. */
  tryOrigin(number: number, ids: () => IdPattern): Origin | undefined {
    const known = this.#tryGet(number);
    if (known === undefined || known.handsOver) return undefined;
    if (!isMerge(known.revision)) return known.itself;
    const { side } = known;
    const from = side == null ? side : side.tryFind(ids());
    if (from === undefined) return undefined;
    if (from === null || from === 0) return known.itself;
    const first = side!.origins.tryOrigin(from, ids);
    return first && { revision: first.revision, merged: known.revision };
  }

  /**
   * As {@link tryOrigin}. The quad is asked for where an earlier revision may have added it, or one that was merged: it is looked for in
   * what was merged, also if that is from another merge.
   */
  async origin(number: number, asked: AskedQuad): Promise<Origin> {
    const known = await this.#added(number, asked);
    if (!isMerge(known.revision)) return known.itself;
    if (known.side?.isCurrent !== true) known.side = await this.#sideOf(known.revision);
    const from = known.side === null ? 0 : await known.side.find(await asked.ids());
    if (from === 0) return known.itself;
    const { revision } = await known.side!.origins.origin(from, asked);
    return { revision, merged: known.revision };
  }

  #sideOf(merge: Revision): Promise<MergedSide<QuadOrigins> | null> {
    return MergedSide.of(this.core, merge, (owner, snapshot) => QuadOrigins.of(owner, snapshot, this.describe));
  }

  async #added(number: number, asked: AskedQuad): Promise<Known> {
    const known = await this.#get(number);
    if (!known.handsOver) return known;
    for await (const [life] of livesOf(this.core, await asked.quad(), number)) return this.#get(life!.added);
    return known;
  }

  async revision(number: number): Promise<Revision> {
    return (await this.#get(number)).revision;
  }

  #tryGet(number: number): Known | undefined {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const record = this.core.tryResolve(number);
    return record && this.#keep(record);
  }

  async #get(number: number): Promise<Known> {
    const known = this.#tryGet(number);
    if (known !== undefined) return known;
    // A revision that was trimmed has its changes in the next one that was kept.
    const kept = await this.core.history.keptNumber(number);
    return this.#keep(await this.core.resolve(kept), number);
  }

  #keep(record: Record, number = record.number): Known {
    const revision = this.describe(record);
    const found: Known = { revision, handsOver: mayHandOver(record), itself: { revision } };
    if (this.#known.size >= KEPT_REVISIONS) this.#known.clear();
    this.#known.set(number, found);
    return found;
  }
}

const isMerge = ({ parents }: Revision): boolean => parents.length > 1;

/** A large change counts a quad whose interval it takes over on neither side, so it has more rows than it has added. */
function mayHandOver({ kind, payload, added, addedCount }: Record): boolean {
  if (payload === undefined && kind !== 'squash') return false;
  let rows = added.length;
  for (const run of payload?.added ?? []) rows += run.rows;
  return rows > addedCount;
}

/** The last life of a quad, by numbers of revisions. */
export interface Life {
  readonly quad: RDF.Quad;
  added: number;
  /** 0 while the quad is there. */
  removed: number;
}

/** The last lives of all quads that match, up to a revision, in batches. An interval that another one takes over goes on. */
export async function* livesOf(
  core: CoreRepository,
  pattern: TermPattern,
  to: number,
  signal?: AbortSignal,
): AsyncGenerator<Life[]> {
  let life: Life | undefined;
  for await (const events of iterate(core.history.events(pattern, { to }, signal))) {
    const over: Life[] = [];
    for (const { op, quad, revision } of events) {
      const { number } = revision;
      if (life === undefined || !life.quad.equals(quad)) {
        if (life !== undefined) over.push(life);
        life = { quad, added: number, removed: 0 };
      } else if (op === 'remove') life.removed = number;
      else {
        if (life.removed !== number) life.added = number;
        life.removed = 0;
      }
    }
    if (over.length > 0) yield over;
  }
  if (life !== undefined) yield [life];
}
