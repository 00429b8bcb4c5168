/** An error in the place where its result would be. */
import { asProblem, type Problem } from '../api/errors.js';
import { text } from '../messages/en.js';

/** The one thing that may help. */
export interface Remedy {
  readonly label: string;
  readonly run: () => void;
}

interface Properties {
  readonly problem: Problem;
  readonly remedy?: Remedy | undefined;
}

export function ProblemView({ problem, remedy }: Properties) {
  const { message, code, status, requestId, line, column } = problem;
  return (
    <div class="problem" role="alert">
      <div class="problem-text">
        <p class="problem-message">{message}</p>
        <p class="muted">
          {line !== undefined && <>{text.query.atPosition(line, column ?? 1)} · </>}
          {code}
        </p>
        {requestId !== undefined && (
          <details>
            <summary>{text.details}</summary>
            <code>{text.requestOf(requestId, status)}</code>
          </details>
        )}
      </div>
      {remedy !== undefined && (
        <button type="button" class="button" onClick={remedy.run}>
          {remedy.label}
        </button>
      )}
    </div>
  );
}

/** @param onRetry reads again */
export function ErrorView({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const remedy = onRetry === undefined ? undefined : { label: text.retry, run: onRetry };
  return <ProblemView problem={asProblem(error)} remedy={remedy} />;
}
