/** The page of queries: tabs, editor, results. */
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../messages/en.js';
import { route } from '../router.js';
import { shortcutsOn } from '../state/preferences.js';
import { at, revisions } from '../state/revision.js';
import { signIns } from '../state/session.js';
import { activeTab, DEFAULT_QUERY, openTab } from '../state/tabs.js';
import { EditorPane } from './editor-pane.js';
import { executions, isUpdate, runQuery } from './execution.js';
import { QueryTabs } from './query-tabs.js';
import { Results } from './results/results.js';

/** A query that was so fast runs again by itself when the timeline moves. */
const FAST_MS = 1000;

export function QueryPage() {
  useOpenedLink();
  useRerun();
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
    if (q !== undefined && q !== activeTab.value.text) openTab(q);
    const tab = activeTab.value;
    if (executions.value.has(tab.id)) return;
    if (q === undefined && tab.text !== DEFAULT_QUERY) return;
    void isUpdate(tab.text).then((update) => {
      if (!update && !executions.value.has(tab.id)) runQuery(tab);
    });
  }, [q]);
}

/** Moving through the revisions repeats the query that is shown. */
function useRerun(): void {
  const before = useRef(at.value);
  const now = at.value;
  useEffect(() => {
    if (before.current === now) return;
    before.current = now;
    const tab = activeTab.value;
    const execution = executions.value.get(tab.id);
    if (execution?.type !== 'query' || execution.answer.text !== tab.text) return;
    const { state, progress } = execution.answer;
    if (state.value === 'running' || progress.value.ms < FAST_MS) runQuery(tab);
  }, [now, revisions.value]);
}

/** A query that was refused for want of a valid token goes on when the user has signed in. */
function useSignedIn(): void {
  useEffect(() => {
    const tab = activeTab.value;
    const execution = executions.value.get(tab.id);
    if (execution?.type === 'query' && execution.answer.problem.value?.status === 401) runQuery(tab);
  }, [signIns.value]);
}

/** Escape ends the query that runs, but where it closes something. */
function useEscape(): void {
  useEffect(() => {
    const pressed = ({ key, target }: KeyboardEvent): void => {
      if (key !== 'Escape' || !shortcutsOn.value) return;
      if (target instanceof Element && target.closest('dialog, .menu, .find') !== null) return;
      const execution = executions.value.get(activeTab.value.id);
      if (execution?.type === 'query') execution.answer.cancel();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
