/**
 * The graph `urn:quadrille:blame` of a query, which is computed where it is read: a blank node for each quad, which reifies its triple,
 * with the graph of the quad and the revision that added it. The label of the node has the ids of the quad.
 */
import type { Repository as CoreRepository, Snapshot, toRevision } from '@quadrille/core';
import { blankNode, EvaluationError, iri, quad as makeQuad, yieldTurn } from '@quadrille/model';
import type {
  Ends,
  BoundPositions,
  IdDataset,
  IdPattern,
  IdScan,
  IdSeeker,
  QueryableDataset,
  ScanOptions,
} from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import { QuadOrigins } from '../read/quad-origins.js';
import { columnsFor, ExtraRows, emptyScan } from './extra-rows.js';
import { idOf, LayeredIds } from './layered-ids.js';
import { OverlaidSeeker } from './overlaid-scan.js';

export const BLAME_GRAPH = 'urn:quadrille:blame';
const REIFIES = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies';
const GRAPH = 'urn:quadrille:graph';
const GENERATED_BY = 'http://www.w3.org/ns/prov#wasGeneratedBy';
const DEFAULT = 'urn:quadrille:default';
const REVISION = 'urn:quadrille:revision:';

/** Most nodes of a query and most rows of a lookup: they are held in memory, about 50 MB. */
const MAX_ROWS = 100_000;
/** Milliseconds of work between two turns of the event loop. */
const STEP_MS = 4;
const QUADS_AT_ONCE = 64;
const MISS: typeof import('@quadrille/sparql').MISS = -1;
const LABEL = /^blame-(\d+)-(\d+)-(\d+)-(\d+)$/;
const DEFAULT_GRAPH_ID: typeof import('@quadrille/model').DEFAULT_GRAPH = 1;

/** A quad by ids, and the number of the revision that its interval begins with. */
interface FoundQuad {
  readonly s: number;
  readonly p: number;
  readonly o: number;
  readonly g: number;
  readonly from: number;
}

/** A dataset with the blame of its quads as a further graph. */
export async function withBlameGraph(
  base: QueryableDataset,
  core: CoreRepository,
  snapshot: Snapshot,
  describe: typeof toRevision,
): Promise<QueryableDataset> {
  const terms = new Terms(base.ids);
  const names = {
    graph: await terms.idOf(iri(BLAME_GRAPH)),
    reifies: await terms.idOf(iri(REIFIES)),
    inGraph: await terms.idOf(iri(GRAPH)),
    generatedBy: await terms.idOf(iri(GENERATED_BY)),
    default: await terms.idOf(iri(DEFAULT)),
  };
  const rows = new BlameRows(terms, names, snapshot, QuadOrigins.of(core, snapshot, describe));
  return { ids: new BlameIds(base.ids, names, rows, snapshot) };
}

/** Ids of what the graph has in every row. */
interface Names {
  readonly graph: number;
  readonly reifies: number;
  readonly inGraph: number;
  readonly generatedBy: number;
  readonly default: number;
}

/** Terms and ids, waiting for what has to be fetched. */
class Terms {
  constructor(private readonly base: IdDataset) {}

  idOf(term: RDF.Term): Promise<number> {
    return idOf(this.base, term);
  }

  async of(id: number): Promise<RDF.Term> {
    for (;;) {
      const term = this.base.term(id);
      if (term !== undefined) return term;
      await this.base.fetchTerm();
    }
  }

  /** The members of a triple term; `null` for another term. */
  async triple(id: number): Promise<readonly [number, number, number] | null> {
    for (;;) {
      const triple = this.base.triple(id);
      if (triple !== undefined) return triple;
      await this.base.fetchTerm();
    }
  }
}

/** Computes the rows that match a pattern in the graph. */
class BlameRows {
  #nodes = 0;

  constructor(
    private readonly terms: Terms,
    private readonly names: Names,
    private readonly snapshot: Snapshot,
    private readonly origins: QuadOrigins,
  ) {}

