/** What must never be found. */
export type ViolationKind =
  /** A 200 whose call does not exist, or is neither final nor `dial_unknown`. */
  | 'lost'
  /** A call without a 200 that never came to an end. */
  | 'unsettled'
  | 'dialed twice'
  | 'twice in 12 h'
  | 'out of hours'
  | 'do not call'
  /** Claimed after its number had opted out, whatever the list says. */
  | 'called after opt-out'
  /** Claimed at an instant at which the windows of the team's packs are closed at the place of the number. */
  | 'outside pack windows'
  /**
   * A result that opts out was answered, or reported by the carrier with the end of the call. Its number was
   * not listed by then.
   */
  | 'opt-out lost'
  | 'limit exceeded'
  /** A dial without a committed claim. */
  | 'dialed unclaimed'
  /** Two dials of one (enrollment, seq), one without, or one before the call before it was over. */
  | 'attempt twice'
  /**
   * Claimed after the answer to an exit or to the archiving of the campaign, after the enrollment has ended,
   * or behind the lifetime.
   */
  | 'dialed after exit'
  | 'dialed while paused'
  | 'cap exceeded'
  | 'pace exceeded'
  /** An enrollment that was promised and does not exist. */
  | 'enrollment lost'
  /** One that lives on without anything in its way, or says something untrue of it. */
  | 'enrollment stuck'
  /** An accepted call has ended, and no `call.ended` was read. */
  | 'event lost'
  /** A `call.ended` of a call that has not ended so, or a second one. */
  | 'event invented'
  /** A number that appeared after a higher one was read. */
  | 'event behind'
  /** An event of the feed that an endpoint asked for, and never took. One that hangs takes none. */
  | 'webhook lost'
  /** An event that is not in the feed or differs from it, or that the endpoint did not ask for. */
  | 'webhook invented'
  | 'webhook of another team'
  | 'signature wrong'
  /** An event was due to a healthy endpoint for long, while no fault happened but endpoints that hang. */
  | 'webhook delayed'
  /** The call of an enrollment has ended, and the enrollment did not move in time, while no fault happened. */
  | 'result late'
  /** A due call was not woken in time, while no fault happened. */
  | 'wake-up late'
  /** A process ended that no fault ended. */
  | 'crashed'
  /**
   * The call's state denies a dial that was made, tells of one that was not, or of another end than it came
   * to.
   */
  | 'misrecorded';

export interface Violation {
  kind: ViolationKind;
  /** Of the call, or of the enrollment where no call is at fault. */
  id: string;
  detail: string;
}

/** Which violations count while calls are still under way. */
export const SAFETY: readonly ViolationKind[] = [
  'dialed twice',
  'twice in 12 h',
  'out of hours',
  'do not call',
  'called after opt-out',
  'outside pack windows',
  'opt-out lost',
  'limit exceeded',
  'dialed unclaimed',
  'attempt twice',
  'dialed after exit',
  'dialed while paused',
  'cap exceeded',
  'pace exceeded',
  'event invented',
  'event behind',
  'webhook of another team',
  'signature wrong',
  'result late',
  'wake-up late',
  'crashed',
];
