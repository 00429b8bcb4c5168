/** JSON objects as rows of a mapping. */
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  numberText,
  type TableReader,
} from '@quadrille/formats-extra/tables';
import { InvalidArgumentError, isWellFormed } from '@quadrille/model';
import { type OpenMapping, ROW_NUMBER, type Solution, StringValue, type Value } from '@quadrille/sparql/mapping';
import { variableName } from './column-name.js';
import { booleanValue, numberValue, numericValue, shownVariables } from './values.js';

/** A member of the rows, and those inside of it. */
interface Member {
  readonly variable: string;
  /** Its place in rows of the mapping. */
  readonly slot: number | undefined;
  /** Whether the mapping looks at something inside of it. */
  readonly hasWanted: boolean;
  readonly members: Map<string, Member>;
}

/** Lists, combined, would give any number. */
const MOST_COMBINED = 10_000;
/** Members that are remembered: keys may be anything. */
const MOST_MEMBERS = 10_000;

export class ObjectRows {
  readonly #root: Member = { variable: '', slot: undefined, hasWanted: true, members: new Map() };
  /** The variables of all members so far, some of them. */
  readonly #seen = new Set<string>();
  readonly #missing: Set<string>;
  #members = 0;
  #rows = 0;

  constructor(
    private readonly mapping: OpenMapping,
    required: readonly string[],
    private readonly reader: TableReader<JsonObject>,
    private readonly source: string | undefined,
  ) {
    this.#missing = new Set(required.filter((name) => name !== ROW_NUMBER));
  }

  write(object: JsonObject, row: number): void {
    this.#rows++;
    const start: Solution = [];
    if (!Object.hasOwn(object, ROW_NUMBER)) {
      const slot = this.mapping.column(ROW_NUMBER);
      if (slot !== undefined) start[slot] = numberValue(row);
    }
    for (const solution of this.#within(this.#root, object, [start])) this.mapping.write(solution);
  }

  /** @throws InvalidArgumentError `INVALID_OPTION` where the mapping wants a member that no row has */
  end(): void {
    if (this.#rows === 0 || this.#missing.size === 0) return;
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      `${this.source ?? 'the table'}: no row has a member for ${shownVariables([...this.#missing])} of the mapping; there is ${shownVariables([...this.#seen])}`,
    );
  }

  #within(parent: Member, object: JsonObject, start: Solution[]): Solution[] {
    let solutions = start;
    for (const key of Object.keys(object)) {
      const member = parent.members.get(key) ?? this.#newMember(parent, key);
      solutions = this.#with(member, object[key]!, solutions);
    }
    return solutions;
  }

  /** The solutions with a value; a list gives each of them once for each of its items. */
  #with(member: Member, value: Json, solutions: Solution[]): Solution[] {
    if (value === null || (member.slot === undefined && !member.hasWanted)) return solutions;
    if (isArray(value)) return value.length === 0 ? solutions : this.#withItems(member, value, solutions);
    const scalar = scalarOf(value);
    if (scalar === undefined) return isObject(value) ? this.#within(member, value, solutions) : solutions;
    const { slot } = member;
    if (slot === undefined) return solutions;
    if (typeof value === 'string' && !isWellFormed(value))
      throw this.reader.fault('a lone surrogate is no text', member.variable);
    for (const solution of solutions) {
      if (solution[slot] !== undefined)
        throw this.reader.fault('two members of the row have this name', member.variable);
      solution[slot] = scalar;
    }
    return solutions;
  }

  #withItems(member: Member, items: readonly Json[], solutions: Solution[]): Solution[] {
    if (items.length * solutions.length > MOST_COMBINED)
      throw this.reader.fault(`its lists give more than ${String(MOST_COMBINED)} combinations`, member.variable);
    return items.flatMap((item) =>
      this.#with(
        member,
        item,
        solutions.map((solution) => solution.slice()),
      ),
    );
  }

  #newMember(parent: Member, key: string): Member {
    const name = variableName(key);
    const variable = parent === this.#root ? name : `${parent.variable}_${name}`;
    if (this.#seen.size < MOST_MEMBERS) this.#seen.add(variable);
    this.#missing.delete(variable);
    const slot = this.mapping.column(variable);
    const hasWanted = this.mapping.variables.some((wanted) => wanted.startsWith(`${variable}_`));
    const member: Member = { variable, slot, hasWanted, members: new Map() };
    if (this.#members++ < MOST_MEMBERS) parent.members.set(key, member);
    return member;
  }
}

function scalarOf(value: Json): Value | undefined {
  if (typeof value === 'string') return new StringValue(value);
  if (typeof value === 'boolean') return booleanValue(value);
  const number = numberText(value);
  return number === undefined ? undefined : numericValue(number);
}
