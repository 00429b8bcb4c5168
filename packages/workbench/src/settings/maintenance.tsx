/** Checks and compactions of the repository, as jobs, for its owner. */
import { useEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/errors.js';
import { getJob, type JobRecord } from '../api/imports.js';
import type { RepositoryRecord } from '../api/repositories.js';
import { startMaintenance } from '../api/settings.js';
import { settingsText } from '../messages/settings.js';
import { status } from '../state/notices.js';
import { head } from '../state/revision.js';
import { hasFeature } from '../state/session.js';
import { ProblemView } from '../terms/problem-view.js';

const POLL_MS = 400;

export function Maintenance({ record }: { readonly record: RepositoryRecord }) {
  const { repository_id: name, triple_count: statements, byte_size: size } = record;
  const [id, setId] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const job = useJob(id, setProblem);
  const start = (operation: 'verify' | 'compact'): void => {
    setProblem(undefined);
    startMaintenance(name, operation).then(setId, (error: unknown) => setProblem(asProblem(error)));
  };
  const working = job?.status === 'running' || job?.status === 'pending';
  return (
    <section class="block" aria-label={settingsText.maintenance}>
      <h2>{settingsText.maintenance}</h2>
      <p>{settingsText.facts(statements, size, head.value?.ordinal ?? 1)}</p>
      {hasFeature('maintenance') && (
        <>
          <p class="muted">{settingsText.maintenanceHelp}</p>
          <div class="row">
            {(['verify', 'compact'] as const).map((operation) => (
              <button key={operation} type="button" class="button" disabled={working} onClick={() => start(operation)}>
                {settingsText[operation]}
              </button>
            ))}
          </div>
        </>
      )}
      {working && <progress aria-label={job.message} />}
      {job !== undefined && <p class={job.status === 'failed' ? 'field-error' : undefined}>{job.message}</p>}
      {problem !== undefined && <ProblemView problem={problem} />}
    </section>
  );
}

/** Follows a job until it has ended. */
function useJob(id: string | undefined, onProblem: (problem: Problem) => void): JobRecord | undefined {
  const [job, setJob] = useState<JobRecord | undefined>(undefined);
  useEffect(() => {
    if (id === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const read = async (): Promise<void> => {
      const record = await getJob(id);
      if (ended) return;
      setJob(record);
      if (record.status === 'running' || record.status === 'pending') timer = setTimeout(follow, POLL_MS);
      else status.value = record.message;
    };
    const follow = (): void => void read().catch((error: unknown) => !ended && onProblem(asProblem(error)));
    follow();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [id]);
  return job;
}