  /** Computes in short steps: between two of them the query may end. Leaving it frees what it reads from. */
  async *matching(pattern: IdPattern): AsyncGenerator<void, ExtraRows> {
    const { s, p, o } = pattern;
    const found: (readonly [number, number, number])[] = [];
    let since = performance.now();
    let count = 0;
    for await (const quads of this.#quads(pattern)) {
      for (const quad of quads) {
        for (const predicate of [this.names.reifies, this.names.inGraph, this.names.generatedBy]) {
          if (p !== 0 && p !== predicate) continue;
          const value = o !== 0 && predicate === this.names.reifies ? o : await this.#valueOf(quad, predicate);
          if (o !== 0 && o !== value) continue;
          found.push([s === 0 ? await this.#nodeOf(quad) : s, predicate, value]);
        }
        if (found.length > MAX_ROWS) throw tooMany();
        if (++count % QUADS_AT_ONCE === 0 && performance.now() - since > STEP_MS) {
          await yieldTurn();
          yield;
          this.snapshot.check();
          since = performance.now();
        }
      }
    }
    const columns = columnsFor(found.length);
    for (const [row, [subject, predicate, object]] of found.entries()) {
      columns.s[row] = subject;
      columns.p[row] = predicate;
      columns.o[row] = object;
    }
    columns.g.fill(this.names.graph);
    return new ExtraRows(columns);
  }

  /** The quads whose nodes may match. */
  async *#quads({ s, p, o }: IdPattern): AsyncGenerator<FoundQuad[]> {
    if (s !== 0) {
      const label = LABEL.exec((await this.terms.of(s)).value);
      const ids = label?.slice(1).map(Number) as [number, number, number, number] | undefined;
      if (ids !== undefined) yield* this.#lookUp(...ids);
    } else if (o === 0) yield* this.#lookUp(0, 0, 0, 0);
    else {
      const triple = p === 0 || p === this.names.reifies ? await this.terms.triple(o) : null;
      if (triple !== null) yield* this.#lookUp(...triple, 0);
      // A triple term reifies only; an IRI may be a graph and a revision.
      else if (p === this.names.inGraph) yield* this.#lookUp(0, 0, 0, o === this.names.default ? DEFAULT_GRAPH_ID : o);
      else if (p !== this.names.reifies) yield* this.#lookUp(0, 0, 0, 0);
    }
  }

  async *#lookUp(s: number, p: number, o: number, g: number): AsyncGenerator<FoundQuad[]> {
    const seeker = this.snapshot.seeker({ s: s !== 0, p: p !== 0, o: o !== 0, g: g !== 0 }, true);
    try {
      seeker.seek(s, p, o, g);
      for (;;) {
        const rows = seeker.next();
        if (rows === 0) return;
        if (rows === MISS) await seeker.fetch();
        else yield foundIn(seeker);
        this.snapshot.check();
      }
    } finally {
      seeker.close();
    }
  }

  #nodeOf({ s, p, o, g }: FoundQuad): Promise<number> {
    if (++this.#nodes > MAX_ROWS) throw tooMany();
    return this.terms.idOf(blankNode(`blame-${String(s)}-${String(p)}-${String(o)}-${String(g)}`));
  }

  async #valueOf(quad: FoundQuad, predicate: number): Promise<number> {
    const { inGraph, generatedBy } = this.names;
    if (predicate === inGraph) return quad.g === DEFAULT_GRAPH_ID ? this.names.default : quad.g;
    if (predicate !== generatedBy) return this.terms.idOf(await this.#termsOf(quad, false));
    const asked = { quad: () => this.#termsOf(quad, true), ids: () => quad };
    const { revision } = await this.origins.origin(quad.from, asked);
    return this.terms.idOf(iri(`${REVISION}${revision.id}`));
  }

  async #termsOf({ s, p, o, g }: FoundQuad, withGraph: boolean): Promise<RDF.Quad> {
    const [subject, predicate, object] = [await this.terms.of(s), await this.terms.of(p), await this.terms.of(o)];
    const triple = [subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object] as const;
    return withGraph ? makeQuad(...triple, (await this.terms.of(g)) as RDF.Quad_Graph) : makeQuad(...triple);
  }
}

const tooMany = (): EvaluationError =>
  new EvaluationError(
    'QUERY_MEMORY',
    `the query reads more than ${String(MAX_ROWS)} nodes of ${BLAME_GRAPH}: bind more of its triple terms, or use blame()`,
  );

