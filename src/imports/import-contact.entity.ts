import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A contact of a row that is processed, until the import has ended. It has no foreign keys, which would cost as
 * much as the row itself.
 */
@Entity('import_contacts')
export class ImportContact {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_contacts' })
  importId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_contacts' })
  contactId: string;

  @Column('uuid')
  teamId: string;
}
