/** What changed between two revisions, whatever names them. */
import { saveDocument } from '../api/download.js';
import { diffPath } from '../api/history.js';
import { type DiffPage, type DiffSummary, type End, readDiffPage, readEnd, readSummary } from '../api/differences.js';
import { compareText } from '../messages/compare.js';
import { number, text } from '../messages/en.js';
import { replaceParameters, route } from '../router.js';
import { fail } from '../state/notices.js';
import { repository } from '../state/repository.js';
import { head } from '../state/revision.js';
import { Changes } from '../terms/changes.js';
import { ErrorView } from '../terms/problem-view.js';
import { Icon } from '../ui/icon.js';
import { Menu } from '../ui/menu.js';
import { type Loaded, useLoaded } from '../ui/use-loaded.js';
import { Ends } from './ends.js';
import { ByPredicate } from './by-predicate.js';
import { Pager } from './pager.js';

/** The number of changes of a page. */
const PAGE = 500;

const FORMATS = [
  { label: 'RDF Patch', type: 'application/rdf-patch', extension: 'rdfp' },
  { label: 'SPARQL Update', type: 'application/sparql-update', extension: 'ru' },
  { label: 'TriG', type: 'application/trig', extension: 'trig' },
  { label: 'JSON', type: 'application/json', extension: 'json' },
] as const;

/** What the address asks for. */
function asked() {
  const { from = 'HEAD~1', to = 'HEAD', predicate, page } = route.value.parameters;
  const place = Number(page ?? 1);
  return { from, to, predicate, page: Number.isInteger(place) && place > 0 ? place : 1 };
}

export function ComparePage() {
  const { from, to, predicate, page } = asked();
  const name = repository.value!;
  const ends = useLoaded(
    (signal) => Promise.all([readEnd(name, from, signal), readEnd(name, to, signal)]),
    [name, from, to, head.value?.uuid],
  );
  const [first, last] = endsOf(ends, from, to);
  const [start, end] = [first.revision?.uuid, last.revision?.uuid];
  const isThere = start !== undefined && end !== undefined;
  const summary = useLoaded(
    async (signal): Promise<DiffSummary | undefined> => (isThere ? readSummary(name, start, end, signal) : undefined),
    [name, start, end],
  );
  const part = useLoaded(
    async (signal): Promise<DiffPage | undefined> => {
      if (!isThere) return undefined;
      const term = predicate === undefined ? undefined : `<${predicate}>`;
      const wanted = { from: start, to: end, predicate: term, start: (page - 1) * PAGE, limit: PAGE };
      return readDiffPage(name, wanted, signal);
    },
    [name, start, end, predicate, page],
  );
  return (
    <div class="column wide">
      <div class="title-row">
        <div>
          <h1>{compareText.changes(from, to)}</h1>
          {summary.value !== undefined && (
            <p class="muted" data-testid="diff-summary">
              {text.history.summary(number(summary.value.added), number(summary.value.removed), false)}
            </p>
          )}
        </div>
        {isThere && <Download from={from} to={to} />}
      </div>
      <Ends from={first} to={last} />
      {ends.error !== undefined && <ErrorView error={ends.error} onRetry={ends.again} />}
      {isThere && <Found summary={summary} part={part} page={page} predicate={predicate} />}
    </div>
  );
}

/** While others are read, those of before say nothing. */
function endsOf({ value }: Loaded<readonly [End, End]>, from: string, to: string): readonly [End, End] {
  const [first, last] = value ?? [];
  return [first?.ref === from ? first : { ref: from }, last?.ref === to ? last : { ref: to }];
}

interface FoundProperties {
  readonly summary: Loaded<DiffSummary | undefined>;
  readonly part: Loaded<DiffPage | undefined>;
  readonly page: number;
  readonly predicate: string | undefined;
}

function Found({ summary, part, page, predicate }: FoundProperties) {
  const all = summary.value;
  const failed = summary.error === undefined ? part : summary;
  if (failed.error !== undefined) return <ErrorView error={failed.error} onRetry={failed.again} />;
  if (part.value === undefined || all === undefined) return <p class="loading">{text.loading}</p>;
  if (all.added + all.removed === 0) return <p class="empty-note">{text.history.same}</p>;
  const { changes, hasMore } = part.value;
  const counted = predicate === undefined ? all : all.predicates.find(({ term }) => term === `<${predicate}>`);
  const of = counted === undefined ? undefined : counted.added + counted.removed;
  return (
    <>
      <ByPredicate summary={all} selected={predicate} />
      <div aria-busy={part.loading}>{changes.length > 0 && <Changes changes={changes} cut={false} />}</div>
      {changes.length === 0 && <p class="empty-note">{compareText.pageEmpty}</p>}
      <Pager page={page} size={PAGE} shown={changes.length} of={of} hasMore={hasMore} />
    </>
  );
}

function Download({ from, to }: { readonly from: string; readonly to: string }) {
  const fileName = `${from}-${to}`.replace(/[^\w.~-]+/g, '_');
  const commands = FORMATS.map(({ label, type, extension }) => ({
    label,
    run: () =>
      void saveDocument(`${repository.value!}/${diffPath(from, to)}`, type, `${fileName}.${extension}`).catch(fail),
  }));
  return (
    <div class="row">
      <button
        type="button"
        class="button quiet"
        onClick={() => replaceParameters({ from: to, to: from, page: undefined })}
      >
        <Icon name="compare" />
        {compareText.swap}
      </button>
      <Menu label={text.query.download} class="button quiet" commands={commands}>
        <Icon name="download" />
        {text.query.download}
      </Menu>
    </div>
  );
}
