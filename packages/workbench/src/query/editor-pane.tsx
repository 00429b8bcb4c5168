/** The editor with its commands. */
import { effect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { text } from '../messages/en.js';
import { hrefOf, replaceParameters, route } from '../router.js';
import { parseOnServer } from '../api/explain.js';
import { loadPart } from '../state/load-part.js';
import { hasFeature, isReadOnly } from '../state/session.js';
import { readLabel } from '../rows/read-label.js';
import { fail, status } from '../state/notices.js';
import { namespaces, place, repository } from '../state/repository.js';
import { at, isOld, shown } from '../state/revision.js';
import { activeTab, editTab, type Tab } from '../state/tabs.js';
import { Dialog, DialogButtons } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import type { Editor } from '../editor/editor.js';
import {
  executionOf,
  isUpdate,
  linkTo,
  messages,
  messageWanted,
  placeWanted,
  run,
  runUpdate,
  timeout,
} from './execution.js';
import { knownTerms } from './known-terms.js';
import { Saved } from './saved.js';
import { Summary } from './summary.js';

export function EditorPane() {
  const host = useRef<HTMLDivElement>(null);
  const [saving, setSaving] = useState(false);
  const [update, setUpdate] = useState(false);
  const tab = activeTab.value;
  const execution = executionOf(tab);
  const running = execution?.type === 'query' && execution.answer.state.value === 'running';
  const runShown = (): Promise<void> => {
    // The plan belongs to Explain, and results to Run.
    if (route.value.parameters['view'] === 'plan') replaceParameters({ view: undefined });
    return run(activeTab.value);
  };
  const runExplained = (): Promise<void> => {
    replaceParameters({ view: 'plan' });
    return run(activeTab.value);
  };
  const format = useEditor(host, runShown, () => setSaving(true));
  useEffect(() => void isUpdate(tab.text).then(setUpdate), [tab.text]);
  return (
    <section class="editor-pane" id="query-panel" role="tabpanel" aria-labelledby={`tab-${tab.id}`}>
      <div class="editor" ref={host} style={{ '--lines': String(tab.text.split('\n').length) }} />
      <div class="toolbar">
        <button
          type="button"
          class="button primary"
          onClick={() => void runShown()}
          disabled={running || (update && isReadOnly.value)}
        >
          <Icon name="run" filled />
          {runLabel(update)}
        </button>
        {running && (
          <button type="button" class="button" onClick={() => execution.answer.cancel()}>
            <Icon name="stop" filled />
            {text.cancel}
          </button>
        )}
        <button type="button" class="button" onClick={() => void runExplained()} disabled={running || update}>
          {text.query.explain}
        </button>
        <button type="button" class="button quiet wide-only" onClick={format}>
          {text.query.format}
        </button>
        <Timeout />
        <button type="button" class="button quiet" onClick={() => void share()}>
          <Icon name="share" />
          {text.query.share}
        </button>
        <Saved saving={saving} onSaving={setSaving} />
        <span class="spring" />
        <Summary execution={execution} />
      </div>
      {messageWanted.value !== undefined && <Message key={messageWanted.value.id} tab={messageWanted.value} />}
    </section>
  );
}

const labels = new Map<string, Promise<string | undefined>>();

/** In the language of the user where there is one. */
function labelOf(iri: string): Promise<string | undefined> {
  const key = `${place.value} ${at.value ?? ''} ${iri}`;
  const known = labels.get(key) ?? readLabel(repository.value!, iri, at.value);
  labels.set(key, known);
  return known;
}

function runLabel(update: boolean): string {
  if (update) return text.query.runUpdate;
  return isOld.value && shown.value !== undefined ? text.query.runAt(shown.value.ordinal) : text.query.run;
}

/**
 * The editor owns the text while the user writes: the tab follows each change at once. A text that comes from elsewhere, such as another tab or a
 * link, is set at once too. So neither is ever older than the other when the next key comes. The editor marks where the server found an error.
 */
function useEditor(
  host: { readonly current: HTMLDivElement | null },
  run: () => Promise<void>,
  save: () => void,
): () => void {
  const editor = useRef<Editor | undefined>(undefined);
  const running = useRef(run);
  running.current = run;
  useEffect(() => {
    let gone = false;
    let unfollow = (): void => undefined;
    void loadPart(() => import('../editor/editor.js')).then(({ createEditor }) => {
      if (gone || host.current === null) return;
      editor.current = createEditor({
        parent: host.current,
        text: activeTab.value.text,
        name: text.query.editor,
        onChange: (query) => editTab(activeTab.value.id, { text: query }),
        onRun: () => void running.current(),
        onSave: save,
        namespaces: () => namespaces.value,
        terms: knownTerms,
        label: labelOf,
        check: (query, isUpdate) =>
          repository.value !== undefined && hasFeature('parse')
            ? parseOnServer(repository.value, query, isUpdate)
            : Promise.resolve([]),
      });
      const { setText } = editor.current;
      unfollow = effect(() => setText(activeTab.value.text));
    }, fail);
    return () => {
      gone = true;
      unfollow();
      editor.current?.destroy();
    };
  }, []);
  const execution = executionOf(activeTab.value);
  const problem = execution?.type === 'query' ? execution.answer.problem.value : execution?.outcome.problem;
  useEffect(() => {
    if (problem?.line === undefined) return;
    editor.current?.mark(problem.line, problem.column ?? 1, problem.message);
  }, [problem]);
  const place = placeWanted.value;
  useEffect(() => {
    if (place === undefined) return;
    placeWanted.value = undefined;
    editor.current?.goTo(place.line, place.column);
  }, [place]);
  return () => editor.current?.format();
}

const TIMEOUTS = [10, 30, 60, 300];

function Timeout() {
  return (
    <label class="inline-field">
      <span class="wide-only">{text.query.timeout}</span>
      <select
        aria-label={text.query.timeout}
        value={String(timeout.value ?? 30)}
        onChange={({ currentTarget: { value } }) => (timeout.value = Number(value))}
      >
        {TIMEOUTS.map((seconds) => (
          <option key={seconds} value={String(seconds)}>
            {text.query.seconds(seconds)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Copies the address of this query at this revision; the address bar has it too. */
async function share(): Promise<void> {
  const { view } = route.value.parameters;
  const href = hrefOf('query', repository.value, { q: activeTab.value.text, at: at.value, view });
  linkTo(activeTab.value.text);
  try {
    await navigator.clipboard.writeText(new URL(href, location.href).href);
    status.value = text.query.copied;
  } catch {
    // Without the right to write to the clipboard the address bar is what there is.
  }
}

/** The update is the one that the user wanted to run, whatever the editor shows by now. */
function Message({ tab }: { readonly tab: Tab }) {
  const [message, setMessage] = useState(messages.get(tab.id) ?? '');
  const close = (): void => void (messageWanted.value = undefined);
  // It goes with the page: the next one may be of another repository.
  useEffect(() => close, []);
  return (
    <Dialog title={text.query.runUpdate} onClose={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          void runUpdate(tab, message);
        }}
      >
        <label class="field">
          <span>{text.query.message}</span>
          <input value={message} onInput={({ currentTarget: { value } }) => setMessage(value)} />
        </label>
        <DialogButtons submit={text.query.runUpdate} onClose={close} />
      </form>
    </Dialog>
  );
}
