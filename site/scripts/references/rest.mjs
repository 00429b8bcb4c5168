import { join } from 'node:path';
import { built, cell, REFERENCE, write } from './page.mjs';
import { schemasPage, typeText } from './schemas.mjs';

/** One page for each group of resources, from the description that a server gives of itself. */
export async function rest() {
  const { open } = await built('quadrille/dist/index.js');
  const { createHandler } = await built('server/dist/index.js');
  const database = await open(':memory:');
  const handler = createHandler({ database, open: true });
  const document = await (await handler(new Request('http://localhost/openapi.json'))).json();
  await database.close();
  const groups = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
    const group = parts[0] ?? 'repository';
    groups.set(group, [...(groups.get(group) ?? []), [path, methods]]);
  }
  for (const [group, paths] of groups)
    write(
      join(REFERENCE, 'rest', `${group}.md`),
      `/${group}`,
      paths.map(([path, methods]) => resourcePage(path, methods, document)).join('\n\n'),
    );
  write(join(REFERENCE, 'rest', 'schemas.md'), 'Schemas of JSON documents', schemasPage(document.components.schemas));
}

function resourcePage(path, methods, document) {
  const resolved = (value) =>
    value?.$ref === undefined
      ? value
      : value.$ref
          .split('/')
          .slice(1)
          .reduce((at, key) => at?.[key], document);
  const shared = (methods.parameters ?? []).map(resolved);
  const operations = Object.entries(methods).filter(([name]) =>
    ['get', 'put', 'post', 'patch', 'delete'].includes(name),
  );
  return operations
    .map(([method, operation]) => {
      const parameters = [...shared, ...(operation.parameters ?? []).map(resolved)].filter(Boolean);
      const rows = parameters.map(
        (one) =>
          `| \`${one.name}\` | ${one.in} | ${one.required ? 'yes' : 'no'} | ${one.description === undefined ? typeText(one.schema) : cell(one.description)} |`,
      );
      const bodies = mediaTypes(resolved(operation.requestBody)?.content);
      const answers = Object.entries(operation.responses ?? {}).map(([status, answer]) => {
        const { description, content = {} } = resolved(answer) ?? {};
        return `| ${status} | ${cell(description)} | ${mediaTypes(content).join(', ')} |`;
      });
      const address = `http://127.0.0.1:8080${path.replaceAll(/\{(\w+)\}/g, '$1')}`;
      return [
        `## ${method.toUpperCase()} ${path.replaceAll(/[{}]/g, (mark) => `\\${mark}`)}`,
        cell(operation.summary ?? operation.description),
        `\`\`\`sh\ncurl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} -u $TOKEN: '${address}'\n\`\`\``,
        rows.length > 0 && `| parameter | in | required | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`,
        bodies.length > 0 && `Body: ${bodies.join(', ')}`,
        answers.length > 0 && `| status | meaning | types |\n| --- | --- | --- |\n${answers.join('\n')}`,
      ]
        .filter(Boolean)
        .join('\n\n');
    })
    .join('\n\n');
}

/** Each media type, with a link to the schema of its JSON where that has a name. */
const mediaTypes = (content = {}) =>
  Object.entries(content).map(([type, { schema }]) =>
    schema === undefined || !/json/.test(type) || !JSON.stringify(schema).includes('$ref')
      ? `\`${type}\``
      : `\`${type}\` (${typeText(schema)})`,
  );
