/** The values of a resource by predicate, with their origin if it is wanted. */
import { useState } from 'preact/hooks';
import { getBlame, type Row } from '../api/history.js';
import { text } from '../messages/en.js';
import { termOf } from '../rows/binding.js';
import { hrefOf } from '../router.js';
import { repository } from '../state/repository.js';
import { at } from '../state/revision.js';
import { ParsedTerm } from '../terms/term-view.js';
import { useLoaded } from '../ui/use-loaded.js';
import { byPredicate, keyOf, MOST_VALUES, type Value } from './read.js';

/** So many values of one predicate are shown at first. */
const FEW = 12;

interface OutgoingProperties {
  readonly iri: string;
  readonly values: readonly Value[] | undefined;
  readonly origin: boolean;
}

export function Outgoing({ iri, values, origin }: OutgoingProperties) {
  const blame = useLoaded(
    (signal) => (origin ? getBlame(repository.value!, iri, at.value, signal) : Promise.resolve([])),
    [repository.value, iri, at.value, origin],
  );
  if (values === undefined) return <p class="loading">{text.loading}</p>;
  if (values.length === 0) return <p class="empty-note">{text.resource.noOutgoing}</p>;
  const origins = new Map<string, Row>();
  for (const row of blame.value ?? []) origins.set(keyOf(termOf(row['predicate']!), termOf(row['object']!)), row);
  return <Groups values={values} origins={origins} />;
}

export function Incoming({ values }: { readonly values: readonly Value[] | undefined }) {
  if (values === undefined) return <p class="loading">{text.loading}</p>;
  if (values.length === 0) return <p class="empty-note">{text.resource.noIncoming}</p>;
  return <Groups values={values} origins={new Map()} />;
}

function Groups({
  values,
  origins,
}: {
  readonly values: readonly Value[];
  readonly origins: ReadonlyMap<string, Row>;
}) {
  return (
    <>
      <dl class="values">
        {byPredicate(values).map(([predicate, list]) => (
          <Group key={predicate.value} values={list} origins={origins} />
        ))}
      </dl>
      {values.length >= MOST_VALUES && <p class="empty-note">{text.resource.cut(MOST_VALUES)}</p>}
    </>
  );
}

function Group({ values, origins }: { readonly values: readonly Value[]; readonly origins: ReadonlyMap<string, Row> }) {
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, FEW);
  const { predicate } = values[0]!;
  return (
    <div class="value-group">
      <dt>
        <ParsedTerm term={predicate} />
      </dt>
      <dd>
        <ul>
          {shown.map(({ term, graph }) => {
            const origin = origins.get(keyOf(predicate, term));
            return (
              <li key={`${keyOf(predicate, term)} ${graph?.value ?? ''}`}>
                <ParsedTerm term={term} />
                {graph !== undefined && (
                  <span class="term-note">
                    {text.resource.inGraph} <ParsedTerm term={graph} />
                  </span>
                )}
                {origin !== undefined && <Origin row={origin} />}
              </li>
            );
          })}
        </ul>
        {values.length > shown.length && (
          <button type="button" class="button small" onClick={() => setAll(true)}>
            {text.resource.more(values.length - shown.length)}
          </button>
        )}
      </dd>
    </div>
  );
}

function Origin({ row }: { readonly row: Row }) {
  const number = row['number']?.value ?? '';
  return (
    <a
      class="origin"
      href={hrefOf('compare', repository.value, { from: String(Math.max(Number(number) - 1, 1)), to: number })}
    >
      {text.resource.since(number, row['agent']?.value, row['message']?.value)}
    </a>
  );
}
