/** Canonical JSON (RFC 8785), the text of rdf:JSON literals. */
import type { Json, JsonObject } from './json-document.js';

export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // RFC 8785 orders names by UTF-16 units, as sort() does.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name]!)}`);
  return `{${members.join(',')}}`;
}

export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isArray(value);
