/**
 * The numbers of IRIs that came last. Of many quads most terms came before, each time as another string: to look one up in a map, the
 * runtime hashes all of it. Here a few characters tell where an equal one would be, and one comparison whether it is.
 */
const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;
/** Longer ones are not kept, so that their memory has a bound. */
const MOST_CHARACTERS = 512;

export class RecentTexts {
  readonly #texts = Array.from({ length: SLOTS }, () => '');
  readonly #numbers = new Uint32Array(SLOTS);

  /** The number of a text; 0 if it is not kept. */
  get(text: string): number {
    const slot = slotOf(text);
    return this.#texts[slot] === text ? this.#numbers[slot]! : 0;
  }

  /** Keeps the number of a text, and forgets another one for it. */
  set(text: string, number: number): void {
    if (text.length > MOST_CHARACTERS) return;
    const slot = slotOf(text);
    this.#texts[slot] = text;
    this.#numbers[slot] = number;
  }
}

// IRIs of one vocabulary share their beginning.
function slotOf(text: string): number {
  const { length } = text;
  if (length < 4) return 0;
  const last = text.charCodeAt(length - 1) + (text.charCodeAt(length - 2) << 7);
  const before = (text.charCodeAt(length - 3) << 14) + (text.charCodeAt(length - 4) << 21);
  return Math.imul(last + before + length + (text.charCodeAt(length >> 1) << 4), 0x9e37_79b1) >>> (32 - SLOT_BITS);
}
