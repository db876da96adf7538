import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A version of the zone data by which a process has decided. Its decisions are judged again by it. */
@Entity('zone_data_versions')
export class ZoneDataVersion {
  /** IANA's version, such as `2026f`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_zone_data_versions' })
  version: string;

  /** The data as JSON, in the form of moment-timezone. */
  @Column('text')
  content: string;

  @Column('timestamptz', { default: () => 'now()' })
  usedFrom: Date;
}
