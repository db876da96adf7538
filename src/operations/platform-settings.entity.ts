import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Settings of the whole deployment; the table has exactly one row. */
@Entity('platform_settings')
@Check('ck_platform_settings_one_row', 'id')
export class PlatformSettings {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'pk_platform_settings' })
  id: true;

  /** While set, no call is dialed for any team. */
  @Column('boolean', { default: false })
  paused: boolean;
}
