/** The fields of a repository in the body of a request: a form, or JSON nested or flat. */
import { InvalidArgumentError } from '@quadrille/model';
import type { RepositoryFields } from '../host/index.js';
import type { Context } from '../context.js';
import { bodyForm, bodyText, FORM, MAX_METADATA_BYTES, mediaTypeOf, parseJson } from '../message/body.js';
import { enterFields } from './closed-parameters.js';
import { FIELDS } from './known-parameters.js';

type Field = (typeof FIELDS)[number];

/** @throws HttpError, InvalidArgumentError 400 for a body that cannot be read */
export async function sentFields(context: Context): Promise<RepositoryFields> {
  const { request } = context;
  const type = mediaTypeOf(request) ?? '';
  if (/[/+]json$/.test(type)) return fieldsOfJson(parseJson(await bodyText(request, MAX_METADATA_BYTES)));
  if (type !== FORM) enterFields(context, await bodyForm(request, MAX_METADATA_BYTES));
  return fieldsOfForm(context.parameters);
}

/** The fields of a form. `repository[summary]` has priority over `summary`. An empty text clears a field. */
export function fieldsOfForm(form: URLSearchParams): RepositoryFields {
  return fieldsBy((field) => form.get(`repository[${field}]`) ?? form.get(field) ?? undefined);
}

/**
 * The fields of JSON: `{"repository": {…}}`, or the members alone.
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
