/** The record of a repository as clients see it (specification, 2.2). */
import type { Repository } from 'quadrille';
import type { Hosting, Privacy } from './rights.js';
import { isoTime } from '../text.js';

/** A repository as servers show it. */
export interface RepositoryRecord {
  /** The second part of its name. */
  readonly repository_id: string;
  /** Its name for people. */
  readonly name: string;
  /** A line about it. */
  readonly summary: string | null;
  /** A longer text about it. */
  readonly description: string | null;
  /** The address of a page about it. */
  readonly homepage: string | null;
  /** Number of quads. */
  readonly triple_count: number;
  /** Approximate size in the storage, in bytes. */
  readonly byte_size: number;
  /** The address of the licence of its data. */
  readonly license_url: string | null;
  /** The accounts that may read it without being collaborators. */
  readonly privacy: Privacy;
  /** When it was created, ISO 8601. */
  readonly created: string;
  /** When its data or its record last changed, ISO 8601. */
  readonly updated: string;
  /** UUID of its head. */
  readonly revision: string;
}

export async function repositoryRecord(repository: Repository, hosting: Hosting): Promise<RepositoryRecord> {
  const [metadata, revision] = await Promise.all([repository.settings.metadata.get(), repository.revision()]);
  // By specification a new repository has 0 bytes, although its first revision takes some.
  const byteSize = revision.number === 1 ? 0 : (await repository.maintenance.stats()).bytes;
  const changed = hosting.updated === undefined ? 0 : Date.parse(hosting.updated);
  return {
    repository_id: repository.name,
    name: metadata.name,
    summary: metadata.summary ?? null,
    description: metadata.description ?? null,
    homepage: metadata.homepage ?? null,
    triple_count: revision.size,
    byte_size: byteSize,
    license_url: hosting.licenseUrl ?? null,
    privacy: hosting.privacy,
    created: isoTime(metadata.created),
    updated: isoTime(new Date(Math.max(changed, revision.time.getTime(), metadata.created.getTime()))),
    revision: revision.id,
  };
}
