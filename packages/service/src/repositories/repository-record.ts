/** The record of a repository as clients see it (specification, 2.2). */
import type { Repository } from 'quadrille';
import type { Hosting, Privacy } from './rights.js';
import { isoTime } from '../text.js';

export interface RepositoryRecord {
  readonly repository_id: string;
  readonly name: string;
  readonly summary: string | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly triple_count: number;
  readonly byte_size: number;
  readonly license_url: string | null;
  readonly privacy: Privacy;
  readonly created: string;
  readonly updated: string;
  readonly revision: string;
}

export async function repositoryRecord(repository: Repository, hosting: Hosting): Promise<RepositoryRecord> {
  const [metadata, revision] = await Promise.all([repository.metadata.get(), repository.revision()]);
  // By specification a new repository has 0 bytes, although its first revision takes some.
  const byteSize = revision.number === 1 ? 0 : (await repository.stats()).bytes;
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
