/** The page of queries: tabs, editor, results. */
import { useEffect } from 'preact/hooks';
import { token } from '../api/client.js';
import { text } from '../messages/en.js';
import { route } from '../router.js';
import { shortcutsOn } from '../state/preferences.js';
import { at, head, readRevisions, revisions, shown } from '../state/revision.js';
import { place } from '../state/repository.js';
import { activeTab, defaultQuery, openTab } from '../state/tabs.js';
import { EditorPane } from './editor-pane.js';
import { executionOf, isForeign, isOfRevision, isOfText, isUpdate, runQuery } from './execution.js';
import { QueryTabs } from './query-tabs.js';
import { Results } from './results/results.js';

/** A query that was so fast runs again by itself when the timeline moves. */
const FAST_MS = 1000;

export function QueryPage() {
  useOpenedLink();
  useRerun();
  useNewer();
  useSignedIn();
  useEscape();
  return (
    <div class="query">
      <h1 class="hidden-text">{text.pages.query}</h1>
      <QueryTabs />
      <EditorPane />
      <Results />
    </div>
  );
}

/** A query in the address is opened and run; so is the one that a new visitor finds. Updates never run by themselves. */
function useOpenedLink(): void {
  const { q } = route.value.parameters;
  useEffect(() => {
    if (q !== undefined && isForeign(q) && q !== activeTab.value.text) openTab(q);
    const [tab, here] = [activeTab.value, place.value];
    if (executionOf(tab) !== undefined) return;
    if (q === undefined && tab.text !== defaultQuery()) return;
    void isUpdate(tab.text).then((update) => {
      if (!update && place.value === here && executionOf(tab) === undefined) runQuery(tab);
    });
  }, [q]);
}

/** What is shown at another revision than its own is asked again, but where that may take long. */
function useRerun(): void {
  const id = activeTab.value.id;
  useEffect(() => {
    const tab = activeTab.value;
    const execution = executionOf(tab);
    if (execution?.type !== 'query' || !isOfText(execution, tab) || isOfRevision(execution)) return;
    const { state, progress } = execution.answer;
    if (state.value === 'running' || progress.value.ms < FAST_MS) runQuery(tab);
  }, [id, at.value, shown.value?.uuid]);
}

/** Whoever asks the current revision gets what others have made meanwhile: the timeline goes on to the revision of the answer. */
function useNewer(): void {
  const execution = executionOf(activeTab.value);
  const own =
    execution?.type === 'query' && execution.asked.at === undefined ? execution.answer.revision.value : undefined;
  const known = head.value !== undefined;
  useEffect(() => {
    if (own === undefined || !known || revisions.value.some(({ uuid }) => uuid === own)) return;
    void readRevisions(own);
  }, [own, known]);
}

/** A query that was refused for want of a valid token goes on when the user has signed in. */
function useSignedIn(): void {
  const tab = activeTab.value;
  const execution = executionOf(tab);
  const refused =
    execution?.type === 'query' && execution.answer.problem.value?.status === 401 ? execution.answer : undefined;
  useEffect(() => {
    if (refused !== undefined && refused.token !== token.value) runQuery(tab);
  }, [refused, token.value]);
}

/** Escape ends the query that runs, but where it closes something. */
function useEscape(): void {
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent): void => {
      if (key !== 'Escape' || !shortcutsOn.value) return;
      if (target instanceof Element && target.closest('dialog, .menu, .find') !== null) return;
      const execution = executionOf(activeTab.value);
      if (execution?.type === 'query') execution.answer.cancel();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
