/** A state of a repository, as the data graph of a validation: all graphs but that of the shapes, as one. */
import { Pacer } from '@quadrille/core';
import type { Candidate, Snapshot } from '@quadrille/core';
import { EvaluationError, isLocal } from '@quadrille/model';
import type { Edges, NodeCursor, NodeLists, ShapesData, ShapesQuery, Solution, Steps } from '@quadrille/shacl';
import type * as RDF from '@rdfjs/types';
import { checkSignal } from '../options/check-options.js';
import { type EdgeSource, readEdges } from './read-edges.js';
import { eachOnce, keyOf, placesOfRows, type Rows } from './rows.js';
import type { ShapesQueries } from './shapes-queries.js';

type Reads = Candidate | Snapshot;
type Seeker = ReturnType<Reads['seeker']>;

const MISS = -1;
const NONE: readonly number[] = [];
/** Nodes that a cursor gives at once. */
const NODES_AT_ONCE = 4000;
/** Windows up to this size take no time worth a look at the clock. */
const FEW_ROWS = 64;
/** Nodes of a list: 32 MB. */
const MOST_NODES = 4_000_000;
/** Nodes that a cursor remembers, so that each comes once. Beyond that some may come again. */
const MOST_SEEN = 1_000_000;

export class StoredData implements ShapesData {
  readonly #pacer: Pacer;
  readonly #opened: Seeker[] = [];
  readonly #ofSubject = this.#open({ s: true, p: true, o: false, g: false });
  readonly #ofObject = this.#open({ s: false, p: true, o: true, g: false });
  readonly #ofTriple = this.#open({ s: true, p: true, o: true, g: false });
  readonly #leaving = this.#open({ s: true, p: false, o: false, g: false });

  constructor(
    private readonly reads: Reads,
    /** The graph of the shapes, which is no part of the data; 0 if it is none of these. */
    private readonly shapesGraph: number,
    /** Asks the queries of the shapes. */
    private readonly queries: ShapesQueries,
    private readonly signal?: AbortSignal,
  ) {
    this.#pacer = new Pacer(reads.timeline.env);
  }

