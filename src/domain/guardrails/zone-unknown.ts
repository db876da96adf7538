import { isTimeZone, zoneData } from '../zones/time-zone.js';
import { guardrail, type GuardrailFacts, type RuleResult, shown } from './guardrail.js';

/**
 * Names were stored that IANA's data do not have, such as `BST`. By which clock such a person is called is not
 * known, so the person is not called.
 */
export const zoneUnknown = guardrail({
  reason: 'ZONE_UNKNOWN',
  status: 400,
  message: 'The stored time zone is not an IANA name: correct that of the contact or agent, or send timezone',
  retryable: false,
  kind: 'zone',
  beforeScheduling: true,
  title: 'Time zone',
  label: 'The stored time zone is not an IANA name',
  check: zoneKnown,
  explain: ({ allow, evidence }) => {
    const { zone, zoneSource, tzdata } = evidence;
    if (zone === undefined) return allow ? 'The time zone is known.' : 'The time zone is not known.';
    const whose = { request: 'request', contact: 'contact', agent: 'agent' }[String(zoneSource)] ?? 'call';
    const name = `${shown(evidence, 'zone')}, the time zone of the ${whose},`;
    return `${name} is ${allow ? '' : 'not '}a name of the IANA data ${String(tzdata)}.`;
  },
});

function zoneKnown({ zone, zoneSource }: Pick<GuardrailFacts, 'zone' | 'zoneSource'>): RuleResult {
  return { allow: isTimeZone(zone), evidence: { zone, zoneSource, tzdata: zoneData().version } };
}
