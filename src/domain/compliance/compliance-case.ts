import { type ComplianceFacts, type ComplianceMode } from './facts.js';
import { HolidayCalendar } from './holidays.js';
import { type LawfulHours } from './lawful-hours.js';
import { type ApplicableRules, type PackIndex } from './pack-index.js';
import { CALLED_PARTY, type CallingHoursRule, type ClosedDatesRule, type PackRule } from './pack.js';

/** The mode of a rule that is judged. */
export type RuleMode = Exclude<ComplianceMode, 'off'>;

/** A rule that is judged, with the pack that it is from. */
export interface JudgedRule {
  pack: string;
  rule: PackRule;
  mode: RuleMode;
}

/** A call as packs judge it, at any instant. */
export interface ComplianceCase {
  facts: ComplianceFacts;
  applicable: ApplicableRules;
  /** The rules whose kind is not `off`. */
  rules: readonly JudgedRule[];
  /** The hours to which the schedule of the call is narrowed: those of enforced rules. */
  lawfulHours: readonly LawfulHours[];
}

/** @returns null for a team whose mode is `off`. */
export function complianceCaseOf(facts: ComplianceFacts, packs: PackIndex): ComplianceCase | null {
  if (facts.setting.mode === 'off') return null;
  const applicable = packs.applicableTo(facts);
  const rules = applicable.rules.flatMap(({ pack, rule }) => {
    const mode = modeOf(rule, facts);
    return mode === 'off' ? [] : [{ pack, rule, mode }];
  });
  const lawfulHours = rules.flatMap(({ rule, mode }) =>
    mode === 'enforce' && isHours(rule) ? [lawfulHoursOf(rule, facts.place.zones)] : [],
  );
  return { facts, applicable, rules, lawfulHours };
}

/** A rule of which its source is not sure enough warns. A rule that the operator raised has the confidence `high`. */
function modeOf(rule: PackRule, { setting }: ComplianceFacts): ComplianceMode {
  const mode = setting.kinds[rule.kind] ?? setting.mode;
  return mode === 'enforce' && rule.confidence !== 'high' ? 'warn' : mode;
}

export function isHours(rule: PackRule): rule is CallingHoursRule | ClosedDatesRule {
  return rule.kind === 'callingHours' || rule.kind === 'closedDates';
}

const EVERY_DATE_OPEN = () => false;
/** The dates of a rule are computed once, not for each call. */
const calendars = new WeakMap<ClosedDatesRule, HolidayCalendar>();

/** @param zones of the called person. A rule by a fixed clock is judged in its zone alone. */
export function lawfulHoursOf(
  rule: CallingHoursRule | ClosedDatesRule,
  zones: readonly string[],
): LawfulHours {
  const { effectiveFrom, effectiveTo } = rule;
  if (rule.kind === 'closedDates') {
    return { hours: null, isClosed: calendarOf(rule).isClosed, zones, effectiveFrom, effectiveTo };
  }
  const own = rule.clock === CALLED_PARTY ? zones : [rule.clock];
  return { hours: rule.hours, isClosed: EVERY_DATE_OPEN, zones: own, effectiveFrom, effectiveTo };
}

/** The holidays of a rule. */
export function calendarOf(rule: ClosedDatesRule): HolidayCalendar {
  const known = calendars.get(rule);
  if (known !== undefined) return known;
  const calendar = new HolidayCalendar(rule.days);
  calendars.set(rule, calendar);
  return calendar;
}
