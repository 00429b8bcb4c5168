/** A table that waits for its mapping: the mapping, and the first statements that it makes. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import type { Editor, ServerFault } from '../editor/editor.js';
import { importText } from '../messages/import.js';
import { text } from '../messages/en.js';
import { loadPart } from '../state/load-part.js';
import { fail } from '../state/notices.js';
import { namespaces } from '../state/repository.js';
import { ErrorView, ProblemView } from '../terms/problem-view.js';
import { TermView } from '../terms/term-view.js';
import { useLoaded } from '../ui/use-loaded.js';
import type { Mapped, Preview, Table } from './protocol.js';
import { askTables } from './tables.js';

/** After the last key, before the table is mapped again. */
const PAUSE_MS = 300;

interface Properties {
  readonly table: Table;
  readonly onImport: (mapped: Mapped) => void;
  readonly onRemove: () => void;
}

export function TableCard({ table, onImport, onRemove }: Properties) {
  const { name } = table.file;
  const draft = useLoaded((signal) => askTables('draft', table, { signal }), [table]);
  return (
    <section class="block stack table-card" aria-label={name}>
      <h2>{name}</h2>
      <p class="muted">{importText.mappingHelp}</p>
      {draft.loading && <p class="loading">{text.loading}</p>}
      {draft.error !== undefined && <ErrorView error={draft.error} />}
      {draft.value === undefined ? (
        <Buttons onRemove={onRemove} />
      ) : (
        <Mapping table={table} draft={draft.value} onImport={onImport} onRemove={onRemove} />
      )}
    </section>
  );
}

function Mapping({ table, draft, onImport, onRemove }: Properties & { readonly draft: string }) {
  const [mapping, setMapping] = useState(draft);
  const previews = useMemo(() => new Previews(table), [table]);
  useEffect(() => () => previews.end(), [previews]);
  const preview = useLoaded((signal) => paused(previews, mapping, signal), [previews, mapping]);
  const problem = preview.error === undefined ? undefined : asProblem(preview.error);
  const host = useRef<HTMLDivElement>(null);
  const editor = useMappingEditor(host, draft, setMapping, previews);
  const isReady = !preview.loading && preview.value !== undefined && preview.value.statements.length > 0;
  return (
    <>
      <div class="editor mapping" ref={host} style={{ '--lines': String(mapping.split('\n').length) }} />
      <div class="table-preview" role="region" aria-label={importText.preview} aria-busy={preview.loading} tabIndex={0}>
        {problem !== undefined && <ProblemView problem={problem} remedy={remedyOf(problem, editor)} />}
        {preview.value !== undefined && <Statements preview={preview.value} />}
      </div>
      <Buttons
        onRemove={onRemove}
        onImport={isReady ? () => onImport({ ...table, mapping, prefixes: namespaces.value }) : undefined}
      />
    </>
  );
}

/** The preview of the last text: the page shows it, and the editor marks what is wrong with it. */
class Previews {
  #last: { readonly mapping: string; readonly preview: Promise<Preview>; readonly over: AbortController } | undefined;

  constructor(private readonly table: Table) {}

  of(mapping: string): Promise<Preview> {
    if (this.#last?.mapping === mapping) return this.#last.preview;
    this.end();
    const over = new AbortController();
    const mapped = { ...this.table, mapping, prefixes: namespaces.value };
    const preview = askTables('preview', mapped, { signal: over.signal });
    this.#last = { mapping, preview, over };
    return preview;
  }

  end(): void {
    this.#last?.over.abort();
  }
}

async function paused(previews: Previews, mapping: string, signal: AbortSignal): Promise<Preview> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  signal.throwIfAborted();
  return previews.of(mapping);
}

const remedyOf = ({ line, column }: Problem, editor: () => Editor | undefined) =>
  line === undefined ? undefined : { label: importText.showPlace, run: () => editor()?.goTo(line, column ?? 1) };

function Statements({ preview: { statements, isAll } }: { readonly preview: Preview }) {
  if (statements.length === 0) return <p class="notice warning">{importText.noStatements}</p>;
  return (
    <table>
      <caption>{importText.statements(statements.length, isAll)}</caption>
      <thead>
        <tr>
          {importText.positions.map((position) => (
            <th key={position} scope="col">
              {position}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {statements.map((statement, row) => (
          <tr key={row}>
            {statement.map((cell, column) => (
              <td key={column}>
                <TermView cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ButtonsProperties {
  readonly onRemove: () => void;
  /** Undefined where it cannot be imported as it is. */
  readonly onImport?: (() => void) | undefined;
}

function Buttons({ onRemove, onImport }: ButtonsProperties) {
  return (
    <div class="row end">
      <button type="button" class="button" onClick={onRemove}>
        {importText.leaveOut}
      </button>
      <button type="button" class="button primary" onClick={onImport} disabled={onImport === undefined}>
        {importText.importTable}
      </button>
    </div>
  );
}

const nothing = async (): Promise<[]> => [];

function faultsOf(error: unknown): readonly ServerFault[] {
  const { line, column = 1, message } = asProblem(error);
  return line === undefined ? [] : [{ line, column, message, suggestion: null }];
}

/** The editor of queries with a mapping in it. What is wrong is marked at its place. */
function useMappingEditor(
  host: { readonly current: HTMLDivElement | null },
  draft: string,
  onChange: (mapping: string) => void,
  previews: Previews,
): () => Editor | undefined {
  const editor = useRef<Editor | undefined>(undefined);
  useEffect(() => {
    let gone = false;
    void loadPart(() => import('../editor/editor.js')).then(({ createEditor }) => {
      if (gone || host.current === null) return;
      editor.current = createEditor({
        parent: host.current,
        text: draft,
        name: importText.mapping,
        onChange,
        onRun: () => undefined,
        onSave: () => undefined,
        namespaces: () => namespaces.value,
        terms: nothing,
        label: async () => undefined,
        check: (mapping) => previews.of(mapping).then(nothing, faultsOf),
      });
    }, fail);
    return () => {
      gone = true;
      editor.current?.destroy();
    };
  }, []);
  return useCallback(() => editor.current, []);
}
