/**
 * The packages as they are published, made from the packages of this repository. Those are layers for the people who work here; users
 * install `quadrille`, which has most of them as parts. A part keeps its name: `@quadrille/server/host` here is `quadrille/server/host`
 * there. Only the addresses of imports change, so users run the files that the tests here have run.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST, isEntry, OF_COMMAND, OF_LIBRARY, PUBLISHED, ROOT } from './packages.mjs';

/** Kinds of dependencies that users get. */
const KINDS = ['dependencies', 'peerDependencies', 'peerDependenciesMeta'];
const SPECIFIER =
  /(\bfrom ?|\bimport ?\(? ?|\b__import\(|\brequire\()(["'])(@quadrille\/[a-z\d-]+|quadrille)(\/[a-z\d/-]+)?\2/g;

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const manifestOf = (folder) => readJson(join(ROOT, folder, 'package.json'));
const isOurs = (name) => name === 'quadrille' || name.startsWith('@quadrille/');

/** The versions that `catalog:` means. */
const catalog = new Map(
  Array.from(
    readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8').matchAll(/^ {2}'?([^\s':]+)'?: (\S+)$/gm),
    ([, name, range]) => [name, range],
  ),
);

/** @returns {Record<string, string>} ranges as a registry knows them */
function ranges(dependencies, version) {
  const of = (name, range) => (isOurs(name) ? `^${version}` : range === 'catalog:' ? catalog.get(name) : range);
  return Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, of(name, range)]));
}

/**
 * Copies the files of a package that run. Source maps are left: with their sources they are more than all code. So are the types of the
 * command, which nobody imports.
 */
function copyFiles(folder, to) {
  const isCommand = folder === 'packages/cli';
  const { files = [] } = manifestOf(folder);
  const names = files.filter((name) => !name.startsWith('!'));
  const left = files.filter((name) => name.startsWith('!dist/')).map((name) => name.slice('!'.length));
  const isLeft = (path) =>
    /\.test\.|\.map$|\.tsbuildinfo$/.test(path) ||
    (isCommand && path.endsWith('.d.ts')) ||
    left.some((pattern) => matches(pattern, relative(join(ROOT, folder), path)));
  for (const name of names)
    cpSync(join(ROOT, folder, name), join(to, name), { recursive: true, filter: (path) => !isLeft(path) });
}

/** Whether a path is that of a pattern as `files` of a manifest has them: `dist/name.*`, `dist/folder`. */
const matches = (pattern, path) =>
  pattern.endsWith('.*')
    ? path.startsWith(pattern.slice(0, -1)) && !path.slice(pattern.length - 1).includes('/')
    : path === pattern;

/** What declarations import by their places. */
const RELATIVE = /(?:from|import|import\() ?['"](\.{1,2}\/[^'"]+)['"]/g;

/** The target of an entry for code or for types. */
const target = (entry, types) => (typeof entry === 'string' ? entry : types ? entry.types : entry.default);

class Assembly {
  /**
   * @param {string} name
   * @param {string} to the folder that gets it
   */
  constructor(name, to) {
    const { folder, parts, bundled = false } = PUBLISHED[name];
    Object.assign(this, { name, to, folder, parts, bundled, manifest: manifestOf(folder) });
  }

  write() {
    rmSync(this.to, { recursive: true, force: true });
    copyFiles(this.folder, this.to);
    for (const name of ['README.md', 'LICENSE']) cpSync(join(ROOT, this.folder, name), join(this.to, name));
    for (const part of this.parts) copyFiles(`packages/${part}`, join(this.to, 'parts', part));
    if (this.bundled) this.#bundle();
    for (const file of readdirSync(this.to, { recursive: true })) this.#settle(join(this.to, file));
    const published = this.#published();
    this.#dropTypes(published);
    writeFileSync(join(this.to, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  }

  /** Deletes the types that no entry reaches: two thirds of all files. */
  #dropTypes({ exports, imports, types }) {
    const needed = new Set();
    const open = [exports, imports, types].flatMap(typesIn).map((path) => join(this.to, path));
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (needed.has(path) || !existsSync(path)) continue;
      needed.add(path);
      for (const [, to] of readFileSync(path, 'utf8').matchAll(RELATIVE))
        open.push(join(dirname(path), to.replace(/\.(c?)js$/, '.d.$1ts')));
      for (const [, name] of readFileSync(path, 'utf8').matchAll(/['"](#[^'"]+)['"]/g))
        open.push(...typesIn(imports?.[name]).map((file) => join(this.to, file)));
    }
    for (const file of readdirSync(this.to, { recursive: true })) {
      const path = join(this.to, file);
      if (/\.d\.c?ts$/.test(path) && !needed.has(path)) rmSync(path);
    }
  }

  /** Makes one file of its code and what that uses of its parts. */
  #bundle() {
    const { buildSync } = createRequire(join(ROOT, 'packages/workbench/package.json'))('esbuild');
    const entry = join(ROOT, this.folder, 'dist/index.js');
    for (const file of readdirSync(join(this.to, 'dist')).filter((name) => name.endsWith('.js')))
      rmSync(join(this.to, 'dist', file));
    buildSync({
      entryPoints: [entry],
      outfile: join(this.to, 'dist/index.js'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'error',
    });
  }

  /** Writes a file with the addresses of the published packages. */
  #settle(path) {
    const types = path.endsWith('.d.ts');
    if (this.bundled && !types && path.includes('/parts/') && path.endsWith('.js')) return rmSync(path);
    // The workbench is bundled, and knows its files by their hashes.
    if ((!types && !/\.c?js$/.test(path)) || path.includes('/dist/pages/')) return;
    const text = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
    const settled = text.replace(SPECIFIER, (whole, before, quote, name, entry = '') => {
      const address = this.#address(path, name, entry, types);
      return address === undefined ? whole : `${before}${quote}${address}${quote}`;
    });
    writeFileSync(path, settled);
  }

  /** What a file of this package calls an entry of a package of ours; undefined: as before. */
  #address(path, name, entry, types) {
    if (name === this.name || this.parts.includes(partOf(name))) {
      const inside = name === this.name ? '' : `parts/${partOf(name)}`;
      const folder = name === this.name ? this.folder : `packages/${partOf(name)}`;
      const file = target(manifestOf(folder).exports[`.${entry}`], types).replace(/\.d\.ts$/, '.js');
      const found = relative(dirname(path), join(this.to, inside, file)).replaceAll('\\', '/');
      return found.startsWith('.') ? found : `./${found}`;
    }
    return PUBLISHED.quadrille.parts.includes(partOf(name)) ? `quadrille/${partOf(name)}${entry}` : undefined;
  }

  #published() {
    const { manifest, parts } = this;
    const { devDependencies: _, scripts: __, private: ___, exports, imports = {}, files: ____, ...rest } = manifest;
    const made = { ...rest, exports: { ...exports }, imports: { ...imports } };
    delete made.exports['./*'];
    for (const part of parts.filter((each) => this.name === 'quadrille' && isEntry(each))) {
      const { exports: own } = manifestOf(`packages/${part}`);
      for (const [entry, found] of Object.entries(own))
        if (
          entry !== './package.json' &&
          ![OF_COMMAND, OF_LIBRARY].some((inner) => inner.has(`${part}${entry.slice(1)}`))
        )
          made.exports[`./${part}${entry.slice(1)}`] = moved(found, part);
    }
    for (const part of parts)
      for (const [entry, found] of Object.entries(manifestOf(`packages/${part}`).imports ?? {}))
        made.imports[entry] = moved(found, part);
    // Other packages end the list, so that readers find the library first.
    const { './package.json': itself, ...entries } = made.exports;
    made.exports = { ...entries, './package.json': itself };
    if (Object.keys(made.imports).length === 0) delete made.imports;
    this.#addDependencies(made);
    return made;
  }

  /** Adds what all parts need. A package that needs parts of `quadrille` works with the one that the user has installed. */
  #addDependencies(made) {
    const inner = new Set([...this.parts.map((part) => `@quadrille/${part}`), this.name]);
    const all = [this.manifest, ...(this.bundled ? [] : this.parts.map((part) => manifestOf(`packages/${part}`)))];
    for (const kind of KINDS) {
      const found = Object.assign({}, ...all.map((each) => each[kind] ?? {}));
      const needed = Object.entries(found).filter(([name]) => !inner.has(name));
      const isPart = ([name]) => name === 'quadrille' || PUBLISHED.quadrille.parts.includes(partOf(name));
      const others = needed.filter((each) => !isPart(each)).sort(([a], [b]) => (a < b ? -1 : 1));
      made[kind] =
        kind === 'peerDependenciesMeta' ? Object.fromEntries(others) : ranges(Object.fromEntries(others), made.version);
      if (kind === 'dependencies' && needed.some(isPart)) this.needsLibrary = true;
    }
    if (this.needsLibrary) made.peerDependencies = { quadrille: `^${made.version}`, ...made.peerDependencies };
    for (const kind of KINDS) if (Object.keys(made[kind]).length === 0) delete made[kind];
  }
}

/** The declarations that an entry of a manifest names. */
function typesIn(entry) {
  if (typeof entry === 'string') return /\.d\.c?ts$/.test(entry) ? [entry] : [];
  return entry === null || entry === undefined ? [] : Object.values(entry).flatMap(typesIn);
}

const partOf = (name) => name.replace('@quadrille/', '');

/** An entry of a part, from the folder of the package. */
function moved(entry, part) {
  if (typeof entry === 'string') return entry.replace('./', `./parts/${part}/`);
  return Object.fromEntries(Object.entries(entry).map(([condition, path]) => [condition, moved(path, part)]));
}

/**
 * Makes the folders of the published packages.
 * @param {string} to a folder that gets one for each
 * @returns {{ name: string, folder: string }[]}
 */
export function assemble(to = join(DIST, 'packages'), names = Object.keys(PUBLISHED)) {
  mkdirSync(to, { recursive: true });
  return names.map((name) => {
    const folder = resolve(to, partOf(name));
    new Assembly(name, folder).write();
    return { name, folder };
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const { name, folder } of assemble(process.argv[2])) console.log(`${name}: ${folder}`);
