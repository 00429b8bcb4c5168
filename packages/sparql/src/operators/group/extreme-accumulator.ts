/**
 * MIN and MAX of ids. A group keeps the id of its extreme and no value. So a group of one row needs no term. Larger groups decode
 * terms only to compare them, where neither ids nor the index of order tell.
 */
import { compareForOrder } from '../../expression/values/order.js';
import { valueBytes } from '../../expression/values/value-bytes.js';
import type { Value } from '../../expression/values/value.js';
import type { Execution } from '../../execute/core/operator.js';
import { finish, type Waiting } from '../../execute/core/waiting.js';
import { inlineClass } from '../sort/sort-ranks.js';
import { type Accumulator, type Argument, GroupNumbers } from './accumulator.js';
import type { ExtremeKeys } from './extreme-keys.js';

/** Of a group with an unbound argument, whose extreme is an error. */
const FAILED = -1;
/** Bytes of values that are compared between two looks at the clock. */
const BYTES_AT_ONCE = 128 * 1024;

export class ExtremeAccumulator implements Accumulator {
  /** The extreme of each group; 0 where there is none yet. */
  readonly #ids: GroupNumbers;
  /** What the comparison with a better value gives. */
  readonly #better: -1 | 1;

  constructor(
    private readonly greatest: boolean,
    private readonly keys: ExtremeKeys,
    private readonly execution: Execution,
  ) {
    this.#ids = new GroupNumbers(execution.memory);
    this.#better = greatest ? 1 : -1;
  }

  add({ ids, length }: Argument, groups: Uint32Array, groupCount: number): void | Promise<void> {
    this.#ids.reserve(groupCount);
    return finish(this.#addAll(ids!, groups, length));
  }

  *#addAll(ids: Uint32Array, groups: Uint32Array, length: number): Waiting<void> {
    yield* this.keys.prepare();
    let bytes = 0;
    for (let row = 0; row < length; row++) {
      const group = groups[row]!;
      const id = ids[row]!;
      if (this.#take(group, id)) continue;
      const value = yield* this.#value(id);
      const best = yield* this.#value(this.#ids.values[group]!);
      // Of equal ones the first stays.
      if (compareForOrder(value, best) === this.#better) this.#ids.values[group] = id;
      this.keys.note(value);
      bytes += valueBytes(value);
      if (bytes <= BYTES_AT_ONCE) continue;
      bytes = 0;
      const pause = this.execution.control.checkpoint();
      if (pause !== undefined) yield pause;
    }
  }

  /** Adds an id where no value is needed. Ids of one class are ordered as their values. */
  #take(group: number, id: number): boolean {
    const ids = this.#ids.values;
    const best = ids[group]!;
    if (best === FAILED) return true;
    if (best === 0 || id === 0) {
      ids[group] = id === 0 ? FAILED : id;
      return true;
    }
    if (id === best) return true;
    const kind = inlineClass(id);
    const areAlike = kind !== 0 && inlineClass(best) === kind;
    const order = areAlike ? id - best : this.keys.compare(id, best);
    if (order === 0) return false;
    if (this.greatest ? order > 0 : order < 0) ids[group] = id;
    return true;
  }

  *#value(id: number): Waiting<Value> {
    for (;;) {
      const value = this.execution.terms.tryValue(id);
      if (value !== undefined) return value;
      yield this.execution.terms.fetch();
    }
  }

  async results(start: number, end: number): Promise<Uint32Array> {
    this.#ids.reserve(end);
    return Uint32Array.from(this.#ids.values.subarray(start, end), (id) => (id === FAILED ? 0 : id));
  }

  free(): void {
    this.#ids.free();
  }
}
