/** The record of a repository (specification, 2.2), and the fields of it that a client may send. */
import { InvalidRecordError, type MetadataChange, type Repository } from 'quadrille';
import { bodyForm, bodyText, MAX_METADATA_BYTES, mediaTypeOf } from './body.js';
import { badRequest } from './http-error.js';

export interface RepositoryRecord {
  readonly repository_id: string;
  readonly name: string;
  readonly summary: string | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly triple_count: number;
  readonly byte_size: number;
  readonly created: string;
  readonly revision: string;
}

export async function recordOf(repository: Repository): Promise<RepositoryRecord> {
  const [metadata, stats, revision] = await Promise.all([
    repository.metadata.get(),
    repository.stats(),
    repository.revision(),
  ]);
  return {
    repository_id: repository.name,
    name: metadata.name,
    summary: metadata.summary ?? null,
    description: metadata.description ?? null,
    homepage: metadata.homepage ?? null,
    triple_count: revision.size,
    // The empty first revision takes some bytes of its own; a new repository has none by specification.
    byte_size: revision.number === 1 ? 0 : stats.bytes,
    created: metadata.created.toISOString(),
    revision: revision.id,
  };
}

const FIELDS = ['name', 'summary', 'description', 'homepage'] as const;

/** The fields in a body: a form, or JSON nested or flat; the bracketed spelling wins, an empty text clears. */
export async function sentFields(request: Request): Promise<MetadataChange> {
  const lookup = mediaTypeOf(request) === 'application/json' ? await jsonLookup(request) : await formLookup(request);
  const change: { -readonly [Field in keyof MetadataChange]: MetadataChange[Field] } = {};
  for (const field of FIELDS) {
    const value = lookup(field);
    if (value !== undefined) change[field] = value === '' ? null : value;
  }
  checkHomepage(change.homepage);
  return change;
}

type Lookup = (field: string) => string | null | undefined;

async function formLookup(request: Request): Promise<Lookup> {
  const form = await bodyForm(request, MAX_METADATA_BYTES);
  return (field) => form.get(`repository[${field}]`) ?? form.get(field) ?? undefined;
}

async function jsonLookup(request: Request): Promise<Lookup> {
  const flat = asObject(parseJson(await bodyText(request, MAX_METADATA_BYTES)));
  const nested = flat['repository'] === undefined ? {} : asObject(flat['repository']);
  return (field) => {
    const value = nested[field] ?? flat[`repository[${field}]`] ?? (field in nested ? nested[field] : flat[field]);
    if (value === undefined || value === null || typeof value === 'string') return value;
    throw badRequest(`${field} is not a string`);
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('the body is not JSON');
  }
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw badRequest('the body is not a JSON object');
}

function checkHomepage(homepage: string | null | undefined): void {
  if (homepage === undefined || homepage === null || /^https?:\/\/[^\s<>"]+$/i.test(homepage)) return;
  throw invalidRecord('homepage', 'is not an http or https URL');
}

/** 422: the record cannot be as it was sent. */
export function invalidRecord(field: string, problem: string): InvalidRecordError {
  return new InvalidRecordError({ [field]: [problem] });
}
