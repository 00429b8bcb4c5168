/** The tables of a store in PostgreSQL. Every statement works on PostgreSQL 13 and later. */

import { createHash } from 'node:crypto';

/** The version of the tables. */
export const SCHEMA_VERSION = 1;

/** Bodies are stored without compression, so that a part of one is read without the rest. */
export const CREATE_TABLES = `
CREATE TABLE IF NOT EXISTS qd_meta (
  id int PRIMARY KEY CHECK (id = 1), product text NOT NULL, store uuid NOT NULL, format int NOT NULL
);
CREATE TABLE IF NOT EXISTS qd_root (
  log int PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS qd_log (
  log int, seq bigint, id uuid NOT NULL, epoch int NOT NULL, body bytea NOT NULL, at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (log, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE IF NOT EXISTS qd_pack (
  log int, pack uuid, body bytea NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (log, pack)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE IF NOT EXISTS qd_server (
  server uuid PRIMARY KEY, beats bigint NOT NULL, body bytea NOT NULL
) WITH (fillfactor = 50);
ALTER TABLE qd_log ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE qd_pack ALTER COLUMN body SET STORAGE EXTERNAL;
INSERT INTO qd_meta VALUES (1, 'quadrille', gen_random_uuid(), ${SCHEMA_VERSION}) ON CONFLICT DO NOTHING;
`;

/** Servers that start at the same moment create the tables one after the other. The number is that of no other program. */
export const LOCK_TABLES = 'SELECT pg_advisory_xact_lock(4813494135001)';

export const HAS_TABLES = `SELECT to_regclass('qd_meta') IS NOT NULL AS meta, to_regclass('qd_server') IS NOT NULL AS server`;

export const READ_META = 'SELECT product, store, format FROM qd_meta';

export const APPEND = `
INSERT INTO qd_log (log, seq, id, epoch, body)
SELECT $1::int, $2::bigint, $3::uuid, $4::int, $5::bytea
WHERE CASE WHEN $2::bigint = 1 THEN NOT EXISTS (SELECT FROM qd_log WHERE log = $1::int)
  ELSE EXISTS (SELECT FROM qd_log WHERE log = $1::int AND seq = $2::bigint - 1 AND id = $6::uuid) END
ON CONFLICT DO NOTHING RETURNING 1`;

/** What is at a position, and before it, after an append has found it taken. */
export const LOOK = `
SELECT (SELECT id FROM qd_log WHERE log = $1::int AND seq = $2::bigint) AS there,
  (SELECT id FROM qd_log WHERE log = $1::int AND seq = $2::bigint - 1) AS before,
  EXISTS (SELECT FROM qd_log WHERE log = $1::int) AS some`;

/** Most entries of one log in an answer, and most bytes of their bodies, unless one entry is longer. */
const CHECK_ENTRIES = 256;
const CHECK_BYTES = 4 * 1024 * 1024;

export const CHECK = `
WITH known AS (
  SELECT * FROM unnest($1::int[], $2::bigint[], $3::uuid[], $4::bigint[]) AS known (log, after, id, version)
)
SELECT 'entry' AS kind, known.log, entry.seq AS number, entry.id, entry.epoch, entry.body,
  (SELECT max(seq) FROM qd_log WHERE qd_log.log = known.log) AS last
FROM known CROSS JOIN LATERAL (
  SELECT seq, id, epoch, body, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before
  FROM (SELECT * FROM qd_log WHERE qd_log.log = known.log AND seq > known.after ORDER BY seq LIMIT ${CHECK_ENTRIES}) AS next
) AS entry WHERE entry.before < ${CHECK_BYTES}
UNION ALL
SELECT 'root', known.log, qd_root.version, NULL, NULL, qd_root.body, NULL
FROM known JOIN qd_root ON qd_root.log = known.log AND qd_root.version <> known.version
UNION ALL
SELECT 'lost', known.log, NULL, NULL, NULL, NULL, NULL
FROM known WHERE known.id IS NOT NULL
  AND NOT EXISTS (SELECT FROM qd_log WHERE qd_log.log = known.log AND seq = known.after AND qd_log.id = known.id)
  AND known.after >= (SELECT coalesce(min(seq), 1) FROM qd_log WHERE qd_log.log = known.log)
UNION ALL
SELECT 'waits', 0, NULL, NULL, NULL, NULL, NULL WHERE current_setting('synchronous_standby_names') <> ''
UNION ALL
SELECT 'standby', 0, NULL, NULL, NULL, NULL, NULL WHERE pg_is_in_recovery()`;

/** Most rows of {@link NEWS} that are entries, with the known one. A longer answer is asked for in parts. */
export const NEWS_ENTRIES = 17;

/**
 * The known entry $2 of log $1, without its body, and those behind it; and the root if its version is not $3. It costs a tenth of
 * {@link CHECK}, which says more where the known entry is not there.
 */