function foundIn({ s, p, o, g, from, start, end }: ReturnType<Snapshot['seeker']>): FoundQuad[] {
  const quads: FoundQuad[] = [];
  for (let i = start; i < end; i++) quads.push({ s: s[i]!, p: p[i]!, o: o[i]!, g: g[i]!, from: from[i]! });
  return quads;
}

class BlameIds extends LayeredIds {
  readonly hasNamedGraphs = true;
  readonly extraGraphs: ReadonlySet<number>;

  constructor(
    base: IdDataset,
    private readonly names: Names,
    private readonly rows: BlameRows,
    private readonly snapshot: Snapshot,
  ) {
    super(base);
    this.extraGraphs = new Set([...extraOf(base), names.graph]);
  }

  /** Triple terms and revisions need not be stored: they are computed. */
  override find(term: RDF.Term): number {
    const id = this.base.find(term);
    const isComputed = term.termType === 'Quad' || (term.termType === 'NamedNode' && term.value.startsWith(REVISION));
    return id === 0 && isComputed ? this.base.intern(term) : id;
  }

  scan(pattern: IdPattern, options?: ScanOptions): IdScan {
    if (pattern.g !== this.names.graph) return this.base.scan(pattern, options);
    return new ComputedScan(this.#computed(pattern, options));
  }

  async *#computed(pattern: IdPattern, options: ScanOptions | undefined): AsyncGenerator<void, IdScan> {
    const rows = yield* this.rows.matching(pattern);
    return rows.scan(pattern, options);
  }

  seeker(bound: BoundPositions): IdSeeker {
    const isBlame = (graph: number): boolean => graph === this.names.graph;
    return new OverlaidSeeker(
      isBlame,
      (pattern) => this.scan(pattern),
      () => this.base.seeker(bound),
    );
  }

  async count(pattern: IdPattern, ends?: Ends): Promise<number> {
    if (pattern.g !== this.names.graph) return this.base.count(pattern, ends);
    const work = this.rows.matching(pattern);
    for (;;) {
      const step = await work.next();
      ends?.throwIfAborted();
      if (step.done === true) return step.value.count(pattern);
    }
  }

  estimate(pattern: IdPattern): number | Promise<number> {
    const { s, p, o, g } = pattern;
    if (g !== this.names.graph) return this.base.estimate(pattern);
    if (s !== 0) return p === 0 ? 3 : 1;
    if (o !== 0) return p === this.names.reifies ? 1 : Math.max(1, this.size / 10);
    return Math.max(1, p === 0 ? this.size * 3 : this.size);
  }

  override distinct(predicate: number, position: 'subject' | 'object'): number {
    const { reifies, inGraph, generatedBy } = this.names;
    if (predicate === reifies) return this.size;
    if (predicate !== inGraph && predicate !== generatedBy) return this.base.distinct(predicate, position);
    return position === 'subject' ? this.size : Math.min(this.size, predicate === inGraph ? 10 : this.snapshot.number);
  }
}

const extraOf = ({ extraGraphs }: IdDataset): Iterable<number> => (extraGraphs as Iterable<number> | undefined) ?? [];

/** Rows that are computed when they are first asked for. A fetch is one step of that. */
class ComputedScan implements IdScan {
  #rows: IdScan = emptyScan();
  #isComputed = false;

  constructor(private readonly work: AsyncGenerator<void, IdScan>) {}

  get s(): Uint32Array {
    return this.#rows.s;
  }
  get p(): Uint32Array {
    return this.#rows.p;
  }
  get o(): Uint32Array {
    return this.#rows.o;
  }
  get g(): Uint32Array {
    return this.#rows.g;
  }
  get start(): number {
    return this.#rows.start;
  }
  get end(): number {
    return this.#rows.end;
  }

  next(): number {
    return this.#isComputed ? this.#rows.next() : MISS;
  }

  async fetch(): Promise<void> {
    const { done, value } = await this.work.next();
    if (done !== true) return;
    this.#rows = value;
    this.#isComputed = true;
  }

  close(): void {
    this.#rows.close();
    if (!this.#isComputed) this.work.return(this.#rows).catch(() => undefined);
  }
}
