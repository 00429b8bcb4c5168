/** The bodies of requests, with an example of each. */
import { exampleOf } from './examples.js';
import type { OperationDescription } from './operation.js';

const JSON_TYPE = 'application/json';
const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);

/** The content of a body by its media type. */
export const contentTakenBy = (described: OperationDescription, types: readonly string[]): object =>
  Object.fromEntries(types.map((type) => [type, bodyOf(described, type)]));

function bodyOf({ sends }: OperationDescription, type: string): object {
  if (type === JSON_TYPE && sends !== undefined) return { schema: { $ref: `#/components/schemas/${sends}` } };
  if (FORMS.has(type)) return { schema: { type: 'object', additionalProperties: { type: 'string' } } };
  // A document in JSON is sent as it is.
  if (type.endsWith('json')) return { schema: {}, example: JSON.parse(exampleOf(type)) as unknown };
  return { schema: { type: 'string' }, example: exampleOf(type) };
}
