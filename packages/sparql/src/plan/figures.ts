/** How many quads match the patterns of a plan. What is in memory is counted without a promise: new texts of a known shape ask each time. */
import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, isInline } from '@quadrille/model';
import type { Pauses } from '../algebra/rewrite.js';
import { isPlaceholder } from '../algebra/template.js';
import { MISS, type IdDataset, type IdPattern } from '../dataset/id-dataset.js';
import type { Constants } from './constants.js';
import { type IdRange, idRanges } from './id-ranges.js';
import type { PatternGraph, PatternTerm, PlanPattern, ScanRange } from './plan.js';

/** What is known of the quads that match a pattern. */
export interface PatternFigures {
  readonly rows: number;
  /** About how many terms a variable takes. */
  readonly distinct: ReadonlyMap<string, number>;
  /** Of a pattern in named graphs: quads that match in all graphs, and the quads of one graph; of any graph also those of all of them. */
  readonly named?: { readonly everywhere: number; readonly graph: number; readonly all?: number };
  /** Only those that pass the comparisons of filters were counted. */
  readonly isCounted?: true;
}

/** How many quads a pattern with parameters matched when it was planned, in a range of objects where filters give one. */
export interface Estimate {
  readonly pattern: PlanPattern;
  readonly range: ScanRange | undefined;
  readonly figures: PatternFigures;
}

