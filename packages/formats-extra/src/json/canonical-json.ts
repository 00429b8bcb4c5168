/** Canonical JSON (RFC 8785), the text of rdf:JSON literals. */
import type { Json, JsonObject } from './json-document.js';

/** The canonical text of a value. Undefined if it has an infinite number, which is how JavaScript reads one beyond its range. */
export function canonicalJson(value: Json): string | undefined {
  return hasInfinity(value) ? undefined : textOf(value);
}

function hasInfinity(value: Json): boolean {
  if (value === null || typeof value !== 'object') return typeof value === 'number' && !Number.isFinite(value);
  return (isArray(value) ? value : Object.values(value)).some(hasInfinity);
}

function textOf(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(textOf).join(',')}]`;
  // RFC 8785 orders names by UTF-16 units, as sort() does.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${textOf(value[name]!)}`);
  return `{${members.join(',')}}`;
}

export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isArray(value);
