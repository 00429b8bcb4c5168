/** Literals with words, best first, and for each of them the quads that have it. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, EvaluationError, XSD } from '@quadrille/model';
import { MISS, type FoundLiterals, type IdSeeker } from '../../dataset/id-dataset.js';
import type { SearchPlan } from '../../plan/plan.js';
import { BATCH_ROWS, BatchBuilder, type Batch } from '../../execute/core/batch.js';
import type { Execution, NextBatch, Operator } from '../../execute/core/operator.js';
import type { PlanOperator } from '../../execute/core/plan-operator.js';
import { nextOf, type Producing } from '../../execute/core/waiting.js';
import { resolvePattern, RowFilter, type Position } from '../scan/pattern-columns.js';

const FLOAT = dataFactory.namedNode(`${XSD}float`);
/** Bytes that a found literal takes: its id and its score, and its place in the order. */
const LITERAL_BYTES = 16;

/** What stands behind `text:query`. */
interface Question {
  readonly text: string;
  readonly language: string | undefined;
  readonly limit: number;
  /** What stands before and behind words in the literals that it gives; `undefined`: nothing. */
  readonly marks: readonly [string, string] | undefined;
  /** Ids of the properties; `undefined`: any. */
  readonly properties: ReadonlySet<number> | undefined;
}

export class Search implements Operator {
  readonly #batches: Producing<Batch>;
  #seeker: IdSeeker | undefined;
  #reserved = 0;
  #want = BATCH_ROWS;

  constructor(
    private readonly plan: SearchPlan,
    private readonly execution: Execution,
  ) {
    this.#batches = this.#run();
  }

  next(want = BATCH_ROWS): NextBatch {
    this.#want = want;
    return nextOf(this.#batches);
  }

  *#run(): Producing<Batch> {
    const { plan, execution } = this;
    const { dataset, control } = execution;
    const question = this.#question();
    const { text, language } = question;
    if (dataset.search === undefined)
      throw new EvaluationError(
        'UNSUPPORTED',
        'text:query does not search graphs of other repositories, nor those of the caller: ask it alone, or by SERVICE <repo:…>',
      );
    const literalAt = question.marks === undefined ? -1 : plan.variables.indexOf(plan.literal);
    const found = (yield dataset.search({ text, language, inParts: true }, control)) as FoundLiterals;
    const { literals } = found;
    this.#reserve(literals.count);
    const pattern = resolvePattern(plan.pattern, execution);
    if (!pattern.possible || question.limit === 0) return;
    const filter = new RowFilter(pattern);
    const columns = plan.variables.map((name) => pattern.variables.get(name)?.[0]);
    const { properties } = question;
    const single = properties?.size === 1 && pattern.p === 0 ? [...properties][0]! : pattern.p;
    const seeker = dataset.seeker({ s: pattern.s !== 0, p: single !== 0, o: true, g: pattern.g !== 0 });
    this.#seeker = seeker;
    const out = new BatchBuilder(plan.variables.length);
    let left = question.limit;
    for (let next = literals.next(); left > 0; next = literals.next()) {
      if (next === undefined) {
        if (literals.more === undefined || !((yield literals.more()) as boolean)) break;
        this.#reserve(literals.count);
        continue;
      }
      const pause = control.checkpoint();
      if (pause !== undefined) yield pause;
      filter.reset();
      seeker.seek(pattern.s, single, next.id, pattern.g);
      let score = 0;
      let literal = 0;
      for (let rows = seeker.next(); rows !== 0 && left > 0; rows = seeker.next()) {
        if (rows === MISS) {
          yield seeker.fetch();
          continue;
        }
        for (let row = seeker.start; row < seeker.end && left > 0; row++) {
          if (!isAllowed(seeker, row, properties, found) || !filter.passes(seeker, row)) continue;
          if (score === 0 && columns.includes(undefined)) score = yield* this.#scoreId(next.score);
          push(out, columns, seeker, row, score);
          if (literalAt !== -1) {
            if (literal === 0) literal = yield* this.#highlighted(next.id, found, question.marks!);
            out.columns[literalAt]![out.length - 1] = literal;
          }
          left--;
        }
      }
      if (out.length >= Math.min(this.#want, BATCH_ROWS) && out.length > 0) yield out.take();
    }
    if (out.length > 0) yield out.take();
  }

  #reserve(literals: number): void {
    const more = literals * LITERAL_BYTES - this.#reserved;
    this.execution.memory.reserve(more);
    this.#reserved += more;
  }

  #scoreId(score: number): Generator<Promise<unknown>, number, unknown> {
    return this.#idOf(scoreTerm(score));
  }

