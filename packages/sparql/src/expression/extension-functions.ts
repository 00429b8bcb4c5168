/** Functions that the embedder adds, and their calls in expressions. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError } from '@quadrille/model';
import type { Accumulator } from './aggregate.js';
import { ERROR, termOf, valueOf, type Value } from './values/value.js';

/**
 * A function over RDF/JS terms. `undefined`, an exception and a rejected promise are errors of the expression: a FILTER drops
 * the solution, and BIND leaves its variable unbound.
 * @since 0.1.0
 */
export type ExtensionFunction = (args: RDF.Term[]) => RDF.Term | undefined | Promise<RDF.Term | undefined>;

/**
 * A function with its properties.
 * @since 0.1.0
 */
export interface ExtensionDefinition {
  /** The function itself. */
  readonly call: ExtensionFunction;
  /**
   * Whether equal arguments always give equal results. Then a call whose arguments are constants is made once.
   * @defaultValue `true`
   */
  readonly deterministic?: boolean;
}

/**
 * Functions by their IRI. They cannot replace the functions of SPARQL and XPath.
 * @since 0.1.0
 */
export type ExtensionFunctions = Readonly<Record<string, ExtensionFunction | ExtensionDefinition>>;

/**
 * An aggregate that queries call by its IRI in SELECT, HAVING and ORDER BY: `SELECT (<http://example.org/median>(?x) AS ?m)`.
 * DISTINCT is applied before.
 * @since 0.1.0
 */
export interface ExtensionAggregate {
  /** Begins a group. */
  create(): {
    /** Called for each solution of the group; `undefined` where the expression has an error or is unbound. */
    add(term: RDF.Term | undefined): void;
    /** The value of the group; `undefined` for none. */
    result(): RDF.Term | undefined;
    /**
     * About how many bytes the state of the group takes. They count as memory of the query.
     * @defaultValue `0`
     */
    readonly bytes?: number;
  };
}

/**
 * Aggregates by their IRI.
 * @since 0.1.0
 */
export type ExtensionAggregates = Readonly<Record<string, ExtensionAggregate>>;

/** A function as an expression calls it. */
export interface Extension {
  readonly iri: string;
  readonly call: ExtensionFunction;
  readonly deterministic: boolean;
}

/** The function with this IRI. */
export function findExtension(iri: string, functions: ExtensionFunctions | undefined): Extension | undefined {
  if (functions === undefined || !Object.hasOwn(functions, iri)) return undefined;
  const found = functions[iri]!;
  return typeof found === 'function'
    ? { iri, call: found, deterministic: true }
    : { iri, call: found.call, deterministic: found.deterministic ?? true };
}

/**
 * The calls of one expression. Evaluation is synchronous: a call that gives a promise counts as an error at first. The caller
 * waits for {@link pending} and evaluates the row again, which then finds the result.
 */
export class ExtensionCalls {
  /** Settles when the result of a call is known. */
  pending: Promise<void> | undefined;
  /** Results of promises in the present row, by function and arguments. */
  readonly #awaited = new Map<string, Value>();
  /** Results of long work in the present row. */
  readonly #long: { readonly name: string; readonly text: string; readonly value: Value }[] = [];
  /** What the present row drew by chance, so that it gets the same when it is evaluated again. */
  readonly #drawn: unknown[] = [];
  #nextDrawn = 0;

  call({ iri, call, deterministic }: Extension, values: readonly Value[]): Value {
    // The row is evaluated again, so the other calls can wait.
    if (this.pending !== undefined) return ERROR;
    const args = values.map(termOf);
    const known = this.#awaited.size === 0 ? undefined : this.#awaited.get(keyOf(iri, args));
    if (known !== undefined) return known;
    let result: RDF.Term | undefined | Promise<RDF.Term | undefined>;
    try {
      result = deterministic ? call(args) : this.draw(() => call(args));
    } catch {
      return ERROR;
    }
    if (!isThenable(result)) return resultValue(iri, result);
    const key = keyOf(iri, args);
    this.pending = Promise.resolve(result).then(
      (term) => void this.#awaited.set(key, resultValue(iri, term)),
      () => void this.#awaited.set(key, ERROR),
    );
    return ERROR;
  }

