import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A version of a pack by which a process has decided. Its decisions are judged again by it. */
@Entity('pack_versions')
export class PackVersion {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_pack_versions' })
  pack: string;

  /** The hash of the content. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_pack_versions' })
  version: string;

  /** The pack as canonical JSON. */
  @Column('text')
  content: string;

  @Column('timestamptz', { default: () => 'now()' })
  usedFrom: Date;
}
