/** Triple patterns for the planner: their positions, how many quads match them, and in which orders those can be read. */
import type * as RDF from '@rdfjs/types';
import { isInline } from '@quadrille/model';
import { termVariables, type Pattern } from '../algebra/algebra.js';
import { isPlaceholder } from '../algebra/template.js';
import { MISS, type IdDataset, type IdOrder, type IdPattern } from '../dataset/id-dataset.js';
import type { Constants } from './constants.js';
import { idRanges } from './id-ranges.js';
import type { PatternGraph, PatternTerm, PlanPattern, ScanRange } from './plan.js';

/** A triple term with variables: the variable that stands for it in its pattern, and its components. */
export interface TripleMatch {
  readonly term: string;
  readonly s: PatternTerm;
  readonly p: PatternTerm;
  readonly o: PatternTerm;
}

/** Turns the terms of patterns into positions of a plan. Triple terms with variables are taken apart. */
export class PatternMaker {
  readonly matches: TripleMatch[] = [];

  constructor(
    private readonly constants: Constants,
    private readonly newName: () => string,
  ) {}

  pattern({ subject, predicate, object }: Pattern, graph: PatternGraph): PlanPattern {
    return { s: this.term(subject), p: this.term(predicate), o: this.term(object), g: graph };
  }

  /** The end of a path, which matches itself at length zero also where the data do not have it. */
  end(term: RDF.Term): PatternTerm {
    return term.termType === 'Variable' || termVariables(term).length > 0
      ? this.term(term)
      : { kind: 'constant', constant: this.constants.add(term, true) };
  }

  term(term: RDF.Term): PatternTerm {
    if (term.termType === 'Variable') return { kind: 'variable', name: term.value };
    if (term.termType !== 'Quad' || termVariables(term).length === 0) {
      return { kind: 'constant', constant: this.constants.add(term) };
    }
    const name = this.newName();
    const { subject, predicate, object } = term;
    this.matches.push({ term: name, s: this.term(subject), p: this.term(predicate), o: this.term(object) });
    return { kind: 'variable', name };
  }
}

/** The variables of a pattern, each once. */
export function variablesOf(pattern: PlanPattern): string[] {
  const names = [pattern.s, pattern.p, pattern.o].flatMap((term) => (term.kind === 'variable' ? [term.name] : []));
  if (pattern.g.kind === 'each') names.push(pattern.g.name);
  return [...new Set(names)];
}

type Position = 's' | 'p' | 'o' | 'g';
const ORDERS: readonly IdOrder[] = ['spog', 'posg', 'ospg', 'gspo'];

/** One order in which a pattern can be read. */
export interface ReadOrder {
  readonly order: IdOrder;
  /** The variables that the rows ascend by. */
  readonly sorted: readonly string[];
}

/** The orders in which most constants of a pattern come first; `byGraph`: that of its graph. */
export function readOrders(pattern: PlanPattern, byGraph = false): ReadOrder[] {
  if (byGraph) return [{ order: 'gspo', sorted: sortedBy(pattern, 'gspo') }];
  const { s, p, o, g } = pattern;
  const isInGraph = g.kind === 'named' || g.kind === 'current';
  const bound = [s, p, o].map(({ kind }) => kind === 'constant');
  const best = bestOrders({ s: bound[0]!, p: bound[1]!, o: bound[2]!, g: isInGraph }, isInGraph || g.kind === 'each');
  return best.map((order) => ({ order, sorted: sortedBy(pattern, order) }));
}

type Bound = Readonly<Record<Position, boolean>>;

/** By what is bound: there are few cases, and a query has many patterns. */
const knownOrders: (readonly IdOrder[])[] = [];

function bestOrders(bound: Bound, inNamed: boolean): readonly IdOrder[] {
  const flags = [bound.s, bound.p, bound.o, bound.g, inNamed];
  return (knownOrders[flags.reduce((bits, flag) => bits * 2 + (flag ? 1 : 0), 0)] ??= findOrders(bound, inNamed));
}