  // Opened when it is first used: most validations need two of them.
  #open(bound: Parameters<Reads['seeker']>[0]): () => Seeker {
    let seeker: Seeker | undefined;
    return () => {
      if (seeker === undefined) this.#opened.push((seeker = this.reads.seeker(bound)));
      return seeker;
    };
  }

  close(): void {
    for (const seeker of this.#opened) seeker.close();
  }

  pause(): Promise<void> | undefined {
    if (!this.#pacer.due()) return undefined;
    checkSignal(this.signal);
    return this.#pacer.pause();
  }

  *find(term: RDF.Term): Steps<number> {
    const { encoder, dictionary } = this.reads.timeline;
    for (;;) {
      const id = encoder.tryEncode(term);
      if (id !== MISS) return id === 0 ? this.queries.ownId(term) : id;
      yield dictionary.fetchMissing();
    }
  }

  *triple(subject: number, predicate: number, object: number): Steps<number> {
    const { encoder, dictionary } = this.reads.timeline;
    for (;;) {
      const id = encoder.tryEncodeTriple(subject, predicate, object);
      if (id !== MISS) return id;
      yield dictionary.fetchMissing();
    }
  }

  tryTerm(node: number): RDF.Term | undefined {
    return this.queries.ownTerm(node) ?? this.reads.timeline.decoder.tryDecode(node);
  }

  tryType(node: number): RDF.Term['termType'] | undefined {
    return this.queries.ownTerm(node)?.termType ?? this.reads.timeline.decoder.tryType(node);
  }

  *term(node: number): Steps<RDF.Term> {
    const term = this.tryTerm(node);
    if (term !== undefined) return term;
    const { decoder } = this.reads.timeline;
    let read: RDF.Term | undefined;
    yield decoder.decode(node).then((found) => void (read = found));
    return read!;
  }

  *lists(nodes: readonly number[], predicates: readonly number[], back: boolean): Steps<readonly NodeLists[]> {
    const source: EdgeSource = {
      reads: this.reads,
      apart: this.shapesGraph,
      pause: () => this.pause(),
      seek: (node, predicate) => (back ? this.subjects(predicate, node) : this.objects(node, predicate)),
    };
    return yield* readEdges(source, { nodes, predicates, back });
  }

  *objects(subject: number, predicate: number): Steps<readonly number[]> {
    const seeker = this.#ofSubject();
    seeker.seek(subject, predicate, 0, 0);
    return yield* this.#column(seeker, 'o');
  }

  *subjects(predicate: number, object: number): Steps<readonly number[]> {
    const seeker = this.#ofObject();
    seeker.seek(0, predicate, object, 0);
    return yield* this.#column(seeker, 's');
  }

  *#column(seeker: Seeker, column: 's' | 'o'): Steps<readonly number[]> {
    let found: number[] | undefined;
    let last = 0;
    for (let rows = yield* this.#next(seeker); rows > 0; rows = yield* this.#next(seeker)) {
      const { start, end, g, [column]: nodes } = seeker;
      for (let i = start; i < end; i++) {
        // Rows are sorted: the same triple of several graphs stands together.
        if (g[i] === this.shapesGraph || nodes[i] === last) continue;
        last = nodes[i]!;
        if (found === undefined) found = [last];
        else found.push(last);
      }
      if (found !== undefined) checkLength(found.length);
    }
    return found ?? NONE;
  }

  *#next(seeker: Seeker): Steps<number> {
    for (;;) {
      const rows = seeker.next();
      if (rows === MISS) {
        yield seeker.fetch();
        continue;
      }
      // The window stays as it is until the next step.
      const pause = rows > FEW_ROWS ? this.pause() : undefined;
      if (pause !== undefined) yield pause;
      return rows;
    }
  }

  *has(subject: number, predicate: number, object: number): Steps<boolean> {
    const seeker = subject === 0 ? this.#ofObject() : object === 0 ? this.#ofSubject() : this.#ofTriple();
    seeker.seek(subject, predicate, object, 0);
    for (let rows = yield* this.#next(seeker); rows > 0; rows = yield* this.#next(seeker))
      for (let i = seeker.start; i < seeker.end; i++) if (seeker.g[i] !== this.shapesGraph) return true;
    return false;
  }

  *edges(subject: number): Steps<Edges> {
    const seeker = this.#leaving();
    const predicates: number[] = [];
    const objects: number[] = [];
    seeker.seek(subject, 0, 0, 0);
    for (let rows = yield* this.#next(seeker); rows > 0; rows = yield* this.#next(seeker)) {
      const { start, end, p, o, g } = seeker;
      for (let i = start; i < end; i++) {
        if (g[i] === this.shapesGraph || (p[i] === predicates.at(-1) && o[i] === objects.at(-1))) continue;
        predicates.push(p[i]!);
        objects.push(o[i]!);
      }
      checkLength(predicates.length);
    }
    return { predicates, objects };
  }

  *solutions(query: ShapesQuery, names: readonly string[], rows: Rows): Steps<readonly Solution[]> {
    // Several nodes may lead to the same one, which is asked for once.
    const nodes = eachOnce(rows);
    const takesIds = query.query.takesIds(nodes.length) && !nodes.some((row) => row.some(isLocal));
    const terms = takesIds ? undefined : yield* this.#termsOf(nodes);
    // Most queries have no solution, and then nobody asks for the row of one.
    let places: ReadonlyMap<string | number, readonly number[]> | undefined;
    const placesOf = (row: readonly number[]): readonly number[] =>
      (places ??= placesOfRows(rows)).get(keyOf(row)) ?? NONE;
    let found: readonly Solution[] | undefined;
    yield this.queries
      .solutions(query, names, { nodes, terms, placesOf })
      .then((solutions) => void (found = solutions));
    return found!;
  }

  *#termsOf(rows: Rows): Steps<readonly (readonly RDF.Term[])[]> {
    const found: RDF.Term[][] = [];
    for (const row of rows) {
      const terms: RDF.Term[] = [];
      for (const node of row) terms.push(this.tryTerm(node) ?? (yield* this.term(node)));
      found.push(terms);
    }
    return found;
  }

  openSolutions(query: ShapesQuery, name: string): NodeCursor {
    const nodes = this.queries.nodes(query, name);
    let batch: readonly number[] = [];
    let at = 0;
    return {
      *next(): Steps<readonly number[]> {
        while (at >= batch.length) {
          let step: IteratorResult<readonly number[]> | undefined;
          yield nodes.next().then((read) => void (step = read));
          if (step!.done === true) return NONE;
          [batch, at] = [step!.value, 0];
        }
        return batch.slice(at, (at += NODES_AT_ONCE));
      },
      close: () => void nodes.return(undefined),
    };
  }

  openSubjects(predicate: number, object: number): NodeCursor {
    return this.#cursor({ s: 0, p: predicate, o: object, g: 0 }, 's', object === 0);
  }

  openObjects(predicate: number): NodeCursor {
    return this.#cursor({ s: 0, p: predicate, o: 0, g: 0 }, 'o', false);
  }

  /** `mixed`: equal nodes do not stand together. */
  #cursor(pattern: Parameters<Reads['scanQuads']>[0], column: 's' | 'o', mixed: boolean): NodeCursor {
    const scan = this.reads.scanQuads(pattern);
    const { shapesGraph } = this;
    const seen = mixed ? new Set<number>() : undefined;
    let at = 0;
    let end = 0;
    let last = 0;
    return {
      *next(): Steps<readonly number[]> {
        const nodes: number[] = [];
        for (;;) {
          for (; at < end && nodes.length < NODES_AT_ONCE; at++) {
            const node = scan[column][at]!;
            if (scan.g[at] === shapesGraph || node === last || seen?.has(node) === true) continue;
            last = node;
            if (seen !== undefined && seen.size < MOST_SEEN) seen.add(node);
            nodes.push(node);
          }
          if (nodes.length === NODES_AT_ONCE) return nodes;
          const rows = scan.next();
          if (rows === MISS) yield scan.fetch();
          else if (rows === 0) return nodes;
          else [at, end] = [scan.start, scan.end];
        }
      },
      close: () => scan.close(),
    };
  }
}

function checkLength(length: number): void {
  if (length <= MOST_NODES) return;
  const most = String(MOST_NODES);
  throw new EvaluationError('QUERY_MEMORY', `validation: a node has more than ${most} values of one predicate`);
}
