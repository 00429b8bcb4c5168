/** Finds revisions on any line of a repository: by the name of a branch, as a second parent, or by their UUID. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import { stringify as uuidText } from 'uuid';
import { Tag, textKey } from '../format/layout.js';
import { LineKeyspace, revisionIdKey } from '../keyspace/line-keyspace.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RevisionRecord } from '../revision/record.js';
import type { Ref } from '../revision/refs.js';
import { isTagName, resolveRef } from '../revision/refs.js';
import { parseUuid } from '../revision/uuid.js';
import { decodePositions, MAIN, MAIN_LINE } from './line-record.js';
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
    const [place] = stored === undefined ? [] : decodePositions(stored);
    const on = await this.lines.at(place?.line ?? MAIN_LINE);
    return { on, record: await this.#on(on, place?.number ?? uuidText(uuid)) };
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
    return resolveRef(on.handle.generation, ref);
  }
}
