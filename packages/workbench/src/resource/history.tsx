/** What was said of a resource, revision by revision. */
import { getHistory, type Row } from '../api/history.js';
import { date, text } from '../messages/en.js';
import { termOf } from '../rows/binding.js';
import { hrefOf } from '../router.js';
import { repository } from '../state/repository.js';
import { head } from '../state/revision.js';
import { ErrorView } from '../terms/problem-view.js';
import { ParsedTerm } from '../terms/term-view.js';
import { useLoaded } from '../ui/use-loaded.js';
import { MOST_VALUES } from './read.js';

export function ResourceHistory({ iri }: { readonly iri: string }) {
  const rows = useLoaded(
    (signal) => getHistory(repository.value!, iri, MOST_VALUES, signal),
    [repository.value, iri, head.value?.uuid],
  );
  if (rows.error !== undefined) return <ErrorView error={rows.error} onRetry={rows.again} />;
  if (rows.value === undefined) return <p class="loading">{text.loading}</p>;
  if (rows.value.length === 0) return <p class="empty-note">{text.resource.noHistory}</p>;
  return (
    <ol class="resource-history">
      {byRevision(rows.value).map(([number, list]) => (
        <li key={number}>
          <h2>
            <a
              href={hrefOf('compare', repository.value, { from: String(Math.max(Number(number) - 1, 1)), to: number })}
            >
              {text.history.option(Number(number), undefined)}
            </a>{' '}
            <span class="muted">{date(list[0]!['time']!.value)}</span>
          </h2>
          <ul>
            {list.map((row) => (
              <Event key={JSON.stringify(row)} row={row} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

/** Newest first. */
function byRevision(rows: readonly Row[]): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const number = row['ordinal']!.value;
    groups.set(number, [...(groups.get(number) ?? []), row]);
  }
  return [...groups].sort(([a], [b]) => Number(b) - Number(a));
}

function Event({ row }: { readonly row: Row }) {
  const added = row['operation']?.value === 'insert';
  return (
    <li class={added ? 'change added' : 'change removed'}>
      <span class="change-mark" aria-hidden="true">
        {added ? '+' : '−'}
      </span>
      <span class="hidden-text">{added ? text.history.added : text.history.removed}</span>
      <ParsedTerm term={termOf(row['predicate']!)} />
      <ParsedTerm term={termOf(row['object']!)} />
    </li>
  );
}
