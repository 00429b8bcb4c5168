// Copies docs/**/*.md into the site: titles become front matter, links become routes. Writes the sidebar, llms.txt and llms-full.txt too.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { capabilityGroups } from '../../test/docs/capabilities.mjs';

const SITE = resolve(import.meta.dirname, '..');
const ROOT = resolve(SITE, '..');
const CONTENT = join(SITE, 'src/content/docs');
const PUBLIC = join(SITE, 'public');
const BASE = `${(process.env.SITE_BASE ?? '/').replace(/\/$/, '')}/`;
const PROJECT = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const SECTIONS = [
  ['Start', 'start', ['what-it-is', 'install', 'tour', 'choose']],
  ['Tutorials', 'tutorials', ['solar-system', 'typed-app', 'server', 'offline-page', 'wikidata']],
  ['How-to', 'how-to'],
  ['Reference', 'reference'],
  [
    'Explanation',
    'explanation',
    ['architecture', 'revisions', 'storage', 'durability', 'query-planning', 'security-model'],
  ],
  ['Compare', 'compare'],
  ['Migrate', 'migrate'],
  ['Project', 'project'],
  ['Decisions', 'decisions'],
];

/** Markdown below a folder, as paths from it. */
const markdown = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();

/** The route of a document, by its path in the repository; `undefined` for files that are not pages. */
function routeOf(path) {
  if (PROJECT.includes(path)) return `project/${path.slice(0, -3).toLowerCase()}/`;
  if (['docs/glossary.md', 'docs/design.md', 'docs/reliability.md'].includes(path))
    return `project/${path.slice(5, -3)}/`;
  if (!path.startsWith('docs/') || !path.endsWith('.md')) return undefined;
  const inner = path.slice(5, -3);
  return inner === 'README' ? '' : `${inner.replace(/(?:^|\/)README$/, '')}/`;
}

/** Links of a document at `path` as routes. What is not on the site stays as text. */
function withRoutes(text, path) {
  return text.replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\]\([^)]*\)|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
    (all, image, label, url) => {
      if (/^(?:[a-z]+:|#)/.test(url)) return all;
      const [file, anchor] = url.split('#');
      const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
      if (target.startsWith('docs/images/'))
        return `${image}[${label}](${BASE}images/${target.slice('docs/images/'.length)})`;
      const route = routeOf(target);
      return route === undefined
        ? label
        : `[${withRoutes(label, path)}](${BASE}${route}${anchor === undefined ? '' : `#${anchor}`})`;
    },
  );
}

/** The parts of a document outside blocks of code are changed; info strings keep the language and the name of the file. */
function toPage(text, path) {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? [];
  const body = text
    .replace(/^# .+\n/m, '')
    .replaceAll(/<!-- snippets: .* -->\n/g, '')
    .split(/(^```[^]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? part.replace(/^```(\S*)(.*)/, (_, language, meta) => {
            const file = / file="([^"]+)"/.exec(meta)?.[1];
            return `\`\`\`${language}${file === undefined ? '' : ` title="${file}"`}`;
          })
        : withRoutes(part, path),
    )
    .join('');
  return { title: title.replaceAll('`', '').replaceAll('\\', ''), body };
}

function write(path, { title, body }, extra = '') {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\ntitle: ${JSON.stringify(title)}\n${extra}---\n${body}`);
}

/** Pages that generate.mjs has written stay; everything else is made anew. */
function collect() {
  for (const [, folder] of SECTIONS)
    if (folder !== 'reference') rmSync(join(CONTENT, folder), { recursive: true, force: true });
  const sources = [...markdown(join(ROOT, 'docs')).map((path) => `docs/${path}`), ...PROJECT];
  const made = [];
  for (const path of sources) {
    const route = routeOf(path);
    const page = toPage(readFileSync(join(ROOT, path), 'utf8'), path);
    write(
      join(
        CONTENT,
        `${route === '' ? 'index' : route.slice(0, -1)}${path.endsWith('/README.md') && route !== '' ? '/index' : ''}.md`,
      ),
      page,
    );
    made.push({ path, route, ...page });
  }
  return made;
}

function sidebar() {
  const generated = [
    ['API', 'reference/api'],
    ['Packages', 'reference/packages'],
    ['REST', 'reference/rest'],
    ['Command', 'reference/cli'],
  ].map(([label, directory]) => ({
    label,
    collapsed: true,
    items: [{ autogenerate: { directory, collapsed: true } }],
  }));
  return SECTIONS.map(([label, directory, order]) => {
    if (directory === 'reference') {
      const own = markdown(join(ROOT, 'docs/reference')).map((path) => `reference/${path.slice(0, -3)}`);
      return { label, items: [...own, ...generated] };
    }
    const items = order?.map((name) => `${directory}/${name}`) ?? [{ autogenerate: { directory } }];
    if (directory === 'explanation') items.push('explanation/testing');
    return { label, collapsed: directory === 'decisions', items };
  });
}

/** For programs that read the documents: a list with addresses, and everything in one file. */
function forPrograms(pages) {
  const lines = pages.map(({ title, route }) => `- [${title}](${BASE}${route})`);
  const can = capabilityGroups(BASE).replaceAll('.md)', '/)');
  writeFileSync(
    join(PUBLIC, 'llms.txt'),
    `# Quadrille\n\n> An RDF database for Node.js and browsers that keeps every commit as a revision.\n\n## What it can do\n\n${can}\n\n## Pages\n\n${lines.join('\n')}\n`,
  );
  const kept = pages.filter(({ route }) => !/^(?:decisions|project\/(?:changelog|contributing))/.test(route));
  writeFileSync(join(PUBLIC, 'llms-full.txt'), kept.map(({ title, body }) => `# ${title}\n${body}`).join('\n'));
}

mkdirSync(PUBLIC, { recursive: true });
cpSync(join(ROOT, 'docs/images'), join(PUBLIC, 'images'), { recursive: true });
writeFileSync(
  join(PUBLIC, 'favicon.svg'),
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path fill="#3050c8" d="M0 0h1.9v1.9H0z"/><path fill="#9fb0ec" d="M2.1 0H4v1.9H2.1zM0 2.1h1.9V4H0z"/><circle cx="3.05" cy="3.05" r=".95" fill="#b45309"/></svg>',
);
const pages = collect();
forPrograms(pages);
writeFileSync(join(SITE, 'src/sidebar.json'), JSON.stringify(sidebar(), null, 2));
console.log(`${pages.length} documents`);
