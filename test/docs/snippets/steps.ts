/**
 * What a page asks a reader to do, in order. The rules:
 * - `ts` and `js` with an `import` begin a program; such a block without one goes on with the program before it, which runs where its first block stands.
 * - `sh` and `console` run in one shell for the whole page; `console` shows commands behind `$` (and `>`) with their output.
 * - `sparql` runs over the fixture of its repository (`on="acme/people"`), `http` is a request, and its answer where another `http` block follows.
 * - `file="name"` writes a block into the folder of the page. `background` starts a server that runs until the end of the page.
 * - `no-run="reason"` says why a block does not run.
 */
import type { Block } from '../markdown.js';

export interface Expectation {
  /** A line of the page. */
  readonly line: number;
  /** The text that is shown, if any is. */
  readonly prints: string | undefined;
}
export type Step =
  | {
      readonly kind: 'program';
      readonly blocks: (Expectation & { readonly code: string })[];
      typescript: boolean;
      file: string;
    }
  | (Expectation & { readonly kind: 'shell'; readonly code: string; readonly background: boolean })
  | (Expectation & { readonly kind: 'sparql'; readonly code: string; readonly on: string })
  | (Expectation & { readonly kind: 'http'; readonly code: string })
  | { readonly kind: 'file'; readonly name: string; readonly code: string; readonly line: number };

/** Languages that are shown and not run. */
const SHOWN = new Set([
  '',
  'text',
  'json',
  'turtle',
  'trig',
  'nginx',
  'caddy',
  'html',
  'css',
  'yaml',
  'ini',
  'csv',
  'xml',
  'n-triples',
  'patch',
  'mermaid',
  'java',
  'java',
]);

export const option = (meta: string, name: string): string | undefined =>
  new RegExp(`(?:^| )${name}="([^"]*)"`).exec(meta)?.[1];
const flag = (meta: string, name: string): boolean => meta.split(' ').includes(name);

/** Blocks that do not run, with the reasons that they give. */
export const excused = (blocks: readonly Block[]): { readonly block: Block; readonly reason: string }[] =>
  blocks.flatMap((block) => {
    const reason = option(block.meta, 'no-run');
    return reason === undefined ? [] : [{ block, reason }];
  });

export function stepsOf(blocks: readonly Block[]): Step[] {
  const steps: Step[] = [];
  let program: Extract<Step, { kind: 'program' }> | undefined;
  for (const [index, block] of blocks.entries()) {
    const { language, meta, code, line, prints } = block;
    const file = option(meta, 'file');
    if (file !== undefined) steps.push({ kind: 'file', name: file, code, line });
    if (option(meta, 'no-run') !== undefined || (file !== undefined && !flag(meta, 'run'))) continue;
    if (language === 'ts' || language === 'js') {
      if (/^import\b/m.test(code) || program === undefined) {
        program = { kind: 'program', blocks: [], typescript: false, file: '' };
        steps.push(program);
      }
      program.typescript ||= language === 'ts';
      program.blocks.push({ code, line, prints });
    } else if (language === 'sh')
      steps.push({ kind: 'shell', code, line, prints, background: flag(meta, 'background') });
    else if (language === 'console') steps.push(...consoleSteps(code, line));
    else if (language === 'sparql')
      steps.push({ kind: 'sparql', code, line, prints, on: option(meta, 'on') ?? 'demo/solar-system' });
    else if (language === 'http') {
      if (code.startsWith('HTTP/')) continue;
      const answer = blocks[index + 1];
      const shown = answer?.language === 'http' && answer.code.startsWith('HTTP/') ? answer.code : undefined;
      steps.push({ kind: 'http', code, line, prints: shown });
    } else if (!SHOWN.has(language)) throw new Error(`line ${String(line)}: no rule for blocks of ${language}`);
  }
  return steps;
}

/** A transcript: commands behind `$`, continued behind `>`, each with the output below it. */
function consoleSteps(code: string, line: number): Step[] {
  const steps: { kind: 'shell'; code: string; line: number; prints: string; background: false }[] = [];
  for (const [index, text] of code.split('\n').entries()) {
    const last = steps.at(-1);
    if (text.startsWith('$ '))
      steps.push({ kind: 'shell', code: text.slice(2), line: line + index + 1, prints: '', background: false });
    else if (last === undefined) throw new Error(`line ${String(line)}: a transcript begins with $`);
    else if (text.startsWith('> ') && last.prints === '') last.code += `\n${text.slice(2)}`;
    else last.prints += `${text}\n`;
  }
  return steps;
}
