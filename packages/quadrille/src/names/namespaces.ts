/** Namespaces and tags: names kept beside the data. */
import type { NamedValues, Repository as CoreRepository } from '@quadrille/core';
import { isTagName, toRevision } from '@quadrille/core';
import { InvalidArgumentError, isAbsoluteIri, isLongIri, isPrefixName, LONG_IRI } from '@quadrille/model';
import type { Namespaces, Ref, RepositoryNamespaces, Results, Revision, TagInfo, Tags } from '../api/index.js';
import { listed } from '../read/results.js';

/** Prefixes of a new account. */
export const DEFAULT_NAMESPACES: Readonly<Record<string, string>> = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  dc: 'http://purl.org/dc/elements/1.1/',
  dcterms: 'http://purl.org/dc/terms/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
};

/** Bytes of a name: a key of the storage, which has it, has 256. */
const LONGEST_NAME = 200;

const utf8 = new TextEncoder();
const bytesOf = (text: string): number => utf8.encode(text).length;
const fromUtf8 = new TextDecoder();

export class StoredNamespaces implements Namespaces {
  #cached: Promise<Readonly<Record<string, string>>> | undefined;
  /** How often what other processes write had been shown when it was read. */
  #shown = 0;

  readonly #values: NamedValues;

  constructor(values: NamedValues) {
    this.#values = values;
  }

  async get(prefix: string): Promise<string | undefined> {
    return (await this.list())[prefix];
  }

  async set(prefix: string, iri: string): Promise<void> {
    if (typeof prefix !== 'string' || !isPrefixName(prefix)) {
      throw new InvalidArgumentError('INVALID_NAME', `not a prefix: ${JSON.stringify(prefix)}`);
    }
    if (bytesOf(prefix) > LONGEST_NAME)
      throw new InvalidArgumentError('INVALID_NAME', `a prefix has at most ${String(LONGEST_NAME)} bytes`);
    if (typeof iri === 'string' && isLongIri(iri)) {
      throw new InvalidArgumentError('INVALID_TERM', `namespace ${prefix}: ${LONG_IRI}`);
    }
    if (typeof iri !== 'string' || !isAbsoluteIri(iri)) {
      throw new InvalidArgumentError(
        'INVALID_TERM',
        `not an absolute IRI: ${JSON.stringify(iri)} (namespace ${prefix})`,
      );
    }
    await this.#changing(() => this.#values.set(prefix, utf8.encode(iri)));
  }

  async delete(prefix: string): Promise<boolean> {
    // What is too long for a key is not there.
    if (bytesOf(prefix) > LONGEST_NAME && (await this.get(prefix)) === undefined) return false;
    return this.#changing(() => this.#values.delete(prefix));
  }

  async #changing<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } finally {
      // A write that failed may have been made all the same.
      this.#cached = undefined;
    }
  }

  /** Kept until the next change: every query asks for it. */
  list(): Promise<Readonly<Record<string, string>>> {
    try {
      this.#values.check();
    } catch (error) {
      return Promise.reject(error as Error);
    }
    const { shown } = this.#values;
    if (shown !== this.#shown) this.#cached = undefined;
    this.#shown = shown;
    return (this.#cached ??= this.#read());
  }

  /** The account was made or deleted: what is stored is another list. */
  forget(): void {
    this.#cached = undefined;
  }

  #read(): Promise<Readonly<Record<string, string>>> {
    const reading = this.#values.list().then((values) => {
      const prefixes = Object.create(null) as Record<string, string>;
      for (const [prefix, iri] of values) prefixes[prefix] = fromUtf8.decode(iri);
      return prefixes;
    });
    // A failure is not kept: the next call reads again.
    reading.catch(() => {
      if (this.#cached === reading) this.#cached = undefined;
    });
    return reading;
  }
}

/**
 * The declarations of an account and of a repository, which beat them. The same object until one of them changes: it is asked for
 * with every query.
 */
export function mergedPrefixes(account: Namespaces, own: Namespaces): () => Prefixes | Promise<Prefixes> {
  let from: readonly [ofAccount: Promise<Prefixes>, ofRepository: Promise<Prefixes>] | undefined;
  let merged: Prefixes | Promise<Prefixes> = {};
  return () => {
    // The same promises until something changes.
    const ofAccount = account.list();
    const ofRepository = own.list();
    if (from === undefined || from[0] !== ofAccount || from[1] !== ofRepository) {
      from = [ofAccount, ofRepository];
      const merging = Promise.all(from).then(([above, below]) => ({ ...above, ...below }));
      merged = merging;
      merging.then(
        (ready) => {
          if (merged === merging) merged = ready;
        },
        // The caller gets the error. The next call reads again.
        () => (from = undefined),
      );
    }
    return merged;
  };
}

type Prefixes = Readonly<Record<string, string>>;

export class StoredTags implements Tags {
  readonly #core: CoreRepository;

  constructor(core: CoreRepository) {
    this.#core = core;
  }

  async get(name: string): Promise<Revision | undefined> {
    const isThere = (await this.#core.tags.list()).has(name);
    return isThere ? toRevision(await this.#core.locate(name)) : undefined;
  }

  async set(name: string, ref: Ref): Promise<Revision> {
    if (typeof name !== 'string' || !isTagName(name)) {
      throw new InvalidArgumentError(
        'INVALID_NAME',
        `not a tag name: ${JSON.stringify(name)} (it must not look like another form of a revision)`,
      );
    }
    return this.#core.setTag(name, ref);
  }

  async delete(name: string): Promise<boolean> {
    if (bytesOf(name) > LONGEST_NAME && (await this.get(name)) === undefined) return false;
    return this.#core.tags.delete(name);
  }

  list(): Results<TagInfo> {
    return listed(async () => {
      const tags: TagInfo[] = [];
      for (const name of (await this.#core.tags.list()).keys())
        tags.push({ name, revision: toRevision(await this.#core.locate(name)) });
      return tags;
    });
  }
}

/** The namespaces of a repository, and those that hold in its queries. */
export const withEffective = (
  own: StoredNamespaces,
  effective: RepositoryNamespaces['effective'],
): RepositoryNamespaces => ({
  get: (prefix) => own.get(prefix),
  set: (prefix, iri) => own.set(prefix, iri),
  delete: (prefix) => own.delete(prefix),
  list: () => own.list(),
  effective,
});
