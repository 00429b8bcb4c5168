/** Guards the repositories of a simulation with shapes, and compares each answer of the guard with a model of the shapes. */
import type { Candidate, Repository, StoredSettings } from '@quadrille/core';
import { QuadrilleError, ShapesError, termToText } from '@quadrille/model';
import { checkCandidate } from '../../packages/quadrille/src/guard/check-candidate.js';
import { setSettings } from '../../packages/quadrille/src/names/stored-settings.js';
import { lazyEngine } from '../../packages/quadrille/src/sparql/lazy-engine.js';
import { check } from '../model/check.js';
import { lineOf, type State } from '../model/operations.mjs';
import type { Book } from './ledger.js';
import { rulesOf, SHAPES, violationsOf } from './shapes-model.js';
import type { World } from './world.js';

export interface ShapesPlan {
  /** The rules of the first revision after that of the repository. */
  readonly rules: readonly string[];
  readonly mode: 'refuse' | 'report';
  readonly since: 'always' | 'now';
  /** Whether shapes and settings change meanwhile. */
  readonly changes: boolean;
}

const engine = lazyEngine();

/** Sets the shapes of a repository. */
export const setShapes = (
  repository: Repository,
  { mode, since }: Pick<ShapesPlan, 'mode' | 'since'>,
  isOn = true,
): Promise<unknown> =>
  setSettings(
    repository,
    { shapes: isOn ? SHAPES : null, shapesMode: mode, shapesSince: since },
    { engine, repository: repository.name },
  );

/** Checks the changes of a repository from now on. */
export function guard(world: World, repository: Repository): void {
  const { name } = repository;
  repository.guardWith(async (candidate, settings) => {
    const answer = await answerOf(candidate, settings, name);
    if (answer.error !== undefined && !(answer.error instanceof ShapesError)) throw answer.error;
    const wrong = await wrongIn(candidate, settings, answer);
    if (wrong !== undefined) world.fault ??= new Error(`the guard of ${name}: ${wrong}`, { cause: answer.error });
    world.guarded[answer.error === undefined ? 'taken' : 'refused']++;
    if (answer.error !== undefined) throw answer.error;
    return answer.found;
  });
}

interface Answer {
  readonly found?: { readonly violations: number } | undefined;
  readonly error?: unknown;
}

const answerOf = (candidate: Candidate, settings: StoredSettings, repository: string): Promise<Answer> =>
  checkCandidate(candidate, settings, { engine, repository }).then(
    (found) => ({ found }),
    (error: unknown) => ({ error }),
  );

/**
 * What is wrong with an answer. A violation that the state before did not have is found by every change. One that was there before refuses
 * a change that touches it, where only new ones do not count.
 */
async function wrongIn(
  candidate: Candidate,
  { shapesMode, shapesSince }: StoredSettings,
  { found, error }: Answer,
): Promise<string | undefined> {
  const states = await statesOf(candidate);
  const rules = states && rulesOf(states.after);
  // Storage that fails, and shapes in pieces.
  if (states === undefined || rules === undefined) return undefined;
  const code = (error as ShapesError | undefined)?.code;
  if (code !== undefined && code !== 'SHAPES_VIOLATED')
    return `${code} ${(error as Error).message}, with ${rules.join()}`;
  const violations = violationsOf(states.after, rules);
  const before = violationsOf(states.before, rules);
  const fresh = [...violations].filter((one) => !before.has(one));
  const isFound = found !== undefined || code !== undefined;
  const told = `${isFound ? 'found' : 'passed over'} ${[...violations].join(', ')}; before ${[...before].join(', ')}`;
  if (isFound && (shapesMode === 'report') !== (code === undefined)) return `${told} in the mode ${String(shapesMode)}`;
  if (!isFound && fresh.length > 0) return told;
  return isFound && (shapesSince === 'now' ? fresh : [...violations]).length === 0 ? told : undefined;
}

async function statesOf(candidate: Candidate): Promise<{ before: State; after: State } | undefined> {
  const earlier = candidate.before();
  try {
    return { before: await linesIn(earlier), after: await linesIn(candidate) };
  } catch (error) {
    if (error instanceof QuadrilleError) return undefined;
    throw error;
  } finally {
    earlier.close();
  }
}

async function linesIn(candidate: Candidate): Promise<State> {
  const lines = new Set<string>();
  const scan = candidate.scanQuads({ s: 0, p: 0, o: 0, g: 0 });
  const { decoder } = candidate.timeline;
  try {
    for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
      if (rows < 0) {
        await scan.fetch();
        continue;
      }
      const ids = [scan.s, scan.p, scan.o, scan.g].map((column) => Array.from(column.slice(scan.start, scan.end)));
      for (let i = 0; i < rows; i++) {
        const terms: string[] = [];
        for (const column of ids) terms.push(termToText(await decoder.decode(column[i]!)));
        lines.add(lineOf(...(terms as [string, string, string, string])));
      }
    }
  } finally {
    scan.close();
  }
  return lines;
}

/**
 * No revision of any branch violates shapes that were there from the beginning, and none has violations that it does not have. Where only
 * new results count, shapes that went and came back take what is there by then.
 */
export function checkObeyed({ plan: { shapes } }: World, name: string, book: Book): void {
  if (shapes === undefined) return;
  const isPinned = !shapes.changes && shapes.mode === 'refuse';
  for (const [branch, line] of book.lines) {
    let first: string | undefined;
    let hasChanged = false;
    for (const [number, state] of line.states.entries()) {
      const rules = state && rulesOf(state);
      if (first === undefined && rules !== undefined && rules.length > 0) first = rules.join();
      if (first !== undefined && state !== undefined) hasChanged ||= rules?.join() !== first;
      if (rules === undefined) continue;
      const violations = violationsOf(state!, rules);
      const where = `${name} ${branch}: revision ${number}`;
      check(
        !isPinned || (shapes.since === 'now' && hasChanged) || violations.size === 0,
        () => `${where} has ${[...violations].join(', ')}`,
      );
      const isTold = book.violating.has(line.ids[number]!);
      check(!isTold || violations.size > 0 || book.hasErased, () => `${where} violates nothing, and says that it does`);
    }
  }
}
