/** What a repository is about, at the revision that is shown. */
import { type CountedTerm, getSchema } from '../api/schema.js';
import { number, text } from '../messages/en.js';
import { hrefOf } from '../router.js';
import { parseTerm } from '../rows/term.js';
import { repository } from '../state/repository.js';
import { at, head, shown } from '../state/revision.js';
import { ErrorView } from '../terms/problem-view.js';
import { ParsedTerm } from '../terms/term-view.js';
import { Icon } from '../ui/icon.js';
import { useLoaded } from '../ui/use-loaded.js';

export function OverviewPage() {
  const schema = useLoaded(
    (signal) => getSchema(repository.value!, at.value, signal),
    [repository.value, at.value, head.value?.uuid],
  );
  const size = shown.value?.size;
  return (
    <div class="column wide">
      <div class="title-row">
        <div>
          <h1>{text.pages.overview}</h1>
          {size !== undefined && <p class="muted">{text.statements(size)}</p>}
        </div>
      </div>
      {schema.error !== undefined && <ErrorView error={schema.error} onRetry={schema.again} />}
      {schema.value === undefined && schema.loading && <p class="loading">{text.loading}</p>}
      {schema.value !== undefined && (
        <div class="overview" aria-busy={schema.loading}>
          <Counted title={text.overview.classes} terms={schema.value.classes} queryOf={classQuery} />
          <Counted title={text.overview.properties} terms={schema.value.properties} queryOf={propertyQuery} />
          {schema.value.graphs.length > 0 && (
            <Counted title={text.overview.graphs} terms={schema.value.graphs} queryOf={graphQuery} />
          )}
        </div>
      )}
    </div>
  );
}

const classQuery = (term: string): string => `SELECT ?thing {\n  ?thing a ${term}\n}\nLIMIT 1000`;
const propertyQuery = (term: string): string => `SELECT ?subject ?object {\n  ?subject ${term} ?object\n}\nLIMIT 1000`;
const graphQuery = (term: string): string =>
  `SELECT * {\n  GRAPH ${term} { ?subject ?predicate ?object }\n}\nLIMIT 1000`;

interface Properties {
  readonly title: string;
  readonly terms: readonly CountedTerm[];
  readonly queryOf: (term: string) => string;
}

/** Bars are as long as the share of the most frequent term. */
function Counted({ title, terms, queryOf }: Properties) {
  const most = Math.max(...terms.map(({ count }) => count), 1);
  return (
    <section class="counted" aria-label={title}>
      <h2>
        {title} <span class="muted">{number(terms.length)}</span>
      </h2>
      {terms.length === 0 && <p class="empty-note">{text.overview.none}</p>}
      <ul>
        {terms.map(({ term, count }) => (
          <li key={term}>
            <span class="counted-term">
              <ParsedTerm term={parseTerm(term)} />
            </span>
            <a
              class="counted-number"
              href={hrefOf('query', repository.value, { q: queryOf(term), at: at.value })}
              title={text.overview.query}
            >
              <span class="hidden-text">{text.overview.query}</span>
              {number(count)}
              <Icon name="query" />
            </a>
            <span class="counted-bar" aria-hidden="true">
              <i style={{ width: `${String((100 * count) / most)}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
