// Writes the references that follow from the code: the API, the REST resources and the command. Needs the built packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SITE = resolve(import.meta.dirname, '..');
const ROOT = resolve(SITE, '..');
const REFERENCE = join(SITE, 'src/content/docs/reference');
const built = (path) => import(pathToFileURL(join(ROOT, 'packages', path)).href);

function write(path, title, body) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body.trim()}\n`);
}
/** Text in a cell of a table. */
const code = (text) => `\`${String(text).replaceAll('|', '\\|')}\``;
const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replaceAll(/\s+/g, ' ');

/** One page for each command, by walking the program. */
async function command() {
  const { createProgram } = await built('cli/dist/bundle/index.js');
  const output = { write: () => Promise.resolve() };
  const program = createProgram({ stdout: output, stderr: output });
  const walk = (one, name) => {
    for (const child of one.commands.filter((next) => next.name() !== 'help')) {
      const full = `${name} ${child.name()}`;
      if (child.commands.length > 0) walk(child, full);
      else
        write(
          join(REFERENCE, 'cli', `${full.replace('quadrille ', '').replaceAll(' ', '-')}.md`),
          full,
          commandPage(child, full),
        );
    }
  };
  walk(program, 'quadrille');
}

function commandPage(one, name) {
  const rows = one.options.map((option) => `| ${code(option.flags)} | ${cell(option.description)} |`);
  const args = one.registeredArguments.map(
    (argument) => `| \`${argument.name()}\` | ${argument.required ? 'yes' : 'no'} | ${cell(argument.description)} |`,
  );
  // What stands below the options: the examples, and a text for people.
  let after = '';
  one.configureOutput({ writeOut: (text) => (after += text) });
  one.outputHelp();
  const [, examples = ''] = after.split(/\n(?=Examples:\n)/);
  return [
    cell(one.description()),
    `\`\`\`sh\n${name} ${one.usage()}\n\`\`\``,
    args.length > 0 && `## Arguments\n\n| argument | required | meaning |\n| --- | --- | --- |\n${args.join('\n')}`,
    rows.length > 0 && `## Options\n\n| option | meaning |\n| --- | --- |\n${rows.join('\n')}`,
    examples !== '' && `## Examples\n\n\`\`\`text\n${examples.replace('Examples:\n', '').trimEnd()}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** One page for each group of resources, from the description that a server gives of itself. */
async function rest() {
  const { open } = await built('quadrille/dist/index.js');
  const { createHandler } = await built('rest/dist/index.js');
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
          `| \`${one.name}\` | ${one.in} | ${one.required ? 'yes' : 'no'} | ${cell(one.description ?? one.schema?.type)} |`,
      );
      const bodies = Object.keys(resolved(operation.requestBody)?.content ?? {});
      const answers = Object.entries(operation.responses ?? {}).map(([status, answer]) => {
        const { description, content = {} } = resolved(answer) ?? {};
        return `| ${status} | ${cell(description)} | ${Object.keys(content)
          .map((type) => `\`${type}\``)
          .join(' ')} |`;
      });
      const address = `http://127.0.0.1:8080${path.replaceAll(/\{(\w+)\}/g, '$1')}`;
      return [
        `## ${method.toUpperCase()} ${path.replaceAll(/[{}]/g, (mark) => `\\${mark}`)}`,
        cell(operation.summary ?? operation.description),
        `\`\`\`sh\ncurl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} -u $TOKEN: '${address}'\n\`\`\``,
        rows.length > 0 && `| parameter | in | required | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`,
        bodies.length > 0 && `Body: ${bodies.map((type) => `\`${type}\``).join(', ')}`,
        answers.length > 0 && `| status | meaning | types |\n| --- | --- | --- |\n${answers.join('\n')}`,
      ]
        .filter(Boolean)
        .join('\n\n');
    })
    .join('\n\n');
}

/** TypeDoc writes Markdown; its titles become front matter, and its links routes. */
function api() {
  const out = join(REFERENCE, 'api');
  const options = {
    plugin: 'typedoc-plugin-markdown',
    entryPoints: join(ROOT, 'packages/quadrille/src/index.ts'),
    tsconfig: join(ROOT, 'packages/quadrille/tsconfig.json'),
    out,
    readme: 'none',
    name: 'quadrille',
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    skipErrorChecking: true,
    logLevel: 'Error',
  };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { status, stderr } = spawnSync(process.execPath, [join(SITE, 'node_modules/typedoc/bin/typedoc'), ...given], {
    encoding: 'utf8',
    cwd: SITE,
  });
  if (status !== 0) throw new Error(stderr);
  const base = `${(process.env.SITE_BASE ?? '/').replace(/\/$/, '')}/`;
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const [, title = 'quadrille'] = /^# (.+)$/m.exec(text) ?? [];
    const folder = entry.parentPath.slice(out.length).replaceAll('\\', '/');
    const body = text.replace(/^# .+\n/m, '').replaceAll(/\]\(([^):]+?)\.md(#[^)]*)?\)/g, (_, to, anchor = '') => {
      const route = new URL(to, `http://x/reference/api${folder}/`).pathname
        .slice(1)
        .replace(/(?:^|\/)index$/, '')
        .toLowerCase();
      return `](${base}${route}/${anchor})`;
    });
    rmSync(path);
    write(path.toLowerCase(), title.replaceAll(/\\|`/g, ''), body);
  }
}

for (const folder of ['api', 'rest', 'cli']) rmSync(join(REFERENCE, folder), { recursive: true, force: true });
await command();
await rest();
api();
for (const folder of ['api', 'rest', 'cli'])
  console.log(
    folder,
    readdirSync(join(REFERENCE, folder), { recursive: true }).filter((name) => name.endsWith('.md')).length,
    'pages',
  );
process.exit(0);
