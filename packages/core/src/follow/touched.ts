/** Which repositories, and which of their keys, a refresh of the storage has changed. */
import type { Bytes, Refresh } from '@quadrille/storage';
import { Area, readU32, Tag } from '../format/layout.js';

/** The length of a key of a repository up to its tag. */
const TAG_AT = 5;

/** Tags whose values readers read anew each time, or whose keys never change. */
const HARMLESS: ReadonlySet<number> = new Set([
  Tag.longTerm,
  Tag.namespace,
  Tag.tag,
  Tag.hashCheckpoint,
  Tag.remote,
  Tag.patch,
  Tag.signature,
  Tag.settings,
]);
/** Tags of lines other than `main`, and of their names. */
const OF_LINES: ReadonlySet<number> = new Set([Tag.branch, Tag.line, Tag.revisionId, Tag.lineData, Tag.copied]);

/** What has changed in one repository. */
export interface TouchedRepository {
  /** Whether `main` needs a new timeline. Otherwise `main` has at most more commits. */
  readonly replaced: boolean;
  /** Whether lines or branches have changed. */
  readonly lines: boolean;
  /** The keys of new pieces of the tail of the dictionary. */
  readonly pieces: readonly Bytes[];
}

const ALL: TouchedRepository = { replaced: true, lines: true, pieces: [] };

export class Touched {
  readonly #repositories = new Map<number, { replaced: boolean; lines: boolean; pieces: Bytes[] }>();
  /** Whether the catalogue has changed. */
  readonly catalogue: boolean;
  readonly #all: boolean;

  constructor(changed: Refresh['changed']) {
    this.#all = changed === undefined;
    let catalogue = this.#all;
    for (const { gte, lt } of changed ?? []) {
      if (gte[0] === Area.repository) catalogue = true;
      if (gte[0] === Area.data) this.#add(gte, lt);
    }
    this.catalogue = catalogue;
  }

  /** What has changed in the repository of a number; `undefined`: nothing. */
  of(id: number): TouchedRepository | undefined {
    return this.#all ? ALL : this.#repositories.get(id);
  }

  #add(key: Bytes, lt: Bytes | undefined): void {
    const id = readU32(key, 1);
    let touched = this.#repositories.get(id);
    if (touched === undefined) this.#repositories.set(id, (touched = { replaced: false, lines: false, pieces: [] }));
    const tag = key[TAG_AT];
    if (tag === undefined) touched.replaced = touched.lines = true;
    else if (OF_LINES.has(tag)) touched.lines = true;
    else if (lt !== undefined) touched.replaced = true;
    else if (tag === Tag.termTail) touched.pieces.push(key);
    else if (tag !== Tag.log && tag !== Tag.head && !HARMLESS.has(tag)) touched.replaced = true;
  }
}
