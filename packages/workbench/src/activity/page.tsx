/** What the server does now: queries that wait or run, and jobs. */
import { useEffect, useState } from 'preact/hooks';
import { abortJob, cancelQuery, type JobRecord, listJobs, listQueries, type RunningQuery } from '../api/imports.js';
import { ago, bytes, duration, text } from '../messages/en.js';
import { fail } from '../state/notices.js';
import { hasFeature, user } from '../state/session.js';
import { ErrorView } from '../terms/problem-view.js';
import { useLoaded } from '../ui/use-loaded.js';
import { Metrics } from './metrics.js';
import { Servers } from './servers.js';

const REFRESH_MS = 1500;
const MOST_JOBS = 50;

export function ActivityPage() {
  const [time, setTime] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setTime(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const queries = useLoaded(listQueries, [time]);
  const jobs = useLoaded((signal) => listJobs(MOST_JOBS, signal), [time]);
  const act = (action: Promise<void>): void => void action.then(() => setTime(Date.now()), fail);
  return (
    <div class="column wide">
      <h1>{text.pages.activity}</h1>
      {user.value?.admin === true && hasFeature('accounts') && <Metrics />}
      {user.value?.admin === true && hasFeature('servers') && <Servers time={time} />}
      <section class="block" aria-label={text.activity.queries}>
        <h2>{text.activity.queries}</h2>
        {queries.error !== undefined && <ErrorView error={queries.error} onRetry={queries.again} />}
        {queries.value?.length === 0 && <p class="muted">{text.activity.noQueries}</p>}
        {(queries.value?.length ?? 0) > 0 && (
          <ol class="log">
            {queries.value!.map((query) => (
              <QueryRow key={query.id} query={query} onCancel={() => act(cancelQuery(query.id))} />
            ))}
          </ol>
        )}
      </section>
      <section class="block" aria-label={text.activity.jobs}>
        <h2>{text.activity.jobs}</h2>
        {jobs.error !== undefined && <ErrorView error={jobs.error} onRetry={jobs.again} />}
        {jobs.value?.length === 0 && <p class="muted">{text.activity.noJobs}</p>}
        {(jobs.value?.length ?? 0) > 0 && (
          <ol class="log">
            {jobs.value!.map((job) => (
              <JobRow key={job.uuid} job={job} onCancel={() => act(abortJob(job.uuid))} />
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}

function QueryRow({ query, onCancel }: { readonly query: RunningQuery; readonly onCancel: () => void }) {
  const { kind, repository, query: source, state, elapsed_ms: elapsed, rows, memory_bytes: memory } = query;
  return (
    <li class="log-entry">
      <div class="log-text">
        <code class="query-text">{source}</code>
        <span class="log-facts muted">
          {kind} · {repository} · {state} · {duration(elapsed)} · {text.rows(rows)} · {bytes(memory)}
        </span>
      </div>
      <button type="button" class="button small" onClick={onCancel}>
        {text.cancel}
      </button>
    </li>
  );
}

function JobRow({ job, onCancel }: { readonly job: JobRecord; readonly onCancel: () => void }) {
  const { operation, repository_id: repository, status, message, pct, created } = job;
  const working = status === 'running' || status === 'pending';
  return (
    <li class="log-entry">
      <div class="log-text">
        <span class="log-message">
          {operation} <span class="muted">{repository}</span>
        </span>
        <span class="log-facts muted">
          {status} · {ago(created)} {message !== '' && <>· {message}</>}
        </span>
        {working && <progress max={100} value={pct} aria-label={`${operation} ${repository}`} />}
      </div>
      {working && (
        <button type="button" class="button small" onClick={onCancel}>
          {text.cancel}
        </button>
      )}
    </li>
  );
}