function findOrders(bound: Bound, inNamed: boolean): IdOrder[] {
  const orders = ORDERS.filter((order) => order !== 'gspo' || inNamed);
  const longest = Math.max(...orders.map((order) => prefixOf(order, bound)));
  return orders.filter((order) => prefixOf(order, bound) === longest);
}

function prefixOf(order: IdOrder, bound: Bound): number {
  const places = [...order] as Position[];
  const end = places.findIndex((place) => !bound[place]);
  return end === -1 ? places.length : end;
}

function sortedBy(pattern: PlanPattern, order: IdOrder): string[] {
  const names: string[] = [];
  for (let place = 0; place < order.length; place++) {
    const name = variableAt(pattern, order[place] as Position);
    // The graph of a pattern without a variable for it is one, or comes last.
    if (name !== undefined && !names.includes(name)) names.push(name);
  }
  return names;
}

function variableAt(pattern: PlanPattern, position: Position): string | undefined {
  if (position === 'g') return pattern.g.kind === 'each' ? pattern.g.name : undefined;
  const term = pattern[position];
  return term.kind === 'variable' ? term.name : undefined;
}

/** What is known of the quads that match a pattern. */
export interface PatternFigures {
  readonly rows: number;
  /** About how many terms a variable takes. */
  readonly distinct: ReadonlyMap<string, number>;
  /** Of a pattern in named graphs: quads that match in all graphs, and the quads of one graph. */
  readonly named?: { readonly everywhere: number; readonly graph: number };
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

/** Counts from the dataset, for the values that the parameters have now. */
export class Figures {
  /** Of the patterns whose count depends on parameters. */
  readonly estimates: Estimate[] = [];
  /** How many graphs there are. */
  #graphs: Promise<number> | undefined;

  constructor(
    private readonly dataset: IdDataset,
    private readonly constants: Constants,
    private readonly resolve: (term: RDF.Term) => RDF.Term,
  ) {}

  /** Needs no promise where all that it looks at is in memory. */
  of(pattern: PlanPattern, range?: ScanRange): PatternFigures | Promise<PatternFigures> {
    const all = this.#of(pattern);
    const figures =
      range === undefined
        ? all
        : all instanceof Promise
          ? all.then((known) => this.#within(pattern, range, known))
          : this.#within(pattern, range, all);
    return figures instanceof Promise
      ? figures.then((found) => this.#noted(pattern, range, found))
      : this.#noted(pattern, range, figures);
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
  async #within(pattern: PlanPattern, range: ScanRange, all: PatternFigures): Promise<PatternFigures> {
    const { dataset } = this;
    const ids = await this.#triple(pattern);
    if (dataset.estimateObjects === undefined || ids === undefined || all.rows < LEAST_RANGED) return all;
    const everywhere = await dataset.estimate({ s: 0, p: ids.p, o: 0, g: 0 });
    let inside = 0;
    let unknown = 0;
    for (const { least = 0, greatest = 0xffff_ffff } of idRanges(range, this.resolve)) {
      const quads = await dataset.estimateObjects(ids.p, least, greatest);
      if (isInline(least)) inside += quads;
      else unknown += quads;
    }
    // Terms whose ids do not contain their values may pass or not.
    if (unknown > everywhere * MOST_UNKNOWN) return all;
    return { ...figuresOfPart(all, Math.min(1, (inside + unknown) / Math.max(1, everywhere))), isCounted: true };
  }

  /** The pattern by ids; `undefined` where a term of it is nowhere. */
  async ids(pattern: PlanPattern): Promise<IdPattern | undefined> {
    const triple = await this.#triple(pattern);
    const g = pattern.g.kind === 'named' ? await this.#idOf(pattern.g.constant) : 0;
    return triple === undefined || g === MISSING ? undefined : { ...triple, g };
  }

  #isParameter(position: PatternTerm | PatternGraph): boolean {
    if (position.kind !== 'constant' && position.kind !== 'named') return false;
    const { term } = this.constants.all[position.constant]!;
    return (term.termType === 'NamedNode' || term.termType === 'Literal') && isPlaceholder(term.value);
  }

  #of(pattern: PlanPattern): PatternFigures | Promise<PatternFigures> {
    if (pattern.g.kind !== 'merged') return this.#ofGraphs(pattern);
    const triple = this.#triple(pattern);
    if (triple instanceof Promise) return triple.then((ids) => this.#ofMerged(pattern, ids));
    return this.#ofMerged(pattern, triple);
  }

  #ofMerged(pattern: PlanPattern, triple: IdTriple | undefined): PatternFigures | Promise<PatternFigures> {
    if (triple === undefined) return { rows: 0, distinct: new Map() };
    const figures = (rows: number): PatternFigures => ({
      rows,
      distinct: this.#distinct(pattern, rows, triple.p, 1),
    });
    const rows = this.dataset.estimate({ ...triple, g: 0 });
    return rows instanceof Promise ? rows.then(figures) : figures(rows);
  }