export const NEWS = `
SELECT seq AS number, id, epoch, CASE WHEN seq > $2::bigint THEN body END AS body,
  current_setting('synchronous_standby_names') <> '' AS waits, pg_is_in_recovery() AS standby
FROM (SELECT * FROM qd_log WHERE log = $1::int AND seq >= $2::bigint ORDER BY seq LIMIT ${NEWS_ENTRIES}) AS next
UNION ALL
SELECT version, NULL, NULL, body, false, false FROM qd_root WHERE log = $1::int AND version <> $3::bigint`;

export const CREATE_ROOT =
  'INSERT INTO qd_root (log, version, body) VALUES ($1, 1, $2) ON CONFLICT DO NOTHING RETURNING 1';
export const REPLACE_ROOT =
  'UPDATE qd_root SET version = version + 1, body = $2 WHERE log = $1 AND version = $3 RETURNING 1';

export const GET_PACKS = `
SELECT substr(body, slice.first + 1, slice.length) AS bytes
FROM unnest($2::uuid[], $3::int[], $4::int[]) WITH ORDINALITY AS slice (pack, first, length, number)
LEFT JOIN qd_pack ON qd_pack.log = $1 AND qd_pack.pack = slice.pack ORDER BY slice.number`;

export const LIST_PACKS = `
SELECT pack, octet_length(body) AS bytes, greatest(0, extract(epoch FROM now() - at))::float8 AS age
FROM qd_pack WHERE log = $1`;

export const DELETE_PACKS = 'DELETE FROM qd_pack WHERE log = $1 AND pack = ANY($2::uuid[])';

export const TRIM = `
DELETE FROM qd_log WHERE log = $1 AND seq < least($2::bigint, (SELECT max(seq) FROM qd_log WHERE log = $1))`;

export const HEARTBEAT = `
WITH own AS (
  INSERT INTO qd_server AS server VALUES ($1, 1, $2)
  ON CONFLICT (server) DO UPDATE SET beats = server.beats + 1, body = excluded.body RETURNING *
)
SELECT * FROM own UNION ALL SELECT * FROM qd_server WHERE server <> $1`;

/** The same, and whether the log $3 has something other than entry $5 at position $4 at its end, or another root than $6. */
export const HEARTBEAT_AND_LOOK = `
WITH own AS (
  INSERT INTO qd_server AS server VALUES ($1, 1, $2)
  ON CONFLICT (server) DO UPDATE SET beats = server.beats + 1, body = excluded.body RETURNING *
), look AS (
  SELECT EXISTS (SELECT FROM qd_log WHERE log = $3::int AND seq > $4::bigint)
    OR EXISTS (SELECT FROM qd_root WHERE log = $3::int AND version <> $6::bigint)
    OR ($4::bigint > 0 AND NOT EXISTS (SELECT FROM qd_log WHERE log = $3::int AND seq = $4::bigint AND id = $5::uuid)) AS news
)
SELECT own.*, news FROM own CROSS JOIN look
UNION ALL SELECT qd_server.*, news FROM qd_server CROSS JOIN look WHERE server <> $1`;

export const SERVERS = 'SELECT * FROM qd_server';

export const FORGET = 'DELETE FROM qd_server WHERE server = $1';

/**
 * Ends sessions of this role that hold a lock for which another session waits, and that have sent nothing for $1 milliseconds. Their transaction
 * never ends by itself where the client is gone without a word: no timeout of PostgreSQL before 17 counts between a statement and its end.
 */
export const END_ABANDONED = `
SELECT count(pg_terminate_backend(holder.pid)) AS ended
FROM (SELECT DISTINCT blocking.pid FROM pg_stat_activity AS waiting, unnest(pg_blocking_pids(waiting.pid)) AS blocking (pid)
  WHERE waiting.datname = current_database() AND waiting.application_name = 'quadrille' AND waiting.wait_event_type = 'Lock') AS blocking
JOIN pg_stat_activity AS holder ON holder.pid = blocking.pid
WHERE holder.usename = current_user AND holder.application_name = 'quadrille' AND holder.wait_event = 'ClientRead'
  AND greatest(holder.query_start, holder.state_change) < clock_timestamp() - $1::float8 * interval '1 millisecond'`;

/** A commit that writes something, and so waits for the standby as every other does. It leaves no row. */
export const BARRIER = `SELECT pg_logical_emit_message(true, 'quadrille', '')`;

/** The settings with which a commit may get lost after it was acknowledged, and those that say which server this is. */
export const SETTINGS = `
SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit, pg_is_in_recovery() AS standby`;

/**
 * The names of frequent statements. A connection plans a statement with a name once. Each name has a digest of the text, so that
 * nobody finds another statement under it behind a pooler.
 */
export const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ append: APPEND, news: NEWS, beat: HEARTBEAT_AND_LOOK }).map(([name, text]) => [
    text,
    `quadrille_${name}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
  ]),
);
