import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A person who signs in to the dashboard. */
@Entity('users')
@Unique('uq_users_email', ['email'])
@Unique('uq_users_oidc', ['oidcIssuer', 'oidcSubject'])
@Check('ck_users_email', 'email = lower(email)')
@Check('ck_users_oidc', '(oidc_issuer IS NULL) = (oidc_subject IS NULL)')
export class User {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_users' })
  id: string;

  /** In lower case. */
  @Column('text')
  email: string;

  /** An operator of the platform, who may do everything in every team. */
  @Column('boolean', { default: false })
  operator: boolean;

  /** Argon2id, in its own format; null until the person has chosen a password. */
  @Column('text', { nullable: true })
  passwordHash: string | null;

  /** The account at the OpenID provider that signed in first; null: none has. */
  @Column('text', { nullable: true })
  oidcIssuer: string | null;

  @Column('text', { nullable: true })
  oidcSubject: string | null;

  /** Whether the person has disconnected that account, so that its e-mail address alone does not connect it again. */
  @Column('boolean', { default: false })
  oidcDisconnected: boolean;

  /** The zone in which the person reads times; null: the zone of each team. */
  @Column('text', { nullable: true })
  timezone: string | null;

  /** The secret of the person's authenticator, sealed; null: sign-in needs no second factor. */
  @Column('text', { nullable: true })
  totpSecret: string | null;

  /** The time step of the last code, which is not accepted again. */
  @Column('bigint', { nullable: true })
  totpLastStep: string | null;

  /** SHA-256 of the codes that are not used yet, in hexadecimal digits. */
  @Column('text', { array: true, default: () => "'{}'" })
  recoveryCodes: string[];

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  lastSignInAt: Date | null;

  /** The team whose pages the person saw last; null: none, or an operator saw the platform's last. */
  @Column('uuid', { nullable: true })
  lastTeamId: string | null;
}
