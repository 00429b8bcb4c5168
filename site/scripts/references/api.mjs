/** The references of the published packages, by TypeDoc. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { BASE, REFERENCE, ROOT, SITE, write } from './page.mjs';

const OUT = join(REFERENCE, 'api');
/** TypeDoc reads them with the same options as `npm run docs:check`. */
const { entryPoints } = JSON.parse(readFileSync(join(ROOT, 'typedoc.json'), 'utf8'));
const LIBRARY = 'packages/quadrille/src/index.ts';
const SHARED = {
  plugin: 'typedoc-plugin-markdown',
  readme: 'none',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  disableSources: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  excludeProtected: true,
  skipErrorChecking: true,
  logLevel: 'Error',
};

/** The library has a page for each member, every other package one page. */
export function api() {
  typedoc({
    entryPoints: [LIBRARY],
    tsconfig: 'packages/quadrille/tsconfig.json',
    out: OUT,
    name: 'quadrille',
    entryFileName: 'index',
  });
  const others = entryPoints.filter((path) => path !== LIBRARY);
  const out = join(REFERENCE, 'packages');
  typedoc({
    entryPoints: others,
    tsconfig: 'tsconfig.reference.json',
    out,
    name: 'packages',
    outputFileStrategy: 'modules',
    entryFileName: 'index',
    flattenOutputFiles: true,
  });
  toPages(OUT, 'reference/api');
  toPages(out, 'reference/packages');
}

function typedoc({ entryPoints: entries, tsconfig, out, ...options }) {
  const given = [
    ...entries.flatMap((path) => ['--entryPoints', join(ROOT, path)]),
    ...Object.entries({ ...SHARED, ...options, tsconfig: join(ROOT, tsconfig), out }).flatMap(([name, value]) => [
      `--${name}`,
      String(value),
    ]),
  ];
  const { status, stderr } = spawnSync(process.execPath, [join(SITE, 'node_modules/typedoc/bin/typedoc'), ...given], {
    encoding: 'utf8',
    cwd: SITE,
  });
  if (status !== 0) throw new Error(stderr);
}

/** TypeDoc names a module by its folder: `packages.core.src.backup` is the page `core-backup`. */
const pageOf = (path) =>
  path.replace(/(?:packages\.)?([\w-]+)\.src(?:\.(?:[\w-]+\.)*([\w-]+))?$/, (_, name, entry) =>
    entry === undefined ? name : `${name}-${entry}`,
  );
/** Packages of their own; the others are parts of `quadrille`. */
const ALONE = new Set(['bench', 'client', 'lmdb', 'postgres', 's3']);
/** `packages/core/src/backup` is what programs import as `quadrille/core/backup`. */
const packageOf = (title) =>
  title
    .replaceAll(/(?:packages\/)?\b([\w-]+)\/src(?:\/(?:[\w-]+\/)*([\w-]+))?\b/g, (_, name, entry) =>
      [ALONE.has(name) ? `@quadrille/${name}` : `quadrille/${name}`, ...(entry === undefined ? [] : [entry])].join('/'),
    )
    .replace(/^packages$/, 'Packages');

/** TypeDoc counts headings of equal names that the site does not have: a link to `#name-1` leads to `#name` where there is one only. */
function withAnchors(body) {
  const slugger = new GithubSlugger();
  const headings = body.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm);
  const slugs = new Set([...headings].map(([, text]) => slugger.slug(text.replaceAll(/[`\\]/g, ''))));
  return body.replaceAll(/\]\(#([^)]+?)(-\d+)\)/g, (link, name, count) =>
    slugs.has(`${name}${count}`) || !slugs.has(name) ? link : `](#${name})`,
  );
}

/** Titles become front matter, and links routes. */
function toPages(out, route) {
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const [, title = 'quadrille'] = /^# (.+)$/m.exec(text) ?? [];
    const folder = entry.parentPath.slice(out.length).replaceAll('\\', '/');
    const body = text
      .replace(/^# .+\n/m, '')
      .replaceAll(/\[([\w/-]+\/src[\w/-]*)\]\(/g, (_, name) => `[${packageOf(name)}](`)
      .replaceAll(/\]\(([^):]+?)\.md(#[^)]*)?\)/g, (_, to, anchor = '') => {
        const target = pageOf(new URL(to, `http://x/${route}${folder}/`).pathname.slice(1))
          .replace(/(?:^|\/)index$/, '')
          .toLowerCase();
        return `](${BASE}${target}/${anchor})`;
      });
    rmSync(path);
    const page = `${pageOf(path.replace(/\.md$/, ''))}.md`;
    write(page.toLowerCase(), packageOf(title.replaceAll(/\\|`/g, '')), withAnchors(body));
  }
}
