/** Running what a tab says. Answers are kept while the page is open, also when another page is shown. */
import { effect, signal, untracked } from '@preact/signals';
import { getJson } from '../api/client.js';
import { asProblem, type Problem } from '../api/errors.js';
import { loadPart } from '../state/load-part.js';
import { queryRequest, update } from '../api/sparql.js';
import type { RevisionRecord } from '../api/revisions.js';
import { text } from '../messages/en.js';
import { Answer } from '../rows/answer.js';
import { status } from '../state/notices.js';
import { namespaces, place, repository } from '../state/repository.js';
import { at, isOld, readRevisions, revisions } from '../state/revision.js';
import type { Tab } from '../state/tabs.js';

/** What an update did. */
export interface Outcome {
  readonly state: 'running' | 'done' | 'failed';
  /** Undefined where nothing changed. */
  readonly revision?: RevisionRecord | undefined;
  readonly problem?: Problem;
}

export type Execution =
  { readonly type: 'query'; readonly answer: Answer } | { readonly type: 'update'; readonly outcome: Outcome };

/** By tab. */
export const executions = signal<ReadonlyMap<string, Execution>>(new Map());
/** Seconds a query may take; undefined for the default of the server. */
export const timeout = signal<number | undefined>(undefined);
/** What the server allows at most, in seconds. */
export const LONGEST_TIMEOUT = 300;
/** A place of the text that the editor is to show. Lines and columns begin with 1. */
export const placeWanted = signal<{ readonly line: number; readonly column: number } | undefined>(undefined);
/** Whether the message of an update is asked for. */
export const messageWanted = signal(false);
/** Messages of updates that have not succeeded, by tab. */
export const messages = new Map<string, string>();

function remember(id: string, execution: Execution): void {
  const before = executions.value.get(id);
  if (before?.type === 'query' && (execution.type !== 'query' || execution.answer !== before.answer)) {
    before.answer.cancel();
    before.answer.dispose();
  }
  executions.value = new Map(executions.value).set(id, execution);
}

/** Longer texts do not fit into an address. */
const LONGEST_LINK = 8000;
export const linkable = (query: string): string | undefined => (query.length > LONGEST_LINK ? undefined : query);

/** Forgets the answer of a tab. */
export function forget(id: string): void {
  const before = executions.value.get(id);
  if (before?.type === 'query') before.answer.dispose();
  const rest = new Map(executions.value);
  rest.delete(id);
  executions.value = rest;
}

// Another branch answers differently, while other repositories have tabs of their own.
let before = { name: repository.peek(), here: place.peek() };
effect(() => {
  const now = { name: repository.value, here: place.value };
  const isOther = now.name === before.name && now.here !== before.here;
  before = now;
  if (isOther) untracked(() => [...executions.value.keys()].forEach(forget));
});

const ACCEPT = 'text/tab-separated-values';

/** @returns whether the text is an update, which asks for a message before it runs */
export async function isUpdate(query: string): Promise<boolean> {
  const { analysisOf } = await loadPart(() => import('./editor/editor.js'));
  return analysisOf(query, namespaces.value).kind === 'update';
}

export function runQuery({ id, text: query }: Tab): void {
  const name = repository.value;
  if (name === undefined) return;
  const request = queryRequest(name, query, { at: at.value, timeout: timeout.value, accept: ACCEPT });
  remember(id, { type: 'query', answer: new Answer(request, query, at.value) });
}

export async function runUpdate({ id, text: query }: Tab, message: string): Promise<void> {
  const name = repository.value;
  if (name === undefined) return;
  if (isOld.value) {
    const problem = { status: 0, code: 'OLD_REVISION', message: text.query.updateAtOld };
    return remember(id, { type: 'update', outcome: { state: 'failed', problem } });
  }
  messages.set(id, message);
  remember(id, { type: 'update', outcome: { state: 'running' } });
  const before = revisions.value.at(-1)?.uuid;
  try {
    const uuid = await update(name, query, message);
    messages.delete(id);
    const changed = uuid !== undefined && uuid !== before;
    const revision = changed ? await getJson<RevisionRecord>(`${name}/revisions/${uuid}`) : undefined;
    remember(id, { type: 'update', outcome: { state: 'done', revision } });
    status.value =
      revision === undefined
        ? text.query.unchanged
        : text.query.updated(revision.ordinal, revision.added, revision.removed);
    await readRevisions();
  } catch (error) {
    const problem = asProblem(error);
    const told = problem.code === 'OFFLINE' ? { ...problem, message: text.query.updateLost } : problem;
    remember(id, { type: 'update', outcome: { state: 'failed', problem: told } });
  }
}
