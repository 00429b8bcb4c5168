/** Results for those who listen, errors for all, and whether the server answers. */
import { useEffect, useState } from 'preact/hooks';
import { isReached } from '../api/repositories.js';
import { busyUntil, online } from '../api/waiting.js';
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
        {online.value && busyUntil.value !== undefined && <Busy until={busyUntil.value} />}
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

/** A server that has too much to do: the page counts the seconds until it asks again. */
function Busy({ until }: { readonly until: number }) {
  const left = (): number => Math.max(Math.ceil((until - performance.now()) / 1000), 0);
  const [seconds, setSeconds] = useState(left());
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return <p class="notice warning">{text.busy(seconds)}</p>;
}

const LONGEST_WAIT_MS = 15_000;

/** Asks again after growing pauses until the server answers; then pages read again. */
function Reconnect() {
  useEffect(() => {
    let waitMs = 500;
    let timer = setTimeout(ask, waitMs);
    async function ask(): Promise<void> {
      try {
        await isReached();
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
