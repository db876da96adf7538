import { type CallingHours } from '../calling-hours.js';

export const PURPOSES = ['marketing', 'informational', 'debt', 'survey'] as const;
/** What a call is for. */
export type Purpose = (typeof PURPOSES)[number];

export const VOICES = ['ai', 'prerecorded', 'live'] as const;
/** Who speaks. */
export type Voice = (typeof VOICES)[number];

/** The levels of a consent, the weaker first. */
export const CONSENT_LEVELS = ['express', 'expressWritten'] as const;
export type ConsentLevel = (typeof CONSENT_LEVELS)[number];

/** How sure the source of a rule is. A rule below `high` is never enforced unless the operator raises it. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** The kinds of rules, in the order in which a decision shows them. */
export const RULE_KINDS = [
  'callingHours',
  'closedDates',
  'frequencyCap',
  'coolOff',
  'consentRequired',
  'prohibition',
  'suspension',
  'registerScrub',
  'disclosure',
] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** What every rule of a pack has. */
export interface RuleHead {
  /** Unique among all packs, such as `us-tcpa-hours`. */
  id: string;
  appliesTo: { purpose: readonly Purpose[]; voice: readonly Voice[] };
  /** The first and the last local date `YYYY-MM-DD` of the called person on which the rule holds; null: open. */
  effectiveFrom: string | null;
  effectiveTo: string | null;
  /** A consent of at least this level lifts the rule. Never of `callingHours` and `closedDates`. */
  unless: ConsentLevel | null;
  citation: string;
  /** Where the rule was read, and the date `YYYY-MM-DD` on which it was. */
  source: { url: string; readOn: string };
  confidence: Confidence;
  note: string | null;
}

/** The windows, by the clock of the called person or of a fixed zone. No window crosses midnight. */
export interface CallingHoursRule extends RuleHead {
  kind: 'callingHours';
  clock: string;
  hours: NonNullable<CallingHours>;
}

/** The `clock` of a rule that is judged in every zone in which the called person may be. */
export const CALLED_PARTY = 'calledParty';

/** The days of the called person on which no call is placed. */
export interface ClosedDatesRule extends RuleHead {
  kind: 'closedDates';
  days: readonly Holiday[];
}

/**
 * How a holiday that falls on a weekend is observed: the US way (Saturday → Friday, Sunday → Monday), on the next Monday, or
 * on Monday only if it falls on a Sunday, as in South Africa.
 */
export type ObservedShift = 'nearestWeekday' | 'nextMonday' | 'sundayToMonday';

/**
 * A day that returns each year, or proclaimed dates. `nth` counts from 1; −1 is the last. `easter` is the distance in days
 * from Western Easter Sunday. `name` is shown in decisions.
 */
export type Holiday = { name: string } & (
  | { month: number; day: number; observed?: ObservedShift; alsoOnItsDate?: boolean }
  | { month: number; weekday: string; nth: number; offset?: number }
  | { easter: number }
  | { dates: readonly string[] }
);

/** At most `max` calls to the person within the window. The (max + 1)st is refused. */
export interface FrequencyCapRule extends RuleHead {
  kind: 'frequencyCap';
  max: number;
  /** `rolling`: back from the call. `calendarDays`: the day of the call and the `length` − 1 before. `localDay`: the same, with length 1. */
  window: { length: number; unit: 'hours' | 'days'; type: 'rolling' | 'calendarDays' | 'localDay' };
}

/** No call for so many days after a conversation; the day of the conversation is the first. */
export interface CoolOffRule extends RuleHead {
  kind: 'coolOff';
  days: number;
}

export interface ConsentRequiredRule extends RuleHead {
  kind: 'consentRequired';
  level: ConsentLevel;
}

/** The number is looked up in a register whose version is at most `maxAgeDays` old (null: of any age). */
export interface RegisterScrubRule extends RuleHead {
  kind: 'registerScrub';
  register: string;
  maxAgeDays: number | null;
}

/** What must be said in the call. */
export interface DisclosureRule extends RuleHead {
  kind: 'disclosure';
  disclosure: 'identity' | 'artificialVoice' | 'recording' | 'optOut';
  /** The sentence for the agent, by language (`en`, `fr`, …); `en` always. */
  texts: Readonly<Record<string, string>>;
}

/** Such calls are forbidden. */
export interface ProhibitionRule extends RuleHead {
  kind: 'prohibition';
  what: string;
}

/** Such calls are forbidden while an operator's dated pack says so; `effectiveTo` is set. */
export interface SuspensionRule extends RuleHead {
  kind: 'suspension';
  what: string;
}

export type PackRule =
  | CallingHoursRule
  | ClosedDatesRule
  | FrequencyCapRule
  | CoolOffRule
  | ConsentRequiredRule
  | RegisterScrubRule
  | DisclosureRule
  | ProhibitionRule
  | SuspensionRule;

/** The dated rules of a jurisdiction, as loaded from `packs/<pack>.yaml`. */
export interface Pack {
  /** `us`, `us-fl`. */
  pack: string;
  /** ISO 3166-1 or 3166-2: `US`, `US-FL`; `EU` for the rules of all its members. */
  jurisdiction: string;
  name: string;
  /** The hash of the content, 12 hex digits, which every decision keeps. */
  version: string;
  /** Packs whose rules hold as well, such as `us` for `us-fl`. */
  extends: readonly string[];
  rules: readonly PackRule[];
}
