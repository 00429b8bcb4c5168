/** The fields of a repository that clients may set, and their allowed values. */
import { InvalidRecordError } from '@quadrille/model';
import type { Privacy } from './rights.js';

/** `null` clears a field. An absent field is not changed. */
export interface RepositoryFields {
  /** Its name for people. */
  readonly name?: string | null;
  /** A line about it. */
  readonly summary?: string | null;
  /** A longer text about it. */
  readonly description?: string | null;
  /** The address of a page about it. */
  readonly homepage?: string | null;
  /** The address of the licence of its data. */
  readonly license_url?: string | null;
  /** The accounts that may read it without being collaborators. */
  readonly privacy?: Privacy | null;
}

type Field = keyof RepositoryFields;

const DESCRIPTION_FACTOR = 16;

/** @throws InvalidRecordError with the problems of each field */
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