type IdTriple = Omit<IdPattern, 'g'>;
type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once where it is there. */
const then = <T, R>(value: Soon<T>, use: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(use) : use(value);

/** Counts from the dataset, for the values that the parameters have now. */
export class Figures {
  /** Of the patterns whose count depends on parameters. */
  readonly estimates: Estimate[] = [];
  /** How many graphs there are, and the quads of the named ones. */
  #graphs: Soon<{ readonly count: number; readonly quads: number }> | undefined;
  /** The ids of constants that were looked up. */
  readonly #ids: number[] = [];

  constructor(
    private readonly dataset: IdDataset,
    private readonly constants: Constants,
    private readonly resolve: (term: RDF.Term) => RDF.Term,
    /** Asked after each fetch. */
    private readonly control?: Pauses | undefined,
  ) {}

  /** The figures of a pattern of a plan in preparation. They are noted if parameters decide them. */
  of(pattern: PlanPattern, range?: ScanRange): Soon<PatternFigures> {
    return then(this.now(pattern, range), (figures) => this.#noted(pattern, range, figures));
  }

  /** The figures of a pattern. */
  now(pattern: PlanPattern, range?: ScanRange): Soon<PatternFigures> {
    const all = this.#of(pattern);
    return range === undefined ? all : then(all, (known) => this.#within(pattern, range, known));
  }

  /** Brings in what the figures of patterns need, all at once where each would take a round trip. */
  async bring(patterns: readonly PlanPattern[]): Promise<void> {
    if (this.dataset.fetchIds === undefined || patterns.length < 2) return;
    await Promise.all(patterns.slice(0, MOST_AT_ONCE).map((pattern) => this.#of(pattern)));
  }

  #noted(pattern: PlanPattern, range: ScanRange | undefined, figures: PatternFigures): PatternFigures {
    const { s, p, o, g } = pattern;
    const isVaried = range?.comparisons.some(({ value }) => isPlaceholder(value.value)) === true;
    if (isVaried || this.#isParameter(s) || this.#isParameter(p) || this.#isParameter(o) || this.#isParameter(g)) {
      this.estimates.push({ pattern, range, figures });
    }
    return figures;
  }

  /** Of the quads whose objects are in a range, where the index tells how many there are in all graphs. */
  #within(pattern: PlanPattern, range: ScanRange, all: PatternFigures): Soon<PatternFigures> {
    if (this.dataset.estimateObjects === undefined || all.rows < LEAST_RANGED) return all;
    return then(this.#triple(pattern), (ids) => {
      if (ids === undefined) return all;
      const ranges = idRanges(range, this.resolve);
      return then(this.dataset.estimate({ s: 0, p: ids.p, o: 0, g: 0 }), (everywhere) =>
        then(this.#quadsIn(ids.p, ranges), ({ inside, unknown }) => {
          // Terms whose ids do not contain their values may pass or not.
          if (unknown > everywhere * MOST_UNKNOWN) return all;
          const share = Math.min(1, (inside + unknown) / Math.max(1, everywhere));
          return { ...figuresOfPart(all, share), isCounted: true };
        }),
      );
    });
  }

  /** About how many quads of the predicate of a pattern have objects in some ranges, in all graphs. */
  inRanges(pattern: PlanPattern, ranges: readonly IdRange[]): Soon<number> {
    if (this.dataset.estimateObjects === undefined) return 0;
    return then(this.#triple(pattern), (ids) =>
      ids === undefined ? 0 : then(this.#quadsIn(ids.p, ranges), ({ inside, unknown }) => inside + unknown),
    );
  }

  /** The quads of a predicate whose objects are in some ranges: those that certainly are, and those that may be. */
  #quadsIn(predicate: number, ranges: readonly IdRange[], from = 0): Soon<{ inside: number; unknown: number }> {
    const range = ranges[from];
    if (range === undefined) return { inside: 0, unknown: 0 };
    const { least = 0, greatest = 0xffff_ffff } = range;
    return then(this.dataset.estimateObjects!(predicate, least, greatest), (quads) =>
      then(this.#quadsIn(predicate, ranges, from + 1), ({ inside, unknown }) =>
        isInline(least) ? { inside: inside + quads, unknown } : { inside, unknown: unknown + quads },
      ),
    );
  }

  /** The pattern by ids; `undefined` where a term of it is nowhere. */
  ids(pattern: PlanPattern): Soon<IdPattern | undefined> {
    const { g } = pattern;
    return then(this.#triple(pattern), (triple) =>
      triple === undefined
        ? undefined
        : then(g.kind === 'named' ? this.#idOf(g.constant) : 0, (graph) =>
            graph === MISSING ? undefined : { ...triple, g: graph },
          ),
    );
  }

  #isParameter(position: PatternTerm | PatternGraph): boolean {
    if (position.kind !== 'constant' && position.kind !== 'named') return false;
    const { term } = this.constants.all[position.constant]!;
    return (term.termType === 'NamedNode' || term.termType === 'Literal') && isPlaceholder(term.value);
  }

  #of(pattern: PlanPattern): Soon<PatternFigures> {
    return then(this.#triple(pattern), (ids) => {
      switch (pattern.g.kind) {
        case 'named':
          return this.#ofNamed(pattern, pattern.g.constant, ids);
        default: {
          const few = fewGraphs(pattern.g);
          if (few !== undefined) return this.#ofFew(pattern, few, ids);
          return pattern.g.kind === 'merged' ? this.#ofMerged(pattern, ids) : this.#ofGraphs(pattern, ids);
        }
      }
    });
  }

  #ofMerged(pattern: PlanPattern, triple: IdTriple | undefined): Soon<PatternFigures> {
    if (triple === undefined) return NOTHING;
    return then(this.dataset.estimate({ ...triple, g: 0 }), (rows) => ({
      rows,
      distinct: this.#distinct(pattern, rows, triple.p, 1),
    }));
  }

  #ofGraphs(pattern: PlanPattern, triple: IdTriple | undefined): Soon<PatternFigures> {
    if (triple === undefined) return NOTHING;
    return then(this.dataset.estimate({ ...triple, g: 0 }), (everywhere) =>
      then((this.#graphs ??= this.#countGraphs()), ({ count, quads }) => {
        const rows = pattern.g.kind === 'each' ? everywhere : Math.min(everywhere, Math.max(1, everywhere / count));
        const named = { everywhere, graph: this.dataset.size / count, all: quads };
        return { rows, distinct: this.#distinct(pattern, rows, triple.p, count), named };
      }),
    );
  }

  /** Of graphs that the request lists: each is counted. */
  #ofFew(pattern: PlanPattern, graphs: readonly number[], triple: IdTriple | undefined): Soon<PatternFigures> {
    const add = (from: number, rows: number, graph: number): Soon<PatternFigures> => {
      const constant = graphs[from];
      if (constant === undefined) {
        return then(triple === undefined ? 0 : this.dataset.estimate({ ...triple, g: 0 }), (everywhere) => {
          const named = { everywhere, graph };
          if (triple === undefined) return { ...NOTHING, named };
          return { rows, distinct: this.#distinct(pattern, rows, triple.p, graphs.length), named };
        });
      }
      return then(this.#ofNamed(pattern, constant, triple), (one) =>
        add(from + 1, rows + one.rows, graph + one.named!.graph),
      );
    };
    return add(0, 0, 0);
  }

  #ofNamed(pattern: PlanPattern, constant: number, ids: IdTriple | undefined): Soon<PatternFigures> {
    const { dataset } = this;
    return then(this.#idOf(constant), (g) =>
      then(ids === undefined ? 0 : dataset.estimate({ ...ids, g: 0 }), (everywhere) =>
        then(g === MISSING ? 0 : dataset.estimate({ s: 0, p: 0, o: 0, g }), (graph) => {
          const named = { everywhere, graph };
          if (ids === undefined || g === MISSING) return { ...NOTHING, named };
          return then(dataset.estimate({ ...ids, g }), (rows) => ({
            rows,
            distinct: this.#distinct(pattern, rows, ids.p, 1),
            named,
          }));
        }),
      ),
    );
  }

  #countGraphs(): Soon<{ readonly count: number; readonly quads: number }> {
    const { size } = this.dataset;
    if (!this.dataset.hasNamedGraphs) return { count: 1, quads: 0 };
    return this.dataset.statistics().then(({ graphs }) => ({
      count: Math.max(1, graphs.size),
      quads: size - (graphs.get(DEFAULT_GRAPH) ?? 0),
    }));
  }

  /** The terms before the graph; `undefined` where the dataset lacks one of them. */
  #triple(pattern: PlanPattern): Soon<IdTriple | undefined> {
    // What was waited for is known when it is asked for again.
    const again = (): Soon<IdTriple | undefined> => this.#triple(pattern);
    const s = this.#id(pattern.s);
    if (s instanceof Promise) return s.then(again);
    const p = this.#id(pattern.p);
    if (p instanceof Promise) return p.then(again);
    const o = this.#id(pattern.o);
    if (o instanceof Promise) return o.then(again);
    return s === MISSING || p === MISSING || o === MISSING ? undefined : { s, p, o };
  }

  #id(term: PatternTerm): Soon<number> {
    return term.kind === 'variable' ? 0 : this.#idOf(term.constant);
  }

  #idOf(constant: number): Soon<number> {
    const known = this.#ids[constant];
    if (known !== undefined) return known;
    const id = this.dataset.find(this.resolve(this.constants.all[constant]!.term));
    return id === MISS ? this.#fetchId(constant) : (this.#ids[constant] = id || MISSING);
  }

  async #fetchId(constant: number): Promise<number> {
    await this.dataset.fetchTerm();
    await this.control?.checkpoint();
    return this.#idOf(constant);
  }

  #distinct({ s, p, o, g }: PlanPattern, rows: number, predicate: number, graphs: number): Map<string, number> {
    const distinct = new Map<string, number>();
    const set = (term: PatternTerm, count: number): void => {
      if (term.kind === 'variable') distinct.set(term.name, Math.max(1, Math.min(count, rows)));
    };
    const free = [s, o].filter((term) => term.kind === 'variable').length;
    if (predicate > 0 && free === 2) {
      set(s, this.dataset.distinct(predicate, 'subject') || rows / 2);
      set(o, this.dataset.distinct(predicate, 'object') || rows / 2);
    } else {
      set(s, p.kind === 'variable' ? rows / 5 : rows);
      set(o, p.kind === 'variable' ? rows / 2 : rows);
    }
    set(p, 50);
    if (g.kind === 'each') distinct.set(g.name, Math.max(1, Math.min(rows, graphs)));
    return distinct;
  }
}

