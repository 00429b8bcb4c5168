/** The revisions that quads are from. Loaded with the first question: it imports no value that a page starts with. */
import type { Repository as CoreRepository, Snapshot, TermPattern, toRevision } from '@quadrille/core';
import type * as RDF from '@rdfjs/types';
import type { Revision } from '../api/index.js';

type Record = Snapshot['record'];

/** Revisions that are kept for each repository: those of neighbours are mostly the same. */
const KEPT_REVISIONS = 1024;

/** The known facts about a revision. */
interface Known {
  readonly revision: Revision;
  /** Whether it may have taken intervals over, so that an earlier revision added the quad. */
  readonly handsOver: boolean;
}

/** Published revisions never change. What is kept of them goes when the repository is unloaded. */
const origins = new WeakMap<Snapshot['generation'], QuadOrigins>();

export class QuadOrigins {
  readonly #known = new Map<number, Known>();

  private constructor(
    private readonly core: CoreRepository,
    private readonly describe: typeof toRevision,
  ) {}

  static of(core: CoreRepository, { generation }: Snapshot, describe: typeof toRevision): QuadOrigins {
    let known = origins.get(generation);
    if (known === undefined) origins.set(generation, (known = new QuadOrigins(core, describe)));
    return known;
  }

  /** The revision that began the life of a quad with an interval that begins with this one; `undefined` if something has to be read. */
  tryOrigin(number: number): Revision | undefined {
    const known = this.#tryGet(number);
    return known === undefined || known.handsOver ? undefined : known.revision;
  }

  /** As {@link tryOrigin}. The quad is asked for where an earlier revision may have added it. */
  async origin(number: number, quad: () => RDF.Quad | Promise<RDF.Quad>): Promise<Revision> {
    const known = await this.#get(number);
    if (!known.handsOver) return known.revision;
    for await (const [life] of livesOf(this.core, await quad(), number)) return this.revision(life!.added);
    return known.revision;
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
    return this.#tryGet(number) ?? this.#keep(await this.core.resolve(number));
  }

  #keep(record: Record): Known {
    const found = { revision: this.describe(record), handsOver: mayHandOver(record) };
    if (this.#known.size >= KEPT_REVISIONS) this.#known.clear();
    this.#known.set(record.number, found);
    return found;
  }
}

/** A large change counts a quad whose interval it takes over on neither side, so it has more rows than it has added. */
function mayHandOver({ payload, added, addedCount }: Record): boolean {
  if (payload === undefined) return false;
  let rows = added.length;
  for (const run of payload.added) rows += run.rows;
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
  for await (const events of core.history.events(pattern, { to }, signal)) {
    const over: Life[] = [];
    for (const { op, quad, number } of events) {
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
