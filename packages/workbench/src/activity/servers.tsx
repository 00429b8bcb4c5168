/** The servers of a shared store: which one writes, and how far the others are. */
import { listServers, type ServerRecord } from '../api/metrics.js';
import { activityText } from '../messages/activity.js';
import { ErrorView } from '../terms/problem-view.js';
import { useLoaded } from '../ui/use-loaded.js';

/** @param time changes when it is to be read again */
export function Servers({ time }: { readonly time: number }) {
  const servers = useLoaded(listServers, [time]);
  return (
    <section class="block" aria-label={activityText.servers}>
      <h2>{activityText.servers}</h2>
      {servers.error !== undefined && <ErrorView error={servers.error} onRetry={servers.again} />}
      <ol class="log">
        {(servers.value ?? []).map((server) => (
          <ServerRow key={server.id} server={server} />
        ))}
      </ol>
    </section>
  );
}

/** Signs of life come every second, so less silence says nothing. */
const SILENT_MS = 2500;

function ServerRow({ server }: { readonly server: ServerRecord }) {
  const { url, label, role, self, leaving, silent_ms: silent, behind } = server;
  const facts = [
    label,
    self ? activityText.self : '',
    leaving ? activityText.leaving : '',
    silent > SILENT_MS ? activityText.silent(silent) : '',
    behind === null ? '' : activityText.behind(behind),
  ];
  return (
    <li class="log-entry">
      <div class="log-text">
        <span class="log-message">
          {url ?? label} {role === 'holder' && <span class="tag">{activityText.holder}</span>}
        </span>
        <span class="log-facts muted">{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </div>
    </li>
  );
}
