/** What an answer holds, so that answers of different backends can be compared. */

/** Hash of the rows, whatever their order: the sum of a hash of each. */
export class AnswerDigest {
  #sum = 0;

  /** Values by variable (or position), in any order. Only what they say: types differ where engines derive numbers. */
  add(row: Iterable<readonly [name: string, value: string]>): void {
    let hash = 0;
    for (const [name, value] of row) hash = (hash + hashOf(`${name} ${value}`)) >>> 0;
    this.#sum = (this.#sum + hashOf(String(hash))) >>> 0;
  }

  get value(): number {
    return this.#sum;
  }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

export interface Answer {
  readonly rows: number;
  readonly digest: number;
}

interface Valued {
  readonly value: string;
}
export function quadValues(quad: {
  subject: Valued;
  predicate: Valued;
  object: Valued;
}): (readonly [string, string])[] {
  return [
    ['subject', quad.subject.value],
    ['predicate', quad.predicate.value],
    ['object', quad.object.value],
  ];
}
