/** Rows of cells as rows of a mapping. */
import { InvalidArgumentError } from '@quadrille/model';
import { type OpenMapping, ROW_NUMBER, type Solution, StringValue } from '@quadrille/sparql/mapping';
import { variableName } from './column-name.js';
import { numberValue, shownVariables } from './values.js';

export class CellRows {
  /** For each column that the mapping looks at: its place in rows of the table, and in those of the mapping. */
  #columns: readonly (readonly [at: number, slot: number])[] = [];
  #numberSlot: number | undefined;
  readonly #row: Solution = [];

  constructor(
    private readonly mapping: OpenMapping,
    private readonly required: readonly string[],
    private readonly source: string | undefined,
  ) {}

  /**
   * The names of the columns, from the first row.
   * @throws InvalidArgumentError `INVALID_OPTION` for two columns of one name, and where the mapping wants others
   */
  readonly header = (names: readonly string[]): void => {
    const variables = names.map((name, i) => variableName(name, i + 1));
    const seen = new Map<string, number>();
    variables.forEach((variable, i) => {
      const before = seen.get(variable);
      if (before !== undefined)
        throw this.#wrong(
          `columns ${String(before + 1)} and ${String(i + 1)} have one name: ${shown(names[before]!)} and ${shown(names[i]!)} are both ?${variable}`,
        );
      seen.set(variable, i);
    });
    const lacking = this.required.filter((name) => !seen.has(name) && name !== ROW_NUMBER);
    if (lacking.length > 0)
      throw this.#wrong(
        `the table has no column for ${shownVariables(lacking)} of the mapping; it has ${shownVariables(variables)}`,
      );
    this.#columns = variables.flatMap((variable, at) => {
      const slot = this.mapping.column(variable);
      return slot === undefined ? [] : [[at, slot] as const];
    });
    if (!seen.has(ROW_NUMBER)) this.#numberSlot = this.mapping.column(ROW_NUMBER);
  };

  write(cells: readonly string[], row: number): void {
    const values = this.#row;
    for (const [at, slot] of this.#columns) {
      const cell = cells[at]!;
      values[slot] = cell === '' ? undefined : new StringValue(cell);
    }
    if (this.#numberSlot !== undefined) values[this.#numberSlot] = numberValue(row);
    this.mapping.write(values);
  }

  end(): void {}

  #wrong(message: string): InvalidArgumentError {
    return new InvalidArgumentError('INVALID_OPTION', `${this.source ?? 'the table'}: ${message}`);
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 60));