/** The graphs of a pattern, where the request lists a few of them. */
export function fewGraphs(graph: PatternGraph): readonly number[] | undefined {
  const listed =
    graph.kind === 'each'
      ? graph.among
      : graph.kind === 'merged' && graph.sources.length > 1
        ? graph.sources.map((source) => (typeof source === 'string' ? undefined : source.constant))
        : undefined;
  if (listed === undefined || listed.length > MOST_COUNTED) return undefined;
  const constants = listed.filter((constant) => constant !== undefined);
  return constants.length === listed.length ? [...new Set(constants)] : undefined;
}

/** Of more graphs not each is counted. */
const MOST_COUNTED = 16;

/** Patterns whose figures are brought in together. */
const MOST_AT_ONCE = 64;
const MISSING = -2;
const NOTHING: PatternFigures = { rows: 0, distinct: new Map() };

/** Of so few quads it hardly matters how many are in a range. */
const LEAST_RANGED = 64;
const MOST_UNKNOWN = 0.1;

/** What is known of a share of the quads of a pattern. */
export function figuresOfPart(figures: PatternFigures, share: number): PatternFigures {
  const { rows, distinct, named } = figures;
  const some = rows * share;
  const values = new Map([...distinct].map(([name, count]) => [name, Math.max(1, Math.min(count, some))]));
  return {
    ...figures,
    rows: some,
    distinct: values,
    ...(named && { named: { ...named, everywhere: named.everywhere * share } }),
  };
}
