/** Where the labels of blank nodes may stand (SPARQL 1.2, section 19.6). */

export class BlankLabels {
  /** The basic graph pattern, or the operation of data, that is being read. */
  scope = 0;
  #scopes = 0;
  readonly #owners = new Map<string, number>();

  /** Begins a new scope: a label must not stand in two. */
  begin(): void {
    this.scope = ++this.#scopes;
  }

  /** False where the label stands in another scope already. */
  use(label: string): boolean {
    const owner = this.#owners.get(label);
    if (owner === undefined) this.#owners.set(label, this.scope);
    return owner === undefined || owner === this.scope;
  }
}
