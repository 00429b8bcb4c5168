/** The squashes of a line: each revision that also has the changes of removed revisions before it. */

/** The changes of revision `number` begin after revision `since`. The revisions between them were removed. */
export interface Stretch {
  readonly number: number;
  readonly since: number;
}

export class Stretches {
  /** In ascending order, without overlap. */
  constructor(readonly all: readonly Stretch[]) {}

  /** The place of the stretch in whose changes those of a revision are; -1 if they are in its own record. */
  place(number: number): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.all[middle]!.since < number) low = middle + 1;
      else high = middle;
    }
    return low > 0 && number <= this.all[low - 1]!.number ? low - 1 : -1;
  }

  /** Whether a revision that was kept sees an interval. */
  sees(from: number, to: number): boolean {
    const place = this.place(from);
    return (place === -1 ? from : this.all[place]!.number) < to;
  }
}
