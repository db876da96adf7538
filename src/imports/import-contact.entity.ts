import { Column, Entity, PrimaryColumn } from 'typeorm';
import { type UndoneContact } from './undo-counts.js';

/**
 * A contact of a row that is processed, and what the import did to it. It has no foreign keys, which would cost as
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

  /** Whether the import created the contact. */
  @Column('boolean', { default: false })
  created: boolean;

  /**
   * Of a contact that the import created: its `updatedAt` as the import left it. Another `updatedAt` of the contact
   * means that something else has changed it. Of other contacts it says nothing.
   */
  @Column('timestamptz', { nullable: true })
  changedAt: Date | null;

  /** The enrollments that the import made; null: none. */
  @Column('uuid', { array: true, nullable: true })
  enrollments: string[] | null;

  /** What the undo did to a contact that the import created; null before, and for other contacts. */
  @Column('text', { nullable: true })
  undone: UndoneContact | null;
}
