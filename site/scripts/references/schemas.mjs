/** The schemas of the OpenAPI document as tables. */
import { BASE, cell, code } from './page.mjs';

const nameOf = (ref) => ref.split('/').at(-1);
/** Schemas have a heading each, whose anchor is the name in lower case. */
const link = (ref) => `[${nameOf(ref)}](${BASE}reference/rest/schemas/#${nameOf(ref).toLowerCase()})`;

/** A type in a cell of a table: `string or null`, `list of Revision`, `read`, … */
export function typeText(schema) {
  if (schema === undefined || schema === true) return 'any';
  if (schema.$ref !== undefined) return link(schema.$ref);
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  const any = schema.anyOf ?? schema.oneOf;
  if (any !== undefined) return any.map(typeText).join(' or ');
  if (schema.allOf !== undefined) return schema.allOf.map(typeText).join(' and ');
  const types = [schema.type ?? 'any'].flat();
  return types.map((type) => oneType(type, schema)).join(' or ') + range(schema);
}

function oneType(type, schema) {
  if (type === 'array') return `list of ${typeText(schema.items)}`;
  if (type === 'object' && schema.properties !== undefined)
    return `object (${Object.keys(schema.properties).map(code).join(', ')})`;
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object, each member: ${typeText(schema.additionalProperties)}`;
  return type === 'string' && schema.format !== undefined ? `string (${schema.format})` : type;
}

function range({ minimum, maximum }) {
  if (minimum === undefined) return maximum === undefined ? '' : `, at most ${maximum}`;
  return maximum === undefined ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`;
}

export const schemasPage = (schemas) =>
  [
    'Each request and answer in JSON has one of these schemas. `GET /openapi.json` of a server returns them as JSON Schema.',
    ...Object.entries(schemas).map(([name, schema]) => `## ${name}\n\n${schemaTable(schema)}`),
  ].join('\n\n');

function schemaTable(schema) {
  if (schema.properties === undefined) return `${typeText(schema)}.`;
  const members = Object.entries(schema.properties);
  const described = members.some(([, one]) => one.description !== undefined);
  const rows = members.map(([name, one]) => {
    const required = (schema.required ?? []).includes(name) ? 'yes' : 'no';
    return `| ${code(name)} | ${typeText(one)} | ${required} |${described ? ` ${cell(one.description)} |` : ''}`;
  });
  const head = described
    ? '| member | type | required | meaning |\n| --- | --- | --- | --- |'
    : '| member | type | required |\n| --- | --- | --- |';
  const table = `${head}\n${rows.join('\n')}`;
  return schema.additionalProperties === false ? `${table}\n\nOther members are refused.` : table;
}
