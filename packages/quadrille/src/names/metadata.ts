/** The metadata of a repository: name, summary, description, homepage. */
import type { Repository as CoreRepository, RepositoryRecord } from '@quadrille/core';
import type { Metadata, MetadataChange, RepositoryMetadata } from '../api/index.js';
import { checkOptions, type Rules } from '../options/check-options.js';
import { nullOr, textOf } from '../options/rules.js';

/** The stored metadata of a new repository. */
export function firstRecord(full: string, metadata: MetadataChange): Omit<RepositoryRecord, 'id' | 'created'> {
  const text = (value: string | null | undefined): string | undefined => value ?? undefined;
  return {
    name: text(metadata.name) ?? full.slice(full.indexOf('/') + 1),
    summary: text(metadata.summary),
    description: text(metadata.description),
    homepage: text(metadata.homepage),
  };
}

/** Longest value of a member, in bytes of UTF-8. */
const MAX_MEMBER_BYTES = 64 * 1024;
const member = nullOr(textOf(MAX_MEMBER_BYTES));
const METADATA: Rules<MetadataChange> = { name: member, summary: member, description: member, homepage: member };

/** @throws InvalidArgumentError `INVALID_OPTION` */
export function checkMetadata(change: MetadataChange): void {
  // A change that is not given is a mistake too.
  checkOptions((change ?? null) as MetadataChange, METADATA, 'metadata');
}

export function metadataOf(record: RepositoryRecord): RepositoryMetadata {
  const { name, summary, description, homepage, created, moving } = record;
  const metadata = { name, summary, description, homepage, created: new Date(created) };
  return moving === undefined ? metadata : { ...metadata, moving: moving.to };
}

export class StoredMetadata implements Metadata {
  readonly #core: CoreRepository;

  constructor(core: CoreRepository) {
    this.#core = core;
  }

  async get(): Promise<RepositoryMetadata> {
    return metadataOf(await this.#core.metadata.get());
  }

  async set(change: MetadataChange): Promise<RepositoryMetadata> {
    checkMetadata(change);
    // An absent member and `undefined` both change nothing.
    const said = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return metadataOf(await this.#core.metadata.set(said));
  }
}
