/** A mapping of rows to statements: a CONSTRUCT that is parsed once, and evaluated once for each row, whose values it sees as variables. */
import { dataFactory } from '@quadrille/model';
import { unknownFunction } from '../engine/unknown-function.js';
import { loadLibraries } from '../expression/libraries.js';
import { UnknownFunction } from '../expression/unknown-function.js';
import type { ParseOptions } from '../syntax/parse.js';
import { invalid, type MappingText, parseMapping } from './mapping-text.js';
import { compileSolutions, type Solution } from './row-solutions.js';
import { RowTemplate, type TemplateOptions } from './row-template.js';

/** The variable that has the number of the row. */
export const ROW_NUMBER = 'row';

/** What a mapping is opened with. */
export interface RowMappingOptions extends TemplateOptions {
  /** What NOW() gives. */
  readonly now: Date;
}

export class RowMapping {
  /** The variables that only a table can give values, the number of the row among them. */
  readonly required: readonly string[];
  readonly #text: MappingText;
  readonly #options: ParseOptions;

  /** @throws ParseError `SPARQL_SYNTAX`; InvalidArgumentError `INVALID_OPTION` for a text that is no mapping */
  constructor(text: string, options: ParseOptions) {
    this.#options = options;
    this.#text = parseMapping(text, options);
    const { variables, assigned, listed } = this.#text;
    this.required = variables.filter((name) => !assigned.has(name) && !listed.has(name));
  }

  /** Loads the functions that it calls. To be awaited before `open`. */
  async load(): Promise<void> {
    for (const expression of this.#text.expressions) await loadLibraries(expression);
  }

  /** @throws EvaluationError `UNKNOWN_FUNCTION` */
  open(options: RowMappingOptions): OpenMapping {
    try {
      return new OpenMapping(this.#text, this.#options.baseIRI, options);
    } catch (error) {
      throw error instanceof UnknownFunction ? unknownFunction(error) : error;
    }
  }
}

/** A mapping with the sink that its statements go to. */
export class OpenMapping {
  readonly #slots: ReadonlyMap<string, number>;
  readonly #columns = new Set<number>();
  readonly #solutions: (row: Solution) => Solution[];
  readonly #template: RowTemplate;
  #nodes = 0;
  #rows = 0;

  constructor(
    private readonly text: MappingText,
    baseIRI: string | undefined,
    options: RowMappingOptions,
  ) {
    this.#slots = new Map(text.variables.map((name, slot) => [name, slot]));
    const slotOf = (name: string): number => this.#slots.get(name)!;
    this.#solutions = compileSolutions(text.where, {
      slotOf,
      columns: this.#columns,
      baseIRI,
      now: options.now,
      newBlankNode: () => dataFactory.blankNode(`e${String(this.#nodes++)}`),
      random: Math.random,
      uuid: () => globalThis.crypto.randomUUID(),
    });
    this.#template = new RowTemplate(text.template, slotOf, options);
  }

  /** All its variables. */
  get variables(): readonly string[] {
    return this.text.variables;
  }

  /** Number of statements so far. */
  get statements(): number {
    return this.#template.statements;
  }

  /**
   * Says that a variable is a column of the table.
   * @returns its place in rows; `undefined` for a column that the mapping does not look at
   * @throws InvalidArgumentError `INVALID_OPTION` for a variable that BIND gives a value
   */
  column(name: string): number | undefined {
    const slot = this.#slots.get(name);
    if (slot === undefined || this.#columns.has(slot)) return slot;
    if (this.text.assigned.has(name))
      throw invalid(`the mapping gives ?${name} a value, and the table has a column of this name: take another one`);
    if (this.#rows > 0 && this.text.listed.has(name))
      throw invalid(
        `?${name} of VALUES is a column that rows before this one lack: copy it, BIND(COALESCE(?${name}, "") AS …), for VALUES`,
      );
    this.#columns.add(slot);
    return slot;
  }

  /** Emits the statements of a row: its values by the places of their columns. The row may be filled anew when the call returns. */
  write(row: Solution): void {
    this.#rows++;
    for (const solution of this.#solutions(row)) this.#template.fill(solution);
  }
}
