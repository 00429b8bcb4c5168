/** Checks the input of a tool by its schema. The errors say where the mistake is and what is possible, so that a model can call again. */
import { isWellFormed } from '@quadrille/model';
import { ToolError } from './tool-error.js';

/** The part of JSON Schema that tools need. */
export type Schema =
  | { readonly type: 'string'; readonly description?: string; readonly maxLength?: number; readonly minLength?: number }
  | { readonly type: 'string'; readonly description?: string; readonly enum: readonly string[] }
  | {
      readonly type: 'integer' | 'number';
      readonly description?: string;
      readonly minimum?: number;
      readonly maximum?: number;
    }
  | { readonly type: 'boolean'; readonly description?: string }
  | { readonly type: 'array'; readonly description?: string; readonly items: Schema; readonly maxItems?: number }
  | {
      readonly type: 'object';
      readonly description?: string;
      readonly properties: Readonly<Record<string, Schema>>;
      readonly required?: readonly string[];
    };

export type InputSchema = Omit<Extract<Schema, { type: 'object' }>, 'type' | 'description'>;

/** @throws ToolError that names the place */
export function checkInput(tool: string, schema: InputSchema, input: unknown): Record<string, unknown> {
  check({ type: 'object', ...schema }, input ?? {}, tool);
  return (input ?? {}) as Record<string, unknown>;
}

function check(schema: Schema, value: unknown, place: string): void {
  switch (schema.type) {
    case 'object':
      return checkObject(schema, value, place);
    case 'array':
      if (!Array.isArray(value)) throw wrong(place, 'a list', value);
      if (schema.maxItems !== undefined && value.length > schema.maxItems)
        throw new ToolError(
          `${place} has ${String(value.length)} items; at most ${String(schema.maxItems)} are allowed`,
        );
      return value.forEach((item, i) => check(schema.items, item, `${place}[${String(i)}]`));
    case 'string':
      return checkText(schema, value, place);
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong(place, 'true or false', value);
      return;
    default:
      return checkNumber(schema, value, place);
  }
}

function checkObject(schema: Extract<Schema, { type: 'object' }>, value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(place, 'an object', value);
  const names = Object.keys(schema.properties);
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(value, name)) throw new ToolError(`${place} lacks "${name}"`);
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (known === undefined)
      throw new ToolError(`${place} has no "${name}"; it has ${names.join(', ') || 'no members'}`);
    check(known, member, `${place}.${name}`);
  }
}

function checkText(schema: Extract<Schema, { type: 'string' }>, value: unknown, place: string): void {
  if (typeof value !== 'string') throw wrong(place, 'text', value);
  if (!isWellFormed(value)) throw new ToolError(`${place} has half of a surrogate pair: send whole characters`);
  if ('enum' in schema) {
    if (!schema.enum.includes(value)) throw wrong(place, `one of ${schema.enum.join(', ')}`, value);
    return;
  }
  const { minLength = 0, maxLength = Infinity } = schema as { minLength?: number; maxLength?: number };
  if (value.length < minLength) throw new ToolError(`${place} is empty`);
  if (value.length > maxLength)
    throw new ToolError(`${place} has ${String(value.length)} characters; at most ${String(maxLength)} are allowed`);
}

function checkNumber(schema: Extract<Schema, { type: 'integer' | 'number' }>, value: unknown, place: string): void {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (!isNumber || (schema.type === 'integer' && !Number.isInteger(value)))
    throw wrong(place, schema.type === 'integer' ? 'a whole number' : 'a number', value);
  if (value < minimum || value > maximum) throw wrong(place, `from ${String(minimum)} to ${String(maximum)}`, value);
}

const SHOWN = 60;
const wrong = (place: string, expected: string, value: unknown): ToolError =>
  new ToolError(`${place} must be ${expected}, not ${(JSON.stringify(value) ?? 'undefined').slice(0, SHOWN)}`);
