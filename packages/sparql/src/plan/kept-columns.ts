/** The columns of joins. Of a chain of thousands of joins each has those of the one before, and few others. */

type Names = ReadonlySet<string>;

/** What all columns of a list are known to be among. */
const among = new WeakMap<readonly string[], Names>();

const FEW_COLUMNS = 32;

export interface KeptColumns {
  /** The columns of the input, which was planned for the names in `below`. */
  readonly input: readonly string[];
  readonly below: Names;
  /** The names of `below` that may have become unnecessary. */
  readonly perhaps: readonly Names[];
  readonly added: readonly string[];
  readonly needed: Names;
}

/** The columns of an input, and then those that are added, as far as they are needed. */
export function keptColumns({ input, below, perhaps, added, needed }: KeptColumns): readonly string[] {
  const isKnown = input.length > FEW_COLUMNS && among.get(input) === below;
  const own = isKnown ? withoutNames(input, perhaps, needed) : input.filter((name) => needed.has(name));
  const others = added.filter((name) => needed.has(name) && !input.includes(name));
  const columns = others.length === 0 ? own : own.concat(others);
  if (columns.length > FEW_COLUMNS) among.set(columns, needed);
  return columns;
}

function withoutNames(columns: readonly string[], perhaps: readonly Names[], needed: Names): readonly string[] {
  const gone = new Set<string>();
  for (const names of perhaps) for (const name of names) if (!needed.has(name)) gone.add(name);
  return gone.size === 0 ? columns : columns.filter((name) => !gone.has(name));
}
