import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A call of an erased person that is still to be erased at the platform of its voice agent. */
@Entity('platform_erasures')
@ForeignKey('teams', ['teamId'], ['id'], { name: 'fk_platform_erasures_team' })
@Index('ix_platform_erasures_due', ['dueAt'])
@Index('ix_platform_erasures_team', ['teamId', 'createdAt'])
export class PlatformErasure {
  /** The call request. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_platform_erasures' })
  id: string;

  @Column('uuid')
  teamId: string;

  /** Name of a carrier that can erase calls. */
  @Column('text')
  carrier: string;

  /** The platform's id of the call; `null` as long as it is not known. */
  @Column('text', { nullable: true })
  carrierCallId: string | null;

  /** The carrier account of the call's agent at the erasure; `null`: the deployment's account. */
  @Column('uuid', { nullable: true })
  carrierAccountId: string | null;

  @Column('integer', { default: 0 })
  attempts: number;

  /** Why the last attempt failed; `null`: there was none. */
  @Column('text', { nullable: true })
  reason: string | null;

  /** When the next attempt is due. */
  @Column('timestamptz', { default: () => 'now()' })
  dueAt: Date;

  /** When the person was erased. */
  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
