/** What a revision, or its change, violates of the shapes: results by shape, with links to their nodes. */
import { asProblem } from '../api/errors.js';
import { getReport, type ShapesConstraint, type ShapesReport, type ShapesResult } from './report.js';
import { text } from '../messages/en.js';
import { shapesText } from '../messages/shapes.js';
import { hrefOf, route } from '../router.js';
import { repository } from '../state/repository.js';
import { at, head } from '../state/revision.js';
import { isReadOnly } from '../state/session.js';
import { ErrorView } from '../terms/problem-view.js';
import { TermText, TermView } from '../terms/term-view.js';
import { useLoaded } from '../ui/use-loaded.js';

export function ShapesPage() {
  const isOfChange = route.value.parameters['change'] === '1';
  const report = useLoaded(
    (signal) => getReport(repository.value!, at.value, isOfChange, signal),
    [repository.value, at.value, isOfChange, head.value?.uuid],
  );
  return (
    <div class="column wide">
      <h1>{text.pages.shapes}</h1>
      <p class="muted">
        {isOfChange ? shapesText.ofChange(at.value ?? '') : shapesText.ofAll(at.value)}
        {isOfChange && (
          <>
            {' · '}
            <a href={hrefOf('shapes', repository.value, { at: at.value })}>{shapesText.showAll}</a>
          </>
        )}
      </p>
      {report.error !== undefined && <Failed error={report.error} onRetry={report.again} />}
      {report.value === undefined && report.loading && <p class="loading">{text.loading}</p>}
      {report.value !== undefined && (
        <div aria-busy={report.loading} class="stack">
          <Report report={report.value} />
        </div>
      )}
    </div>
  );
}

interface FailedProperties {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Without shapes there is nothing to show. */
function Failed({ error, onRetry }: FailedProperties) {
  if (asProblem(error).code !== 'INVALID_OPTION') return <ErrorView error={error} onRetry={onRetry} />;
  return (
    <p class="notice">
      {shapesText.noShapes}{' '}
      {!isReadOnly.value && <a href={hrefOf('settings', repository.value)}>{text.pages.settings}</a>}
    </p>
  );
}

function Report({
  report: { conforms, results, truncated, warnings, constraints },
}: {
  readonly report: ShapesReport;
}) {
  return (
    <>
      <p class={conforms ? 'notice' : 'notice warning'} role="status">
        {conforms ? shapesText.conforms : shapesText.count(results.length, truncated)}
      </p>
      {warnings.length > 0 && (
        <details class="block shapes-group">
          <summary>{shapesText.warnings(warnings.length)}</summary>
          <ul class="shapes-results">
            {warnings.map(({ shape, statement, reason }) => (
              <li key={`${shape} ${statement}`}>
                <div class="shapes-place">
                  <code>{shape}</code>
                  <code>{statement}</code>
                </div>
                <span class="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {[...byShape(results)].map(([shape, own], index) => (
        <Group key={shape} shape={shape} results={own} isOpen={index === 0} />
      ))}
      <details class="block shapes-group">
        <summary>{shapesText.constraints(constraints.length)}</summary>
        <ul class="shapes-results">
          {constraints.slice(0, MOST_ROWS).map((constraint, index) => (
            <Constraint key={index} constraint={constraint} />
          ))}
        </ul>
        <More rest={constraints.length - MOST_ROWS} />
      </details>
    </>
  );
}

function Constraint({ constraint }: { readonly constraint: ShapesConstraint }) {
  const { shape, path, component, all } = constraint;
  return (
    <li>
      <div class="shapes-place">
        <TermView cell={shape} />
        {path !== undefined && <Path path={path} />}
        <span>{nameOf(component)}</span>
      </div>
      <span class="muted">
        {all.length === 0 ? shapesText.affected : shapesText.all(all.join(', '))} {shapesText.cost(constraint)}
      </span>
    </li>
  );
}

const More = ({ rest }: { readonly rest: number }) => (rest > 0 ? <p class="muted">{shapesText.more(rest)}</p> : null);

function byShape(results: readonly ShapesResult[]): ReadonlyMap<string, readonly ShapesResult[]> {
  const found = new Map<string, ShapesResult[]>();
  for (const result of results) {
    const own = found.get(result.shape);
    if (own === undefined) found.set(result.shape, [result]);
    else own.push(result);
  }
  return found;
}

interface GroupProperties {
  readonly shape: string;
  readonly results: readonly ShapesResult[];
  readonly isOpen: boolean;
}

/** More would make the page slow. */
const MOST_ROWS = 200;

function Group({ shape, results, isOpen }: GroupProperties) {
  return (
    <details class="block shapes-group" open={isOpen}>
      <summary>
        <TermText cell={shape} /> <span class="muted">{shapesText.count(results.length, false)}</span>
      </summary>
      <ul class="shapes-results">
        {results.slice(0, MOST_ROWS).map((result, index) => (
          <Result key={index} result={result} />
        ))}
      </ul>
      <More rest={results.length - MOST_ROWS} />
    </details>
  );
}

/** The last part of an IRI. */
const nameOf = (iri: string): string => iri.replace(/^.*[#/]/, '');

function Result({ result: { focusNode, path, value, severity, message } }: { readonly result: ShapesResult }) {
  return (
    <li>
      <div class="shapes-place">
        <TermView cell={focusNode} />
        {path !== undefined && <Path path={path} />}
        {value !== undefined && value !== focusNode && <TermView cell={value} />}
      </div>
      <span class="muted">
        {nameOf(severity)}: {message}
      </span>
    </li>
  );
}

/** A path of one predicate is a term; others stay as they are written. */
function Path({ path }: { readonly path: string }) {
  return /^<[^<>]*>$/.test(path) ? <TermView cell={path} /> : <code>{path}</code>;
}
