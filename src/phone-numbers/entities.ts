import { NumberPoolMember } from './number-pool-member.entity.js';
import { NumberPool } from './number-pool.entity.js';
import { PhoneNumber } from './phone-number.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const PHONE_NUMBER_ENTITIES = [NumberPoolMember, NumberPool, PhoneNumber];
