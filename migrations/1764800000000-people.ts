import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * People who sign in to the dashboard, their roles in teams, their sessions, and links that are used once. Only the
 * owner's connections read these tables: the role of the processes has no right to them.
 */
export class People1764800000000 implements MigrationInterface {
  name = 'People1764800000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE users (
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      email text NOT NULL,
      operator boolean NOT NULL DEFAULT false,
      password_hash text,
      oidc_issuer text,
      oidc_subject text,
      totp_secret text,
      totp_last_step bigint,
      recovery_codes text[] NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT now(),
      last_sign_in_at timestamptz,
      CONSTRAINT pk_users PRIMARY KEY (id),
      CONSTRAINT uq_users_email UNIQUE (email),
      CONSTRAINT uq_users_oidc UNIQUE (oidc_issuer, oidc_subject),
      CONSTRAINT ck_users_email CHECK (email = lower(email)),
      CONSTRAINT ck_users_oidc CHECK ((oidc_issuer IS NULL) = (oidc_subject IS NULL))
    )`);
    await db.query(`CREATE TABLE memberships (
      user_id uuid NOT NULL,
      team_id uuid NOT NULL,
      role text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pk_memberships PRIMARY KEY (user_id, team_id),
      CONSTRAINT fk_memberships_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
      CONSTRAINT fk_memberships_team FOREIGN KEY (team_id) REFERENCES teams (id),
      CONSTRAINT ck_memberships_role CHECK (role IN ('viewer', 'manager', 'admin'))
    )`);
    await db.query('CREATE INDEX ix_memberships_team ON memberships (team_id)');
    await db.query(`CREATE TABLE sessions (
      token_hash bytea NOT NULL,
      user_id uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      last_seen_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT pk_sessions PRIMARY KEY (token_hash),
      CONSTRAINT fk_sessions_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
      CONSTRAINT ck_sessions_token CHECK (length(token_hash) = 32)
    )`);
    await db.query('CREATE INDEX ix_sessions_user ON sessions (user_id)');
    await db.query('CREATE INDEX ix_sessions_created ON sessions (created_at)');
    await db.query(`CREATE TABLE access_links (
      token_hash bytea NOT NULL,
      kind text NOT NULL,
      user_id uuid,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      CONSTRAINT pk_access_links PRIMARY KEY (token_hash),
      CONSTRAINT fk_access_links_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
      CONSTRAINT ck_access_links_token CHECK (length(token_hash) = 32),
      CONSTRAINT ck_access_links_kind CHECK (kind IN ('welcome', 'invite', 'reset')),
      CONSTRAINT ck_access_links_user CHECK ((user_id IS NULL) = (kind = 'welcome'))
    )`);
    await db.query('CREATE INDEX ix_access_links_user ON access_links (user_id)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE access_links, sessions, memberships, users');
  }
}
