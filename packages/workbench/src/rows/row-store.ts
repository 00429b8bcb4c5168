/** The rows of an answer as bytes: one growing buffer, and where each line begins. Only the rows that are looked at are decoded. */

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

export class RowStore {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  /** Where each complete line begins, and where the next one will. */
  #starts = new Uint32Array(1024);
  #lines = 0;
  /** Numbers of rows in the order in which they are shown; undefined for all, as they came. */
  #order: Uint32Array | undefined;
  readonly #decoder = new TextDecoder();

  constructor(private readonly mostBytes: number) {}

  get bytes(): number {
    return this.#length;
  }

  /** Complete rows; the first line names the columns. */
  get rows(): number {
    return Math.max(this.#lines - 1, 0);
  }

  get shown(): number {
    return this.#order?.length ?? this.rows;
  }

  /** @returns false where the buffer is full: the chunk was not taken */
  append(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.mostBytes) return false;
    if (length > this.#bytes.length)
      this.#bytes = grown(this.#bytes, Math.min(Math.max(length, this.#bytes.length * 2), this.mostBytes));
    this.#bytes.set(chunk, this.#length);
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1))
      this.#endLine(this.#length + at + 1);
    this.#length = length;
    return true;
  }

  /** The last line may end without a newline. */
  finish(): void {
    if (this.#length > this.#start(this.#lines)) {
      this.append(new Uint8Array([NEWLINE]));
    }
  }

  #endLine(next: number): void {
    if (this.#lines + 1 >= this.#starts.length) {
      const larger = new Uint32Array(this.#starts.length * 2);
      larger.set(this.#starts);
      this.#starts = larger;
    }
    this.#starts[++this.#lines] = next;
  }

  #start(line: number): number {
    return this.#starts[line]!;
  }

  /** A line without its end. */
  line(number: number): string {
    const from = this.#start(number);
    let to = this.#start(number + 1) - 1;
    if (to > from && this.#bytes[to - 1] === CARRIAGE_RETURN) to--;
    return this.#decoder.decode(this.#bytes.subarray(from, to));
  }

  /** The names of the columns, without `?`; undefined before they came. */
  get columns(): string[] | undefined {
    if (this.#lines === 0) return undefined;
    const line = this.line(0);
    return line === '' ? [] : line.split('\t').map((name) => name.replace(/^\?/, ''));
  }

  /** Cells of a row by its place among those that are shown. */
  cells(place: number): string[] {
    return this.line((this.#order?.[place] ?? place) + 1).split('\t');
  }

  /** Shows rows in another order, or only some of them. */
  arrange(order: Uint32Array | undefined): void {
    this.#order = order;
  }

  /** The beginning of the answer as it came. */
  text(bytes: number): string {
    return this.#decoder.decode(this.#bytes.subarray(0, Math.min(bytes, this.#length)));
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
