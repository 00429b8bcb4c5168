/** How many changes each predicate has; a click leaves the others out. */
import { useState } from 'preact/hooks';
import type { DiffSummary } from '../api/differences.js';
import { compareText } from '../messages/compare.js';
import { replaceParameters } from '../router.js';
import { parseTerm, shortened } from '../rows/term.js';
import { namespaces } from '../state/repository.js';
import { PlusMinus } from '../terms/changes.js';

const AT_ONCE = 12;

interface Properties {
  readonly summary: DiffSummary;
  /** An IRI; undefined for all. */
  readonly selected: string | undefined;
}

export function ByPredicate({ summary: { predicates }, selected }: Properties) {
  const [most, setMost] = useState(AT_ONCE);
  const choose = (predicate: string | undefined): void => replaceParameters({ predicate, page: undefined });
  const all = predicates.map(({ term, ...counts }) => ({ iri: parseTerm(term).value, ...counts }));
  const shown = all.filter(({ iri }, place) => place < most || iri === selected);
  return (
    <section class="by-predicate" aria-label={compareText.counts}>
      <h2>{compareText.counts}</h2>
      <ul class="counts">
        {shown.map(({ iri, added, removed }) => {
          const name = shortened(iri, namespaces.value) ?? `<${iri}>`;
          const isSelected = iri === selected;
          return (
            <li key={iri}>
              <button
                type="button"
                class="count"
                aria-pressed={isSelected}
                title={compareText.only(name)}
                onClick={() => choose(isSelected ? undefined : iri)}
              >
                <bdi>{name}</bdi>
                <PlusMinus added={added} removed={removed} />
              </button>
            </li>
          );
        })}
        {all.length > most && (
          <li>
            <button type="button" class="button small" onClick={() => setMost(all.length)}>
              {compareText.otherPredicates(all.length - most)}
            </button>
          </li>
        )}
        {selected !== undefined && (
          <li>
            <button type="button" class="button small" onClick={() => choose(undefined)}>
              {compareText.all}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
