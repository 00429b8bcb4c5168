/** How the answer of a query differs from that of another revision, or how it changes from now on: rows that are added and removed. */
import { text } from '../../messages/en.js';
import type { RevisionRecord } from '../../api/revisions.js';
import type { Answer } from '../../rows/answer.js';
import { readRowChanges, type RowChanges } from '../../rows/row-changes.js';
import { parseTerm } from '../../rows/term.js';
import { replaceParameters, route } from '../../router.js';
import { branches, branchName } from '../../state/branch.js';
import { repository } from '../../state/repository.js';
import { revisions, tags } from '../../state/revision.js';
import { hasFeature } from '../../state/session.js';
import { ErrorView } from '../../terms/problem-view.js';
import { Choice } from '../../ui/choice.js';
import { useLoaded } from '../../ui/use-loaded.js';
import { LiveRows } from './live-rows.js';
import { type ChangedRow, RowTable } from './row-table.js';

const MOST_SHOWN = 500;
/** In the place of another revision: what changes from now on. */
const LIVE = 'live';

export function RowChangesView({ answer }: { readonly answer: Answer }) {
  const list = revisions.value;
  const now = list.find(({ uuid }) => uuid === answer.revision.value)?.ordinal ?? list.at(-1)?.ordinal ?? 1;
  const other = route.value.parameters['compare'] ?? String(Math.max(now - 1, 1));
  const offered = [...optionsOf(list), ...otherBranches()];
  return (
    <div class="row-changes" tabIndex={0} role="group" aria-label={text.query.changes}>
      <Choice
        label={text.history.compareWith}
        options={hasFeature('live') ? [[LIVE, text.query.live], ...offered] : offered}
        selected={other}
        onSelect={(number) => replaceParameters({ compare: number })}
      />
      {other === LIVE ? (
        <LiveRows key={String(answer.revision.value)} answer={answer} from={now} />
      ) : (
        <Compared answer={answer} other={other} now={now} />
      )}
    </div>
  );
}

interface ComparedProperties {
  readonly answer: Answer;
  readonly other: string;
  readonly now: number;
}

function Compared({ answer, other, now }: ComparedProperties) {
  const changes = useLoaded(
    async (signal) => ({
      from: other,
      to: now,
      changes: await readRowChanges(repository.value!, answer.text, other, String(now), MOST_SHOWN, signal),
    }),
    [answer, other, now],
  );
  return (
    <>
      {changes.error !== undefined && <ErrorView error={changes.error} onRetry={changes.again} />}
      {changes.value === undefined && changes.loading && <p class="loading">{text.loading}</p>}
      <div aria-busy={changes.loading}>{changes.value !== undefined && <ChangedRows {...changes.value} />}</div>
    </>
  );
}

const optionsOf = (list: readonly RevisionRecord[]): [string, string][] =>
  list
    .toReversed()
    .map(({ ordinal, uuid }) => [String(ordinal), text.history.option(ordinal, tags.value.get(uuid)?.[0])]);

function otherBranches(): [string, string][] {
  const others = (branches.value ?? []).map(({ name }) => name);
  return others.filter((name) => name !== branchName.value && name !== LIVE).map((name) => [name, text.branch(name)]);
}

function ChangedRows({
  changes,
  from,
  to,
}: {
  readonly changes: RowChanges;
  readonly from: string;
  readonly to: number;
}) {
  const { columns, added, removed, addedRows, removedRows } = changes;
  const rows = (kind: ChangedRow['kind'], list: RowChanges['added']): ChangedRow[] =>
    list.map((cells) => ({ kind, terms: cells.map(parseTerm) }));
  const shown = [...rows('removed', removed), ...rows('added', added)];
  return (
    <>
      <p class="muted" data-testid="row-changes">
        {text.query.changedRows(from, to, addedRows, removedRows)}
      </p>
      <RowTable columns={columns} rows={shown} />
      {addedRows + removedRows > shown.length && <p class="empty-note">{text.history.cut(MOST_SHOWN)}</p>}
    </>
  );
}
