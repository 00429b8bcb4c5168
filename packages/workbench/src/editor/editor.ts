/** The editor of queries: CodeMirror in a shadow root, where its styles need no exception of the page's policy. */
import { defaultKeymap, history, historyKeymap, indentWithTab, temporarilySetTabFocusMode } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from '@codemirror/view';
import { text } from '../messages/en.js';
import { type Analysis, analyse, type Fault } from './analysis.js';
import type { CompletionSource } from './completion-source.js';
import { highlighting, sparql, sparqlLanguage } from './language.js';

export interface EditorOptions extends CompletionSource {
  readonly parent: HTMLElement;
  readonly text: string;
  /** What it is for, for those who do not see it. */
  readonly name: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  readonly onSave: () => void;
  /** Errors that the parser of the server finds where the grammar finds none. */
  readonly check: (text: string, isUpdate: boolean) => Promise<readonly ServerFault[]>;
}

/** Lines and columns begin with 1. */
export interface ServerFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion: string | null;
}

export interface Editor {
  readonly setText: (text: string) => void;
  /** Marks the place of an error of the server; lines and columns begin with 1. */
  readonly mark: (line: number, column: number, message: string) => void;
  /** Places the cursor, and brings it into view. */
  readonly goTo: (line: number, column: number) => void;
  readonly format: () => void;
  readonly focus: () => void;
  readonly destroy: () => void;
}

/** What a text is, by its grammar. */
export const analysisOf = (query: string, namespaces: Readonly<Record<string, string>>): Analysis =>
  analyse(query, sparqlLanguage.parser.parse(query), namespaces);

export function createEditor(options: EditorOptions): Editor {
  const root = options.parent.shadowRoot ?? options.parent.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const completion = new Compartment();
  let more: Extension = [];
  const stateFor = (query: string): EditorState => stateOf(options, query, completion.of(more));
  const view = new EditorView({ root, parent: root, state: stateFor(options.text) });
  // What helps to write comes when one can write already.
  void import('./completion.js').then(({ completionOf }) => {
    more = completionOf(options);
    view.dispatch({ effects: completion.reconfigure(more) });
  });
  return {
    setText: (query) => {
      if (query !== view.state.doc.toString()) view.setState(stateFor(query));
    },
    mark: (line, column, message) =>
      view.dispatch(setDiagnostics(view.state, [placed(view.state, line, column, message)])),
    goTo: (line, column) => {
      const anchor = placed(view.state, line, column, '').from;
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
    format: () => layOut(view),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Lays the text out. It can be undone as a change of the user. */
function layOut(view: EditorView): boolean {
  void import('./format.js').then(({ formatted }) => {
    const before = view.state.doc.toString();
    const insert = formatted(before);
    if (insert !== before)
      view.dispatch({ changes: { from: 0, to: before.length, insert }, userEvent: 'input.format' });
  });
  return true;
}

function placed(state: EditorState, line: number, column: number, message: string): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
  return { from, to: Math.min(from + 1, state.doc.length), severity: 'error', message };
}

function stateOf(options: EditorOptions, query: string, more: Extension): EditorState {
  return EditorState.create({ doc: query, extensions: [more, ...extensions(options)] });
}

function extensions({ name, onChange, onRun, onSave, namespaces, check }: EditorOptions): Extension[] {
  const command = (run: () => void) => (): boolean => {
    run();
    return true;
  };
  return [
    keymap.of([
      { key: 'Mod-Enter', run: command(onRun) },
      { key: 'Shift-Alt-f', run: layOut },
      { key: 'Mod-s', run: command(onSave), preventDefault: true },
      // After Escape, the next Tab leaves the editor.
      { key: 'Escape', run: temporarilySetTabFocusMode },
    ]),
    lineNumbers(),
    lintGutter(),
    foldGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    tooltips({ position: 'absolute' }),
    sparql(),
    syntaxHighlighting(highlighting),
    linter((view) => faultsOf(view, namespaces(), check), { delay: 300 }),
    keymap.of([...historyKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap, indentWithTab]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': name, spellcheck: 'false', tabindex: '0' }),
    EditorView.domEventHandlers({ beforeinput: replaceSelected }),
    EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
    look,
  ];
}

/**
 * Replaces what is selected. The browser would keep the look of the replaced text by a style attribute, which the policy of the page
 * reports.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const { inputType, data } = event;
  if (empty || view.composing || inputType !== 'insertText' || data === null || view.state.readOnly) return false;
  const insert = () =>
    view.state.update({ ...view.state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/** Errors of the grammar at once; where there are none, those of the server. */
async function faultsOf(
  { state }: EditorView,
  namespaces: Readonly<Record<string, string>>,
  check: EditorOptions['check'],
): Promise<Diagnostic[]> {
  const query = state.doc.toString();
  const { faults, kind } = analysisOf(query, namespaces);
  if (kind === undefined && query.replace(/#.*/g, '').trim() === '') return [];
  if (faults.length > 0) return faults.map((fault) => diagnosticOf(query, fault));
  const found = await check(query, kind === 'update').catch(() => []);
  return found.map(({ line, column, message, suggestion }) =>
    placed(state, line, column, suggestion === null ? message : `${message} (${suggestion})`),
  );
}

function diagnosticOf(query: string, { from, to, kind, prefix }: Fault): Diagnostic {
  if (kind !== 'undeclared') {
    const at = Math.min(from, query.length);
    return { from: at, to: Math.max(at, Math.min(to, query.length)), severity: 'error', message: text.query[kind] };
  }
  return {
    from,
    to,
    severity: 'error',
    message: text.query.undeclared(prefix!),
    actions: [
      {
        name: text.query.declare(prefix!),
        apply: (view) =>
          view.dispatch({
            changes: { from: 0, insert: `PREFIX ${prefix!}: <>\n` },
            selection: { anchor: 10 + prefix!.length },
          }),
      },
    ],
  };
}

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: '14px', flex: '1 1 auto', minHeight: '0' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '10px 0' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none', paddingLeft: '4px' },
  '.cm-activeLine': { backgroundColor: 'var(--line-now)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 2px', cursor: 'pointer' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selection)', outline: 'none' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '13px', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px !important' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '1em' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', padding: '6px 10px', borderLeft: '3px solid var(--bad)' },
  '.cm-diagnosticAction': {
    font: 'inherit',
    fontSize: '12px',
    marginLeft: '0',
    marginTop: '4px',
    display: 'block',
    padding: '2px 8px',
    borderRadius: '5px',
    color: 'var(--on-accent)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-hover-term': { display: 'grid', padding: '6px 10px', fontFamily: 'var(--sans)', fontSize: '13px' },
  '.cm-hover-term bdi': { fontFamily: 'var(--mono)', fontSize: '12.5px', color: 'var(--muted)' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)', borderColor: 'var(--line)' },
});
