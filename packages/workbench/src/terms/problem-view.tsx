/** An error in the place where its result would be. */
import { asProblem, type Problem } from '../api/errors.js';
import { text } from '../messages/en.js';

export function ProblemView({ problem }: { readonly problem: Problem }) {
  const { message, code, requestId, line, column } = problem;
  return (
    <div class="problem" role="alert">
      <p class="problem-message">{message}</p>
      <p class="muted">
        {line !== undefined && <>{text.query.atPosition(line, column ?? 1)} · </>}
        {text.detailsOf(code, requestId)}
      </p>
    </div>
  );
}

export function ErrorView({ error }: { readonly error: unknown }) {
  return <ProblemView problem={asProblem(error)} />;
}
