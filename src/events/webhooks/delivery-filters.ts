import { type FilterOf, oneOfFilter } from '../../http/filters.js';
import { inSql } from '../../lists/filter-sql.js';
import { DELIVERY_STATES } from './webhook-delivery.entity.js';

/** The filters of the list of an endpoint's deliveries. `matches` is SQL for a delivery `d`. */
export const DELIVERY_FILTERS = {
  status: inSql(
    oneOfFilter(DELIVERY_STATES, 'Only deliveries with this status.'),
    'text',
    (value) => `d.status = ${value}`,
  ),
};
export type DeliveryFilter = FilterOf<typeof DELIVERY_FILTERS>;