  async #ofGraphs(pattern: PlanPattern): Promise<PatternFigures> {
    const { g } = pattern;
    const triple = await this.#triple(pattern);
    if (g.kind === 'named') return this.#ofNamed(pattern, g.constant, triple);
    if (triple === undefined) return { rows: 0, distinct: new Map() };
    const { p } = triple;
    const everywhere = await this.dataset.estimate({ ...triple, g: 0 });
    const graphs = await (this.#graphs ??= this.#countGraphs());
    const rows = g.kind === 'each' ? everywhere : Math.min(everywhere, Math.max(1, everywhere / graphs));
    const named = { everywhere, graph: this.dataset.size / graphs };
    return { rows, distinct: this.#distinct(pattern, rows, p, graphs), named };
  }

  /** The terms before the graph; `undefined` where the dataset lacks one of them. */
  #triple(pattern: PlanPattern): IdTriple | undefined | Promise<IdTriple | undefined> {
    const s = this.#idNow(pattern.s);
    const p = s === MISS ? MISS : this.#idNow(pattern.p);
    const o = p === MISS ? MISS : this.#idNow(pattern.o);
    return o === MISS ? this.#tripleLater(pattern) : tripleOf(s, p, o);
  }

  async #tripleLater(pattern: PlanPattern): Promise<IdTriple | undefined> {
    return tripleOf(await this.#id(pattern.s), await this.#id(pattern.p), await this.#id(pattern.o));
  }

  /** As {@link #id}; {@link MISS} where the term has to be fetched. */
  #idNow(term: PatternTerm): number {
    if (term.kind === 'variable') return 0;
    return this.dataset.find(this.resolve(this.constants.all[term.constant]!.term)) || MISSING;
  }

  async #ofNamed(pattern: PlanPattern, constant: number, ids: IdTriple | undefined): Promise<PatternFigures> {
    const g = await this.#idOf(constant);
    const everywhere = ids === undefined ? 0 : await this.dataset.estimate({ ...ids, g: 0 });
    const graph = g === MISSING ? 0 : await this.dataset.estimate({ s: 0, p: 0, o: 0, g });
    const named = { everywhere, graph };
    if (ids === undefined || g === MISSING) return { rows: 0, distinct: new Map(), named };
    const rows = await this.dataset.estimate({ ...ids, g });
    return { rows, distinct: this.#distinct(pattern, rows, ids.p, 1), named };
  }

  async #countGraphs(): Promise<number> {
    return this.dataset.hasNamedGraphs ? Math.max(1, (await this.dataset.statistics()).graphs.size) : 1;
  }

  async #id(term: PatternTerm): Promise<number> {
    return term.kind === 'variable' ? 0 : this.#idOf(term.constant);
  }

  async #idOf(constant: number): Promise<number> {
    const term = this.resolve(this.constants.all[constant]!.term);
    let id = this.dataset.find(term);
    for (; id === MISS; id = this.dataset.find(term)) await this.dataset.fetchTerm();
    return id === 0 ? MISSING : id;
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

const MISSING = -2;

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

const tripleOf = (s: number, p: number, o: number): IdTriple | undefined =>
  s === MISSING || p === MISSING || o === MISSING ? undefined : { s, p, o };
