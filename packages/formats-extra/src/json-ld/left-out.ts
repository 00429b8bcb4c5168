/** What JSON-LD leaves out of a document, with the places of it: keys that no context maps, and texts that are no terms. */
import type { DroppedStatement } from '@quadrille/formats';
import { isArray } from '../json/canonical-json.js';
import type { Json } from '../json/json-document.js';

/** A key, or a string, of the document. */
interface Cause {
  readonly isKey: boolean;
  readonly text: string;
  readonly reason: string;
}

const SHOWN_CHARACTERS = 200;

/** Collects while a portion of a document is read. */
export class LeftOut {
  readonly #causes: Cause[] = [];

  /** A key or a string that nothing became of. */
  add(text: string, reason: string, isKey = false): void {
    this.#causes.push({ isKey, text, reason: `${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))} ${reason}` });
  }

  /**
   * What was left out of a portion, in the order in which it was found; the collection is empty afterwards.
   * @param offset index of the first element in the array at the root, or in `@graph`
   */
  take(portion: Json, offset: number): readonly DroppedStatement[] {
    if (this.#causes.length === 0) return [];
    const causes = this.#causes.splice(0);
    const places = new Map(causes.flatMap((cause) => namesOf(cause)).map((name) => [name, [] as string[]]));
    findPlaces(portion, '', offset, places);
    return causes.map((cause) => {
      const { reason } = cause;
      const found = namesOf(cause)
        .map((name) => places.get(name)!)
        .find(({ length }, i, all) => length > 0 || i === all.length - 1)!;
      // The last place stays, for a string that is used twice, such as a subject.
      const path = found.length > 1 ? found.shift()! : (found[0] ?? '');
      return { path, reason };
    });
  }
}

const nameOf = (text: string, isKey: boolean): string => (isKey ? `key ${text}` : `string ${text}`);

/** What a cause may be called in the document. A vocabulary of blank nodes, as that of ActivityStreams, makes a label of a key. */
const namesOf = ({ text, isKey }: Cause): readonly string[] => [
  nameOf(text, isKey),
  ...(!isKey && text.startsWith('_:') ? [nameOf(text.slice(2), true)] : []),
];
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Adds the JSON Pointers of keys and strings, in the order in which documents are expanded. */
function findPlaces(value: Json, path: string, offset: number, places: ReadonlyMap<string, string[]>): void {
  if (typeof value === 'string') places.get(nameOf(value, false))?.push(path);
  if (value === null || typeof value !== 'object') return;
  if (isArray(value)) {
    value.forEach((item, index) => findPlaces(item, `${path}/${String(index + offset)}`, 0, places));
    return;
  }
  for (const key of Object.keys(value).toSorted()) {
    if (key === '@context') continue;
    const member = `${path}/${escaped(key)}`;
    places.get(nameOf(key, true))?.push(member);
    findPlaces(value[key]!, member, key === '@graph' ? offset : 0, places);
  }
}
