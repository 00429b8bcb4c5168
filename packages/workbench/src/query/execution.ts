/** Running what a tab says. Answers are kept while the page is open, also when another page is shown. */
import { signal } from '@preact/signals';
import { getJson } from '../api/client.js';
import { asProblem, type Problem } from '../api/errors.js';
import { queryRequest, update } from '../api/sparql.js';
import type { RevisionRecord } from '../api/revisions.js';
import { text } from '../messages/en.js';
import { replaceParameters } from '../router.js';
import { Answer } from '../rows/answer.js';
import { loadPart } from '../state/load-part.js';
import { status } from '../state/notices.js';
import { isReadOnly } from '../state/session.js';
import { namespaces, place, repository } from '../state/repository.js';
import { at, isOld, readRevisions, revisions, shown } from '../state/revision.js';
import { activeTab, type Tab } from '../state/tabs.js';

/** What an update did. */
export interface Outcome {
  readonly state: 'running' | 'done' | 'failed';
  /** Undefined where nothing changed. */
  readonly revision?: RevisionRecord | undefined;
  readonly problem?: Problem;
}

/** What stood beside the answer when it was asked for. */
export interface Asked {
  /** The repository and its branch. */
  readonly place: string;
  readonly text: string;
  /** The revision of the address. */
  readonly at: string | undefined;
  /** The UUID of the revision that was shown; undefined where it was not known yet. */
  readonly shown: string | undefined;
}

export type Execution = { readonly asked: Asked } & (
  | { readonly type: 'query'; readonly answer: Answer }
  | { readonly type: 'update'; readonly outcome: Outcome }
);

/** By tab. */
const executions = signal<ReadonlyMap<string, Execution>>(new Map());

/** What a tab has run in the repository and on the branch that are shown. */
export function executionOf({ id }: Tab): Execution | undefined {
  const found = executions.value.get(id);
  return found?.asked.place === place.value ? found : undefined;
}

/** Whether an execution is of the revision that is shown. */
export function isOfRevision(execution: Execution): boolean {
  const { asked } = execution;
  const own = execution.type === 'query' ? execution.answer.revision.value : execution.outcome.revision?.uuid;
  const wanted = shown.value?.uuid;
  if (own !== undefined && wanted !== undefined) return own === wanted;
  return asked.at === at.value && (asked.shown ?? wanted) === (wanted ?? asked.shown);
}

/** Whether an execution is of the text of its tab as it is now. */
export const isOfText = ({ asked }: Execution, tab: Tab): boolean => asked.text === tab.text;

/** Whether the page has moved on since. */
export const isStale = (execution: Execution, tab: Tab): boolean =>
  !isOfText(execution, tab) || !isOfRevision(execution);

/** Seconds a query may take; undefined for the default of the server. */
export const timeout = signal<number | undefined>(undefined);
/** What the server allows at most, in seconds. */
export const LONGEST_TIMEOUT = 300;
/** A place of the text that the editor is to show. Lines and columns begin with 1. */
export const placeWanted = signal<{ readonly line: number; readonly column: number } | undefined>(undefined);
/** The tab with an update whose message is asked for. */
export const messageWanted = signal<Tab | undefined>(undefined);
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

/** The query of the address that the page has put there itself, with its place: it is no link to follow. */
let linked = '';
const linkHere = (query: string | undefined): string => `${place.peek()} ${query ?? ''}`;

/** Puts a query into the address; undefined for none. */
export function linkTo(query: string | undefined): void {
  const q = query === undefined ? undefined : linkable(query);
  linked = linkHere(q);
  replaceParameters({ q });
}

/** Whether somebody else than the page has put this query into the address. */
export function isForeign(query: string): boolean {
  if (linked === linkHere(query)) return false;
  linked = '';
  return true;
}

const ACCEPT = 'text/tab-separated-values';

/** @returns whether the text is an update, which asks for a message before it runs */
export async function isUpdate(query: string): Promise<boolean> {
  const { analysisOf } = await loadPart(() => import('../editor/editor.js'));
  return analysisOf(query, namespaces.value).kind === 'update';
}

const askedNow = (query: string): Asked => ({
  place: place.value,
  text: query,
  at: at.value,
  shown: shown.value?.uuid,
});

/** Runs what a tab says: a query at once, an update when its message was asked for. */
export async function run(tab: Tab): Promise<void> {
  const here = place.value;
  const update = await isUpdate(tab.text);
  // The user went to another repository meanwhile, which the text is not meant for.
  if (place.value !== here) return;
  if (!update) {
    runQuery(tab);
    if (activeTab.value.id === tab.id) linkTo(tab.text);
  } else if (isOld.value || isReadOnly.value) await runUpdate(tab, '');
  else messageWanted.value = tab;
}

export function runQuery(tab: Tab): void {
  const name = repository.value;
  if (name === undefined) return;
  const { id, text: query } = tab;
  const before = executionOf(tab);
  // The same question is shown as its answer before was.
  const like = before?.type === 'query' && isOfText(before, tab) ? before.answer : undefined;
  const request = queryRequest(name, query, { at: at.value, timeout: timeout.value, accept: ACCEPT });
  remember(id, { type: 'query', asked: askedNow(query), answer: new Answer(request, query, at.value, like) });
}

export async function runUpdate({ id, text: query }: Tab, message: string): Promise<void> {
  const name = repository.value;
  if (name === undefined) return;
  const asked = askedNow(query);
  const tell = (outcome: Outcome): void => remember(id, { type: 'update', asked, outcome });
  if (isOld.value) {
    const problem = { status: 0, code: 'OLD_REVISION', message: text.query.updateAtOld };
    return tell({ state: 'failed', problem });
  }
  messages.set(id, message);
  tell({ state: 'running' });
  const before = revisions.value.at(-1)?.uuid;
  try {
    const uuid = await update(name, query, message);
    messages.delete(id);
    const changed = uuid !== undefined && uuid !== before;
    const revision = changed ? await getJson<RevisionRecord>(`${name}/revisions/${uuid}`) : undefined;
    await readRevisions();
    tell({ state: 'done', revision });
    status.value =
      revision === undefined
        ? text.query.unchanged
        : text.query.updated(revision.ordinal, revision.added, revision.removed);
  } catch (error) {
    const problem = asProblem(error);
    tell({
      state: 'failed',
      problem: problem.code === 'OFFLINE' ? { ...problem, message: text.query.updateLost } : problem,
    });
  }
}
