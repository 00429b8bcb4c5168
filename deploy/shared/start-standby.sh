#!/bin/bash
# Copies the primary once, and follows it from then on. Its name is the one in synchronous_standby_names.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install --directory --owner=postgres --group=postgres --mode=0700 "$PGDATA"
  gosu postgres pg_basebackup --wal-method=stream --write-recovery-conf --pgdata="$PGDATA" \
    --dbname='host=primary user=standby application_name=standby'
fi
exec docker-entrypoint.sh postgres
