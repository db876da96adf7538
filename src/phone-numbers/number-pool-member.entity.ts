import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** One phone number of one number pool. The number and the pool belong to the same team. */
@Entity('number_pool_members')
@ForeignKey('number_pools', ['teamId', 'numberPoolId'], ['teamId', 'id'], {
  name: 'fk_number_pool_members_pool',
  onDelete: 'CASCADE',
})
@ForeignKey('phone_numbers', ['teamId', 'phoneNumber'], ['teamId', 'phoneNumber'], {
  name: 'fk_number_pool_members_number',
})
export class NumberPoolMember {
  @Column('uuid')
  teamId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_number_pool_members' })
  numberPoolId: string;

  /** E.164. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_number_pool_members' })
  phoneNumber: string;
}
