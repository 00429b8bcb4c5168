/** What a generated group knows of its variables. */
import type { TermText } from '../syntax.js';

/**
 * Where the values of a variable come from. `stored`: the data. `integer`, `text`: computed, the same term everywhere.
 * `number`: computed, the same value everywhere. `opaque`: it may differ from one right answer to another.
 */
export type Kind = 'stored' | 'integer' | 'number' | 'text' | 'opaque';

/** The names of a query: no two of its computed variables are called the same. */
export class Names {
  #last = 0;

  next(letter: string): TermText {
    return `?${letter}${++this.#last}`;
  }
}

export class Scope {
  /** A solution that the patterns so far are likely to have. */
  readonly witness: Map<TermText, TermText>;
  readonly kinds: Map<TermText, Kind>;
  /** Variables that the group binds, or that its filters see. */
  readonly visible: Set<TermText>;

  constructor(
    /** The graph that is matched: `''` for the default graph. */
    readonly graph: TermText = '',
    from?: Scope,
    seesOuter = false,
  ) {
    this.witness = new Map(from?.witness);
    this.kinds = new Map(from?.kinds);
    this.visible = new Set(seesOuter ? from?.visible : undefined);
  }

  bind(variable: TermText, kind: Kind, value?: TermText): void {
    this.kinds.set(variable, kind);
    if (value !== undefined) this.witness.set(variable, value);
    this.visible.add(variable);
  }

  /** Takes over what a nested group binds. */
  merge(inner: Scope, variables: Iterable<TermText> = inner.visible): void {
    for (const variable of variables) {
      this.bind(variable, inner.kinds.get(variable) ?? 'stored', inner.witness.get(variable));
    }
  }

  /** Visible variables of these kinds. */
  variables(...kinds: readonly Kind[]): TermText[] {
    return [...this.visible].filter((variable) => kinds.includes(this.kinds.get(variable) ?? 'stored'));
  }

  /** Variables with a stored value, told by what that is. */
  stored(test: (value: TermText) => boolean): TermText[] {
    return this.variables('stored').filter((variable) => test(this.witness.get(variable) ?? ''));
  }
}
