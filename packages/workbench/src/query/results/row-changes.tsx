/** What the answer of a query was at another revision: rows that were added and removed since. */
import { useState } from 'preact/hooks';
import { ask } from '../../api/sparql.js';
import { text } from '../../messages/en.js';
import type { Answer } from '../../rows/answer.js';
import { compareAnswers, type RowChanges } from '../../rows/compare.js';
import { repository } from '../../state/repository.js';
import { revisions, tags } from '../../state/revision.js';
import { ErrorView } from '../../terms/problem-view.js';
import { TermView } from '../../terms/term-view.js';
import { Choice } from '../../ui/choice.js';
import { useLoaded } from '../../ui/use-loaded.js';

const TSV = 'text/tab-separated-values';
const MOST_SHOWN = 500;

export function RowChangesView({ answer }: { readonly answer: Answer }) {
  const list = revisions.value;
  const now = list.find(({ uuid }) => uuid === answer.revision.value)?.ordinal ?? list.at(-1)?.ordinal ?? 1;
  const [other, setOther] = useState(Math.max(now - 1, 1));
  const changes = useLoaded(
    async (signal) => {
      const read = async (number: number): Promise<string> =>
        (await ask(repository.value!, answer.text, { at: String(number), accept: TSV }, signal)).text();
      const [before, after] = await Promise.all([read(other), read(now)]);
      return compareAnswers(before, after);
    },
    [answer, other, now],
  );
  return (
    <div class="row-changes" tabIndex={0} role="group" aria-label={text.query.changes}>
      <Choice
        label={text.history.compareWith}
        options={list
          .toReversed()
          .map(({ ordinal, uuid }) => [String(ordinal), text.history.option(ordinal, tags.value.get(uuid)?.[0])])}
        selected={String(other)}
        onSelect={(number) => setOther(Number(number))}
      />
      {changes.error !== undefined && <ErrorView error={changes.error} />}
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
  readonly from: number;
  readonly to: number;
}) {
  const { columns, added, removed } = changes;
  const rows = [
    ...removed.map((cells) => ({ cells, sign: '−', name: text.history.removed, kind: 'removed' })),
    ...added.map((cells) => ({ cells, sign: '+', name: text.history.added, kind: 'added' })),
  ];
  return (
    <>
      <p class="muted" data-testid="row-changes">
        {text.query.changedRows(from, to, added.length, removed.length)}
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
            {rows.slice(0, MOST_SHOWN).map(({ cells, sign, name, kind }, index) => (
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
      {rows.length > MOST_SHOWN && <p class="empty-note">{text.history.cut(MOST_SHOWN)}</p>}
    </>
  );
}
