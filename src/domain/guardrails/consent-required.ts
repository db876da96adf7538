import { complianceGuardrail, ruleOf } from './compliance-guardrail.js';

const LEVELS: Record<string, string> = { express: 'express', expressWritten: 'express written' };

export const consentRequired = complianceGuardrail({
  of: 'consentRequired',
  reason: 'CONSENT_REQUIRED',
  status: 400,
  message: 'The law requires a consent of this person, and none that suffices is on file',
  retryable: false,
  kind: 'configuration',
  title: 'Consent',
  label: 'A consent that the law requires is not on file',
  explain: (result) => {
    if (result.allow) return `${ruleOf(result)}: the consents on file suffice.`;
    const level = String(result.evidence.required);
    return `${ruleOf(result)} requires an ${LEVELS[level] ?? level} consent, and none is on file.`;
  },
});
