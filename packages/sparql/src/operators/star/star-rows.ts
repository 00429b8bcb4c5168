/** The properties of one subject after the other, and the rows that they make: each combination of their values is one. */
import type { IdScan } from '../../dataset/id-dataset.js';
import type { StarPlan } from '../../plan/plan.js';
import { BatchMemory, grown } from '../../execute/core/batch.js';
import type { Execution } from '../../execute/core/operator.js';

/** One property. */
interface Leg {
  readonly predicate: number;
  /** The object that it must have, or 0. */
  readonly object: number;
  readonly mode: StarPlan['legs'][number]['mode'];
  /** The values of the present subject. */
  values: Uint32Array;
  count: number;
}

const FEW = 16;

export class StarRows {
  /** False: no subject has all of the properties. */
  readonly possible: boolean;
  /** Rows that were made since the last {@link clear}. */
  count = 0;
  /** Of each row, what {@link make} was called with. */
  ids: Uint32Array = new Uint32Array(FEW);
  graphs: Uint32Array = new Uint32Array(FEW);
  /** The columns of the values: their places among those of the plan. */
  readonly outputs: readonly { readonly at: number; readonly leg: Leg; values: Uint32Array }[];
  readonly #legs: readonly Leg[];
  /** By predicate, ascending. */
  readonly #wanted: readonly Leg[];
  readonly #memory: BatchMemory;
  /** How many values all legs have room for. */
  #room = 0;
  /** Of the combinations of the present subject: how many there are, and how many are rows. */
  #all = 0;
  #made = 0;

  constructor(plan: StarPlan, { constants, memory }: Execution) {
    this.#memory = new BatchMemory(memory);
    this.#legs = plan.legs.map(({ predicate, object, mode }) => ({
      predicate: constants[predicate]!,
      object: object.kind === 'constant' ? constants[object.constant]! || NOTHING : 0,
      mode,
      values: new Uint32Array(1),
      count: 0,
    }));
    this.possible = this.#legs.every(
      ({ predicate, object, mode }) => mode === 'left' || mode === 'anti' || (predicate !== 0 && object !== NOTHING),
    );
    this.#wanted = this.#legs.filter(({ predicate }) => predicate !== 0).sort((a, b) => a.predicate - b.predicate);
    this.outputs = plan.legs.flatMap(({ object, mode }, i) => {
      const at =
        object.kind === 'variable' && mode !== 'semi' && mode !== 'anti' ? plan.variables.indexOf(object.name) : -1;
      return at === -1 ? [] : [{ at, leg: this.#legs[i]!, values: new Uint32Array(FEW) }];
    });
  }

  /** Another subject begins. */
  begin(): void {
    for (const leg of this.#legs) leg.count = 0;
    this.#all = this.#made = 0;
  }

  /** Takes the values from some quads of the subject, which ascend by their predicates. */
  collect({ p, o }: IdScan, start: number, end: number): void {
    const wanted = this.#wanted;
    let at = 0;
    let row = start;
    while (at < wanted.length && row < end) {
      const leg = wanted[at]!;
      const { predicate } = leg;
      while (row < end && p[row]! < predicate) row++;
      let next = row;
      while (next < end && p[next] === predicate) next++;
      if (next > row) this.#take(leg, o, row, next);
      at++;
      // Another leg may have the same predicate.
      if (wanted[at]?.predicate !== predicate) row = next;
    }
  }

  #take(leg: Leg, objects: Uint32Array, start: number, end: number): void {
    const { object } = leg;
    if (leg.count + end - start > leg.values.length) this.#grow(leg, leg.count + end - start);
    const { values } = leg;
    for (let row = start; row < end; row++) {
      const value = objects[row]!;
      if (object === 0 || value === object) values[leg.count++] = value;
    }
  }

  #grow(leg: Leg, least: number): void {
    const size = Math.max(least, leg.values.length * 2);
    this.#room += size - leg.values.length;
    this.#memory.reserve(this.#room, 1);
    leg.values = grown(leg.values, size);
  }

  /** All quads of the subject have come. */
  complete(): void {
    let all = 1;
    for (const leg of this.#legs) {
      if (leg.mode === 'anti' || leg.mode === 'semi') {
        if (leg.count > 0 === (leg.mode === 'anti')) return;
        leg.count = 1;
      }
      if (leg.count === 0) {
        if (leg.mode !== 'left') return;
        leg.values[0] = 0;
        leg.count = 1;
      }
      all *= leg.count;
    }
    this.#all = all;
  }

  /** Makes at most `most` rows of the subject; false where some are left for the next call. */
  make(id: number, graph: number, most: number): boolean {
    const from = this.#made;
    const rows = Math.min(this.#all - from, most);
    if (rows <= 0) return this.#all <= from;
    const to = this.count;
    this.#reserve(to + rows);
    this.count = to + rows;
    this.#made = from + rows;
    if (this.#all === 1) {
      this.ids[to] = id;
      this.graphs[to] = graph;
      for (const { values, leg } of this.outputs) values[to] = leg.values[0]!;
      return true;
    }
    this.ids.fill(id, to, to + rows);
    this.graphs.fill(graph, to, to + rows);
    let repeat = 1;
    for (const { values, leg } of this.outputs) {
      combine(leg, values, to, rows, from, repeat);
      repeat *= leg.count;
    }
    return this.#made === this.#all;
  }

  #reserve(rows: number): void {
    if (rows <= this.ids.length) return;
    const size = Math.max(rows, this.ids.length * 2);
    this.ids = grown(this.ids, size);
    this.graphs = grown(this.graphs, size);
    for (const output of this.outputs) output.values = grown(output.values, size);
  }

  clear(): void {
    this.count = 0;
  }

  free(): void {
    this.#memory.free();
  }
}

/** An id that no term has. */
const NOTHING = 0xffff_ffff;

/** Values of one leg in `rows` combinations, from number `first` on. Each value stands `repeat` times, since legs before it vary faster. */
function combine(
  { values, count }: Leg,
  out: Uint32Array,
  at: number,
  rows: number,
  first: number,
  repeat: number,
): void {
  let value = Math.floor(first / repeat) % count;
  let times = first % repeat;
  for (let row = at; row < at + rows; row++) {
    out[row] = values[value]!;
    if (++times < repeat) continue;
    times = 0;
    if (++value === count) value = 0;
  }
}
