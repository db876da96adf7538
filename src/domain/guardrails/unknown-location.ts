import { guardrail } from './guardrail.js';

/** By which law and by which clock such a person is called is not known. */
export const unknownLocation = guardrail({
  reason: 'UNKNOWN_LOCATION',
  status: 400,
  message: 'Where the called person is cannot be told from the number: send timezone',
  retryable: false,
  kind: 'configuration',
  appliesTo: ({ compliance }) => compliance?.facts.setting.mode === 'enforce',
  title: 'Place of the person',
  label: 'Where the person is was not known',
  check: ({ compliance }) => {
    const place = compliance?.facts.place;
    return {
      allow: compliance?.facts.setting.mode !== 'enforce' || (place?.zones.length ?? 0) > 0,
      evidence: {
        zones: place?.zones ?? [],
        zoneSource: place?.source ?? 'unknown',
        country: place?.country ?? null,
      },
    };
  },
  explain: ({ allow, evidence: { zones } }) =>
    allow
      ? `The person is in ${Array.isArray(zones) ? zones.join(' or ') : 'a known zone'}.`
      : 'Neither the number nor a stated time zone tells where the person is.',
});
