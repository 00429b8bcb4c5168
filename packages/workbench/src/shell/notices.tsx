/** Results for those who listen, errors for all, and whether the server answers. */
import { useEffect } from 'preact/hooks';
import { getSystem } from '../api/repositories.js';
import { online } from '../api/client.js';
import { text } from '../messages/en.js';
import { failure, type Standing, standing, status } from '../state/notices.js';
import { signIns } from '../state/session.js';

export function Notices() {
  return (
    <>
      <div role="status" class="hidden-text">
        {status.value}
      </div>
      <div role="alert" class="alerts">
        {!online.value && <p class="notice warning">{text.offline}</p>}
        {standing.value.map((notice) => (
          <Stands key={notice.id} {...notice} />
        ))}
        <Failure />
      </div>
      {!online.value && <Reconnect />}
    </>
  );
}

function Stands({ text: words, action }: Standing) {
  return (
    <div class="notice warning">
      <p>{words}</p>
      {action !== undefined && (
        <button type="button" class="button small" onClick={action.run}>
          {action.label}
        </button>
      )}
    </div>
  );
}

function Failure() {
  const problem = failure.value;
  if (problem === undefined) return null;
  return (
    <div class="notice error">
      <p>
        {problem.message}
        <small>{text.detailsOf(problem.code, problem.requestId)}</small>
      </p>
      <button type="button" class="button small" onClick={() => (failure.value = undefined)}>
        {text.dismiss}
      </button>
    </div>
  );
}

const LONGEST_WAIT_MS = 15_000;

/** Asks again after growing pauses until the server answers; then pages read again. */
function Reconnect() {
  useEffect(() => {
    let waitMs = 500;
    let timer = setTimeout(ask, waitMs);
    async function ask(): Promise<void> {
      try {
        await getSystem();
        online.value = true;
        signIns.value++;
      } catch {
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
        timer = setTimeout(ask, waitMs);
      }
    }
    return () => clearTimeout(timer);
  }, []);
  return null;
}
