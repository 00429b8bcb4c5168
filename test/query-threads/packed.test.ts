/** The packages as they are published find the file of a query thread, and an idle thread does not keep the process alive. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const PACKAGES = resolve(import.meta.dirname, '../../packages');

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const folderOf = (name: string): string => join(PACKAGES, name.replace('@quadrille/', ''));
const manifestOf = async (name: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folderOf(name), 'package.json'), 'utf8')) as Manifest;
const isOurs = (name: string): boolean => name === 'quadrille' || name.startsWith('@quadrille/');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-packed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Puts the packed files of a package, and of those that it depends on, into `node_modules`. */
async function install(name: string, installed = new Set<string>()): Promise<void> {
  if (installed.has(name)) return;
  installed.add(name);
  const { dependencies = {} } = await manifestOf(name);
  const target = join(folder, 'node_modules', name);
  await mkdir(target, { recursive: true });
  const packed = join(folder, 'packed', name);
  await mkdir(packed, { recursive: true });
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed], { cwd: folderOf(name) });
  const [tarball] = await readdir(packed);
  await run('tar', ['-xzf', join(packed, tarball!), '-C', target, '--strip-components', '1']);
  for (const dependency of Object.keys(dependencies)) {
    if (isOurs(dependency)) await install(dependency, installed);
    else await link(folderOf(name), dependency, target);
  }
}

/** Packages of others are those that are installed here. */
async function link(from: string, dependency: string, target: string): Promise<void> {
  const path = join(target, 'node_modules', dependency);
  await mkdir(dirname(path), { recursive: true });
  await symlink(await realpath(join(from, 'node_modules', dependency)), path);
}

const PROGRAM = `
  import { open } from 'quadrille';
  const database = await open('store', { workers: 1 });
  const repository = await database.repository('a/r', { create: true });
  const text = Array.from({ length: 1500 }, (_, i) => \`<urn:s\${i}> <urn:p> "\${i}" .\`).join('\\n');
  await repository.load({ text }, { format: 'nt' });
  const query = 'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y FILTER(STRLEN(?x) > STRLEN(?y)) }';
  const answers = new Set();
  while (database.metrics().workers.queries === 0) {
    answers.add((await repository.serialize(query, 'csv').toArray()).join(''));
    await new Promise((next) => setTimeout(next, 20));
  }
  console.log(JSON.stringify([...answers]));
  // The database stays open.
`;

it('in an empty folder', async () => {
  await install('quadrille');
  await writeFile(join(folder, 'program.mjs'), PROGRAM);
  const { stdout, stderr } = await run(process.execPath, ['program.mjs'], { cwd: folder, timeout: 60_000 });
  expect([stdout, stderr]).toEqual([`${JSON.stringify(['n\r\n590900\r\n'])}\n`, '']);
}, 180_000);
