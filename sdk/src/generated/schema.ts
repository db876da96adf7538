// Written by `npm run sdk:types` from the API’s OpenAPI document. Do not edit.

export interface components {
    schemas: {
        /** AddToDoNotCall */
        AddToDoNotCall: {
            /**
             * @description The numbers, preferably in E.164. Extensions, other columns of a row, and words around a number are ignored. An item that can be read as several numbers stands for all of them. Numbers of any type are accepted.
             * @example [
             *       "+14155552671"
             *     ]
             */
            phoneNumbers: unknown[];
            /**
             * @description The reason, which is shown with the entry. A number that is already on the list keeps its reason.
             * @example asked us in writing
             */
            reason?: string | null;
            /**
             * @description Which calls the entries forbid: all of the team (`team`, which is also the default), those of the campaign `campaignId` (`campaign`), or those of the agent `agentId` (`agent`).
             * @example team
             * @enum {string|null}
             */
            scope?: "team" | "campaign" | "agent" | null;
            /**
             * Format: uuid
             * @description The campaign. It is needed with the scope `campaign`, and refused with another one.
             */
            campaignId?: string | null;
            /**
             * Format: uuid
             * @description The agent. It is needed with the scope `agent`, and refused with another one.
             */
            agentId?: string | null;
            /**
             * @description The purpose of the calls that the entries forbid. If the team does not have `doNotCallByPurpose`, the entries forbid calls for any purpose, and only tell this one.
             * @enum {string|null}
             */
            purpose?: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @description From when the entries hold. By default, from now.
             * @example 2027-03-28T09:00:00+02:00
             */
            effectiveFrom?: string | null;
            /**
             * Format: date-time
             * @description Until when the entries hold. By default, without end.
             * @example 2027-03-28T09:00:00+02:00
             */
            expiresAt?: string | null;
        };
        /** AgentInUse */
        AgentInUse: {
            error: string;
            /** @constant */
            reason: "AGENT_IN_USE";
            /** @description The ids of the campaigns that use the agent, the oldest first. */
            campaigns: string[];
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** AlreadyEnrolled */
        AlreadyEnrolled: {
            /** @constant */
            error: "Contact is already enrolled in this campaign";
            /** Format: uuid */
            enrollmentId: string;
            /** @enum {string} */
            status: "active" | "paused" | "completed" | "exited" | "failed";
            /** @description The number of this enrollment among the enrollments of the contact in the campaign. Absent for the first one. */
            entry?: number;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** BadRow */
        BadRow: {
            /** @description The number of the row in the file, from 1. */
            row: number;
            /** @description Why the row would not be stored. */
            error: string;
            /** @description The cells of the row in a CSV file. Long text is cut. Absent for NDJSON, and beyond 256 KB of all bad rows. */
            cells?: string[];
            /** @description The same for NDJSON: the line. */
            line?: string;
        };
        /** Call */
        Call: {
            /** Format: uuid */
            callRequestId: string;
            /**
             * Format: uuid
             * @description The id of the called contact.
             */
            contactId: string;
            /** @description The external id that the contact has at the time of the answer. Null if it has none, or was erased. */
            externalId: string | null;
            /**
             * Format: uuid
             * @description The id of the voice agent.
             */
            agentId: string;
            /**
             * Format: uuid
             * @description The id of the enrollment. Null for a triggered call.
             */
            enrollmentId: string | null;
            /**
             * Format: uuid
             * @description The id of the campaign of the enrollment. Null for a triggered call.
             */
            campaignId: string | null;
            /**
             * Format: date-time
             * @description The instant of acceptance, or of the refusal of a trigger that is stored as `blocked`. Lists begin with the newest call.
             * @example 2026-11-20T14:00:00.000Z
             */
            acceptedAt: string;
            /**
             * @description The state of the call: `scheduled` (waits until it is due), `queued` (is due and waits to be dialed), `dialing` (claimed by a worker, which dials it once), `in_progress` (accepted by the carrier and not ended yet), `dial_unknown` (may have been dialed, and is not dialed again), `completed` (answered and ended), `no_answer` (dialed and not answered), `busy` (dialed, and the line was busy), `voicemail` (answered by voicemail), `failed` (claimed, and the dial or the call failed), `blocked` (refused by a guardrail and not dialed), `expired` (not dialed before it expired), `canceled` (not dialed, because the team or an operator canceled it or its contact was erased).
             * @enum {string}
             */
            status: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
            /** @description The reason code of a call that ended without a conversation or is in `dial_unknown`. Null if there is none. */
            reason: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call is or was due.
             * @example 2026-11-20T14:00:00.000Z
             */
            runsAt: string;
            /**
             * Format: date-time
             * @description The instant at which the call expires if it is still pending.
             * @example 2026-11-20T14:00:00.000Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description The instant before which the trigger asked for no call. Null if it named none.
             * @example 2026-11-20T14:00:00.000Z
             */
            notBefore: string | null;
            /**
             * Format: date-time
             * @description The instant after which the trigger asked for no call. Null if it named none.
             * @example 2026-11-20T14:00:00.000Z
             */
            notAfter: string | null;
            /**
             * @description The number to call. After the erasure of its contact, it is `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description The caller ID. Null if the call was not claimed.
             * @example +14155552671
             */
            callerId: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call was answered. Null if it was not answered, or the carrier does not report it.
             * @example 2026-11-20T14:00:00.000Z
             */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call ended, even if it was not dialed. Null before.
             * @example 2026-11-20T14:00:00.000Z
             */
            endedAt: string | null;
            /** @description The length of the conversation in seconds. Null if the carrier does not report it. */
            durationSeconds: number | null;
            /** @description The prompt, rendered from the agent’s template. Null if the call was not claimed, its contact was erased, or its retention time is over. */
            prompt: string | null;
            /** @description The first message, rendered from the agent’s template. Null if the call was not claimed, its contact was erased, or its retention time is over. */
            firstMessage: string | null;
            result: components["schemas"]["CallResult"];
            /** @description The placeholders of the prompt and the first message that had no value. Empty if the call was not claimed, its contact was erased, or its retention time is over. */
            unknownPlaceholders: string[];
            /** @description Every transition of the call, the oldest first. */
            history: components["schemas"]["CallHistoryEntry"][];
        };
        /** CallAccepted */
        CallAccepted: {
            /** @constant */
            success: true;
            /**
             * Format: uuid
             * @description The id of the call. The call is read and canceled by this id.
             */
            callRequestId: string;
            /**
             * Format: uuid
             * @description The contact that was created or updated.
             */
            contactId: string;
            /**
             * @description `true` if the call waits for the next opening of the calling hours; absent otherwise.
             * @constant
             */
            rescheduled?: true;
            /**
             * Format: date-time
             * @description The instant at which the call is due. Absent without `rescheduled`.
             */
            runsAt?: string;
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /**
         * CallCompliance
         * @description What packs of rules of law say of the call. A decision does not have it for a team whose `compliance` was `off`.
         */
        CallCompliance: {
            /** @enum {string} */
            mode: "warn" | "enforce";
            /** @description The time zones in which the called person may be. Packs must allow the call in each. Empty if unknown, or erased. */
            zones: string[];
            /**
             * @description Where the zones come from: stated by the request or the contact, or the number’s area code, prefix or country.
             * @enum {string|null}
             */
            zoneSource: "stated" | "areaCode" | "prefix" | "country" | "unknown" | null;
            /** @description The jurisdictions of the person, ISO 3166 codes and `EU`. */
            jurisdictions: string[];
            /** @description The versions of the packs that were judged by, by name. */
            packs: {
                [key: string]: string;
            };
            /** @description The version of the time zone data. */
            tzdata: string;
            /** @description The rule by which packs refuse or move the call. Null if none does. */
            rule: string | null;
            /**
             * Format: date-time
             * @description The first instant at which no enforced rule refuses, if the facts stay the same. Null if waiting does not help.
             * @example 2026-11-20T14:00:00.000Z
             */
            firstLawfulAt: string | null;
            /** @description The rules that require something to be said in the call. */
            disclosures: string[];
            /** @description The ids of the consents on which the call relies. */
            consents: string[];
            /** @description What each of the rules in force says. */
            rules: components["schemas"]["ComplianceRule"][];
        };
        /** CallDecisionRule */
        CallDecisionRule: {
            /** @enum {string} */
            reason: "COUNTRY_NOT_ALLOWED" | "ZONE_UNKNOWN" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION";
            allow: boolean;
            /** @description The facts that the guardrail evaluated. */
            evidence: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The instant from which the guardrail would allow the call if its facts stay the same. Absent if the guardrail allows the call, or if waiting does not help.
             * @example 2026-11-20T14:00:00.000Z
             */
            retryAt?: string;
        };
        /** CallEvent */
        CallEvent: {
            /**
             * Format: uuid
             * @description The id of the event. It is the same each time the event is read or sent.
             */
            id: string;
            /**
             * @description `call.scheduled`: a call was accepted for a later opening, or rescheduled to another opening. `call.started`: the carrier accepted the call. `call.answered`: a report first said that a person or a machine answered the call. `call.ended`: an accepted call reached a final status, including `blocked`, `expired` and `canceled`. `call.unknown`: the outcome of a dial is unknown: `dial_unknown`; `call.started` or `call.ended` may follow. `call.result`: a result was recorded.
             * @enum {string}
             */
            type: "call.scheduled" | "call.started" | "call.answered" | "call.ended" | "call.unknown" | "call.result";
            /**
             * Format: date-time
             * @description When the event was written.
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among the events of its team. Later events have higher numbers. There can be gaps. */
            sequence: number;
            data: components["schemas"]["ListedCall"];
        };
        /** CallExplanation */
        CallExplanation: {
            /**
             * @description Whether the trigger would queue, schedule or refuse the call.
             * @enum {string}
             */
            wouldBe: "queued" | "scheduled" | "refused";
            /** @description The HTTP status of the trigger’s answer. */
            status: number;
            /**
             * @description The guardrail by which the trigger would refuse the call. Null if it would accept the call.
             * @enum {string|null}
             */
            reason: "COUNTRY_NOT_ALLOWED" | "ZONE_UNKNOWN" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | null;
            /** @description The message of the refusal. Null if the trigger would accept the call. */
            message: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call would be due. Null unless it would be scheduled.
             * @example 2026-11-20T14:00:00.000Z
             */
            runsAt: string | null;
            /** @description The time zone in which calling hours are evaluated, as a list of one item. */
            zones: string[];
            /**
             * @description Where the time zone comes from: the request, the stored contact or the agent.
             * @enum {string}
             */
            zoneSource: "request" | "contact" | "agent";
            callerId: components["schemas"]["CallerIdExplanation"];
            /** @description The current results of all guardrails, even outside calling hours. Guardrails of packs are among them if a rule of theirs is enforced. */
            rules: components["schemas"]["CallDecisionRule"][];
            compliance?: components["schemas"]["CallCompliance"];
            /**
             * Format: date-time
             * @description The first instant inside calling hours at which no guardrail would refuse, if the facts stay the same. Null if waiting does not help.
             * @example 2026-11-20T14:00:00.000Z
             */
            firstAllowedAt: string | null;
            /** @description The prompt, rendered from the agent’s template. */
            prompt: string;
            /** @description The first message, rendered from the agent’s template. */
            firstMessage: string;
            /** @description The placeholders of the prompt and the first message that have neither a value nor a default. */
            unknownPlaceholders: string[];
            /** @description Keys of the request that look like fields, and placeholders of the agent’s templates that are not closed, unknown, or without a value for this contact. Absent if there are none. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** CallHistoryEntry */
        CallHistoryEntry: {
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            at: string;
            /**
             * @description The state before the transition. Null in the first entry.
             * @enum {string|null}
             */
            from: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled" | null;
            /** @enum {string} */
            to: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
            /** @description The cause of the transition: `triggered`, `campaign`, `claimed`, `outside_calling_hours`, `zone_data_changed`, `expired`, `next_slot_too_late`, `blocked`, `canceled`, `canceled_by_operator`, `contact_erased`, `do_not_call`, `not_dialed`, `carrier_accepted`, `carrier_refused`, `carrier_throttled`, `carrier_unreachable`, `carrier_silent`, `carrier_report`, `carrier_listing`, `hung_up`, `no_word`, `database_restored`, `resolved_by_operator`. Or the reason for which the call was refused when it was due. */
            cause: string;
        };
        /** CallRefusal400 */
        CallRefusal400: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "COUNTRY_NOT_ALLOWED" | "ZONE_UNKNOWN" | "NOT_WHITELISTED" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "INVALID_REQUEST" | "FROM_NUMBER_INVALID" | "NUMBER_POOL_INVALID" | "NO_CALLER_ID";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
            /** @description One entry for each fault of the request, at most 100. */
            errors: components["schemas"]["Problem"][];
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** CallRefusal409 */
        CallRefusal409: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "IDEMPOTENCY_KEY_IN_FLIGHT";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** CallRefusal413 */
        CallRefusal413: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "PAYLOAD_TOO_LARGE";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** CallRefusal415 */
        CallRefusal415: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "UNSUPPORTED_ENCODING";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** CallRefusal422 */
        CallRefusal422: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "IDEMPOTENCY_KEY_REUSED";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** CallRefusal429 */
        CallRefusal429: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "JURISDICTION_CAP" | "COOL_OFF" | "RATE_LIMITED";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** CallRefusal500 */
        CallRefusal500: {
            /** @constant */
            success: false;
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "AGENT_NOT_FOUND" | "INVALID_API_KEY" | "SERVICE_UNAVAILABLE" | "INTERNAL";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description What to change, if the key was sent otherwise than as a bearer token. Absent otherwise. */
            hint?: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /**
         * CallResult
         * @description The result of the call. Null if none was reported, or its retention time is over.
         */
        CallResult: {
            disposition: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            callbackAt: string | null;
            optOut: boolean;
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            recordedAt: string;
        } | null;
        /** CallResultReport */
        CallResultReport: {
            /** @description What the conversation led to, as a text of your own. The routes of a campaign’s step refer to it. */
            disposition?: string | null;
            /**
             * Format: date-time
             * @description The instant for which the contact asked for another call, at most a year ahead. An instant of the last 24 hours means at once. An earlier instant is refused.
             * @example 2027-03-28T09:00:00+02:00
             */
            callbackAt?: string | null;
            /** @description `true` adds the number to the Do Not Call list, even if the result is refused. */
            optOut?: boolean | null;
            /** @description An object of your own, at most 64 KB of JSON. */
            data?: {
                [key: string]: unknown;
            } | null;
        };
        /** CallerIdExplanation */
        CallerIdExplanation: {
            /**
             * @description Where the caller ID comes from: the request’s pool or number, or the agent’s. Null if no caller ID can be used.
             * @enum {string|null}
             */
            source: "request_pool" | "from_number" | "agent_pool" | "agent_number" | null;
            /** @description The numbers from which the call could be made. Of a pool, these are at most 16, the least recently used first. */
            candidates: string[];
        };
        /** Campaign */
        Campaign: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "archived";
            /**
             * Format: uuid
             * @description The version on which contacts are enrolled by default.
             */
            currentVersionId: string;
            /**
             * Format: uuid
             * @description The draft of the campaign. Null if there is none.
             */
            draftVersionId: string | null;
            pacing: components["schemas"]["CampaignPacing"];
            reentry: components["schemas"]["CampaignReentry"];
            /**
             * @description What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            campaignId: string;
        };
        /** CampaignDetail */
        CampaignDetail: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "archived";
            /**
             * Format: uuid
             * @description The version on which contacts are enrolled by default.
             */
            currentVersionId: string;
            /**
             * Format: uuid
             * @description The draft of the campaign. Null if there is none.
             */
            draftVersionId: string | null;
            pacing: components["schemas"]["CampaignPacing"];
            reentry: components["schemas"]["CampaignReentry"];
            /**
             * @description What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            campaignId: string;
            stats: components["schemas"]["CampaignStats"];
        };
        /** CampaignEvent */
        CampaignEvent: {
            /**
             * Format: uuid
             * @description The id of the event. It is the same each time the event is read or sent.
             */
            id: string;
            /**
             * @description `campaign.paused`: an active campaign was paused. `campaign.resumed`: a paused campaign is active again. `campaign.finished`: a campaign has enrollments, and none was live for 60 seconds. `campaign.stalled`: all live enrollments of an active campaign waited for 5 minutes for what only a change ends: `rule`.
             * @enum {string}
             */
            type: "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.stalled";
            /**
             * Format: date-time
             * @description When the event was written.
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among the events of its team. Later events have higher numbers. There can be gaps. */
            sequence: number;
            data: components["schemas"]["CampaignOfEvent"];
        };
        /** CampaignOfEvent */
        CampaignOfEvent: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "archived";
            /**
             * Format: uuid
             * @description The version on which contacts are enrolled by default.
             */
            currentVersionId: string;
            /**
             * Format: uuid
             * @description The draft of the campaign. Null if there is none.
             */
            draftVersionId: string | null;
            pacing: components["schemas"]["CampaignPacing"];
            reentry: components["schemas"]["CampaignReentry"];
            /**
             * @description What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            campaignId: string;
            /**
             * @description Only in the event of a stalled campaign: what most of its live enrollments wait for.
             * @enum {string}
             */
            rule?: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps";
        };
        /** CampaignPacing */
        CampaignPacing: {
            /** @description The maximum number of active calls of the campaign. Null is no limit. */
            maxConcurrentCalls: number | null;
            /** @description The maximum number of calls that the campaign starts in any 60 seconds. Null is no limit. A new campaign has 60. */
            callsPerMinute: number | null;
            /** @description The weight of the campaign among the campaigns of the team. While several have due calls, dials are divided in proportion to their weights. The default is 1. */
            weight: number;
        };
        /** CampaignPage */
        CampaignPage: {
            items: components["schemas"]["Campaign"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** CampaignReentry */
        CampaignReentry: {
            /** @description The maximum number of enrollments of one contact in the campaign, the first included. Null is no limit. */
            maxEntries: number | null;
            /**
             * @description The minimum time between the end of an enrollment and the next enrollment. Null is no minimum.
             * @example P1DT12H
             */
            minInterval: string | null;
        };
        /** CampaignResource */
        CampaignResource: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "archived";
            /**
             * Format: uuid
             * @description The version on which contacts are enrolled by default.
             */
            currentVersionId: string;
            /**
             * Format: uuid
             * @description The draft of the campaign. Null if there is none.
             */
            draftVersionId: string | null;
            pacing: components["schemas"]["CampaignPacing"];
            reentry: components["schemas"]["CampaignReentry"];
            /**
             * @description What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** CampaignResult */
        CampaignResult: {
            /** Format: uuid */
            enrollmentId: string;
            externalId: string | null;
            /** Format: uuid */
            contactId: string;
            /** @example +14155552671 */
            phoneNumber: string;
            name: string | null;
            /** @description The properties that `properties` names. Null: the contact does not have the property. In CSV, each has a column at the end of the line instead. The column is named like the property, with `customProperties.` in front if a field has that name. */
            customProperties: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "active" | "paused" | "completed" | "exited" | "failed";
            /**
             * @description Why the enrollment ended. Null while it is active or paused.
             * @enum {string|null}
             */
            endReason: "goal" | "reached" | "no_response" | "suppressed" | "manual" | "contact_deleted" | "lifetime" | "archived" | "caps" | "undone" | "not_dialable" | null;
            /** @description The key of the current or last step. Null before the first step. */
            step: string | null;
            /** @description The number of calls that were dialed or perhaps dialed. */
            attempts: number;
            /**
             * @description What became of the last call: its final status, or `declined` or `network_blocked` for a failed call that was refused. `dial_unknown` while it is not known. Null while the call is in progress, and without a call.
             * @enum {string|null}
             */
            lastOutcome: "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled" | "dial_unknown" | "declined" | "network_blocked" | null;
            /** @description The disposition in the result of the last call. Null without one, and after the call was removed. */
            disposition: string | null;
            /**
             * Format: uuid
             * @description The `callRequestId` of the last call. Null without a call.
             */
            lastCallId: string | null;
            /**
             * Format: date-time
             * @description When the worker claimed the last call.
             * @example 2026-11-20T14:00:00.000Z
             */
            lastCallAt: string | null;
            /**
             * Format: date-time
             * @description When the next call is due if nothing changes.
             * @example 2026-11-20T14:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description The rule that prevents the next call until then. Null before the first decision, and after the end.
             * @enum {string|null}
             */
            waitingFor: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps" | null;
            /** @description The number of the version that the enrollment follows. */
            version: number;
            /** Format: uuid */
            versionId: string;
            /** @description The number of this enrollment among those of the contact in the campaign. */
            entry: number;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the enrollment last changed: its status, its step, a call, a result, or what it waits for.
             * @example 2026-11-20T14:00:00.000Z
             */
            updatedAt: string;
        };
        /** CampaignStats */
        CampaignStats: {
            /** @description The number of enrollments in any status. */
            enrolled: number;
            /** @description The number of enrollments that are active or paused. */
            live: number;
            /** @description The number of enrollments with at least one call that is active, was dialed or was perhaps dialed. */
            attempted: number;
            /** @description The number of enrollments with at least one completed call. */
            reached: number;
            /** @description The number of enrollments whose `endReason` is `goal`. */
            goals: number;
            /** @description The number of ended enrollments for each `endReason`. */
            ended: {
                [key: string]: number;
            };
            /** @description The number of live enrollments for each `waitingFor`. Enrollments whose `waitingFor` is null are left out. */
            waitingFor: {
                [key: string]: number;
            };
            /** @description The number of calls for each outcome. Calls in progress and calls that were certainly not dialed are left out. */
            attempts: {
                [key: string]: number;
            };
            /** @description The same counts for each version that has enrollments, the oldest version first. */
            byVersion: components["schemas"]["CampaignVersionStats"][];
        };
        /** CampaignVersionResource */
        CampaignVersionResource: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            campaignId: string;
            /** @description The number of the version within the campaign, from 1. */
            number: number;
            /** @enum {string} */
            status: "draft" | "published";
            definition: {
                [key: string]: unknown;
            };
            /** @description The number of enrollments on this version, in any status. */
            enrolled: number;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the version was published. Null for a draft.
             * @example 2026-11-20T14:00:00.000Z
             */
            publishedAt: string | null;
        };
        /** CampaignVersionResourcePage */
        CampaignVersionResourcePage: {
            items: components["schemas"]["CampaignVersionResource"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** CampaignVersionStats */
        CampaignVersionStats: {
            /** Format: uuid */
            versionId: string;
            number: number;
            /** @description The number of enrollments in any status. */
            enrolled: number;
            /** @description The number of enrollments that are active or paused. */
            live: number;
            /** @description The number of enrollments with at least one call that is active, was dialed or was perhaps dialed. */
            attempted: number;
            /** @description The number of enrollments with at least one completed call. */
            reached: number;
            /** @description The number of enrollments whose `endReason` is `goal`. */
            goals: number;
            /** @description The number of ended enrollments for each `endReason`. */
            ended: {
                [key: string]: number;
            };
            /** @description The number of live enrollments for each `waitingFor`. Enrollments whose `waitingFor` is null are left out. */
            waitingFor: {
                [key: string]: number;
            };
            /** @description The number of calls for each outcome. Calls in progress and calls that were certainly not dialed are left out. */
            attempts: {
                [key: string]: number;
            };
        };
        /** CarrierAccount */
        CarrierAccount: {
            /** Format: uuid */
            id: string;
            name: string;
            carrier: string;
            /** @description The address to which the carrier reports about the calls of this account. Null if the deployment has no `PUBLIC_URL`. */
            reportUrl: string | null;
            /** @description The most active calls of the agents that name the account. Further due calls wait until a call ends. Null is no limit. */
            maxConcurrent: number | null;
            /** @description The most calls a second of these agents, which all workers share. Further due calls wait for their turn. Null is no limit. */
            callsPerSecond: number | null;
            /**
             * Format: date-time
             * @description When the credentials were last replaced. Null if they are the first.
             * @example 2026-11-20T14:00:00.000Z
             */
            rotatedAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** CarrierAccountCheck */
        CarrierAccountCheck: {
            /** @description Whether every item is good. */
            ok: boolean;
            items: components["schemas"]["CarrierAccountCheckItem"][];
        };
        /** CarrierAccountCheckItem */
        CarrierAccountCheckItem: {
            what: string;
            ok: boolean;
            detail: string;
        };
        /** CarrierAccountInUse */
        CarrierAccountInUse: {
            error: string;
            /** @constant */
            reason: "ACCOUNT_IN_USE";
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** CarrierAccountPage */
        CarrierAccountPage: {
            items: components["schemas"]["CarrierAccount"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** ChangedCampaignResource */
        ChangedCampaignResource: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "archived";
            /**
             * Format: uuid
             * @description The version on which contacts are enrolled by default.
             */
            currentVersionId: string;
            /**
             * Format: uuid
             * @description The draft of the campaign. Null if there is none.
             */
            draftVersionId: string | null;
            pacing: components["schemas"]["CampaignPacing"];
            reentry: components["schemas"]["CampaignReentry"];
            /**
             * @description What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /** @description Why the campaign places no calls for contacts that are enrolled on its current version. Absent unless the request sent the status `active`. */
            warnings?: components["schemas"]["PublicationWarning"][];
        };
        /** ComplianceRule */
        ComplianceRule: {
            /** @description The id of the rule, which no other pack has. */
            id: string;
            /**
             * @description `refuse`: the rule refuses or moves the call. `warn`: it would, and is not enforced. `lifted`: a consent lifts it.
             * @enum {string}
             */
            verdict: "allow" | "refuse" | "warn" | "lifted";
            /** @description The pack of the rule. Null if this version of it is not known. */
            pack: string | null;
            /** @enum {string|null} */
            kind: "callingHours" | "closedDates" | "frequencyCap" | "coolOff" | "consentRequired" | "prohibition" | "suspension" | "registerScrub" | "disclosure" | null;
            /** @description The law, as the pack cites it. */
            citation: string | null;
            /** @description Where the rule was read, and the date on which it was. */
            source: {
                [key: string]: unknown;
            } | null;
            /** @description The facts that the rule evaluated. */
            evidence: {
                [key: string]: unknown;
            };
        };
        /** ConsentPage */
        ConsentPage: {
            items: components["schemas"]["ConsentResource"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** ConsentResource */
        ConsentResource: {
            /** Format: uuid */
            id: string;
            /**
             * @description The number. After the erasure of its contact, `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description What the person gave: `express` consent, or `expressWritten` consent, which is the stronger one.
             * @enum {string}
             */
            level: "express" | "expressWritten";
            /**
             * @description The purpose of the calls to which the person consents. Null: every purpose.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * @description The voice to which the person consents. Null: every voice.
             * @enum {string|null}
             */
            voice: "ai" | "prerecorded" | "live" | null;
            /** @description How the consent was given. Null after an erasure. */
            source: string | null;
            /** @description Where the proof is. Null if it was not sent, and after an erasure. */
            evidence: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            grantedAt: string;
            /**
             * Format: date-time
             * @description When the consent ends by itself. Null: never.
             * @example 2026-11-20T14:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description `in_force`, or what has ended the consent first. `opted_out`: the number was added to the Do Not Call list after the consent was given; the consent stays ended if the number is removed from the list.
             * @enum {string}
             */
            status: "in_force" | "expired" | "revoked" | "opted_out";
            /**
             * Format: date-time
             * @description When the consent ended. Null while it is in force.
             * @example 2026-11-20T14:00:00.000Z
             */
            endedAt: string | null;
            /** @description The reason of a revocation, if one was sent. */
            endReason: string | null;
            /**
             * Format: date-time
             * @description When the consent was recorded.
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** Contact */
        Contact: {
            /** Format: uuid */
            contactId: string;
            /** @example +14155552671 */
            phoneNumber: string;
            externalId: string | null;
            name: string | null;
            email: string | null;
            companyName: string | null;
            companyWebsite: string | null;
            timezone: string | null;
            /** @description The custom properties, by key. Every key of a request that is not a field of the contact is one. */
            customProperties: {
                [key: string]: unknown;
            };
        };
        /** ContactByExternalId */
        ContactByExternalId: {
            /**
             * @description The phone number of the contact. It is required if no contact has the external id, and cannot be changed. National form is accepted only if the team has a default country.
             * @example +14155552671
             */
            phoneNumber?: string;
            /** @description Optional. If it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /**
             * @description Can be sent if it is that of the path.
             * @example crm-4711
             */
            externalId?: (string | null) | string;
            /**
             * @description Full name.
             * @example Ada Lovelace
             */
            name?: string | null;
            /**
             * @description E-mail address. It does not identify the contact.
             * @example ada@example.com
             */
            email?: (string | null) | string;
            /**
             * @description Name of the company.
             * @example Analytical Engines
             */
            companyName?: string | null;
            /**
             * @description Website of the company.
             * @example https://example.com
             */
            companyWebsite?: string | null;
            /**
             * @description IANA time zone in which calling hours are evaluated, unless the call request has its own.
             * @example America/New_York
             */
            timezone?: string | null;
            /** @description Custom properties to set. The value null removes a property. */
            customProperties?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** ContactChange */
        ContactChange: {
            /** @description Optional. If it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /**
             * @description Id of the contact in another system, such as a CRM: printable ASCII. No other contact of the team has the same one.
             * @example crm-4711
             */
            externalId?: (string | null) | string;
            /**
             * @description Full name.
             * @example Ada Lovelace
             */
            name?: string | null;
            /**
             * @description E-mail address. It does not identify the contact.
             * @example ada@example.com
             */
            email?: (string | null) | string;
            /**
             * @description Name of the company.
             * @example Analytical Engines
             */
            companyName?: string | null;
            /**
             * @description Website of the company.
             * @example https://example.com
             */
            companyWebsite?: string | null;
            /**
             * @description IANA time zone in which calling hours are evaluated, unless the call request has its own.
             * @example America/New_York
             */
            timezone?: string | null;
            /** @description Custom properties to set. The value null removes a property. */
            customProperties?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** ContactCreated */
        ContactCreated: {
            message: string;
            /** Format: uuid */
            contactId: string;
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** ContactEnrolled */
        ContactEnrolled: {
            /** @constant */
            message: "Contact enrolled successfully";
            /** Format: uuid */
            enrollmentId: string;
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** ContactEvent */
        ContactEvent: {
            /**
             * Format: uuid
             * @description The id of the event. It is the same each time the event is read or sent.
             */
            id: string;
            /**
             * @description `contact.opted_out`: a number is new on the team’s Do Not Call list.
             * @enum {string}
             */
            type: "contact.opted_out";
            /**
             * Format: date-time
             * @description When the event was written.
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among the events of its team. Later events have higher numbers. There can be gaps. */
            sequence: number;
            data: components["schemas"]["OptedOutContact"];
        };
        /** ContactExisted */
        ContactExisted: {
            /** @constant */
            error: "Contact existed";
            /**
             * Format: uuid
             * @description The id of the contact that has this number.
             */
            contactId: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
            /** @description One entry for each fault of the request, at most 100. */
            errors: components["schemas"]["Problem"][];
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** ContactExport */
        ContactExport: {
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            exportedAt: string;
            /** @description The contact with its custom properties. Null if it was erased during the export. */
            contact: {
                [key: string]: unknown;
            } | null;
            /** @description All calls to the number, the oldest first, with variables, prompts, history and decisions. Empty if there are none. */
            calls: {
                [key: string]: unknown;
            }[];
            /** @description All enrollments of the contact, each with its campaign. Empty if there are none. */
            enrollments: {
                [key: string]: unknown;
            }[];
            /** @description The entry of the number on the Do Not Call list. Empty if the number is not on it. */
            doNotCall: {
                [key: string]: unknown;
            }[];
            /** @description The entries of the number that hold only for a campaign, an agent, a purpose or a time. Empty if there are none. */
            limitedDoNotCall: {
                [key: string]: unknown;
            }[];
            /** @description The ledger of the number, the oldest entry first. Empty if there is none. */
            doNotCallHistory: {
                [key: string]: unknown;
            }[];
            /** @description The consents of the number, also those that have ended. */
            consents: {
                [key: string]: unknown;
            }[];
            /** @description Their ends. Of an opt-out, `consentId` is null. */
            consentEndings: {
                [key: string]: unknown;
            }[];
            /** @description The entry of the number on the whitelist. Empty if the number is not on it. */
            whitelist: {
                [key: string]: unknown;
            }[];
        };
        /** ContactFields */
        ContactFields: {
            /**
             * @description Identifies the contact. Preferably in E.164. National form is accepted only if the team has a default country.
             * @example +14155552671
             */
            phoneNumber: string;
            /** @description Optional. If it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /** @description The active campaign in which the contact is enrolled. The contact is stored even if it cannot be enrolled; `warnings` then say why. */
            campaignId?: (string | null) | string;
            /**
             * @description Full name.
             * @example Ada Lovelace
             */
            name?: string | null;
            /**
             * @description E-mail address. It does not identify the contact.
             * @example ada@example.com
             */
            email?: (string | null) | string;
            /**
             * @description Name of the company.
             * @example Analytical Engines
             */
            companyName?: string | null;
            /**
             * @description Website of the company.
             * @example https://example.com
             */
            companyWebsite?: string | null;
            /**
             * @description IANA time zone in which calling hours are evaluated, unless the call request has its own.
             * @example America/New_York
             */
            timezone?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** ContactPage */
        ContactPage: {
            items: components["schemas"]["Contact"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** ContactStored */
        ContactStored: {
            /** @constant */
            message: "success";
            /** Format: uuid */
            contactId: string;
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** CreateCampaign */
        CreateCampaign: {
            /**
             * @description The display name of the campaign.
             * @example Renewals
             */
            name: string;
            /**
             * @description Contacts can be enrolled and are called only while the campaign is `active`. An import can also load a campaign that is a `draft` or `paused`. A new campaign can have any status, by default `draft`. When a campaign becomes `archived`, its live enrollments end.
             * @enum {string}
             */
            status?: "draft" | "active" | "paused" | "archived";
            /**
             * @description How fast the campaign places calls. The setting applies to all versions. A change keeps the fields that it does not contain. Null is no limits and the weight 1. A new campaign whose request has no `callsPerMinute` starts 60 calls a minute.
             * @example {
             *       "maxConcurrentCalls": 10,
             *       "callsPerMinute": 60,
             *       "weight": 1
             *     }
             */
            pacing?: {
                /** @description The maximum number of active calls of the campaign. Null is no limit. */
                maxConcurrentCalls?: number | null;
                /** @description The maximum number of calls that the campaign starts in any 60 seconds. Null is no limit. A new campaign has 60. */
                callsPerMinute?: number | null;
                /** @description The weight of the campaign among the campaigns of the team. While several have due calls, dials are divided in proportion to their weights. The default is 1. */
                weight?: number | null;
            } | null;
            /**
             * @description Whether a contact can be enrolled again after its enrollment has ended. The setting is replaced as a whole. Null restores the default: a contact can be enrolled once.
             * @example {
             *       "maxEntries": 2,
             *       "minInterval": "P30D"
             *     }
             */
            reentry?: {
                /** @description The maximum number of enrollments of one contact in the campaign, the first included. Null is no limit. */
                maxEntries?: number | null;
                /**
                 * @description The minimum time between the end of an enrollment and the next enrollment. Null is no minimum.
                 * @example P1DT12H
                 */
                minInterval?: string | null;
            } | null;
            /**
             * @description What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.
             * @enum {string|null}
             */
            purpose?: "marketing" | "informational" | "debt" | "survey" | null;
        };
        /** CreateCampaignVersion */
        CreateCampaignVersion: {
            /**
             * @description The steps, variables, hours and caps of the version. It is replaced as a whole. It can have at most 65536 bytes of JSON.
             * @example {
             *       "note": "spring",
             *       "steps": [
             *         {
             *           "key": "first",
             *           "agentId": "0b6e0f3c-6f5e-4f8e-9a57-0d6f1f0f7a11",
             *           "maxAttempts": 3,
             *           "retry": {
             *             "no_answer": [
             *               "PT16H",
             *               "P1D"
             *             ],
             *             "busy": [
             *               "PT13H"
             *             ]
             *           },
             *           "on": [
             *             {
             *               "outcome": "completed",
             *               "end": "reached"
             *             },
             *             {
             *               "outcome": "no_response",
             *               "next": "second"
             *             }
             *           ]
             *         },
             *         {
             *           "key": "second",
             *           "agentId": "0b6e0f3c-6f5e-4f8e-9a57-0d6f1f0f7a11",
             *           "after": "P3D"
             *         }
             *       ],
             *       "caps": {
             *         "maxAttempts": 6,
             *         "perNumber": [
             *           {
             *             "count": 2,
             *             "per": "PT24H"
             *           }
             *         ],
             *         "lifetime": "P14D"
             *       }
             *     }
             */
            definition: {
                note?: (string | {
                    [key: string]: unknown;
                }) | null;
                /** @description The steps, in the order in which they follow each other. A version without steps places no calls. */
                steps?: {
                    /** @description The key of the step. It is unique within the definition. */
                    key: string;
                    /**
                     * Format: uuid
                     * @description The voice agent that calls. It must belong to the team.
                     */
                    agentId: string;
                    /**
                     * @description The wait before the first call of the step. It counts from the end of the previous call of the enrollment. Before any call, it counts from enrollment. The default is no wait.
                     * @example P1DT12H
                     */
                    after?: string | null;
                    /** @description The maximum number of calls of the step that are dialed or perhaps dialed, the first call included. Requested callbacks do not count. The default is one more than the number of all delays in `retry`. */
                    maxAttempts?: number | null;
                    /** @description For each outcome, the delays before the retries. Each delay counts from the end of the call. An outcome that is not listed is not retried. */
                    retry?: {
                        no_answer?: string[] | null;
                        busy?: string[] | null;
                        voicemail?: string[] | null;
                        failed?: string[] | null;
                        declined?: string[] | null;
                        network_blocked?: string[] | null;
                    } | null;
                    /** @description What follows a completed call, or another call after which no retry is left. The first entry that matches applies. If none matches, a completed call ends the enrollment. Otherwise the next step follows; after the last step, the enrollment ends. */
                    on?: {
                        /** @description Matches a completed call whose result has this disposition and is reported within 15 minutes of the recorded end. With `goal`, it matches at any time and after any outcome. */
                        disposition?: string | null;
                        /**
                         * @description `completed` matches a completed call. `no_response` matches when no retry is left.
                         * @enum {string|null}
                         */
                        outcome?: "completed" | "no_response" | null;
                        /**
                         * @description The enrollment ends, completed by the goal.
                         * @enum {boolean|null}
                         */
                        goal?: true | null;
                        /**
                         * @description The contact is called again at the `callbackAt` of the result. Needs `disposition`. Without a `callbackAt`, the entry does not match.
                         * @enum {boolean|null}
                         */
                        callback?: true | null;
                        /**
                         * @description The enrollment ends, completed with this reason.
                         * @enum {string|null}
                         */
                        end?: "reached" | "no_response" | null;
                        /** @description The enrollment moves to the step with this key. The step must come later in `steps`. */
                        next?: string | null;
                    }[] | null;
                }[] | null;
                /** @description The variables of every call of the version. */
                variables?: {
                    [key: string]: unknown;
                } | null;
                /** @description Calling hours of the campaign. A call is placed only within these and within the calling hours of the agent. */
                hours?: {
                    monday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    tuesday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    wednesday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    thursday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    friday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    saturday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    sunday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                } | null;
                /** @description Dates on which the campaign places no calls, in addition to the closed dates of the agent. */
                closedDates?: string[] | null;
                caps?: {
                    /** @description The maximum number of calls of one enrollment that are dialed or perhaps dialed, requested callbacks included. Null is no limit. */
                    maxAttempts?: number | null;
                    /** @description The team makes at most `count` calls to the number in any period of length `per`. Dialed and perhaps dialed calls count. Calls of other campaigns, triggered calls and requested callbacks count, too. */
                    perNumber?: {
                        count: number;
                        /**
                         * @description An ISO 8601 duration of weeks (W), days (D), hours (H), minutes (M, after `T`) and seconds (S). Years and months are not allowed. The maximum is P366D. Weeks and days keep the local time of day.
                         * @example P1DT12H
                         */
                        per: string;
                    }[] | null;
                    /**
                     * @description The time without a call after the end of a completed call of the team to the number. A requested callback is exempt. Null is no such time.
                     * @example P1DT12H
                     */
                    afterConversation?: string | null;
                    /**
                     * @description The time from enrollment after which the enrollment ends. It must be longer than zero. Null is no limit.
                     * @example P1DT12H
                     */
                    lifetime?: string | null;
                } | null;
            };
        };
        /** CreateCarrierAccount */
        CreateCarrierAccount: {
            /**
             * @description Display name.
             * @example Main account
             */
            name: string;
            /**
             * @description The carrier at which the team has the account. It cannot be changed.
             * @enum {string}
             */
            carrier: "retell" | "vapi" | "elevenlabs";
            /**
             * @description The credentials, as texts by their names; each carrier has its own, such as `apiKey`. They are stored sealed and never shown again.
             * @example {
             *       "apiKey": "key_0123456789abcdef"
             *     }
             */
            credentials: {
                [key: string]: string;
            };
            /** @description The most active calls of the agents that name the account. Further due calls wait until a call ends. Null is no limit. */
            maxConcurrent?: number | null;
            /** @description The most calls a second of these agents, which all workers share. Further due calls wait for their turn. Null is no limit. */
            callsPerSecond?: number | null;
        };
        /** CreateNumberPool */
        CreateNumberPool: {
            /**
             * @description Display name.
             * @example California
             */
            name: string;
            /**
             * @description The numbers of the pool. Each is a phone number of the team. A change replaces the whole list.
             * @example [
             *       "+14155550100"
             *     ]
             */
            phoneNumbers: string[];
        };
        /** CreateVoiceAgent */
        CreateVoiceAgent: {
            /**
             * @description Display name.
             * @example Reminders
             */
            name: string;
            /**
             * @description IANA time zone in which calling hours are evaluated if neither the call request nor the contact has one.
             * @example America/New_York
             * @example Europe/Berlin
             * @example UTC
             */
            timezone: string;
            /**
             * @description The windows of local time in which the agent may dial. Each window is listed under the weekday on which it starts. Null allows any time. It is required when an agent is created, also if it is null.
             * @example {
             *       "monday": [
             *         {
             *           "start": "09:00",
             *           "end": "17:00"
             *         }
             *       ]
             *     }
             */
            callingHours: {
                monday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                tuesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                wednesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                thursday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                friday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                saturday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                sunday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
            } | null;
            /** @description Local dates on which the agent does not dial. A window that starts on such a date is closed also after midnight. A window of the day before ends at midnight. */
            closedDates?: string[];
            /**
             * @description The prompt, with placeholders: fields and custom properties of the contact, such as `{{contact.name}}`, and variables of the call, such as `{{order}}`. `{{contact.name | there}}` has a default for a value that is missing or empty.
             * @example You are calling {{contact.name}} about order {{order}}.
             */
            promptTemplate?: string;
            /** @description The first message of the agent, with the same placeholders. */
            firstMessageTemplate?: string;
            /** @description The default caller ID, a phone number of the team. `numberPoolId` takes precedence. Null: the agent has no such number. */
            outboundPhoneNumber?: string | null;
            /**
             * Format: uuid
             * @description The number pool of the team from which the default caller ID is picked. Null: the agent has no pool.
             */
            numberPoolId?: string | null;
            /**
             * @description The carrier that places the calls. It must be configured in the deployment. Null is the default carrier of the deployment. With a key of the team, it must also be one of the `allowedCarriers` of the team, if these are not null; `GET /api/me` shows them.
             * @enum {string|null}
             */
            carrier?: "simulator" | "http" | "twilio" | "livekit" | "retell" | "vapi" | "elevenlabs" | null;
            /**
             * Format: uuid
             * @description The team’s own account at the carrier, with which the calls are placed. Null is the account of the deployment.
             */
            carrierAccountId?: string | null;
            /** @description Settings for the carrier, which checks them when they are stored. A change replaces the whole object. */
            carrierSettings?: {
                [key: string]: unknown;
            };
            /**
             * @description What the calls of the agent are for. Null: what the `compliance` of the team says. The purpose of a campaign takes precedence.
             * @enum {string|null}
             */
            purpose?: "marketing" | "informational" | "debt" | "survey" | null;
        };
        /** CreateWebhookEndpoint */
        CreateWebhookEndpoint: {
            /**
             * @description The URL to which events are sent. It must be an `https://` URL of a public host, without user name and password. Only a deployment with `WEBHOOKS_ALLOW_PRIVATE` allows `http://` and hosts in private networks.
             * @example https://example.com/outdial
             */
            url: string;
            /**
             * @description The event types that the endpoint receives. Null: all types.
             * @example [
             *       "call.ended",
             *       "call.result"
             *     ]
             */
            types?: ("call.scheduled" | "call.started" | "call.answered" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.stalled" | "import.finished")[] | null;
            /**
             * @description Free text that is stored with the endpoint.
             * @example CRM
             */
            description?: string | null;
            /** @description A disabled endpoint receives no events, and no deliveries are created for it. When it is enabled, its pending deliveries are sent. A new endpoint is enabled by default. */
            disabled?: boolean;
        };
        /** DoNotCallPage */
        DoNotCallPage: {
            items: components["schemas"]["DoNotCallResource"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** DoNotCallResource */
        DoNotCallResource: {
            /**
             * @description The number. After the erasure of its contact, lists show `erased:` and a hash instead.
             * @example +14155552671
             */
            phoneNumber: string;
            /** @description The reason. Null if none was sent or the contact was erased. */
            reason: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** EnrollFields */
        EnrollFields: {
            /**
             * Format: uuid
             * @description The id of an existing contact.
             */
            contactId: string;
            /**
             * Format: uuid
             * @description The id of a campaign. The campaign must be active.
             */
            campaignId: string;
            /** @description Optional. If it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /**
             * @description Free text that is stored with the enrollment.
             * @example crm-import
             */
            source?: string | null;
            /** @description The version that the enrollment follows: `current` (the default), `draft`, or the id of a version of the campaign. */
            version?: ((("current" | "draft") | string) | null) | string;
        } & {
            [key: string]: unknown;
        };
        /** Enrollment */
        Enrollment: {
            /** Format: uuid */
            enrollmentId: string;
            /** @enum {string} */
            status: "active" | "paused" | "completed" | "exited" | "failed";
            /** Format: uuid */
            contactId: string;
            /** @description The external id that the contact has at the time of the answer. Null if it has none, or was erased. */
            externalId: string | null;
            /** Format: uuid */
            campaignId: string;
            /**
             * Format: uuid
             * @description The version that the enrollment follows. A migration to another version changes it.
             */
            versionId: string;
            /** @description The `source` of the request that enrolled the contact. Null if it had none. */
            source: string | null;
            /** @description The number of this enrollment among the enrollments of the contact in the campaign. Absent for the first one. */
            entry?: number;
        };
        /** EnrollmentDetail */
        EnrollmentDetail: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            enrollmentId: string;
            /** Format: uuid */
            campaignId: string;
            /** Format: uuid */
            contactId: string;
            /** @description The external id that the contact has at the time of the answer. Null if it has none, or was erased. */
            externalId: string | null;
            /**
             * Format: uuid
             * @description The version that the enrollment follows. A migration to another version changes it.
             */
            versionId: string;
            /** @description The number of this enrollment among the enrollments of the contact in the campaign, from 1. */
            entry: number;
            /** @enum {string} */
            status: "active" | "paused" | "completed" | "exited" | "failed";
            /**
             * @description Why the enrollment ended. Null while it is active or paused. Also null if it ended in a version of Outdial whose campaigns placed no calls.
             * @enum {string|null}
             */
            endReason: "goal" | "reached" | "no_response" | "suppressed" | "manual" | "contact_deleted" | "lifetime" | "archived" | "caps" | "undone" | "not_dialable" | null;
            /** @description The key of the current step. Null before the first call of the first step. */
            step: string | null;
            /**
             * Format: date-time
             * @description When the next call is due if nothing changes. During a pause: when it would be due without the pause. Null before the first decision, during a call, while a result is awaited, and after the end. Also null if only a change, the end of another call or a report can lead to a call. Also null if the lifetime ends before it.
             * @example 2026-11-20T14:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description What the enrollment waits for before its next call: the reason of a guardrail, or another cause. `no_steps`: the version places no calls. Null before the first decision, and after the end.
             * @enum {string|null}
             */
            waitingFor: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps" | null;
            /** @description The `source` of the request that enrolled the contact. Null if it had none. */
            source: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            updatedAt: string;
            /** @description The number of calls of the enrollment that were dialed or perhaps dialed, active calls included. */
            attempts: number;
            whyNot: components["schemas"]["WhyNot"];
            /** @description What happened to the enrollment, the oldest entry first. */
            timeline: components["schemas"]["TimelineEntry"][];
        };
        /** EnrollmentEvent */
        EnrollmentEvent: {
            /**
             * Format: uuid
             * @description The id of the event. It is the same each time the event is read or sent.
             */
            id: string;
            /**
             * @description `enrollment.created`: a contact was enrolled. `enrollment.ended`: an enrollment ended: `completed`, `exited` or `failed`.
             * @enum {string}
             */
            type: "enrollment.created" | "enrollment.ended";
            /**
             * Format: date-time
             * @description When the event was written.
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among the events of its team. Later events have higher numbers. There can be gaps. */
            sequence: number;
            data: components["schemas"]["Enrollment"];
        };
        /** EnrollmentPage */
        EnrollmentPage: {
            items: components["schemas"]["EnrollmentResource"][];
            /** @description The `cursor` of the next page. Absent on the last page. */
            nextCursor?: string;
        };
        /** EnrollmentResource */
        EnrollmentResource: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            enrollmentId: string;
            /** Format: uuid */
            campaignId: string;
            /** Format: uuid */
            contactId: string;
            /** @description The external id that the contact has at the time of the answer. Null if it has none, or was erased. */
            externalId: string | null;
            /**
             * Format: uuid
             * @description The version that the enrollment follows. A migration to another version changes it.
             */
            versionId: string;
            /** @description The number of this enrollment among the enrollments of the contact in the campaign, from 1. */
            entry: number;
            /** @enum {string} */
            status: "active" | "paused" | "completed" | "exited" | "failed";
            /**
             * @description Why the enrollment ended. Null while it is active or paused. Also null if it ended in a version of Outdial whose campaigns placed no calls.
             * @enum {string|null}
             */
            endReason: "goal" | "reached" | "no_response" | "suppressed" | "manual" | "contact_deleted" | "lifetime" | "archived" | "caps" | "undone" | "not_dialable" | null;
            /** @description The key of the current step. Null before the first call of the first step. */
            step: string | null;
            /**
             * Format: date-time
             * @description When the next call is due if nothing changes. During a pause: when it would be due without the pause. Null before the first decision, during a call, while a result is awaited, and after the end. Also null if only a change, the end of another call or a report can lead to a call. Also null if the lifetime ends before it.
             * @example 2026-11-20T14:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description What the enrollment waits for before its next call: the reason of a guardrail, or another cause. `no_steps`: the version places no calls. Null before the first decision, and after the end.
             * @enum {string|null}
             */
            waitingFor: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps" | null;
            /** @description The `source` of the request that enrolled the contact. Null if it had none. */
            source: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            updatedAt: string;
        };
        /** EnrollmentResourcePage */
        EnrollmentResourcePage: {
            items: components["schemas"]["EnrollmentResource"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** Error */
        Error: {
            /** @description Describes the fault, and names the field if there is one. Of many faults, it describes the first 20. */
            error: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /**
         * Event
         * @description The `type` of the event determines the form of `data`. `data` is the resource as lists show it, at the time of the event.
         */
        Event: components["schemas"]["CallEvent"] | components["schemas"]["EnrollmentEvent"] | components["schemas"]["ContactEvent"] | components["schemas"]["CampaignEvent"] | components["schemas"]["ImportEvent"];
        /** EventPage */
        EventPage: {
            items: components["schemas"]["Event"][];
            /** @description The `after` of the next request. If it equals the `after` that was sent, there are no further events yet. */
            nextAfter: number;
        };
        /** EventsGone */
        EventsGone: {
            error: string;
            /** @description The `sequence` of the oldest stored event. If no event is stored, the number after the last removed `sequence`. */
            oldest: number;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** ExplainRefusal400 */
        ExplainRefusal400: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "INVALID_REQUEST" | "FROM_NUMBER_INVALID" | "NUMBER_POOL_INVALID" | "NO_CALLER_ID";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
            /** @description One entry for each fault of the request, at most 100. */
            errors: components["schemas"]["Problem"][];
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** ExplainRefusal413 */
        ExplainRefusal413: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "PAYLOAD_TOO_LARGE";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** ExplainRefusal415 */
        ExplainRefusal415: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "UNSUPPORTED_ENCODING";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** ExplainRefusal429 */
        ExplainRefusal429: {
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "RATE_LIMITED";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** ExplainRefusal500 */
        ExplainRefusal500: {
            /** @constant */
            success: false;
            /** @description Describes the fault. Several faults are separated by semicolons; of many, it describes the first 20. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "AGENT_NOT_FOUND" | "INVALID_API_KEY" | "SERVICE_UNAVAILABLE" | "INTERNAL";
            /** @description Whether the same request may be accepted later without a change. The refusal of a guardrail is stored for the request’s `Idempotency-Key`, so a later attempt needs a new key. */
            retryable: boolean;
            /** @description What to change, if the key was sent otherwise than as a bearer token. Absent otherwise. */
            hint?: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** ExternalIdConflict */
        ExternalIdConflict: {
            error: string;
            /**
             * Format: uuid
             * @description The id of the contact that has the phone number, or that was to be changed. Absent if there is none.
             */
            contactId?: string;
            /**
             * Format: uuid
             * @description The id of the contact that has the external id. Absent if there is none.
             */
            externalIdContactId?: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** Forecast */
        Forecast: {
            /** Format: uuid */
            versionId: string;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            until: string;
            /** @description The number of live enrollments of the version, or of made-up contacts. */
            enrollments: number;
            /** @description The number of calls that are dialed. */
            dials: number;
            /** @description The dials and prevented attempts of each hour. Hours with neither are absent. */
            dialsByHour: components["schemas"]["ForecastHour"][];
            /** @description The number of calls that ended before `until`, for each outcome. */
            outcomes: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When the first call is dialed. Null if no call is dialed.
             * @example 2026-11-20T14:00:00.000Z
             */
            firstDialAt: string | null;
            /**
             * Format: date-time
             * @description When the last call is dialed. Null if no call is dialed.
             * @example 2026-11-20T14:00:00.000Z
             */
            lastDialAt: string | null;
            /**
             * Format: date-time
             * @description When the last enrollment ends. Null if enrollments are live at `until`, or if there are none.
             * @example 2026-11-20T14:00:00.000Z
             */
            finish: string | null;
            /** @description The number of enrollments that end, for each `endReason`. */
            ended: {
                [key: string]: number;
            };
            /** @description The number of enrollments that are live at `until`. */
            live: number;
            /** @description The number of enrollments that are live at `until`, for each `waitingFor`. */
            waitingFor: {
                [key: string]: number;
            };
            /** @description The number of due attempts that each rule prevented. The names are those of `waitingFor`. */
            skipped: {
                [key: string]: number;
            };
            /** @description The number of calls that are active at `from`. */
            activeAtStart: number;
            /**
             * Format: date-time
             * @description Until when more calls are active than `concurrency` and the limit of the campaign allow, because they were active at `from`. Until then, no call is dialed. Null if the limits are not exceeded.
             * @example 2026-11-20T14:00:00.000Z
             */
            overLimitUntil: string | null;
            /** @description The highest number of calls that are active at one instant. Calls that were active at `from` count, even above the limits. */
            concurrencyPeak: number;
            /** @description The highest number of calls that are active at one instant without the limit `concurrency`. With this number of concurrency slots, no call waits for the limit of the team. The limit of the campaign still applies. */
            concurrencyNeeded: number;
        };
        /** ForecastHour */
        ForecastHour: {
            /**
             * Format: date-time
             * @description The start of the hour, a full hour in UTC.
             * @example 2026-11-20T14:00:00.000Z
             */
            hour: string;
            /** @description The number of calls that are dialed in the hour. */
            dials: number;
            /** @description The number of due attempts that each rule prevented. The names are those of `waitingFor`. */
            skipped: {
                [key: string]: number;
            };
        };
        /** ForecastRequest */
        ForecastRequest: {
            /**
             * Format: date-time
             * @description The start of the simulated period. No call is dialed before it.
             * @example 2027-03-22T09:00:00+01:00
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the simulated period, at most 366 days after `from`.
             * @example 2027-04-05T09:00:00+02:00
             */
            until: string;
            /** @description The maximum number of active calls. It replaces the limit of the team. The limit of the campaign still applies. */
            concurrency: number;
            /**
             * @description The probability of each outcome, from 0 to 1. An absent one is 0. Their sum is at most 1; the rest is the probability of `failed`. `seconds` is the time from the claim to the end of a call, in seconds.
             * @example {
             *       "completed": 0.35,
             *       "no_answer": 0.4,
             *       "busy": 0.1,
             *       "voicemail": 0.1,
             *       "seconds": 90
             *     }
             */
            assume: {
                completed?: number | null;
                no_answer?: number | null;
                busy?: number | null;
                voicemail?: number | null;
                declined?: number | null;
                network_blocked?: number | null;
                /** @description The time from the claim to the end of a call, in seconds. It must be above 0, and applies to every outcome. */
                seconds: number;
            };
            /** @description A whole number from 0 to 9007199254740991. It determines the drawn outcomes: the same seed draws the same ones. */
            seed: number;
            /** @description The number of made-up contacts, at most 250000. They replace the live enrollments of the version. */
            contacts?: number | null;
            /** @description The time zones of the made-up contacts, assigned in turn. By default, the time zone of the agent applies. Needs `contacts`. */
            zones?: string[] | null;
        };
        /** Import */
        Import: {
            /** Format: uuid */
            importId: string;
            /**
             * @description `staging`: the file is being uploaded. `held`: the import waits until it is started. `running`: rows are being processed or wait. `finished`: every row has a result. `canceled` and `failed` are also final, unless the import is undone: it is then `undoing`, and at last `undone`.
             * @enum {string}
             */
            status: "staging" | "held" | "running" | "finished" | "canceled" | "failed" | "undoing" | "undone";
            /**
             * @description What the rows are. `suppressions`: numbers that go on the Do Not Call list; `created` then counts rows whose number was not on the list. `consents`: consents; `created` then counts rows that were recorded, and `updated` those that were recorded before. Absent in events of version 1.0.
             * @enum {string}
             */
            type?: "contacts" | "suppressions" | "consents";
            /** @enum {string} */
            mode: "create" | "upsert";
            /**
             * Format: uuid
             * @description The campaign of rows without a `campaignId`. Null: such rows are not enrolled.
             */
            campaignId: string | null;
            /**
             * Format: uuid
             * @description The version of `campaignId` on which contacts are enrolled. It was resolved when the import began. Null without a campaign.
             */
            versionId: string | null;
            /** @description The number of rows that are uploaded so far. */
            rows: number;
            /** @description The number of processed rows whose contact was created. */
            created: number;
            /** @description The number of processed rows whose contact existed before, including contacts that did not change. */
            updated: number;
            /** @description The number of processed rows whose contact was enrolled. */
            enrolled: number;
            /** @description The number of processed rows with an error. Nothing of such a row is stored. */
            failed: number;
            /** @description The number of processed rows with a warning, such as a malformed e-mail address that was left out. */
            warned: number;
            /** @description The number of stored rows without a time zone. */
            withoutTimezone: number;
            /** @description The number of processed rows whose contact was already that of an earlier row. */
            repeatedNumbers: number;
            /**
             * @description The number of stored rows by the country of their phone number, an ISO 3166 code, or `none` for a number that belongs to no country.
             * @example {
             *       "US": 812,
             *       "GB": 31
             *     }
             */
            countries: {
                [key: string]: number;
            };
            /** @description Why the import failed. Null unless `status` is `failed`. */
            error: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the import ended. Null while `status` is `staging` or `running`.
             * @example 2026-11-20T14:00:00.000Z
             */
            finishedAt: string | null;
            /** @description Why contacts that the import enrolls are not called now: the version has no steps, or the campaign is a draft or paused. Absent if there is no such reason. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** ImportColumn */
        ImportColumn: {
            /** @description The name of the column in the file. */
            header: string;
            /**
             * @description The field that the column is.
             * @enum {string}
             */
            field?: "phoneNumber" | "externalId" | "name" | "email" | "companyName" | "companyWebsite" | "timezone" | "campaignId" | "teamId" | "customProperties" | "level" | "purpose" | "voice" | "source" | "evidence" | "grantedAt" | "expiresAt";
            /** @description The custom property that the column is. */
            customProperty?: string;
            /**
             * @description Set if the column is not imported.
             * @constant
             */
            ignored?: true;
        };
        /** ImportEvent */
        ImportEvent: {
            /**
             * Format: uuid
             * @description The id of the event. It is the same each time the event is read or sent.
             */
            id: string;
            /**
             * @description `import.finished`: an import ended.
             * @enum {string}
             */
            type: "import.finished";
            /**
             * Format: date-time
             * @description When the event was written.
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among the events of its team. Later events have higher numbers. There can be gaps. */
            sequence: number;
            data: components["schemas"]["Import"];
        };
        /** ImportLook */
        ImportLook: {
            /** @description What each column of a CSV file was taken for. A half of a name is the field `name` and a custom property. Null for NDJSON. */
            columns: components["schemas"]["ImportColumn"][] | null;
            /** @description The number of rows of the file. It is the sum of `new`, `known`, `repeated` and `failed`. */
            rows: number;
            /** @description The number of rows whose contact would be created; in a file of consents, of consents that would be recorded. */
            new: number;
            /** @description The number of rows whose contact the team already has, or whose consent is recorded already. */
            known: number;
            /** @description The number of rows whose contact, or whose consent, is that of an earlier row. */
            repeated: number;
            /** @description The number of rows with an error, which would not be stored. */
            failed: number;
            /** @description The number of rows with a warning. */
            warned: number;
            /** @description The number of rows with an error by the error: the first 100 different ones, and `other`. */
            failures: {
                [key: string]: number;
            };
            /** @description The number of rows that would be stored without a time zone. */
            withoutTimezone: number;
            /** @description The number of rows that would be stored by the country of their phone number, an ISO 3166 code, or `none`. */
            countries: {
                [key: string]: number;
            };
            /** @description The first rows that would be stored. A field that is null would stay as it is, if the team has the contact. Empty for consents. */
            firstRows: components["schemas"]["LookedRow"][];
            /** @description The first rows with an error. */
            badRows: components["schemas"]["BadRow"][];
        };
        /** ImportPage */
        ImportPage: {
            items: components["schemas"]["Import"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** ImportRefusal */
        ImportRefusal: {
            /** @description Describes the fault, and names the field if there is one. Of many faults, it describes the first 20. */
            error: string;
            /**
             * Format: uuid
             * @description The id of the failed import. Absent if the request was refused before an import began.
             */
            importId?: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** ImportResult */
        ImportResult: {
            /** @description The number of the row in the file, from 1. The CSV header and empty lines are not counted. */
            row: number;
            /**
             * @description The number of the contact. Absent if the row has no `contactId`, or the contact was erased since.
             * @example +14155552671
             */
            phoneNumber?: string;
            /**
             * Format: uuid
             * @description The contact that was created or updated. With `error`, the contact that already has the phone number.
             */
            contactId?: string;
            /** @description The external id that the contact has now. Absent if the row has no `contactId`, or the contact has none. */
            externalId?: string;
            /**
             * Format: uuid
             * @description The enrollment that the row created. Absent if the contact was not enrolled.
             */
            enrollmentId?: string;
            /** @description Why the contact was stored but not enrolled. Absent if it was enrolled, if the row has an error, or if neither the row nor the import names a campaign. */
            notEnrolled?: string;
            /** @description What was left out of the row, by the key of the field. Absent if there is nothing. */
            warnings?: components["schemas"]["ImportWarning"][];
            /** @description Why the row was not stored. Absent if it was stored. */
            error?: string;
            /**
             * @description Why the undo of the import has kept the contact that the import created. Absent if it was removed, and without an undo.
             * @enum {string}
             */
            notUndone?: "called" | "opted_out" | "enrolled" | "changed" | "imported";
        };
        /** ImportStarted */
        ImportStarted: {
            /** Format: uuid */
            importId: string;
            /** @description What each column of a CSV file was taken for. A half of a name is the field `name` and a custom property. Null for NDJSON. */
            columns: components["schemas"]["ImportColumn"][] | null;
            /** @description Why contacts that the import enrolls are not called now: the version has no steps, or the campaign is a draft or paused. Absent if there is no such reason. */
            warnings?: components["schemas"]["Warning"][];
        };
        /**
         * ImportUndo
         * @description What the undo did so far, and what it could not undo. Null if the import was not undone.
         */
        ImportUndo: {
            /** @description The number of contacts that the import created and that are removed. */
            contactsRemoved: number;
            /** @description The number of enrollments that ended with the `endReason` `undone`. */
            enrollmentsEnded: number;
            contactsKept: components["schemas"]["KeptContacts"];
            enrollmentsKept: components["schemas"]["KeptEnrollments"];
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            beganAt: string;
            /**
             * Format: date-time
             * @description Null while the import is being undone.
             * @example 2026-11-20T14:00:00.000Z
             */
            finishedAt: string | null;
        } | null;
        /** ImportWarning */
        ImportWarning: {
            key: string;
            text: string;
        };
        /** ImportWithColumns */
        ImportWithColumns: {
            /** Format: uuid */
            importId: string;
            /**
             * @description `staging`: the file is being uploaded. `held`: the import waits until it is started. `running`: rows are being processed or wait. `finished`: every row has a result. `canceled` and `failed` are also final, unless the import is undone: it is then `undoing`, and at last `undone`.
             * @enum {string}
             */
            status: "staging" | "held" | "running" | "finished" | "canceled" | "failed" | "undoing" | "undone";
            /**
             * @description What the rows are. `suppressions`: numbers that go on the Do Not Call list; `created` then counts rows whose number was not on the list. `consents`: consents; `created` then counts rows that were recorded, and `updated` those that were recorded before. Absent in events of version 1.0.
             * @enum {string}
             */
            type: "contacts" | "suppressions" | "consents";
            /** @enum {string} */
            mode: "create" | "upsert";
            /**
             * Format: uuid
             * @description The campaign of rows without a `campaignId`. Null: such rows are not enrolled.
             */
            campaignId: string | null;
            /**
             * Format: uuid
             * @description The version of `campaignId` on which contacts are enrolled. It was resolved when the import began. Null without a campaign.
             */
            versionId: string | null;
            /** @description The number of rows that are uploaded so far. */
            rows: number;
            /** @description The number of processed rows whose contact was created. */
            created: number;
            /** @description The number of processed rows whose contact existed before, including contacts that did not change. */
            updated: number;
            /** @description The number of processed rows whose contact was enrolled. */
            enrolled: number;
            /** @description The number of processed rows with an error. Nothing of such a row is stored. */
            failed: number;
            /** @description The number of processed rows with a warning, such as a malformed e-mail address that was left out. */
            warned: number;
            /** @description The number of stored rows without a time zone. */
            withoutTimezone: number;
            /** @description The number of processed rows whose contact was already that of an earlier row. */
            repeatedNumbers: number;
            /**
             * @description The number of stored rows by the country of their phone number, an ISO 3166 code, or `none` for a number that belongs to no country.
             * @example {
             *       "US": 812,
             *       "GB": 31
             *     }
             */
            countries: {
                [key: string]: number;
            };
            /** @description Why the import failed. Null unless `status` is `failed`. */
            error: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the import ended. Null while `status` is `staging` or `running`.
             * @example 2026-11-20T14:00:00.000Z
             */
            finishedAt: string | null;
            /** @description Why contacts that the import enrolls are not called now: the version has no steps, or the campaign is a draft or paused. Absent if there is no such reason. */
            warnings?: components["schemas"]["Warning"][];
            /** @description What each column of a CSV file was taken for. A half of a name is the field `name` and a custom property. Null for NDJSON. */
            columns: components["schemas"]["ImportColumn"][] | null;
            undo: components["schemas"]["ImportUndo"];
        };
        /** ImportedContact */
        ImportedContact: {
            /**
             * @description Identifies the contact. Preferably in E.164. National form is accepted only if the team has a default country.
             * @example +14155552671
             */
            phoneNumber: string;
            /** @description Optional. If it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /** @description The active campaign in which the contact is enrolled. The contact is stored even if it cannot be enrolled; `warnings` then say why. */
            campaignId?: (string | null) | string;
            /**
             * @description Id of the contact in another system, such as a CRM: printable ASCII. No other contact of the team has the same one.
             * @example crm-4711
             */
            externalId?: (string | null) | string;
            /**
             * @description Full name.
             * @example Ada Lovelace
             */
            name?: string | null;
            /**
             * @description E-mail address. It does not identify the contact.
             * @example ada@example.com
             */
            email?: (string | null) | string;
            /**
             * @description Name of the company.
             * @example Analytical Engines
             */
            companyName?: string | null;
            /**
             * @description Website of the company.
             * @example https://example.com
             */
            companyWebsite?: string | null;
            /**
             * @description IANA time zone in which calling hours are evaluated, unless the call request has its own.
             * @example America/New_York
             */
            timezone?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** InvalidImport */
        InvalidImport: {
            /** @description Describes the fault, and names the field if there is one. Of many faults, it describes the first 20. */
            error: string;
            /**
             * Format: uuid
             * @description The id of the failed import. Absent if the request was refused before an import began.
             */
            importId?: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
            /** @description One entry for each fault of the request, at most 100. */
            errors: components["schemas"]["Problem"][];
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** InvalidRequest */
        InvalidRequest: {
            /** @description Describes the fault, and names the field if there is one. Of many faults, it describes the first 20. */
            error: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
            /** @description One entry for each fault of the request, at most 100. */
            errors: components["schemas"]["Problem"][];
            /** @description What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the campaign of the request. Absent if there is nothing. */
            warnings?: components["schemas"]["Warning"][];
        };
        /**
         * KeptContacts
         * @description The number of contacts that the import created and that stay, by the reason. `called`: the number was called. `opted_out`: it is on the Do Not Call list. `enrolled`: the contact has another enrollment, or one that ended otherwise. `changed`: the contact was changed. `imported`: another import has it.
         */
        KeptContacts: {
            called: number;
            opted_out: number;
            enrolled: number;
            changed: number;
            imported: number;
        };
        /**
         * KeptEnrollments
         * @description The number of enrollments that the import made and that go on, because they have a call (`called`), or that had ended (`ended`).
         */
        KeptEnrollments: {
            called: number;
            ended: number;
        };
        /** LimitedDoNotCallPage */
        LimitedDoNotCallPage: {
            items: components["schemas"]["LimitedDoNotCallResource"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** LimitedDoNotCallResource */
        LimitedDoNotCallResource: {
            /**
             * @description The number. After the erasure of its contact, lists show `erased:` and a hash instead.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description Whose calls the entry forbids.
             * @enum {string}
             */
            scope: "team" | "campaign" | "agent";
            /**
             * Format: uuid
             * @description The campaign whose calls the entry forbids.
             */
            campaignId: string | null;
            /**
             * Format: uuid
             * @description The agent whose calls the entry forbids.
             */
            agentId: string | null;
            /**
             * @description The purpose of the calls that the entry forbids. Null: any purpose.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /** @description The reason. Null if none was sent or the contact was erased. */
            reason: string | null;
            /**
             * Format: date-time
             * @description From when the entry holds.
             * @example 2026-11-20T14:00:00.000Z
             */
            effectiveFrom: string;
            /**
             * Format: date-time
             * @description Until when the entry holds. Null: without end.
             * @example 2026-11-20T14:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** ListedCall */
        ListedCall: {
            /** Format: uuid */
            callRequestId: string;
            /**
             * Format: uuid
             * @description The id of the called contact.
             */
            contactId: string;
            /** @description The external id that the contact has at the time of the answer. Null if it has none, or was erased. */
            externalId: string | null;
            /**
             * Format: uuid
             * @description The id of the voice agent.
             */
            agentId: string;
            /**
             * Format: uuid
             * @description The id of the enrollment. Null for a triggered call.
             */
            enrollmentId: string | null;
            /**
             * Format: uuid
             * @description The id of the campaign of the enrollment. Null for a triggered call.
             */
            campaignId: string | null;
            /**
             * Format: date-time
             * @description The instant of acceptance, or of the refusal of a trigger that is stored as `blocked`. Lists begin with the newest call.
             * @example 2026-11-20T14:00:00.000Z
             */
            acceptedAt: string;
            /**
             * @description The state of the call: `scheduled` (waits until it is due), `queued` (is due and waits to be dialed), `dialing` (claimed by a worker, which dials it once), `in_progress` (accepted by the carrier and not ended yet), `dial_unknown` (may have been dialed, and is not dialed again), `completed` (answered and ended), `no_answer` (dialed and not answered), `busy` (dialed, and the line was busy), `voicemail` (answered by voicemail), `failed` (claimed, and the dial or the call failed), `blocked` (refused by a guardrail and not dialed), `expired` (not dialed before it expired), `canceled` (not dialed, because the team or an operator canceled it or its contact was erased).
             * @enum {string}
             */
            status: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
            /** @description The reason code of a call that ended without a conversation or is in `dial_unknown`. Null if there is none. */
            reason: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call is or was due.
             * @example 2026-11-20T14:00:00.000Z
             */
            runsAt: string;
            /**
             * Format: date-time
             * @description The instant at which the call expires if it is still pending.
             * @example 2026-11-20T14:00:00.000Z
             */
            expiresAt: string;
            /**
             * @description The number to call. After the erasure of its contact, it is `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description The caller ID. Null if the call was not claimed.
             * @example +14155552671
             */
            callerId: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call was answered. Null if it was not answered, or the carrier does not report it.
             * @example 2026-11-20T14:00:00.000Z
             */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call ended, even if it was not dialed. Null before.
             * @example 2026-11-20T14:00:00.000Z
             */
            endedAt: string | null;
            /** @description The length of the conversation in seconds. Null if the carrier does not report it. */
            durationSeconds: number | null;
            /** @description The first message, rendered from the agent’s template. Null if the call was not claimed, its contact was erased, or its retention time is over. */
            firstMessage: string | null;
            result: components["schemas"]["CallResult"];
            /** @description The placeholders of the prompt and the first message that had no value. Empty if the call was not claimed, its contact was erased, or its retention time is over. */
            unknownPlaceholders: string[];
        };
        /** ListedCallPage */
        ListedCallPage: {
            items: components["schemas"]["ListedCall"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** ListedNumber */
        ListedNumber: {
            /** @description The item as it was sent. Long text is truncated. */
            given: string;
            /** @description The numbers that are now on the list. There are several if the item can be read as several numbers. */
            phoneNumbers: string[];
        };
        /** LookedRow */
        LookedRow: {
            /** @description The number of the row in the file, from 1. */
            row: number;
            /**
             * @description `new`: the contact would be created. `known`: the team has the contact. `repeated`: the contact is that of an earlier row.
             * @enum {string}
             */
            outcome: "new" | "known" | "repeated";
            /** @example +14155552671 */
            phoneNumber: string;
            /** @description Id of the contact in another system, such as a CRM: printable ASCII. No other contact of the team has the same one. */
            externalId: string | null;
            /** @description Full name. */
            name: string | null;
            /** @description E-mail address. It does not identify the contact. */
            email: string | null;
            /** @description Name of the company. */
            companyName: string | null;
            /** @description Website of the company. */
            companyWebsite: string | null;
            /** @description IANA time zone in which calling hours are evaluated, unless the call request has its own. */
            timezone: string | null;
            /** @description The custom properties of the row. */
            customProperties: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description The campaign in which the contact would be enrolled.
             */
            campaignId: string | null;
            /** @description What would be left out of the row. Absent if there is nothing. */
            warnings?: components["schemas"]["ImportWarning"][];
        };
        /** MigrateCampaignVersion */
        MigrateCampaignVersion: {
            /**
             * Format: uuid
             * @description The version from which the live enrollments are moved. It must be another version of the campaign.
             */
            fromVersionId: string;
        };
        /** MigratedStep */
        MigratedStep: {
            /** @description The key of the step. Null for enrollments before the first call of the first step. */
            step: string | null;
            /** @description The number of live enrollments at the step. */
            live: number;
            /** @description Whether the version `toVersionId` has the step. */
            exists: boolean;
            /** @description The keys of the step that differ between the two versions, such as `retry`. */
            changes: string[];
        };
        /** NotHungUp */
        NotHungUp: {
            error: string;
            /** @enum {string} */
            reason: "not_in_progress" | "cannot_hang_up";
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
        };
        /** NumberPoolResource */
        NumberPoolResource: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The numbers of the pool, in ascending order. */
            phoneNumbers: string[];
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** NumberPoolResourcePage */
        NumberPoolResourcePage: {
            items: components["schemas"]["NumberPoolResource"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** NumbersAdded */
        NumbersAdded: {
            /** @description How many numbers were not on the list before. */
            added: number;
            /** @description The items that are not valid phone numbers. All others are on the list. If no item is valid, the request is refused with 400. */
            rejected: components["schemas"]["RejectedNumber"][];
            /** @description What was listed for each item that was not rejected, in the order of the request. */
            listed: components["schemas"]["ListedNumber"][];
        };
        /**
         * OptedOutContact
         * @description The contact whose phone number was added to the Do Not Call list. If the team has no such contact, only `phoneNumber` and `reason` can have values.
         */
        OptedOutContact: {
            /**
             * Format: uuid
             * @description Null if the team has no contact with this phone number.
             */
            contactId: string | null;
            /**
             * @description The phone number that was added to the Do Not Call list. After the erasure of its contact, `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
            externalId: string | null;
            name: string | null;
            email: string | null;
            companyName: string | null;
            companyWebsite: string | null;
            timezone: string | null;
            customProperties: {
                [key: string]: unknown;
            } | null;
            /** @description The reason that the entry on the Do Not Call list states. Null if it states none. */
            reason: string | null;
        };
        /** OwnKey */
        OwnKey: {
            /** Format: uuid */
            teamId: string;
            teamName: string;
            keyName: string;
            /** @description The scopes of the key. */
            scopes: ("calls" | "contacts" | "enrollments" | "campaigns" | "agents" | "suppressions" | "webhooks" | "imports" | "read")[];
            limits: components["schemas"]["OwnLimits"];
        };
        /** OwnLimits */
        OwnLimits: {
            /** @description The maximum number of requests a second with this key. Null is no limit. */
            apiRequestsPerSecond: number | null;
            /** @description The carriers that requests with a key of the team may name for voice agents. The default carrier of the deployment needs no name, so an empty list leaves only this one. Null allows every carrier that is configured. An agent that has another carrier keeps it until its carrier or its carrier settings are changed. */
            allowedCarriers: string[] | null;
            /** @description The maximum number of calls in a calendar month (UTC). Null is no limit. */
            monthlyCallLimit: number | null;
            /** @description The maximum number of processed calls to one number in rolling 24 hours. Null is no limit. */
            numberDailyLimit: number | null;
            /** @description The maximum number of processed calls to one number in rolling 7 days. Null is no limit. */
            numberWeeklyLimit: number | null;
            /** @description The maximum number of processed calls to one number in rolling 30 days. Null is no limit. */
            numberMonthlyLimit: number | null;
            /** @description The maximum number of active calls at a time. Further due calls wait until a call ends. Null is no limit. A new team has 10. */
            maxConcurrentCalls: number | null;
            /** @description The number of calls of the current month (UTC) that count against `monthlyCallLimit`. Null if there is no monthly limit. */
            monthlyCallsUsed: number | null;
        };
        /** PhoneNumberResource */
        PhoneNumberResource: {
            /** Format: uuid */
            id: string;
            /** @example +14155552671 */
            phoneNumber: string;
            active: boolean;
            outboundEnabled: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** PhoneNumberResourcePage */
        PhoneNumberResourcePage: {
            items: components["schemas"]["PhoneNumberResource"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** Problem */
        Problem: {
            /** @description The path of the field, query parameter or header, such as `definition.steps[1].key`. Empty if the fault concerns the whole request. */
            path: string;
            /** @description Describes the fault, including its path. */
            message: string;
        };
        /** PublicationWarning */
        PublicationWarning: {
            /** @enum {string} */
            code: "CALLS_NOBODY" | "NO_STEPS" | "STEP_UNREACHABLE" | "DELAY_SHORTER_THAN_REDIAL_WINDOW" | "MAX_ATTEMPTS_UNREACHABLE" | "WORST_CASE_DIALS";
            /** @description The path within `definition`, such as `steps[0].retry.busy[1]`. Empty for the whole definition. */
            path: string;
            message: string;
        };
        /** PublishedCampaignVersionResource */
        PublishedCampaignVersionResource: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            campaignId: string;
            /** @description The number of the version within the campaign, from 1. */
            number: number;
            /** @enum {string} */
            status: "draft" | "published";
            definition: {
                [key: string]: unknown;
            };
            /** @description The number of enrollments on this version, in any status. */
            enrolled: number;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the version was published. Null for a draft.
             * @example 2026-11-20T14:00:00.000Z
             */
            publishedAt: string | null;
            warnings: components["schemas"]["PublicationWarning"][];
        };
        /** RecordConsent */
        RecordConsent: {
            /**
             * @description The number, preferably in E.164. National form is accepted only if the team has a default country. Numbers of any type are accepted.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description What the person gave: `express` consent, or `expressWritten` consent, which is the stronger one.
             * @example expressWritten
             * @enum {string}
             */
            level: "express" | "expressWritten";
            /**
             * @description The purpose of the calls to which the person consents. Null: every purpose.
             * @example marketing
             * @enum {string|null}
             */
            purpose?: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * @description The voice to which the person consents. Null: every voice.
             * @example ai
             * @enum {string|null}
             */
            voice?: "ai" | "prerecorded" | "live" | null;
            /**
             * @description How the consent was given.
             * @example Web form “Call me back”
             */
            source: string;
            /**
             * @description Where the proof is, such as the address of a stored form or recording.
             * @example https://forms.example.com/7f3a
             */
            evidence?: string | null;
            /**
             * Format: date-time
             * @description When the consent was given. It must not be in the future.
             * @example 2026-11-20T14:00:00Z
             */
            grantedAt: string;
            /**
             * Format: date-time
             * @description When the consent ends by itself. It must be later than `grantedAt`. Null: never.
             * @example 2027-11-20T14:00:00Z
             */
            expiresAt?: string | null;
        };
        /** RejectedNumber */
        RejectedNumber: {
            /** @description The item as it was sent. Long text is truncated. An item that is not a string is shown as JSON. */
            phoneNumber: string;
            /** @description Why the item is not a valid phone number. The text names the item, such as `phoneNumbers[3]`. */
            error: string;
        };
        /** ReplayEvents */
        ReplayEvents: {
            /**
             * @description The replay begins after the event with this `sequence`. 0 begins with the oldest stored event.
             * @example 4711
             */
            after: number;
            /**
             * @description The replay ends with the event with this `sequence`. By default, it ends with the newest event.
             * @example 4720
             */
            until?: number;
        };
        /** ReplayedEvents */
        ReplayedEvents: {
            /** @description The number of deliveries that the replay made due. */
            deliveries: number;
            /** @description A replay examines at most 10000 events, and as many as it can within 5 seconds. If it stopped before the end, send this value as the `after` of the next replay. Null: all requested events were examined. */
            nextAfter: number | null;
        };
        /** RevokeConsent */
        RevokeConsent: {
            /**
             * @description Why the consent is revoked.
             * @example asked us by e-mail
             */
            reason?: string | null;
            /**
             * Format: date-time
             * @description When the consent was revoked: not before `grantedAt`, and not in the future. Null or absent: now.
             * @example 2026-11-21T09:00:00Z
             */
            at?: string | null;
        };
        /** Stop */
        Stop: {
            /** @description Always true: no call is dialed until the pause is ended. */
            paused: boolean;
            /** @description The number of calls that their carriers end. */
            hungUp: number;
            /** @description The number of calls whose carriers cannot hang up. */
            cannotHangUp: number;
            /** @description The number of calls that may go on: they are still being dialed, or their carriers did not confirm the hang-up within 15 seconds. Repeat the request if it is above 0. */
            remaining: number;
        };
        /** SuppressionEntry */
        SuppressionEntry: {
            /**
             * @description What happened to the entries of the scope.
             * @enum {string}
             */
            action: "added" | "removed";
            /**
             * @description Whose calls the entry forbids.
             * @enum {string}
             */
            scope: "team" | "campaign" | "agent" | "platform";
            /**
             * Format: uuid
             * @description The campaign whose calls the entry forbids.
             */
            campaignId: string | null;
            /**
             * Format: uuid
             * @description The agent whose calls the entry forbids.
             */
            agentId: string | null;
            /**
             * @description The purpose of the calls that the entry forbids. Null: any purpose.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /** @description The reason. Null if none was sent or the contact was erased. */
            reason: string | null;
            /**
             * Format: date-time
             * @description From when the entry holds.
             * @example 2026-11-20T14:00:00.000Z
             */
            effectiveFrom: string;
            /**
             * Format: date-time
             * @description Until when the entry holds. Null: without end.
             * @example 2026-11-20T14:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description How the entry came: by the team (`request`), in a call (`opt_out`), from a register, by an import, or by the operator.
             * @enum {string}
             */
            source: "request" | "opt_out" | "register" | "import" | "operator";
            /**
             * @description Who: a person, a team’s key, the operator token, the command line, or a process of its own accord.
             * @enum {string}
             */
            actorKind: "user" | "key" | "token" | "cli" | "system";
            /** @description The person’s e-mail, or the name of the key or of the account. */
            actorName: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            recordedAt: string;
        };
        /** SuppressionEntryPage */
        SuppressionEntryPage: {
            items: components["schemas"]["SuppressionEntry"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** TeamPause */
        TeamPause: {
            /** @description Whether dialing is stopped for the team. */
            paused: boolean;
        };
        /** TimelineEntry */
        TimelineEntry: {
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            at: string;
            /** @enum {string} */
            kind: "step" | "version" | "dial" | "call" | "result" | "deferred" | "held" | "paused" | "resumed" | "ended";
            /** @description Only with the kinds `step` and `dial`: the key of the step. */
            step?: string;
            /** @description Only with the kind `dial`: the number of the call among the calls of the enrollment, from 1. */
            seq?: number;
            /** @description Only with the kind `dial`: whether the result of an earlier call requested this call. */
            callback?: boolean;
            /**
             * Format: uuid
             * @description Only with the kinds `dial`, `call` and `result`: the id of the call.
             */
            callRequestId?: string;
            /**
             * Format: uuid
             * @description Only with the kind `version`: the version to which the enrollment was moved.
             */
            versionId?: string;
            /** @description Only with the kind `result`: whether the result reaches the goal of the step. */
            goal?: boolean;
            /** @description Only with the kind `result`: whether the contact opted out of calls. */
            optOut?: boolean;
            /**
             * Format: date-time
             * @description Only with the kind `result`: the instant of the requested callback. Null if none was requested.
             * @example 2026-11-20T14:00:00.000Z
             */
            callbackAt?: string | null;
            /** @description With the kind `call`: the status of the call. With the kind `ended`: the status of the enrollment. */
            status?: string;
            /**
             * @description Only with the kind `call`, if the call failed because the called person declined it or a network blocked it.
             * @enum {string}
             */
            reason?: "declined" | "network_blocked";
            /**
             * @description Only with the kinds `deferred` and `held`: what the enrollment began to wait for.
             * @enum {string}
             */
            waitingFor?: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps";
            /**
             * Format: date-time
             * @description Only with the kinds `deferred` and `held`: the `nextAttemptAt` that was decided at this instant.
             * @example 2026-11-20T14:00:00.000Z
             */
            until?: string | null;
            /**
             * @description Only with the kind `ended`: why the enrollment ended.
             * @enum {string}
             */
            endReason?: "goal" | "reached" | "no_response" | "suppressed" | "manual" | "contact_deleted" | "lifetime" | "archived" | "caps" | "undone" | "not_dialable";
        };
        /** TriggerCall */
        TriggerCall: {
            /**
             * @description Number to call, preferably in E.164. National form is accepted only if the team has a default country.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description Full name of the contact.
             * @example Ada Lovelace
             */
            fullName?: string | null;
            /** @description Alias of `fullName`. If both are sent, `fullName` is used. */
            name?: string | null;
            /**
             * @description E-mail address of the contact; it does not identify the contact.
             * @example ada@example.com
             */
            email?: (string | null) | string;
            /**
             * @description Company of the contact.
             * @example Analytical Engines
             */
            companyName?: string | null;
            /**
             * @description Website of the company.
             * @example https://example.com
             */
            companyWebsite?: string | null;
            /**
             * @description IANA time zone of the contact, in which calling hours are evaluated. If it is not sent, the contact’s stored zone applies, or else the agent’s.
             * @example America/New_York
             */
            timezone?: string | null;
            /**
             * @description Number to call from: an active number of the team with outbound calling enabled. `numberPoolId` takes precedence.
             * @example +14155550100
             */
            fromPhoneNumber?: string | null;
            /** @description Optional. If it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /** @description Pool from which the caller ID is picked. It takes precedence over every other source. */
            numberPoolId?: (string | null) | string;
        } & {
            [key: string]: unknown;
        };
        /** Unauthorized */
        Unauthorized: {
            /** @description Describes the fault, and names the field if there is one. Of many faults, it describes the first 20. */
            error: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request. */
            requestId: string;
            /** @description What to change, if the key was sent otherwise than as a bearer token. Absent otherwise. */
            hint?: string;
        };
        /** UpdateCampaign */
        UpdateCampaign: {
            /**
             * @description The display name of the campaign.
             * @example Renewals
             */
            name?: string;
            /**
             * @description Contacts can be enrolled and are called only while the campaign is `active`. An import can also load a campaign that is a `draft` or `paused`. A new campaign can have any status, by default `draft`. When a campaign becomes `archived`, its live enrollments end.
             * @enum {string}
             */
            status?: "draft" | "active" | "paused" | "archived";
            /**
             * @description How fast the campaign places calls. The setting applies to all versions. A change keeps the fields that it does not contain. Null is no limits and the weight 1. A new campaign whose request has no `callsPerMinute` starts 60 calls a minute.
             * @example {
             *       "maxConcurrentCalls": 10,
             *       "callsPerMinute": 60,
             *       "weight": 1
             *     }
             */
            pacing?: {
                /** @description The maximum number of active calls of the campaign. Null is no limit. */
                maxConcurrentCalls?: number | null;
                /** @description The maximum number of calls that the campaign starts in any 60 seconds. Null is no limit. A new campaign has 60. */
                callsPerMinute?: number | null;
                /** @description The weight of the campaign among the campaigns of the team. While several have due calls, dials are divided in proportion to their weights. The default is 1. */
                weight?: number | null;
            } | null;
            /**
             * @description Whether a contact can be enrolled again after its enrollment has ended. The setting is replaced as a whole. Null restores the default: a contact can be enrolled once.
             * @example {
             *       "maxEntries": 2,
             *       "minInterval": "P30D"
             *     }
             */
            reentry?: {
                /** @description The maximum number of enrollments of one contact in the campaign, the first included. Null is no limit. */
                maxEntries?: number | null;
                /**
                 * @description The minimum time between the end of an enrollment and the next enrollment. Null is no minimum.
                 * @example P1DT12H
                 */
                minInterval?: string | null;
            } | null;
            /**
             * @description What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.
             * @enum {string|null}
             */
            purpose?: "marketing" | "informational" | "debt" | "survey" | null;
        };
        /** UpdateCampaignVersion */
        UpdateCampaignVersion: {
            /**
             * @description The steps, variables, hours and caps of the version. It is replaced as a whole. It can have at most 65536 bytes of JSON.
             * @example {
             *       "note": "spring",
             *       "steps": [
             *         {
             *           "key": "first",
             *           "agentId": "0b6e0f3c-6f5e-4f8e-9a57-0d6f1f0f7a11",
             *           "maxAttempts": 3,
             *           "retry": {
             *             "no_answer": [
             *               "PT16H",
             *               "P1D"
             *             ],
             *             "busy": [
             *               "PT13H"
             *             ]
             *           },
             *           "on": [
             *             {
             *               "outcome": "completed",
             *               "end": "reached"
             *             },
             *             {
             *               "outcome": "no_response",
             *               "next": "second"
             *             }
             *           ]
             *         },
             *         {
             *           "key": "second",
             *           "agentId": "0b6e0f3c-6f5e-4f8e-9a57-0d6f1f0f7a11",
             *           "after": "P3D"
             *         }
             *       ],
             *       "caps": {
             *         "maxAttempts": 6,
             *         "perNumber": [
             *           {
             *             "count": 2,
             *             "per": "PT24H"
             *           }
             *         ],
             *         "lifetime": "P14D"
             *       }
             *     }
             */
            definition?: {
                note?: (string | {
                    [key: string]: unknown;
                }) | null;
                /** @description The steps, in the order in which they follow each other. A version without steps places no calls. */
                steps?: {
                    /** @description The key of the step. It is unique within the definition. */
                    key: string;
                    /**
                     * Format: uuid
                     * @description The voice agent that calls. It must belong to the team.
                     */
                    agentId: string;
                    /**
                     * @description The wait before the first call of the step. It counts from the end of the previous call of the enrollment. Before any call, it counts from enrollment. The default is no wait.
                     * @example P1DT12H
                     */
                    after?: string | null;
                    /** @description The maximum number of calls of the step that are dialed or perhaps dialed, the first call included. Requested callbacks do not count. The default is one more than the number of all delays in `retry`. */
                    maxAttempts?: number | null;
                    /** @description For each outcome, the delays before the retries. Each delay counts from the end of the call. An outcome that is not listed is not retried. */
                    retry?: {
                        no_answer?: string[] | null;
                        busy?: string[] | null;
                        voicemail?: string[] | null;
                        failed?: string[] | null;
                        declined?: string[] | null;
                        network_blocked?: string[] | null;
                    } | null;
                    /** @description What follows a completed call, or another call after which no retry is left. The first entry that matches applies. If none matches, a completed call ends the enrollment. Otherwise the next step follows; after the last step, the enrollment ends. */
                    on?: {
                        /** @description Matches a completed call whose result has this disposition and is reported within 15 minutes of the recorded end. With `goal`, it matches at any time and after any outcome. */
                        disposition?: string | null;
                        /**
                         * @description `completed` matches a completed call. `no_response` matches when no retry is left.
                         * @enum {string|null}
                         */
                        outcome?: "completed" | "no_response" | null;
                        /**
                         * @description The enrollment ends, completed by the goal.
                         * @enum {boolean|null}
                         */
                        goal?: true | null;
                        /**
                         * @description The contact is called again at the `callbackAt` of the result. Needs `disposition`. Without a `callbackAt`, the entry does not match.
                         * @enum {boolean|null}
                         */
                        callback?: true | null;
                        /**
                         * @description The enrollment ends, completed with this reason.
                         * @enum {string|null}
                         */
                        end?: "reached" | "no_response" | null;
                        /** @description The enrollment moves to the step with this key. The step must come later in `steps`. */
                        next?: string | null;
                    }[] | null;
                }[] | null;
                /** @description The variables of every call of the version. */
                variables?: {
                    [key: string]: unknown;
                } | null;
                /** @description Calling hours of the campaign. A call is placed only within these and within the calling hours of the agent. */
                hours?: {
                    monday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    tuesday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    wednesday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    thursday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    friday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    saturday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                    sunday?: {
                        /** @example 09:00 */
                        start: string;
                        /**
                         * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                         * @example 17:00
                         */
                        end: string;
                    }[];
                } | null;
                /** @description Dates on which the campaign places no calls, in addition to the closed dates of the agent. */
                closedDates?: string[] | null;
                caps?: {
                    /** @description The maximum number of calls of one enrollment that are dialed or perhaps dialed, requested callbacks included. Null is no limit. */
                    maxAttempts?: number | null;
                    /** @description The team makes at most `count` calls to the number in any period of length `per`. Dialed and perhaps dialed calls count. Calls of other campaigns, triggered calls and requested callbacks count, too. */
                    perNumber?: {
                        count: number;
                        /**
                         * @description An ISO 8601 duration of weeks (W), days (D), hours (H), minutes (M, after `T`) and seconds (S). Years and months are not allowed. The maximum is P366D. Weeks and days keep the local time of day.
                         * @example P1DT12H
                         */
                        per: string;
                    }[] | null;
                    /**
                     * @description The time without a call after the end of a completed call of the team to the number. A requested callback is exempt. Null is no such time.
                     * @example P1DT12H
                     */
                    afterConversation?: string | null;
                    /**
                     * @description The time from enrollment after which the enrollment ends. It must be longer than zero. Null is no limit.
                     * @example P1DT12H
                     */
                    lifetime?: string | null;
                } | null;
            };
        };
        /** UpdateCarrierAccount */
        UpdateCarrierAccount: {
            /** @description Display name. */
            name?: string;
            /** @description The credentials, as texts by their names; each carrier has its own, such as `apiKey`. They are stored sealed and never shown again. A change replaces all of them. Dials use the new ones at once; reports that are signed with the previous ones are accepted for 24 hours. */
            credentials?: {
                [key: string]: string;
            };
            /** @description The most active calls of the agents that name the account. Further due calls wait until a call ends. Null is no limit. */
            maxConcurrent?: number | null;
            /** @description The most calls a second of these agents, which all workers share. Further due calls wait for their turn. Null is no limit. */
            callsPerSecond?: number | null;
        };
        /** UpdateNumberPool */
        UpdateNumberPool: {
            /**
             * @description Display name.
             * @example California
             */
            name?: string;
            /**
             * @description The numbers of the pool. Each is a phone number of the team. A change replaces the whole list.
             * @example [
             *       "+14155550100"
             *     ]
             */
            phoneNumbers?: string[];
        };
        /** UpdateVoiceAgent */
        UpdateVoiceAgent: {
            /**
             * @description Display name.
             * @example Reminders
             */
            name?: string;
            /**
             * @description IANA time zone in which calling hours are evaluated if neither the call request nor the contact has one.
             * @example America/New_York
             * @example Europe/Berlin
             * @example UTC
             */
            timezone?: string;
            /**
             * @description The windows of local time in which the agent may dial. Each window is listed under the weekday on which it starts. Null allows any time. It is required when an agent is created, also if it is null.
             * @example {
             *       "monday": [
             *         {
             *           "start": "09:00",
             *           "end": "17:00"
             *         }
             *       ]
             *     }
             */
            callingHours?: {
                monday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                tuesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                wednesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                thursday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                friday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                saturday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                sunday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
            } | null;
            /** @description Local dates on which the agent does not dial. A window that starts on such a date is closed also after midnight. A window of the day before ends at midnight. */
            closedDates?: string[];
            /**
             * @description The prompt, with placeholders: fields and custom properties of the contact, such as `{{contact.name}}`, and variables of the call, such as `{{order}}`. `{{contact.name | there}}` has a default for a value that is missing or empty.
             * @example You are calling {{contact.name}} about order {{order}}.
             */
            promptTemplate?: string;
            /** @description The first message of the agent, with the same placeholders. */
            firstMessageTemplate?: string;
            /** @description The default caller ID, a phone number of the team. `numberPoolId` takes precedence. Null: the agent has no such number. */
            outboundPhoneNumber?: string | null;
            /**
             * Format: uuid
             * @description The number pool of the team from which the default caller ID is picked. Null: the agent has no pool.
             */
            numberPoolId?: string | null;
            /**
             * @description The carrier that places the calls. It must be configured in the deployment. Null is the default carrier of the deployment. With a key of the team, it must also be one of the `allowedCarriers` of the team, if these are not null; `GET /api/me` shows them.
             * @enum {string|null}
             */
            carrier?: "simulator" | "http" | "twilio" | "livekit" | "retell" | "vapi" | "elevenlabs" | null;
            /**
             * Format: uuid
             * @description The team’s own account at the carrier, with which the calls are placed. Null is the account of the deployment.
             */
            carrierAccountId?: string | null;
            /** @description Settings for the carrier, which checks them when they are stored. A change replaces the whole object. */
            carrierSettings?: {
                [key: string]: unknown;
            };
            /**
             * @description What the calls of the agent are for. Null: what the `compliance` of the team says. The purpose of a campaign takes precedence.
             * @enum {string|null}
             */
            purpose?: "marketing" | "informational" | "debt" | "survey" | null;
        };
        /** UpdateWebhookEndpoint */
        UpdateWebhookEndpoint: {
            /**
             * @description The URL to which events are sent. It must be an `https://` URL of a public host, without user name and password. Only a deployment with `WEBHOOKS_ALLOW_PRIVATE` allows `http://` and hosts in private networks.
             * @example https://example.com/outdial
             */
            url?: string;
            /**
             * @description The event types that the endpoint receives. Null: all types.
             * @example [
             *       "call.ended",
             *       "call.result"
             *     ]
             */
            types?: ("call.scheduled" | "call.started" | "call.answered" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.stalled" | "import.finished")[] | null;
            /**
             * @description Free text that is stored with the endpoint.
             * @example CRM
             */
            description?: string | null;
            /** @description A disabled endpoint receives no events, and no deliveries are created for it. When it is enabled, its pending deliveries are sent. A new endpoint is enabled by default. */
            disabled?: boolean;
        };
        /** VersionMigrationPlan */
        VersionMigrationPlan: {
            /** Format: uuid */
            fromVersionId: string;
            /** Format: uuid */
            toVersionId: string;
            /** @description The number of live enrollments on the version `fromVersionId`. */
            live: number;
            /** @description The steps at which the live enrollments are. */
            steps: components["schemas"]["MigratedStep"][];
            /** @description The keys of steps with live enrollments that the version `toVersionId` does not have. If there are any, no enrollment can be moved. */
            missingSteps: string[];
            /** @description Which of `variables`, `hours`, `closedDates` and `caps` differ between the two versions. */
            changes: string[];
        };
        /** VoiceAgent */
        VoiceAgent: {
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            agentId: string;
            /** Format: uuid */
            id: string;
            name: string;
            timezone: string;
            /** @description The windows of local time in which the agent may dial. Each window is listed under the weekday on which it starts. Null allows any time. */
            callingHours: {
                monday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                tuesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                wednesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                thursday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                friday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                saturday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                sunday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
            } | null;
            /** @description Local dates on which the agent does not dial. A window that starts on such a date is closed also after midnight. A window of the day before ends at midnight. */
            closedDates: string[];
            /** @example +14155552671 */
            outboundPhoneNumber: string | null;
            /** Format: uuid */
            numberPoolId: string | null;
            carrier: string | null;
            /** Format: uuid */
            carrierAccountId: string | null;
            /**
             * @description What the calls of the agent are for. Null: what the `compliance` of the team says. The purpose of a campaign takes precedence.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** VoiceAgentPage */
        VoiceAgentPage: {
            items: components["schemas"]["VoiceAgent"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** VoiceAgentResource */
        VoiceAgentResource: {
            /** Format: uuid */
            id: string;
            name: string;
            timezone: string;
            /** @description The windows of local time in which the agent may dial. Each window is listed under the weekday on which it starts. Null allows any time. */
            callingHours: {
                monday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                tuesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                wednesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                thursday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                friday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                saturday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                sunday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
            } | null;
            /** @description Local dates on which the agent does not dial. A window that starts on such a date is closed also after midnight. A window of the day before ends at midnight. */
            closedDates: string[];
            /** @example +14155552671 */
            outboundPhoneNumber: string | null;
            /** Format: uuid */
            numberPoolId: string | null;
            carrier: string | null;
            /** Format: uuid */
            carrierAccountId: string | null;
            /**
             * @description What the calls of the agent are for. Null: what the `compliance` of the team says. The purpose of a campaign takes precedence.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            promptTemplate: string;
            firstMessageTemplate: string;
            carrierSettings: {
                [key: string]: unknown;
            };
        };
        /** Warning */
        Warning: {
            /** @description The key of the request, or the template of the agent: `promptTemplate`, `firstMessageTemplate`. */
            key: string;
            /** @description What is probably unintended. The wording may change. */
            text: string;
        };
        /** WebhookDelivery */
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpointId: string;
            /**
             * Format: uuid
             * @description The `id` of the event. The header `webhook-id` of its requests has the same value.
             */
            eventId: string;
            /** @description The `sequence` of the event. 0 for a test event. */
            sequence: number;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "call.scheduled" | "call.started" | "call.answered" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.stalled" | "import.finished" | "webhook.test";
            /**
             * @description `pending`: the next attempt is due at `nextAttemptAt`, or an attempt is in progress. `delivered`: an attempt got a 2xx answer. `failed`: no further attempt is made unless a request retries or replays the delivery.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description The number of attempts that have begun. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null unless the status is `pending`.
             * @example 2026-11-20T14:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the last attempt began. Null before the first attempt.
             * @example 2026-11-20T14:00:00.000Z
             */
            lastAttemptAt: string | null;
            /** @description The HTTP status code that the last finished attempt received. Null if it received no answer, and until an attempt has finished. */
            responseCode: number | null;
            /** @description The first 1,024 bytes of the body that the last finished attempt received. Null if no body is stored. */
            answer: string | null;
            /** @description Why the last finished attempt received no answer. Null if it received one, and until an attempt has finished. `timeout`: there was no answer in time. `unreachable`: the connection failed. `tls`: the TLS connection failed. `reset`: the connection was closed. `broken_answer`: the answer was not valid HTTP. `address_not_allowed`: the URL leads to a forbidden address. `stopped`: the worker stopped. `removed`: the event is no longer stored. `internal`: Outdial had an internal error. */
            error: string | null;
            /** @description The duration of the last finished attempt, in milliseconds. Null until an attempt has finished. */
            durationMs: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** WebhookDeliveryPage */
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** WebhookEndpoint */
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description The event types that the endpoint receives. Null: all types. */
            types: ("call.scheduled" | "call.started" | "call.answered" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.stalled" | "import.finished")[] | null;
            description: string | null;
            disabled: boolean;
            /**
             * @description Why the endpoint is disabled. `team`: a request of the team disabled it. `gone`: the endpoint answered 410. `failing`: all attempts failed for five days. Null while it is enabled.
             * @enum {string|null}
             */
            disabledReason: "team" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description The instant of the first failed attempt after the last successful one. Null if no attempt has failed since. A new URL or enabling the endpoint resets it to null.
             * @example 2026-11-20T14:00:00.000Z
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** WebhookEndpointPage */
        WebhookEndpointPage: {
            items: components["schemas"]["WebhookEndpoint"][];
            /** @description The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** WebhookEndpointWithSecret */
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description The event types that the endpoint receives. Null: all types. */
            types: ("call.scheduled" | "call.started" | "call.answered" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "campaign.finished" | "campaign.stalled" | "import.finished")[] | null;
            description: string | null;
            disabled: boolean;
            /**
             * @description Why the endpoint is disabled. `team`: a request of the team disabled it. `gone`: the endpoint answered 410. `failing`: all attempts failed for five days. Null while it is enabled.
             * @enum {string|null}
             */
            disabledReason: "team" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description The instant of the first failed attempt after the last successful one. Null if no attempt has failed since. A new URL or enabling the endpoint resets it to null.
             * @example 2026-11-20T14:00:00.000Z
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /** @description The secret with which requests to the endpoint are signed. Only this answer shows it. */
            secret: string;
        };
        /**
         * WhyNot
         * @description Why the enrollment is not called now, as of this answer. Null if no rule prevents the next call, and after the end.
         */
        WhyNot: {
            /**
             * @description The rule that prevents the next call. The names are those of `waitingFor`.
             * @enum {string}
             */
            rule: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps";
            /** @description The facts on which the rule decided. The keys depend on the rule. */
            evidence: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the next call is due if nothing changes. Null while a result is awaited, and during a pause. Also null if only a change, the end of a call or a report can lead to a call. Also null if the lifetime ends before it.
             * @example 2026-11-20T14:00:00.000Z
             */
            retryAt: string | null;
        } | null;
        /** WrittenVoiceAgent */
        WrittenVoiceAgent: {
            /** Format: uuid */
            id: string;
            name: string;
            timezone: string;
            /** @description The windows of local time in which the agent may dial. Each window is listed under the weekday on which it starts. Null allows any time. */
            callingHours: {
                monday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                tuesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                wednesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                thursday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                friday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                saturday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
                sunday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. `24:00` and `00:00` are the end of the day. Any other `end` before `start` is on the next day.
                     * @example 17:00
                     */
                    end: string;
                }[];
            } | null;
            /** @description Local dates on which the agent does not dial. A window that starts on such a date is closed also after midnight. A window of the day before ends at midnight. */
            closedDates: string[];
            /** @example +14155552671 */
            outboundPhoneNumber: string | null;
            /** Format: uuid */
            numberPoolId: string | null;
            carrier: string | null;
            /** Format: uuid */
            carrierAccountId: string | null;
            /**
             * @description What the calls of the agent are for. Null: what the `compliance` of the team says. The purpose of a campaign takes precedence.
             * @enum {string|null}
             */
            purpose: "marketing" | "informational" | "debt" | "survey" | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            promptTemplate: string;
            firstMessageTemplate: string;
            carrierSettings: {
                [key: string]: unknown;
            };
            /** @description Placeholders of the templates that are not closed or not known. Absent if there are none. */
            warnings?: components["schemas"]["Warning"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    triggerCall: {
        parameters: {
            query?: {
                /** @description The call is scheduled for the first opening of the calling hours at or after this instant, which is at most 90 days ahead. An instant of the past means at once. */
                notBefore?: string;
                /** @description The call expires at this instant if it is still pending, at the latest 24 hours after it is due. */
                notAfter?: string;
            };
            header?: {
                /**
                 * @description Makes a request safe to repeat. The key has 1 to 255 printable ASCII characters, quoted or bare. For 24 hours, the same request with the same key returns the first answer and has no further effect. Another request with the key is refused. Successes and refusals by a guardrail are stored.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the voice agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerCall"];
            };
        };
        responses: {
            /** @description The call is queued, or scheduled for the next opening. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallAccepted"];
                };
            };
        };
    };
    explainCall: {
        parameters: {
            query?: {
                /** @description The call is scheduled for the first opening of the calling hours at or after this instant, which is at most 90 days ahead. An instant of the past means at once. */
                notBefore?: string;
                /** @description The call expires at this instant if it is still pending, at the latest 24 hours after it is due. */
                notAfter?: string;
            };
            header?: never;
            path: {
                /** @description The id of the voice agent. */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerCall"];
            };
        };
        responses: {
            /** @description The decision that the trigger would make now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallExplanation"];
                };
            };
        };
    };
    listCallsByKey: {
        parameters: {
            query?: {
                /** @description Only calls in this state. */
                status?: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
                /** @description Only calls to this number, in any notation. The calls of an erased contact are included. */
                phoneNumber?: string;
                /** @description Only calls of this voice agent. */
                agentId?: string;
                /** @description Only calls of this campaign. */
                campaignId?: string;
                /** @description Only calls to this contact. */
                contactId?: string;
                /** @description Only calls accepted at this instant or later. */
                acceptedFrom?: string;
                /** @description Only calls accepted before this instant. */
                acceptedTo?: string;
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedCallPage"];
                };
            };
        };
    };
    exportCalls: {
        parameters: {
            query?: {
                /** @description Only calls in this state. */
                status?: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
                /** @description Only calls to this number, in any notation. The calls of an erased contact are included. */
                phoneNumber?: string;
                /** @description Only calls of this voice agent. */
                agentId?: string;
                /** @description Only calls of this campaign. */
                campaignId?: string;
                /** @description Only calls to this contact. */
                contactId?: string;
                /** @description Only calls accepted at this instant or later. */
                acceptedFrom?: string;
                /** @description Only calls accepted before this instant. */
                acceptedTo?: string;
                /** @description `csv` (the default) or `ndjson`. */
                format?: "csv" | "ndjson";
                /** @description Whether CSV begins with a byte order mark, by which a spreadsheet knows that the file is in UTF-8. The default is false. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `callRequestId` of the call. */
                callRequestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
        };
    };
    cancelCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `callRequestId` of the call. */
                callRequestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call, canceled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
        };
    };
    hangUpCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `callRequestId` of the call. */
                callRequestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The carrier ends the call. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
        };
    };
    reportCallResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `callRequestId` of the call. */
                callRequestId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallResultReport"];
            };
        };
        responses: {
            /** @description The call with its result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Call"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Only the contact with this number, in any notation. */
                phoneNumber?: string;
                /** @description Only the contact with exactly this external id. */
                externalId?: string;
                /** @description Only contacts with exactly this e-mail address. Upper and lower case differ. */
                email?: string;
                /** @description Only contacts that were created or changed at this instant or later. */
                updatedSince?: string;
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The external id of the contact: its id in another system, such as a CRM. No other contact of the team has the same one. The key `externalId` of the body is a custom property.
                 * @example crm-4711
                 */
                "External-Id"?: string;
                /**
                 * @description Makes a request safe to repeat. The key has 1 to 255 printable ASCII characters, quoted or bare. For 24 hours, the same request with the same key returns the first answer and has no further effect. Another request with the key is refused. Successes and refusals by a guardrail are stored.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactFields"];
            };
        };
        responses: {
            /** @description The contact is created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactCreated"];
                };
            };
        };
    };
    createContactAndEnroll: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The external id of the contact: its id in another system, such as a CRM. No other contact of the team has the same one. The key `externalId` of the body is a custom property.
                 * @example crm-4711
                 */
                "External-Id"?: string;
                /**
                 * @description Makes a request safe to repeat. The key has 1 to 255 printable ASCII characters, quoted or bare. For 24 hours, the same request with the same key returns the first answer and has no further effect. Another request with the key is refused. Successes and refusals by a guardrail are stored.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactFields"];
            };
        };
        responses: {
            /** @description The contact is created or updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactStored"];
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                /** @description Only the contact with this number, in any notation. */
                phoneNumber?: string;
                /** @description Only the contact with exactly this external id. */
                externalId?: string;
                /** @description Only contacts with exactly this e-mail address. Upper and lower case differ. */
                email?: string;
                /** @description Only contacts that were created or changed at this instant or later. */
                updatedSince?: string;
                /** @description `csv` (the default) or `ndjson`. */
                format?: "csv" | "ndjson";
                /** @description Whether CSV begins with a byte order mark, by which a spreadsheet knows that the file is in UTF-8. The default is false. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact is erased. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactChange"];
            };
        };
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    updateContactByExternalId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The external id of the contact, percent-encoded.
                 * @example crm-4711
                 */
                externalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactByExternalId"];
            };
        };
        responses: {
            /** @description The contact is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
            /** @description The contact is created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    exportContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data of the contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactExport"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description Only imports with this status. */
                status?: "staging" | "held" | "running" | "finished" | "canceled" | "failed" | "undoing" | "undone";
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPage"];
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: {
                /** @description `contacts` (the default), or `suppressions`: the rows are phone numbers, which go on the Do Not Call list as by *Add numbers to the Do Not Call list*. The column is named `phoneNumber`, has a usual other name, or is the only one; then the file may have no header. Other columns are ignored. There are at most 10000000 rows. The key also needs the scope `suppressions`. Of the other parameters, only `map` and `hold` are allowed. Or `consents`: the rows are consents as by *Record a consent*, with columns of the names of its fields; other columns are ignored. A consent that is recorded already is not recorded again. The key also needs the scope `suppressions`. Of the other parameters, only `map`, `dryRun` and `hold` are allowed. Neither import can be undone. */
                type?: "contacts" | "suppressions" | "consents";
                /** @description The campaign in which contacts are enrolled. The `campaignId` of a row takes precedence. The campaign can be a draft or paused: its contacts wait until it is active. */
                campaignId?: string;
                /** @description `current` (the default), `draft` or the id of a version of the campaign. It requires `campaignId`. */
                version?: string;
                /** @description `upsert` (the default) updates contacts that the team already has. With `create`, the rows of such contacts get an error. */
                mode?: "create" | "upsert";
                /** @description What a column of a CSV file is: its name, a colon, and the name of a field, `firstName`, `lastName`, `property` or `ignore`. In a file of consents, it is a field of a consent or `ignore`. Repeat the parameter for each such column. */
                map?: string[];
                /** @description Whether a row with a malformed e-mail address gets an error. The default is false: the contact is stored without the address, and the result of the row has a warning. */
                strict?: boolean;
                /** @description Whether the file is only read. The answer is then 200 with what an import of the file would do, and nothing is stored. An `Idempotency-Key` has no effect. The default is false. */
                dryRun?: boolean;
                /** @description Whether the import is `held` after its upload: no row is processed before *Start an import that is held*. An import that is not started within an hour is gone. The default is false. */
                hold?: boolean;
            };
            header?: {
                /**
                 * @description Makes a request safe to repeat. The key has 1 to 255 printable ASCII characters, quoted or bare. For 24 hours, the same request with the same key returns the first answer and has no further effect. Another request with the key is refused. Successes and refusals by a guardrail are stored.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["ImportedContact"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description With `dryRun=true`: what an import of the file would do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportLook"];
                };
            };
            /** @description The file is stored. The worker processes its rows. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportStarted"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportWithColumns"];
                };
            };
        };
    };
    getImportResults: {
        parameters: {
            query?: {
                /** @description Whether only results with an error are returned. The default is false. */
                failed?: boolean;
                /** @description `ndjson` (the default), or `csv` for rows with an error. */
                format?: "csv" | "ndjson";
                /** @description Whether CSV begins with a byte order mark, by which a spreadsheet knows that the file is in UTF-8. The default is false. */
                bom?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the import. */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportWithColumns"];
                };
            };
        };
    };
    startImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import, which is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportWithColumns"];
                };
            };
        };
    };
    undoImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worker undoes the import. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportWithColumns"];
                };
            };
        };
    };
    listEnrollments: {
        parameters: {
            query?: {
                /** @description Only enrollments of this contact. */
                contactId?: string;
                /** @description Only enrollments in this campaign. */
                campaignId?: string;
                /** @description Only enrollments on this version. */
                versionId?: string;
                /** @description Only enrollments on this version: `current`, `draft` or the id of a version. */
                version?: ("current" | "draft") | string;
                /** @description Only enrollments with this status. */
                status?: "active" | "paused" | "completed" | "exited" | "failed";
                /** @description Only enrollments of the contact with this number. National form is accepted only if the team has a default country. */
                phoneNumber?: string;
                /** @description Only enrollments with this `waitingFor`. */
                waitingFor?: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps";
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of enrollments. The list is empty if there are none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentPage"];
                };
            };
        };
    };
    enrollContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a request safe to repeat. The key has 1 to 255 printable ASCII characters, quoted or bare. For 24 hours, the same request with the same key returns the first answer and has no further effect. Another request with the key is refused. Successes and refusals by a guardrail are stored.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrollFields"];
            };
        };
        responses: {
            /** @description The contact is enrolled. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactEnrolled"];
                };
            };
        };
    };
    getEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    pauseEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, which is now paused. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    resumeEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, which is now active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    exitEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, which is now exited. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    listCampaignsByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignPage"];
                };
            };
        };
    };
    createCampaignByKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaign"];
            };
        };
        responses: {
            /** @description The campaign. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedCampaignResource"];
                };
            };
        };
    };
    getCampaignByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignDetail"];
                };
            };
        };
    };
    updateCampaignByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCampaign"];
            };
        };
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedCampaignResource"];
                };
            };
        };
    };
    archiveCampaignByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignResource"];
                };
            };
        };
    };
    getCampaignStatsByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts at one instant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignStats"];
                };
            };
        };
    };
    listCampaignVersionsByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignVersionResourcePage"];
                };
            };
        };
    };
    createCampaignVersionByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaignVersion"];
            };
        };
        responses: {
            /** @description The draft. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignVersionResource"];
                };
            };
        };
    };
    getCampaignVersionByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the campaign’s version. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignVersionResource"];
                };
            };
        };
    };
    updateCampaignVersionByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the campaign’s version. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCampaignVersion"];
            };
        };
        responses: {
            /** @description The draft. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignVersionResource"];
                };
            };
        };
    };
    publishCampaignVersionByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the campaign’s version. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The published version, with warnings about its definition. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedCampaignVersionResource"];
                };
            };
        };
    };
    migrateCampaignVersionByKey: {
        parameters: {
            query?: {
                /** @description With `true`, nothing is changed. The answer 200 states what would change. */
                dryRun?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the campaign’s version. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MigrateCampaignVersion"];
            };
        };
        responses: {
            /** @description The answer to `dryRun=true`: what would change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionMigrationPlan"];
                };
            };
            /** @description The migration has started. The answer states what changes. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionMigrationPlan"];
                };
            };
        };
    };
    forecastCampaignVersionByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the campaign’s version. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForecastRequest"];
            };
        };
        responses: {
            /** @description The forecast: the dials of each hour, and the attempts that rules prevented. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forecast"];
                };
            };
        };
    };
    getCampaignResultsByKey: {
        parameters: {
            query?: {
                /** @description Only enrollments with this status. */
                status?: "active" | "paused" | "completed" | "exited" | "failed";
                /** @description Only enrollments that ended with this `endReason`. */
                endReason?: "goal" | "reached" | "no_response" | "suppressed" | "manual" | "contact_deleted" | "lifetime" | "archived" | "caps" | "undone" | "not_dialable";
                /** @description Only enrollments that changed at this instant or later, as `updatedAt` says. */
                updatedFrom?: string;
                /** @description The custom properties of the contacts to show, separated by commas, at most 50. */
                properties?: string;
                /** @description `csv` (the default) or `ndjson`. */
                format?: "csv" | "ndjson";
                /** @description Whether CSV begins with a byte order mark, by which a spreadsheet knows that the file is in UTF-8. The default is false. */
                bom?: boolean;
            };
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    listCampaignEnrollmentsByKey: {
        parameters: {
            query?: {
                /** @description Only enrollments on this version. */
                versionId?: string;
                /** @description Only enrollments on this version: `current`, `draft` or the id of a version. */
                version?: ("current" | "draft") | string;
                /** @description Only enrollments with this status. */
                status?: "active" | "paused" | "completed" | "exited" | "failed";
                /** @description Only enrollments of the contact with this number. National form is accepted only if the team has a default country. */
                phoneNumber?: string;
                /** @description Only enrollments with this `waitingFor`. */
                waitingFor?: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "JURISDICTION_CAP" | "COOL_OFF" | "CONSENT_REQUIRED" | "CALLING_PROHIBITED" | "SUSPENDED" | "ON_REGISTER" | "REGISTER_STALE" | "UNKNOWN_LOCATION" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "draft" | "paused" | "pacing" | "concurrency" | "caller_id" | "zone" | "carrier" | "in_call" | "result" | "outcome" | "no_steps";
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of enrollments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentResourcePage"];
                };
            };
        };
    };
    getCampaignEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    pauseCampaignEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, which is now paused. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    resumeCampaignEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, which is now active. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    exitCampaignEnrollmentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign. */
                campaignId: string;
                /** @description The id of the enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, which is now exited. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrollmentDetail"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events with a higher `sequence`. 0 begins with the oldest stored event. */
                after?: number;
                /** @description Only events of these types, separated by commas. */
                types?: string;
                /** @description The maximum number of items. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events in the order of their `sequence`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    listDoNotCallByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoNotCallPage"];
                };
            };
        };
    };
    addToDoNotCallByKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddToDoNotCall"];
            };
        };
        responses: {
            /** @description The numbers are on the list, except the rejected items. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NumbersAdded"];
                };
            };
        };
    };
    doNotCallHistoryByKey: {
        parameters: {
            query?: {
                /** @description The number, in any notation that the list accepts. It must be sent. */
                phoneNumber?: string;
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionEntryPage"];
                };
            };
        };
    };
    listLimitedDoNotCallByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, without those that have expired. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitedDoNotCallPage"];
                };
            };
        };
    };
    removeFromDoNotCallByKey: {
        parameters: {
            query?: {
                /** @description The scope of the entries that are removed. By default, `team`. */
                scope?: "team" | "campaign" | "agent";
                /** @description The campaign. It is needed with the scope `campaign`. */
                campaignId?: string;
                /** @description The agent. It is needed with the scope `agent`. */
                agentId?: string;
            };
            header?: never;
            path: {
                /** @description The phone number, in E.164. */
                phoneNumber: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number is removed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listConsentsByKey: {
        parameters: {
            query?: {
                /** @description Only the consents of this number, in any notation. */
                phoneNumber?: string;
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of consents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentPage"];
                };
            };
        };
    };
    recordConsentByKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes a request safe to repeat. The key has 1 to 255 printable ASCII characters, quoted or bare. For 24 hours, the same request with the same key returns the first answer and has no further effect. Another request with the key is refused. Successes and refusals by a guardrail are stored.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordConsent"];
            };
        };
        responses: {
            /** @description The consent is recorded. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentResource"];
                };
            };
        };
    };
    revokeConsentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeConsent"];
            };
        };
        responses: {
            /** @description The consent, which is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentResource"];
                };
            };
        };
    };
    listVoiceAgentsByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceAgentPage"];
                };
            };
        };
    };
    createVoiceAgentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateVoiceAgent"];
            };
        };
        responses: {
            /** @description The agent. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenVoiceAgent"];
                };
            };
        };
    };
    getVoiceAgentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceAgentResource"];
                };
            };
        };
    };
    deleteVoiceAgentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateVoiceAgentByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateVoiceAgent"];
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenVoiceAgent"];
                };
            };
        };
    };
    listPhoneNumbersByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumberResourcePage"];
                };
            };
        };
    };
    getPhoneNumberByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumberResource"];
                };
            };
        };
    };
    listNumberPoolsByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of pools. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NumberPoolResourcePage"];
                };
            };
        };
    };
    createNumberPoolByKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNumberPool"];
            };
        };
        responses: {
            /** @description The pool. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NumberPoolResource"];
                };
            };
        };
    };
    getNumberPoolByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NumberPoolResource"];
                };
            };
        };
    };
    updateNumberPoolByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNumberPool"];
            };
        };
        responses: {
            /** @description The pool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NumberPoolResource"];
                };
            };
        };
    };
    listCarrierAccountsByKey: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierAccountPage"];
                };
            };
        };
    };
    createCarrierAccountByKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCarrierAccount"];
            };
        };
        responses: {
            /** @description The account, without its credentials. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierAccount"];
                };
            };
        };
    };
    getCarrierAccountByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account, without its credentials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierAccount"];
                };
            };
        };
    };
    deleteCarrierAccountByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCarrierAccountByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCarrierAccount"];
            };
        };
        responses: {
            /** @description The account, without its credentials. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierAccount"];
                };
            };
        };
    };
    checkCarrierAccountByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What works and what does not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierAccountCheck"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the test event. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description The maximum number of items. */
                limit?: number;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayEvents"];
            };
        };
        responses: {
            /** @description The deliveries are due now. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedEvents"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: {
                /** @description Whether to send the event again also if it was delivered. False by default. */
                force?: boolean;
            };
            header?: never;
            path: {
                /** @description The `id` of the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. It is due now, an attempt is already in progress, or it was delivered before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    getOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnKey"];
                };
            };
        };
    };
    stopOwnTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Dialing is paused, and calls in progress are hung up. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stop"];
                };
            };
        };
    };
    resumeOwnTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Dialing is resumed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamPause"];
                };
            };
        };
    };
}
