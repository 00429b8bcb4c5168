/** Numbers by weight, the least first. */
export class MinHeap {
  readonly #items: number[] = [];
  readonly #weights: number[] = [];

  push(item: number, weight: number): void {
    let at = this.#items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#weights[parent]! <= weight) break;
      this.#set(at, this.#items[parent]!, this.#weights[parent]!);
      at = parent;
    }
    this.#set(at, item, weight);
  }

  pop(): number | undefined {
    const top = this.#items[0];
    const item = this.#items.pop();
    const weight = this.#weights.pop();
    const size = this.#items.length;
    if (item === undefined || size === 0) return top;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && this.#weights[child + 1]! < this.#weights[child]!) child++;
      if (this.#weights[child]! >= weight!) break;
      this.#set(at, this.#items[child]!, this.#weights[child]!);
      at = child;
    }
    this.#set(at, item, weight!);
    return top;
  }

  #set(at: number, item: number, weight: number): void {
    this.#items[at] = item;
    this.#weights[at] = weight;
  }
}
