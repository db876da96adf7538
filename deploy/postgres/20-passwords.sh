#!/bin/bash
# The image of Postgres runs this after 10-roles.sql, at the first start of an empty volume. psql quotes the values.
set -e
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --no-psqlrc --set ON_ERROR_STOP=1 \
  --set owner="$OUTDIAL_OWNER_PASSWORD" --set login="$OUTDIAL_LOGIN_PASSWORD" <<'SQL'
ALTER ROLE outdial PASSWORD :'owner';
ALTER ROLE outdial_login PASSWORD :'login';
SQL
