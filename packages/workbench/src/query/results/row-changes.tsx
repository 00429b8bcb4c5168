/** What the answer of a query was at another revision: rows that were added and removed since. */
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { readRowChanges, type RowChanges } from '../../rows/row-changes.js';
import { replaceParameters, route } from '../../router.js';
import { repository } from '../../state/repository.js';
import { revisions, tags } from '../../state/revision.js';
import { ErrorView } from '../../terms/problem-view.js';
import { TermView } from '../../terms/term-view.js';
import { Choice } from '../../ui/choice.js';
import { useLoaded } from '../../ui/use-loaded.js';

const MOST_SHOWN = 500;

export function RowChangesView({ answer }: { readonly answer: Answer }) {
  const list = revisions.value;
  const now = list.find(({ uuid }) => uuid === answer.revision.value)?.ordinal ?? list.at(-1)?.ordinal ?? 1;
  const other = route.value.parameters['compare'] ?? String(Math.max(now - 1, 1));
  const changes = useLoaded(
    (signal) => readRowChanges(repository.value!, answer.text, other, String(now), MOST_SHOWN, signal),
    [answer, other, now],
  );
  return (
    <div class="row-changes" tabIndex={0} role="group" aria-label={text.query.changes}>
      <Choice
        label={text.history.compareWith}
        options={list
          .toReversed()
          .map(({ ordinal, uuid }) => [String(ordinal), text.history.option(ordinal, tags.value.get(uuid)?.[0])])}
        selected={other}
        onSelect={(number) => replaceParameters({ compare: number })}
      />
      {changes.error !== undefined && <ErrorView error={changes.error} onRetry={changes.again} />}
      {changes.value === undefined && changes.loading && <p class="loading">{text.loading}</p>}
      {changes.value !== undefined && <ChangedRows changes={changes.value} from={other} to={now} />}
    </div>
  );
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
  const rows = [
    ...removed.map((cells) => ({ cells, sign: '−', name: text.history.removed, kind: 'removed' })),
    ...added.map((cells) => ({ cells, sign: '+', name: text.history.added, kind: 'added' })),
  ];
  return (
    <>
      <p class="muted" data-testid="row-changes">
        {text.query.changedRows(from, to, addedRows, removedRows)}
      </p>
      {rows.length > 0 && (
        <table class="changed-rows">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden-text">{text.query.change}</span>
              </th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells, sign, name, kind }, index) => (
              <tr key={index} class={kind}>
                <td>
                  <span aria-hidden="true">{sign}</span>
                  <span class="hidden-text">{name}</span>
                </td>
                {cells.map((cell, column) => (
                  <td key={column}>
                    <TermView cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {addedRows + removedRows > rows.length && <p class="empty-note">{text.history.cut(MOST_SHOWN)}</p>}
    </>
  );
}
