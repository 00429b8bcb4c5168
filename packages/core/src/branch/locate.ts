/** Finds revisions on any line of a repository: by the name of a branch, as a second parent, or by their UUID. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import { uuidText } from '../revision/uuid.js';
import { Tag, textKey } from '../format/layout.js';
import { LineKeyspace, revisionIdKey } from '../keyspace/line-keyspace.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RevisionRecord } from '../revision/record.js';
import type { Ref } from '../timeline/refs.js';
import { isTagName, isTrimmed, resolveRef } from '../timeline/refs.js';
import { parseUuid } from '../revision/uuid.js';
import { TrimmedNumbers } from '../revision/trimmed-numbers.js';
import { copiedRanges } from './copied-revisions.js';
import type { LinePosition } from '../timeline/line-record.js';
import { decodePositions, MAIN, MAIN_LINE } from '../timeline/line-record.js';
import type { Lines, OpenLine } from './lines.js';

/** A revision, and the line on which it was found. */
export interface Located<R extends OpenLine> {
  readonly on: R;
  readonly record: RevisionRecord;
}

/** A base, then steps: `#n`, `~n`, `^2`. */
const STEPPED = /^([^~^#]+)((?:#\d{1,10}|~\d{1,15}|\^2)*)$/;
const STEP = /([#~^])(\d+)/g;

/** The number of the line of a keyspace. */
export const lineNumber = (keyspace: Keyspace): number =>
  keyspace instanceof LineKeyspace ? keyspace.line : MAIN_LINE;

/**
 * Finds a ref that `from` itself does not have, with the error of looking there.
 * @throws the error; NotFoundError `REVISION_NOT_FOUND`
 */
export async function locateElsewhere<R extends OpenLine>(
  lines: Lines<R>,
  from: R,
  ref: Ref,
  error: unknown,
): Promise<Located<R>> {
  const text = typeof ref === 'object' && ref !== null && !(ref instanceof Date) ? ref.id : ref;
  if (typeof text !== 'string') throw error;
  const found = await new Locator(lines, from, error).find(text.trim());
  return ownIfSame(from, found);
}

/**
 * Finds a revision by the line that has made it. If that line has trimmed it, another one may have taken it over before, and kept it.
 * @throws NotFoundError `REVISION_TRIMMED` if no line has kept it
 */
export async function locateKept<R extends OpenLine>(
  lines: Lines<R>,
  { line, number }: LinePosition,
): Promise<Located<R>> {
  const found = async (on: R): Promise<Located<R>> => ({
    on,
    record: await resolveRef(on.handle.timeline, number),
  });
  try {
    return await found(await lines.at(line));
  } catch (error) {
    if (!isTrimmed(error)) throw error;
    for (const other of [MAIN_LINE, ...(await lines.numbers())])
      if (await hasKept(await lines.keyspace(other), line, number)) return found(await lines.at(other));
    throw error;
  }
}

async function hasKept(keyspace: Keyspace, maker: number, number: number): Promise<boolean> {
  const ranges = await copiedRanges(keyspace);
  const isCopy = ranges.some(({ first, last, origin }) => origin === maker && first <= number && number <= last);
  return isCopy && !(await TrimmedNumbers.of(keyspace)).has(number);
}

// A revision before the beginning of a line is in its own history too.
function ownIfSame<R extends OpenLine>(from: R, { on, record }: Located<R>): Located<R> {
  const { number } = record;
  const isOwn = from.handle.head.number >= number && lineAt(from, number) === lineAt(on, number);
  return { on: isOwn ? from : on, record };
}

const lineAt = ({ handle }: OpenLine, number: number): number => lineNumber(handle.keyspace.at(number));

class Locator<R extends OpenLine> {
  constructor(
    private readonly lines: Lines<R>,
    private readonly from: R,
    private readonly error: unknown,
  ) {}

  async find(text: string): Promise<Located<R>> {
    const [, base, steps] = STEPPED.exec(text) ?? [];
    if (base === undefined) throw this.error;
    let found = await this.#base(base);
    for (const [, kind, digits] of steps!.matchAll(STEP)) found = await this.#step(found, kind!, Number(digits));
    return found;
  }

  async #base(text: string): Promise<Located<R>> {
    const uuid = parseUuid(/^urn:.*:([^:]+)$/i.exec(text)?.[1] ?? text);
    if (uuid !== undefined) return this.#byUuid(uuid);
    try {
      // A tag wins over a branch of the same name.
      return { on: this.from, record: await this.#on(this.from, text) };
    } catch (error) {
      if (!(error instanceof NotFoundError || error instanceof InvalidArgumentError)) throw error;
      return this.#branch(text);
    }
  }

  async #branch(name: string): Promise<Located<R>> {
    // Neither a branch nor a tag can have the name, which may be too long for a key.
    if (!isTagName(name)) throw this.error;
    const line = name === MAIN ? MAIN_LINE : (await this.lines.branchRecord(name))?.line;
    if (line !== undefined) {
      const on = await this.lines.at(line);
      return { on, record: on.handle.head };
    }
    // A tag may be of a revision on another line.
    const id = await this.#tag(name);
    if (id === undefined) throw this.error;
    return this.#byUuid(id);
  }

  async #tag(name: string): Promise<Uint8Array | undefined> {
    const { keyspace } = this.lines.handle;
    return keyspace.getKey(textKey(keyspace.key(Tag.tag), name));
  }

  async #byUuid(uuid: Uint8Array): Promise<Located<R>> {
    const { keyspace } = this.lines.handle;
    const stored = await keyspace.getKey(revisionIdKey(keyspace, uuid));
    if (stored === undefined) return this.#place(MAIN_LINE, uuidText(uuid));
    let missing = this.error;
    for (const { line, number } of decodePositions(stored)) {
      try {
        return await this.#place(line, number);
      } catch (error) {
        // Another line may have kept it.
        if (!isTrimmed(error)) throw error;
        missing = error;
      }
    }
    throw missing;
  }

  async #place(line: number, ref: Ref): Promise<Located<R>> {
    const on = await this.lines.at(line);
    return { on, record: await this.#on(on, ref) };
  }

  async #step({ on, record }: Located<R>, kind: string, count: number): Promise<Located<R>> {
    if (kind === '#') return { on, record: await this.#on(on, count) };
    if (kind === '~') {
      if (count < record.number) return { on, record: await this.#on(on, record.number - count) };
      throw new NotFoundError(
        'REVISION_NOT_FOUND',
        `repository ${on.handle.keyspace.name} has no revision ${count} before revision ${record.number}`,
      );
    }
    if (record.mergedParent !== undefined) return this.#byUuid(record.mergedParent);
    throw new NotFoundError(
      'REVISION_NOT_FOUND',
      `revision ${record.number} of repository ${on.handle.keyspace.name} has no second parent: it is no merge`,
    );
  }

  async #on(on: R, ref: Ref): Promise<RevisionRecord> {
    await on.ready();
    return resolveRef(on.handle.timeline, ref);
  }
}
