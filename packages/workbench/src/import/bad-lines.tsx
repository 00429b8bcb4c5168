/** The lines that an import has skipped. */
import { listProblems } from '../api/imports.js';
import { text } from '../messages/en.js';
import { ErrorView } from '../terms/problem-view.js';
import { useLoaded } from '../ui/use-loaded.js';

/** Of a line that was skipped, in characters. */
const MOST_TEXT = 500;

export function BadLines({ job, count }: { readonly job: string; readonly count: number }) {
  const problems = useLoaded(() => listProblems(job), [job]);
  if (problems.error !== undefined) return <ErrorView error={problems.error} onRetry={problems.again} />;
  if (problems.value === undefined) return <p class="loading">{text.loading}</p>;
  const { value } = problems;
  return (
    <div class="bad-lines" role="region" aria-label={text.import.badLines} tabIndex={0}>
      {value.length < count && <p class="muted">{text.import.firstBad(value.length)}</p>}
      <ol class="plain-list">
        {value.map(({ line, column, message, text: content }) => (
          <li key={line}>
            <strong>{text.query.atPosition(line, column)}</strong> {message}
            <code class="query-text">{content.slice(0, MOST_TEXT)}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}
