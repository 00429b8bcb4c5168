#!/bin/bash
# Runs once, in the container of the primary, when its data are made.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username postgres \
  --set servers="$QUADRILLE_DB_PASSWORD" --set standby="$QUADRILLE_REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE quadrille LOGIN PASSWORD :'servers';
CREATE DATABASE quadrille OWNER quadrille;
CREATE ROLE standby LOGIN REPLICATION PASSWORD :'standby';
SQL
echo 'host replication standby samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
