import { cursorList, type List } from '../core/list.js';
import { type Body, type Query } from '../core/operations.js';
import { type KeyedOptions, type RequestOptions } from '../core/options.js';
import { type Transport } from '../core/transport.js';
import { type ContactEnrolled, type EnrollmentDetail, type EnrollmentPage } from '../types.js';

export class Enrollments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Enrolls an existing contact in a campaign. */
  create(body: Body<'enrollContact'>, options?: KeyedOptions): Promise<ContactEnrolled> {
    return this.#transport.json('enrollContact', { body }, options);
  }

  get(enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json('getEnrollmentByKey', { path: { enrollmentId } }, options);
  }

  /** The newest first. @param query with a `contactId`, a `campaignId`, or both. */
  list(query: Query<'listEnrollments'>, options?: RequestOptions): List<EnrollmentPage> {
    return cursorList(query.cursor, (cursor) =>
      this.#transport.json('listEnrollments', { query: { ...query, cursor } }, options),
    );
  }

  pause(enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json('pauseEnrollmentByKey', { path: { enrollmentId } }, options);
  }

  resume(enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json('resumeEnrollmentByKey', { path: { enrollmentId } }, options);
  }

  /** Ends the enrollment permanently. */
  exit(enrollmentId: string, options?: RequestOptions): Promise<EnrollmentDetail> {
    return this.#transport.json('exitEnrollmentByKey', { path: { enrollmentId } }, options);
  }
}