  /** Work on a long text in pieces, with turns of the event loop between them. It is waited for as the promise of a function is. */
  long(name: string, text: string, work: () => Promise<Value>): Value {
    if (this.pending !== undefined) return ERROR;
    const known = this.#long.find((done) => done.name === name && done.text === text);
    if (known !== undefined) return known.value;
    this.pending = work().then((value) => void this.#long.push({ name, text, value }));
    return ERROR;
  }

  /** What differs with each call: drawn once a row, however often the row is evaluated. */
  draw<T>(make: () => T): T {
    if (this.#nextDrawn === this.#drawn.length) this.#drawn.push(make());
    return this.#drawn[this.#nextDrawn++] as T;
  }

  /** Call it before the evaluation that follows {@link pending}. */
  resume(): void {
    this.pending = undefined;
    this.#nextDrawn = 0;
  }

  /** Call it between two rows. */
  endRow(): void {
    if (this.#awaited.size > 0) this.#awaited.clear();
    this.#long.length = 0;
    this.#drawn.length = 0;
    this.#nextDrawn = 0;
  }
}

/** One group of an aggregate of the embedder. What that throws makes the value of the group an error. */
export class ExtensionAccumulator implements Accumulator {
  #failed = false;
  /** What the group said of its state. */
  #bytes = 0;

  constructor(
    private readonly iri: string,
    private readonly group: ReturnType<ExtensionAggregate['create']>,
  ) {}

  add(value: Value): number {
    if (this.#failed) return 0;
    const before = this.#bytes;
    try {
      this.group.add(value === ERROR ? undefined : termOf(value));
      this.#bytes = checkedBytes(this.iri, this.group.bytes);
    } catch (error) {
      if (error instanceof InvalidArgumentError) throw error;
      this.#failed = true;
    }
    return this.#bytes - before;
  }

  result(): Value | undefined {
    if (this.#failed) return undefined;
    let term: RDF.Term | undefined;
    try {
      term = this.group.result();
    } catch {
      return undefined;
    }
    const value = resultValue(this.iri, term);
    return value === ERROR ? undefined : value;
  }
}

function checkedBytes(iri: string, bytes: number | undefined): number {
  if (bytes === undefined) return 0;
  if (Number.isFinite(bytes) && bytes >= 0) return bytes;
  throw new InvalidArgumentError('INVALID_OPTION', `the aggregate <${iri}> says that its state has ${bytes} bytes`, {
    details: { function: iri },
  });
}

const isThenable = (result: unknown): result is Promise<RDF.Term | undefined> =>
  typeof result === 'object' && result !== null && 'then' in result;

const keyOf = (iri: string, args: readonly RDF.Term[]): string => JSON.stringify([iri, ...args.map(termKey)]);

function termKey(term: RDF.Term): unknown {
  switch (term.termType) {
    case 'Literal':
      return [term.value, term.language, term.direction ?? '', term.datatype.value];
    case 'Quad':
      return [term.subject, term.predicate, term.object].map(termKey);
    default:
      return `${term.termType} ${term.value}`;
  }
}

const RESULT_TYPES = ['NamedNode', 'BlankNode', 'Literal', 'Quad'];

function resultValue(iri: string, term: unknown): Value {
  if (term === undefined) return ERROR;
  const { termType } = Object(term) as { termType?: unknown };
  if (RESULT_TYPES.includes(termType as string)) return valueOf(term as RDF.Term);
  throw new InvalidArgumentError(
    'INVALID_TERM',
    `the function <${iri}> returned ${typeof term === 'object' ? 'an object' : JSON.stringify(term)}, which is no RDF/JS term`,
    { details: { function: iri } },
  );
}
