/** What came back: an answer in its forms, the effect of an update, or an error. */
import type { ComponentType } from 'preact';
import { loadPart } from '../../state/load-part.js';
import { revert } from '../../api/revisions.js';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { replaceParameters, route } from '../../router.js';
import { fail } from '../../state/notices.js';
import { repository } from '../../state/repository.js';
import { readRevisions, revisions } from '../../state/revision.js';
import { activeTab } from '../../state/tabs.js';
import { ErrorView } from '../../terms/problem-view.js';
import { Icon } from '../../ui/icon.js';
import { SearchField } from '../../ui/search-field.js';
import { Tabs } from '../../ui/tabs.js';
import { useLoaded } from '../../ui/use-loaded.js';
import { EmptyRepository, isNew } from '../empty.js';
import { type Execution, executionOf, forget, isOfText, isStale, type Outcome } from '../execution.js';
import { DownloadMenu, DownloadRest } from './download.js';
import { Plan } from './plan.js';
import { QueryProblem } from './query-problem.js';
import { Raw } from './raw.js';
import { RowChangesView } from './row-changes.js';
import { ResultTable } from './table.js';

export function Results() {
  const tab = activeTab.value;
  const execution = executionOf(tab);
  const stale = execution !== undefined && isStale(execution, tab);
  return (
    <section class="results" aria-label={text.query.results} data-stale={stale}>
      {stale && <Stale execution={execution} isText={!isOfText(execution, tab)} />}
      {isNew() && execution?.type !== 'update' ? (
        <EmptyRepository />
      ) : execution === undefined ? (
        <p class="empty-note">{text.query.idle}</p>
      ) : execution.type === 'query' ? (
        <AnswerView key={String(execution.answer.text)} answer={execution.answer} />
      ) : (
        <OutcomeView key={tab.id} id={tab.id} outcome={execution.outcome} />
      )}
    </section>
  );
}

/** Says what the pale answer below it belongs to. */
function Stale({ execution, isText }: { readonly execution: Execution; readonly isText: boolean }) {
  const own = execution.type === 'query' ? execution.answer.revision.value : execution.outcome.revision?.uuid;
  const ordinal = revisions.value.find(({ uuid }) => uuid === own)?.ordinal;
  return (
    <p class="stale-note" data-testid="stale">
      {isText ? text.query.ofOtherText : text.query.ofOtherRevision(ordinal)}
    </p>
  );
}

const VIEWS = ['table', 'graph', 'chart', 'raw', 'plan', 'changes'] as const;
type View = (typeof VIEWS)[number];

/** Drawings come with large libraries, which are loaded when they are first wanted. */
const DRAWINGS = {
  graph: () => import('./graph/graph.js').then(({ Graph }) => Graph),
  chart: () => import('./chart/chart.js').then(({ Chart }) => Chart),
};

function Drawing({ view, answer }: { readonly view: 'graph' | 'chart'; readonly answer: Answer }) {
  const loaded = useLoaded(
    async () => ({ View: await loadPart<ComponentType<{ answer: Answer }>>(DRAWINGS[view]) }),
    [view],
  );
  // What was drawn of many rows would have to be drawn again for each that comes.
  if (answer.state.value === 'running') return <p class="loading">{text.query.drawnAtEnd}</p>;
  if (loaded.error !== undefined) return <ErrorView error={loaded.error} onRetry={loaded.again} />;
  if (loaded.value === undefined || loaded.loading) return <p class="loading">{text.loading}</p>;
  return <loaded.value.View answer={answer} />;
}

function AnswerView({ answer }: { readonly answer: Answer }) {
  const { view: named } = route.value.parameters;
  const view = VIEWS.find((name) => name === named) ?? 'table';
  const problem = answer.problem.value;
  if (problem !== undefined && answer.progress.value.rows === 0) return <QueryProblem problem={problem} />;
  const said = answer.boolean.value;
  if (said !== undefined)
    return (
      <div class="results-bar">
        <p class="boolean">{said ? text.query.yes : text.query.no}</p>
        <span class="spring" />
        <DownloadMenu answer={answer} />
      </div>
    );
  return (
    <>
      {problem !== undefined && <QueryProblem problem={problem} />}
      <div class="results-bar">
        <Tabs
          label={text.query.results}
          tabs={VIEWS.map((id) => ({ id, label: text.query[id] }))}
          selected={view}
          onSelect={(name: View) => replaceParameters({ view: name === 'table' ? undefined : name })}
          panel="result-panel"
        />
        <span class="spring" />
        {answer.state.value === 'full' && <DownloadRest answer={answer} />}
        {view === 'table' && <Filter answer={answer} />}
        <DownloadMenu answer={answer} />
      </div>
      <div id="result-panel" class="result-panel" role="tabpanel" aria-label={text.query[view]}>
        {view === 'table' && <ResultTable answer={answer} />}
        {(view === 'graph' || view === 'chart') && <Drawing view={view} answer={answer} />}
        {view === 'raw' && <Raw answer={answer} />}
        {view === 'plan' && <Plan answer={answer} />}
        {view === 'changes' && <RowChangesView answer={answer} />}
      </div>
    </>
  );
}

function Filter({ answer }: { readonly answer: Answer }) {
  const { column, descending } = answer.sort.value;
  return (
    <SearchField
      label={text.query.filter}
      value={answer.filter.value}
      onInput={(value) => answer.arrange(value, column, descending)}
    />
  );
}

function OutcomeView({ id, outcome }: { readonly id: string; readonly outcome: Outcome }) {
  const { state, revision, problem } = outcome;
  if (problem !== undefined) return <QueryProblem problem={problem} />;
  if (state === 'running') return <p class="loading">{text.loading}</p>;
  if (revision === undefined) return <p class="empty-note">{text.query.unchanged}</p>;
  const undo = async (): Promise<void> => {
    const message = text.query.undone(revision.message ?? `#${String(revision.ordinal)}`);
    try {
      await revert(repository.value!, revision.uuid, message, undefined);
      forget(id);
      await readRevisions();
    } catch (error) {
      fail(error);
    }
  };
  return (
    <div class="outcome">
      <p>
        <strong>{text.query.updated(revision.ordinal, revision.added, revision.removed)}</strong>
      </p>
      <button type="button" class="button" onClick={() => void undo()}>
        <Icon name="undo" />
        {text.query.undo}
      </button>
    </div>
  );
}