  *#idOf(term: RDF.Term): Generator<Promise<unknown>, number, unknown> {
    const id = this.execution.terms.intern(term);
    return id instanceof Promise ? ((yield id) as number) : id;
  }

  /** A literal with marks at its words. */
  *#highlighted(
    id: number,
    { highlight }: FoundLiterals,
    [start, end]: readonly [string, string],
  ): Generator<Promise<unknown>, number, unknown> {
    const { dataset } = this.execution;
    let term = dataset.term(id);
    for (; term === undefined; term = dataset.term(id)) yield dataset.fetchTerm();
    const { value, language, direction } = term as RDF.Literal;
    if (highlight === undefined) return id;
    const marked = highlight(value, start, end);
    return yield* this.#idOf(
      language === ''
        ? dataFactory.literal(marked)
        : dataFactory.literal(marked, { language, direction: direction ?? '' }),
    );
  }

  #question(): Question {
    const { constants } = this.execution;
    const properties = new Set<number>();
    let text: string | undefined;
    let limit = Infinity;
    let language: string | undefined;
    let marks: Question['marks'];
    for (const { term: given, constant } of this.plan.arguments) {
      const term = this.execution.resolve(given);
      if (term.termType === 'NamedNode' && text === undefined) properties.add(constants[constant]!);
      else if (term.termType === 'Variable') throw wrong(unknownText(term.value));
      else if (term.termType !== 'Literal') throw wrong(`${term.value} cannot stand behind text:query here`);
      else if (text === undefined) text = term.value;
      else if (term.datatype.value === `${XSD}integer`) limit = Number(term.value) < 0 ? Infinity : Number(term.value);
      else if (term.value.startsWith('lang:')) language = term.value.slice('lang:'.length);
      else if (term.value.startsWith(HIGHLIGHT)) marks = marksOf(term.value.slice(HIGHLIGHT.length));
      else
        throw wrong(
          `text:query has no option "${term.value}": there are a number of rows, "lang:xx" and "highlight:s:… | e:…"`,
        );
    }
    if (text === undefined) throw wrong('text:query has no text');
    return { text, language, limit, marks, properties: properties.size === 0 ? undefined : properties };
  }

  close(): void {
    this.#seeker?.close();
    this.#seeker = undefined;
    this.execution.memory.release(this.#reserved);
    this.#reserved = 0;
    this.#batches.return();
  }
}

const HIGHLIGHT = 'highlight:';
/** What stands before and behind words, as in Jena. */
const MARKS = ['\u21a6', '\u21a4'] as const;

/** The marks of `s:<em> | e:</em>`. */
function marksOf(options: string): readonly [string, string] {
  let [start, end]: readonly string[] = MARKS;
  for (const option of options.split('|').map((one) => one.trim())) {
    if (option.startsWith('s:')) start = option.slice(2);
    else if (option.startsWith('e:')) end = option.slice(2);
    else if (option !== '')
      throw wrong(
        `highlight has no option "${option}": there are s:…, what stands before words, and e:…, what stands behind`,
      );
  }
  return [start!, end!];
}

const unknownText = (name: string): string =>
  `what stands behind text:query is known before it begins: ?${name} is neither a value of the call nor one that BIND or VALUES lists in the same group, before the search`;

const wrong = (message: string): EvaluationError => new EvaluationError('UNSUPPORTED', message);

function isAllowed(
  { p, g }: IdSeeker,
  row: number,
  properties: ReadonlySet<number> | undefined,
  found: FoundLiterals,
): boolean {
  if (properties?.has(p[row]!) === false || found.properties?.has(p[row]!) === false) return false;
  return found.graphs?.has(g[row]!) !== false;
}

function push(
  out: BatchBuilder,
  columns: readonly (Position | undefined)[],
  seeker: IdSeeker,
  row: number,
  score: number,
): void {
  out.reserve(1);
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    out.columns[i]![out.length] = column === undefined ? score : seeker[column][row]!;
  }
  out.length++;
}

/** A score as XSD writes a float. */
export const scoreTerm = (score: number): RDF.Literal =>
  dataFactory.literal(String(Math.fround(score)).replace('e', 'E'), FLOAT);

export const search: PlanOperator<SearchPlan> = {
  detail: (plan, print) =>
    `${print.pattern(plan.pattern)} (${plan.arguments.map(({ constant }) => print.constant(constant)).join(' ')})`,
  open: (plan, { execution }) => new Search(plan, execution),
};
