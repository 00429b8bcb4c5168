/** Draws the graph of history beside revisions, as columns of characters. */

/** What the drawing needs of a revision. */
interface Node {
  readonly id: string;
  readonly parents: readonly string[];
}

export class GraphDrawing {
  /** The revision that each column leads to. */
  #columns: string[] = [];

  /** The lines before a revision, the beginning of its own line, and those after it. Children come before their parents. */
  draw({ id, parents }: Node): { before: string[]; own: string; after: string[] } {
    if (!this.#columns.includes(id)) this.#columns.push(id);
    const at = this.#columns.indexOf(id);
    const before = this.#join(id, at);
    const own = this.#columns.map((_, i) => (i === at ? '*' : '|')).join(' ');
    const after: string[] = [];
    const [first, ...others] = parents;
    this.#columns.splice(at, 1, ...(first === undefined ? [] : [first]));
    for (const other of others) after.push(this.#split(at, other));
    return { before, own, after };
  }

  /** The columns of the revisions that are still to come. */
  get rest(): string {
    return this.#columns.map(() => '|').join(' ');
  }

  // Columns of several children meet in front of their parent.
  #join(id: string, at: number): string[] {
    const lines: string[] = [];
    for (let from = this.#columns.lastIndexOf(id); from > at; from = this.#columns.lastIndexOf(id)) {
      const cells = this.#columns.map((_, i) => (i < from ? '|' : '/'));
      const gaps = this.#columns.map((_, i) => (i < at ? ' ' : i < from - 1 ? '_' : i < from ? '' : ' '));
      lines.push(
        cells
          .map((cell, i) => cell + gaps[i]!)
          .join('')
          .trimEnd(),
      );
      this.#columns.splice(from, 1);
    }
    return lines;
  }

  #split(at: number, parent: string): string {
    const cells = this.#columns.map((_, i) => (i <= at ? '|' : '\\'));
    cells.splice(at + 1, 0, '\\');
    this.#columns.splice(at + 1, 0, parent);
    const right = cells.slice(at + 1).join(' ');
    return `${cells.slice(0, at + 1).join(' ')}${right}`;
  }
}
