/** The fields of a repository that a client may send, in every spelling, and what they may be (interface, section 3). */
import { InvalidArgumentError, InvalidRecordError } from '@quadrille/model';
import type { Privacy } from './rights.js';

/** `null` clears a field, an absent one stays. */
export interface RepositoryFields {
  readonly name?: string | null;
  readonly summary?: string | null;
  readonly description?: string | null;
  readonly homepage?: string | null;
  readonly license_url?: string | null;
  readonly privacy?: Privacy | null;
}

const FIELDS = ['name', 'summary', 'description', 'homepage', 'license_url', 'privacy'] as const;
type Field = (typeof FIELDS)[number];

/** Of a form: `repository[summary]` beats `summary`; an empty text clears. Unknown keys are ignored. */
export function fieldsOfForm(form: URLSearchParams): RepositoryFields {
  return fieldsBy((field) => form.get(`repository[${field}]`) ?? form.get(field) ?? undefined);
}

/**
 * Of JSON: `{"repository": {…}}`, or the members alone.
 * @throws InvalidArgumentError where it is no object or a field is no text
 */
export function fieldsOfJson(value: unknown): RepositoryFields {
  const flat = asObject(value);
  const nested = flat['repository'] === undefined ? {} : asObject(flat['repository']);
  return fieldsBy((field) => {
    const found = [nested[field], flat[`repository[${field}]`], flat[field]].find((text) => text !== undefined);
    if (found === undefined || found === null || typeof found === 'string') return found;
    throw new InvalidArgumentError('INVALID_OPTION', `${field} is not a text`);
  });
}

function fieldsBy(lookup: (field: Field) => string | null | undefined): RepositoryFields {
  const found: Partial<Record<Field, string | null>> = {};
  for (const field of FIELDS) {
    const value = lookup(field);
    if (value !== undefined) found[field] = value === null || value.trim() === '' ? null : value;
  }
  return found as RepositoryFields;
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidArgumentError('INVALID_OPTION', 'a record is a JSON object');
}

const DESCRIPTION_FACTOR = 16;

/** @throws InvalidRecordError with what is wrong with each field */
export function checkFields(fields: RepositoryFields, maxLength: number): void {
  const problems: Record<string, string[]> = {};
  for (const [field, value] of Object.entries(fields) as [Field, string | null][]) {
    const problem = value === null ? undefined : problemOf(field, value, maxLength);
    if (problem !== undefined) problems[field] = [problem];
  }
  if (fields.name === null) problems['name'] = ["can't be blank"];
  if (Object.keys(problems).length > 0) throw new InvalidRecordError(problems);
}

function problemOf(field: Field, value: string, maxLength: number): string | undefined {
  const most = field === 'description' ? maxLength * DESCRIPTION_FACTOR : maxLength;
  if (value.length > most) return `is longer than ${String(most)} characters`;
  if (/\p{Cs}/u.test(value)) return 'is not well-formed text';
  if (field === 'privacy') return isPrivacy(value) ? undefined : 'is not private, public or authenticated';
  if (field !== 'homepage' && field !== 'license_url') return undefined;
  return /^https?:\/\/[^\s<>"]+$/i.test(value) && URL.canParse(value) ? undefined : 'is not an http or https URL';
}

const isPrivacy = (text: string): text is Privacy => ['private', 'public', 'authenticated'].includes(text);
