/** Every snippet of the documents, the READMEs and the TSDoc examples runs, and prints what the page shows. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './markdown.js';
import { agrees, steady } from './snippets/compare.js';
import { compile, type Program } from './snippets/compile.js';
import { sources } from './snippets/sources.js';
import { excused, stepsOf, type Step } from './snippets/steps.js';

const run = promisify(execFile);
const END_OF_BLOCK = String.raw`;console.log('\u0000end of block');`;
const only = process.env['QUADRILLE_PAGES'];
const all = sources()
  .filter(({ path }) => only === undefined || path.includes(only))
  .map((source, index) => ({ ...source, index, steps: stepsOf(source.blocks) }));

interface Outcome {
  readonly printed: readonly string[];
  readonly error?: string;
  readonly ms: number;
}
let folder: string;
let outcomes: Map<string, readonly Outcome[]>;
let errors: ReadonlyMap<string, string[]>;

const pageFolder = (index: number): string => join(folder, 'pages', String(index));
const fileOf = (index: number, step: Extract<Step, { kind: 'program' }>): string =>
  join(pageFolder(index), step.file.replace('.mjs', '.mts'));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-snippets-'));
  await linkPackages();
  await linkCommands();
  errors = await compileAll();
  const plan = join(folder, 'plan.json');
  const pages = all.map(({ path, needs, steps, index }) => ({ path, needs, steps, folder: pageFolder(index) }));
  await writeFile(plan, JSON.stringify({ folder, pages }));
  await run(process.execPath, [join(ROOT, 'test/docs/snippets/run-steps.mjs'), plan, `${plan}.out`], {
    maxBuffer: 2 ** 26,
  });
  const done = JSON.parse(await readFile(`${plan}.out`, 'utf8')) as { path: string; steps: Outcome[] }[];
  outcomes = new Map(done.map(({ path, steps }) => [path, steps]));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The packages of the workspace, and those that its examples, tests and measurements install. */
async function linkPackages(): Promise<void> {
  const modules = join(folder, 'node_modules');
  const link = async (from: string, name: string): Promise<void> => {
    await mkdir(join(modules, name, '..'), { recursive: true });
    await symlink(from, join(modules, name)).catch(() => undefined);
  };
  for (const name of await readdir(join(ROOT, 'packages')))
    await link(join(ROOT, 'packages', name), name === 'quadrille' ? name : `@quadrille/${name}`);
  for (const owner of ['examples', 'bench', 'test', 'packages/quadrille', '.']) {
    const from = join(ROOT, owner, 'node_modules');
    for (const name of await readdir(from))
      if (name.startsWith('@'))
        for (const inner of await readdir(join(from, name))) await link(join(from, name, inner), `${name}/${inner}`);
      else if (!name.startsWith('.')) await link(join(from, name), name);
  }
}

/** `quadrille`, `npx quadrille`, and an `npm install` that only looks whether the packages are known. */
async function linkCommands(): Promise<void> {
  const command = (name: string, text: string): Promise<void> =>
    writeFile(join(folder, 'bin', name), `#!/bin/bash\n${text}\n`).then(() => chmod(join(folder, 'bin', name), 0o755));
  const quadrille = `exec "${process.execPath}" "${join(ROOT, 'packages/quadrille/bin/quadrille.js')}"`;
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin/.curlrc'), 'no-progress-meter\n');
  await command('quadrille', `${quadrille} "$@"`);
  await command(
    'npx',
    `[ "$1" = quadrille ] || { echo "npx $1: not of this project" >&2; exit 1; }\nshift\n${quadrille} "$@"`,
  );
  await command(
    'npm',
    `[ "$1" = install ] || { echo "npm $1" >&2; exit 1; }\nshift\nfor name in "$@"; do case "$name" in -*) ;; *) ` +
      `[ -e "${folder}/node_modules/$name" ] || { echo "no package $name" >&2; exit 1; };; esac; done`,
  );
}

/** Programs that run, and those that cannot but are whole: they begin with an import. */
async function compileAll(): Promise<ReadonlyMap<string, string[]>> {
  const programs: Program[] = [];
  for (const { index, steps, blocks } of all) {
    await mkdir(pageFolder(index), { recursive: true });
    let number = 0;
    for (const step of steps) {
      if (step.kind !== 'program') continue;
      step.file = `program-${String(number++)}.mjs`;
      const code = `${step.blocks.map((block) => block.code).join(`\n${END_OF_BLOCK}\n`)}\nexport {};\n`;
      if (step.typescript) programs.push({ file: fileOf(index, step), code, emit: true });
      else await writeFile(join(pageFolder(index), step.file), code);
    }
    for (const { block } of excused(blocks))
      if (block.language === 'ts' && block.code.includes('import '))
        programs.push({
          file: join(pageFolder(index), `shown-${String(block.line)}.mts`),
          code: block.code,
          emit: false,
        });
  }
  return compile(folder, programs);
}

/** What went wrong in a step, if anything. */
function faults(path: string, index: number, step: Step, outcome: Outcome): string[] {
  const where = (line: number): string => `${path.replace(/:\d+$/, '')}:${String(line)}`;
  const parts = step.kind === 'program' ? step.blocks : step.kind === 'file' ? [] : [step];
  const [first] = parts;
  const found: string[] = [];
  if (step.kind === 'program' && step.typescript)
    for (const error of errors.get(fileOf(index, step)) ?? [])
      found.push(`${where(first?.line ?? 0)} TypeScript, line ${error}`);
  if (outcome.error !== undefined) found.push(`${where(first?.line ?? 0)} ${outcome.error}`);
  for (const [at, { line, prints }] of parts.entries()) {
    const printed = outcome.printed[at] ?? '';
    const shows = prints ?? (step.kind === 'program' ? undefined : undefined);
    if (shows !== undefined && !agrees(shows, printed))
      found.push(`${where(line)} shows\n${steady(shows)}\nbut prints\n${steady(printed)}`);
  }
  return found;
}

describe.each(all.map((source) => [source.path, source] as const))('%s', (path, { steps, blocks, index }) => {
  test(`runs: ${String(steps.length)} steps, ${String(excused(blocks).length)} blocks that do not run say why`, () => {
    const done = outcomes.get(path) ?? [];
    expect(
      steps.flatMap((step, at) => faults(path, index, step, done[at] ?? { printed: [], error: 'did not run', ms: 0 })),
    ).toEqual([]);
    for (const { block, reason } of excused(blocks)) {
      expect(reason.length).toBeGreaterThan(5);
      expect(errors.get(join(pageFolder(index), `shown-${String(block.line)}.mts`)) ?? []).toEqual([]);
    }
  });
});

test.runIf(process.env['QUADRILLE_PAGES_SLOWEST'] !== undefined)(
  'the slowest pages (asked for by QUADRILLE_PAGES_SLOWEST)',
  () => {
    const sums = [...outcomes].map(([path, steps]) => [steps.reduce((sum, { ms }) => sum + ms, 0), path] as const);
    console.log(sums.sort(([a], [b]) => b - a).slice(0, 20));
  },
);
