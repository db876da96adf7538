// Written by `npm run sdk:types` from the API’s OpenAPI document. Do not edit.

export interface components {
    schemas: {
        /** AddToDoNotCall */
        AddToDoNotCall: {
            /**
             * @description The numbers; the national form needs the team’s default country.
             * @example [
             *       "+14155552671"
             *     ]
             */
            phoneNumbers: unknown[];
            /**
             * @description Reason, shown with the entry.
             * @example asked us in writing
             */
            reason?: string | null;
        };
        /** AlreadyEnrolled */
        AlreadyEnrolled: {
            /** @constant */
            error: "Contact is already enrolled in this campaign";
            /** Format: uuid */
            enrollmentId: string;
            /** @enum {string} */
            status: "active" | "paused" | "completed" | "exited" | "failed";
            /** @description From the second enrollment of the contact in the campaign on. */
            entry?: number;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** Call */
        Call: {
            /** Format: uuid */
            callRequestId: string;
            /**
             * Format: uuid
             * @description The contact that is called.
             */
            contactId: string;
            /**
             * Format: uuid
             * @description The voice agent that talks.
             */
            agentId: string;
            /**
             * Format: uuid
             * @description The enrollment that dials the call; null if the call was triggered.
             */
            enrollmentId: string | null;
            /**
             * Format: date-time
             * @description When the call was accepted; lists are in this order.
             * @example 2026-11-20T14:00:00.000Z
             */
            acceptedAt: string;
            /**
             * @description The state of the call: `scheduled` (waits for its time), `queued` (is due and waits to be dialed), `dialing` (claimed by a worker, which dials it once), `in_progress` (accepted by the carrier and not ended), `dial_unknown` (perhaps dialed; never dialed again), `completed` (answered and ended), `no_answer` (dialed and not answered), `busy` (dialed, and the line was busy), `voicemail` (answered by a voicemail), `failed` (claimed, and the dial or the call failed), `blocked` (refused by a guardrail and not dialed), `expired` (not dialed before it expired), `canceled` (canceled by the team, or its contact was erased, and not dialed).
             * @enum {string}
             */
            status: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
            /** @description The code of why the call ended without a conversation, or is in `dial_unknown`. */
            reason: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call is or was due.
             * @example 2026-11-20T14:00:00.000Z
             */
            runsAt: string;
            /**
             * Format: date-time
             * @description When the call expires if it is not dialed before.
             * @example 2026-11-20T14:00:00.000Z
             */
            expiresAt: string;
            /**
             * @description The number to call; after the erasure of its contact, `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description The number that the call was dialed from; null before the dial.
             * @example +14155552671
             */
            callerId: string | null;
            /**
             * Format: date-time
             * @description When the call was answered, if the carrier reports it.
             * @example 2026-11-20T14:00:00.000Z
             */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description When the call ended, dialed or not.
             * @example 2026-11-20T14:00:00.000Z
             */
            endedAt: string | null;
            /** @description Seconds talked, if the carrier reports them. */
            durationSeconds: number | null;
            /** @description The rendered template; null before the dial. */
            prompt: string | null;
            /** @description The rendered template; null before the dial. */
            firstMessage: string | null;
            result: components["schemas"]["CallResult"];
            /** @description Placeholders of the templates without a value. */
            unknownPlaceholders: string[];
            /** @description Every transition, the oldest first. */
            history: components["schemas"]["CallHistoryEntry"][];
        };
        /** CallAccepted */
        CallAccepted: {
            /** @constant */
            success: true;
            /**
             * Format: uuid
             * @description The id with which the call is read and canceled.
             */
            callRequestId: string;
            /**
             * Format: uuid
             * @description The contact that was created or updated.
             */
            contactId: string;
            /**
             * @description Only if the call waits for its opening.
             * @constant
             */
            rescheduled?: true;
            /**
             * Format: date-time
             * @description When the call is due; only with `rescheduled`.
             */
            runsAt?: string;
        };
        /** CallDecisionRule */
        CallDecisionRule: {
            /** @enum {string} */
            reason: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED";
            allow: boolean;
            /** @description The facts that the rule evaluated. */
            evidence: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The first instant at which the same facts do not refuse.
             * @example 2026-11-20T14:00:00.000Z
             */
            retryAt?: string;
        };
        /** CallEvent */
        CallEvent: {
            /**
             * Format: uuid
             * @description The same whenever the event is read or sent again.
             */
            id: string;
            /** @enum {string} */
            type: "call.scheduled" | "call.started" | "call.ended" | "call.unknown" | "call.result";
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among those of the team, in their order. There may be gaps. */
            sequence: number;
            data: components["schemas"]["ListedCall"];
        };
        /** CallExplanation */
        CallExplanation: {
            /**
             * @description What the trigger would do.
             * @enum {string}
             */
            wouldBe: "queued" | "scheduled" | "refused";
            /** @description The HTTP status of the trigger’s answer. */
            status: number;
            /**
             * @description The first guardrail that refuses.
             * @enum {string|null}
             */
            reason: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | null;
            message: string | null;
            /**
             * Format: date-time
             * @description When a scheduled call would be due.
             * @example 2026-11-20T14:00:00.000Z
             */
            runsAt: string | null;
            /** @description The time zones in which calling hours are evaluated. */
            zones: string[];
            /**
             * @description What names the time zone.
             * @enum {string}
             */
            zoneSource: "request" | "contact" | "agent";
            callerId: components["schemas"]["CallerIdExplanation"];
            /** @description Every guardrail, evaluated now, also outside calling hours. */
            rules: components["schemas"]["CallDecisionRule"][];
            /**
             * Format: date-time
             * @description The first instant inside calling hours at which the same facts refuse nothing; null if waiting does not help.
             * @example 2026-11-20T14:00:00.000Z
             */
            firstAllowedAt: string | null;
            /** @description The rendered template. */
            prompt: string;
            /** @description The rendered template. */
            firstMessage: string;
            /** @description Placeholders of the templates without a value. */
            unknownPlaceholders: string[];
        };
        /** CallHistoryEntry */
        CallHistoryEntry: {
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            at: string;
            /**
             * @description Null for the first entry.
             * @enum {string|null}
             */
            from: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled" | null;
            /** @enum {string} */
            to: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
            /** @description The cause of the transition: `triggered`, `campaign`, `claimed`, `outside_calling_hours`, `expired`, `next_slot_too_late`, `blocked`, `canceled`, `contact_erased`, `do_not_call`, `not_dialed`, `carrier_accepted`, `carrier_refused`, `carrier_throttled`, `carrier_unreachable`, `carrier_silent`, `carrier_report`, `carrier_listing`, `no_word`, `database_restored`, `resolved_by_operator`, or the reason of a refusal just before the dial. */
            cause: string;
        };
        /** CallRefusal400 */
        CallRefusal400: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "INVALID_REQUEST" | "FROM_NUMBER_INVALID" | "NUMBER_POOL_INVALID" | "NO_CALLER_ID";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
            /** @description All that is wrong with the request, one by one. */
            errors: components["schemas"]["Problem"][];
        };
        /** CallRefusal409 */
        CallRefusal409: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "IDEMPOTENCY_KEY_IN_FLIGHT";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** CallRefusal413 */
        CallRefusal413: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "PAYLOAD_TOO_LARGE";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** CallRefusal415 */
        CallRefusal415: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "UNSUPPORTED_ENCODING";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** CallRefusal422 */
        CallRefusal422: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "IDEMPOTENCY_KEY_REUSED";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** CallRefusal429 */
        CallRefusal429: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "RATE_LIMITED";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** CallRefusal500 */
        CallRefusal500: {
            /** @constant */
            success: false;
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "AGENT_NOT_FOUND" | "INVALID_API_KEY" | "SERVICE_UNAVAILABLE" | "INTERNAL";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /**
         * CallResult
         * @description The result of the call; null before a report.
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
            /** @description What came of the conversation; the routes of a campaign’s step name it. */
            disposition?: string | null;
            /**
             * Format: date-time
             * @description When the contact asked to be called again; what is past means at once.
             * @example 2027-03-28T09:00:00+02:00
             */
            callbackAt?: string | null;
            /** @description `true` adds the number to Do Not Call, whatever else is wrong with the result. */
            optOut?: boolean | null;
            /** @description An object of your own, at most 64 KB of JSON. */
            data?: {
                [key: string]: unknown;
            } | null;
        };
        /** CallerIdExplanation */
        CallerIdExplanation: {
            /**
             * @description What names the caller ID; null if nothing does.
             * @enum {string|null}
             */
            source: "request_pool" | "from_number" | "agent_pool" | "agent_number" | null;
            /** @description The numbers to call from. Of a pool at most 16, the least recently used first. */
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
             * @description The version that contacts are enrolled against by default.
             */
            currentVersionId: string;
            /** Format: uuid */
            draftVersionId: string | null;
            pacing: components["schemas"]["CampaignPacing"];
            reentry: components["schemas"]["CampaignReentry"];
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
             * @description The version that contacts are enrolled against by default.
             */
            currentVersionId: string;
            /** Format: uuid */
            draftVersionId: string | null;
            pacing: components["schemas"]["CampaignPacing"];
            reentry: components["schemas"]["CampaignReentry"];
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
             * @description The same whenever the event is read or sent again.
             */
            id: string;
            /** @enum {string} */
            type: "campaign.paused" | "campaign.resumed";
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among those of the team, in their order. There may be gaps. */
            sequence: number;
            data: components["schemas"]["Campaign"];
        };
        /** CampaignPacing */
        CampaignPacing: {
            /** @description Calls of the campaign that are active at a time; null is no limit. */
            maxConcurrentCalls: number | null;
            /** @description Calls that the campaign starts in any 60 seconds; null is no limit. */
            callsPerMinute: number | null;
            /** @description Its share among the team’s campaigns; 1 by default. */
            weight: number;
        };
        /** CampaignPage */
        CampaignPage: {
            items: components["schemas"]["Campaign"][];
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** CampaignReentry */
        CampaignReentry: {
            /** @description Enrollments of one contact in all; null is no limit. */
            maxEntries: number | null;
            /**
             * @description From the end of the enrollment before to the next one; null is none.
             * @example P1DT12H
             */
            minInterval: string | null;
        };
        /** CampaignStats */
        CampaignStats: {
            /** @description Enrollments in any state. */
            enrolled: number;
            /** @description Enrollments that are active or paused. */
            live: number;
            /** @description Enrollments that were dialed at least once. */
            attempted: number;
            /** @description Enrollments with a completed call. */
            reached: number;
            /** @description Enrollments that ended by a goal. */
            goals: number;
            /** @description Ended enrollments by `endReason`. */
            ended: {
                [key: string]: number;
            };
            /** @description Live enrollments by `waitingFor`. */
            waitingFor: {
                [key: string]: number;
            };
            /** @description Processed dials by outcome, without active calls. */
            attempts: {
                [key: string]: number;
            };
            /** @description The same for each version that has enrollments, oldest first. */
            byVersion: components["schemas"]["CampaignVersionStats"][];
        };
        /** CampaignVersionStats */
        CampaignVersionStats: {
            /** Format: uuid */
            versionId: string;
            number: number;
            /** @description Enrollments in any state. */
            enrolled: number;
            /** @description Enrollments that are active or paused. */
            live: number;
            /** @description Enrollments that were dialed at least once. */
            attempted: number;
            /** @description Enrollments with a completed call. */
            reached: number;
            /** @description Enrollments that ended by a goal. */
            goals: number;
            /** @description Ended enrollments by `endReason`. */
            ended: {
                [key: string]: number;
            };
            /** @description Live enrollments by `waitingFor`. */
            waitingFor: {
                [key: string]: number;
            };
            /** @description Processed dials by outcome, without active calls. */
            attempts: {
                [key: string]: number;
            };
        };
        /** Contact */
        Contact: {
            /** Format: uuid */
            contactId: string;
            /** @example +14155552671 */
            phoneNumber: string;
            name: string | null;
            email: string | null;
            companyName: string | null;
            companyWebsite: string | null;
            timezone: string | null;
            /** @description Every key of the requests that is no field of its own. */
            customProperties: {
                [key: string]: unknown;
            };
        };
        /** ContactChange */
        ContactChange: {
            /** @description Not needed. Where it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /**
             * @description Full name.
             * @example Ada Lovelace
             */
            name?: string | null;
            /**
             * @description E-mail address; it does not identify the contact.
             * @example ada@example.com
             */
            email?: (string | null) | string;
            /**
             * @description Company.
             * @example Analytical Engines
             */
            companyName?: string | null;
            /**
             * @description Website of the company.
             * @example https://example.com
             */
            companyWebsite?: string | null;
            /**
             * @description IANA time zone, by which calling hours are evaluated.
             * @example America/New_York
             */
            timezone?: string | null;
            /** @description Custom properties to set; null removes one. */
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
        };
        /** ContactEnrolled */
        ContactEnrolled: {
            /** @constant */
            message: "Contact enrolled successfully";
            /** Format: uuid */
            enrollmentId: string;
        };
        /** ContactEvent */
        ContactEvent: {
            /**
             * Format: uuid
             * @description The same whenever the event is read or sent again.
             */
            id: string;
            /** @enum {string} */
            type: "contact.opted_out";
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among those of the team, in their order. There may be gaps. */
            sequence: number;
            data: components["schemas"]["OptedOutContact"];
        };
        /** ContactExisted */
        ContactExisted: {
            /** @constant */
            error: "Contact existed";
            /**
             * Format: uuid
             * @description Of the contact that has the number.
             */
            contactId: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
            /** @description All that is wrong with the request, one by one. */
            errors: components["schemas"]["Problem"][];
        };
        /** ContactExport */
        ContactExport: {
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            exportedAt: string;
            /** @description The contact with its custom properties. */
            contact: {
                [key: string]: unknown;
            } | null;
            /** @description Every call to the number, the oldest first, with variables, prompts, history and decisions. */
            calls: {
                [key: string]: unknown;
            }[];
            /** @description Every enrollment with its campaign. */
            enrollments: {
                [key: string]: unknown;
            }[];
            /** @description The entry of the Do Not Call list. */
            doNotCall: {
                [key: string]: unknown;
            }[];
            /** @description The entry of the whitelist. */
            whitelist: {
                [key: string]: unknown;
            }[];
        };
        /** ContactFields */
        ContactFields: {
            /**
             * @description Identifies the contact. Best in E.164; in national form where the team has a default country.
             * @example +14155552671
             */
            phoneNumber: string;
            /** @description Not needed. Where it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /** @description Active campaign to enroll the contact in. Best effort: read the enrollment to be certain. */
            campaignId?: (string | null) | string;
            /**
             * @description Full name.
             * @example Ada Lovelace
             */
            name?: string | null;
            /**
             * @description E-mail address; it does not identify the contact.
             * @example ada@example.com
             */
            email?: (string | null) | string;
            /**
             * @description Company.
             * @example Analytical Engines
             */
            companyName?: string | null;
            /**
             * @description Website of the company.
             * @example https://example.com
             */
            companyWebsite?: string | null;
            /**
             * @description IANA time zone, by which calling hours are evaluated.
             * @example America/New_York
             */
            timezone?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** ContactPage */
        ContactPage: {
            items: components["schemas"]["Contact"][];
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** ContactStored */
        ContactStored: {
            /** @constant */
            message: "success";
            /** Format: uuid */
            contactId: string;
        };
        /** CreateWebhookEndpoint */
        CreateWebhookEndpoint: {
            /**
             * @description Where events are sent: an `https://` URL that does not lead into a private network.
             * @example https://example.com/outdial
             */
            url: string;
            /**
             * @description The types of events that it gets; null for all.
             * @example [
             *       "call.ended",
             *       "call.result"
             *     ]
             */
            types?: ("call.scheduled" | "call.started" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "import.finished")[] | null;
            /**
             * @description A text of your own.
             * @example CRM
             */
            description?: string | null;
            /** @description A disabled endpoint gets no events. Enabling it sends the deliveries that were pending. */
            disabled?: boolean;
        };
        /** DoNotCallPage */
        DoNotCallPage: {
            items: components["schemas"]["DoNotCallResource"][];
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** DoNotCallResource */
        DoNotCallResource: {
            /**
             * @description The number; after the erasure of its contact, lists show `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
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
             * @description The contact, which exists.
             */
            contactId: string;
            /**
             * Format: uuid
             * @description The campaign, which must be active.
             */
            campaignId: string;
            /** @description Not needed. Where it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /**
             * @description Free text that is recorded on the enrollment.
             * @example crm-import
             */
            source?: string | null;
            /** @description `current` (the default), `draft`, or the id of a version of the campaign. */
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
            /** Format: uuid */
            campaignId: string;
            /**
             * Format: uuid
             * @description The version that was resolved at enrollment.
             */
            versionId: string;
            /** @description The label of the request that enrolled. */
            source: string | null;
            /** @description From the second enrollment of the contact in the campaign on. */
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
            /**
             * Format: uuid
             * @description The version that was resolved at enrollment.
             */
            versionId: string;
            /** @description Counts the enrollments of the contact in the campaign. */
            entry: number;
            /** @enum {string} */
            status: "active" | "paused" | "completed" | "exited" | "failed";
            /**
             * @description Null while the enrollment is active or paused.
             * @enum {string|null}
             */
            endReason: "goal" | "reached" | "no_response" | "suppressed" | "manual" | "contact_deleted" | "lifetime" | "archived" | "caps" | "not_dialable" | null;
            /** @description The key of the current step; null before the first step. */
            step: string | null;
            /**
             * Format: date-time
             * @description The next attempt if nothing changes; null while the enrollment is held, and after its end.
             * @example 2026-11-20T14:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * @description Null before the first decision, if the version places no calls, and after the end.
             * @enum {string|null}
             */
            waitingFor: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "paused" | "pacing" | "concurrency" | "caller_id" | "carrier" | "in_call" | "result" | "outcome" | null;
            /** @description The label of the request that enrolled. */
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
            /** @description The processed dials of the enrollment. */
            attempts: number;
            whyNot: components["schemas"]["WhyNot"];
            /** @description The events of the enrollment, oldest first. */
            timeline: components["schemas"]["TimelineEntry"][];
        };
        /** EnrollmentEvent */
        EnrollmentEvent: {
            /**
             * Format: uuid
             * @description The same whenever the event is read or sent again.
             */
            id: string;
            /** @enum {string} */
            type: "enrollment.created" | "enrollment.ended";
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among those of the team, in their order. There may be gaps. */
            sequence: number;
            data: components["schemas"]["Enrollment"];
        };
        /** EnrollmentPage */
        EnrollmentPage: {
            items: components["schemas"]["Enrollment"][];
            /** @description The `cursor` of the next page; absent on the last one. */
            nextCursor?: string;
        };
        /** Error */
        Error: {
            /** @description Describes the fault and names the field. */
            error: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /**
         * Event
         * @description Its `type` determines `data`: the resource as its list shows it, in its state at that time.
         */
        Event: components["schemas"]["CallEvent"] | components["schemas"]["EnrollmentEvent"] | components["schemas"]["ContactEvent"] | components["schemas"]["CampaignEvent"] | components["schemas"]["ImportEvent"];
        /** EventPage */
        EventPage: {
            items: components["schemas"]["Event"][];
            /** @description The `after` of the next request. The feed is read to its end when it equals the `after` that was sent. */
            nextAfter: number;
        };
        /** EventsGone */
        EventsGone: {
            error: string;
            /** @description The number of the oldest event that is kept, or of the next one. */
            oldest: number;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** ExplainRefusal400 */
        ExplainRefusal400: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "INVALID_REQUEST" | "FROM_NUMBER_INVALID" | "NUMBER_POOL_INVALID" | "NO_CALLER_ID";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
            /** @description All that is wrong with the request, one by one. */
            errors: components["schemas"]["Problem"][];
        };
        /** ExplainRefusal413 */
        ExplainRefusal413: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "PAYLOAD_TOO_LARGE";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** ExplainRefusal415 */
        ExplainRefusal415: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "UNSUPPORTED_ENCODING";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** ExplainRefusal429 */
        ExplainRefusal429: {
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "RATE_LIMITED";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** ExplainRefusal500 */
        ExplainRefusal500: {
            /** @constant */
            success: false;
            /** @description Describes the fault. It names every bad field, separated by semicolons. */
            message: string;
            /**
             * @description The code of the refusal.
             * @enum {string}
             */
            reason: "AGENT_NOT_FOUND" | "INVALID_API_KEY" | "SERVICE_UNAVAILABLE" | "INTERNAL";
            /** @description Whether the same request may be accepted later without a change. The answer of a guardrail is stored for its `Idempotency-Key`: send such a request with a new one. */
            retryable: boolean;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** Import */
        Import: {
            /** Format: uuid */
            importId: string;
            /**
             * @description `staging` while the file is uploaded, `running` until every row is processed; the others are final.
             * @enum {string}
             */
            status: "staging" | "running" | "finished" | "canceled" | "failed";
            /** @enum {string} */
            mode: "create" | "upsert";
            /** Format: uuid */
            campaignId: string | null;
            /**
             * Format: uuid
             * @description The version on which rows are enrolled, as it was resolved when the import began.
             */
            versionId: string | null;
            /** @description Rows of the file, as far as it is uploaded. */
            rows: number;
            /** @description Rows whose contact was created. */
            created: number;
            /** @description Rows whose contact existed before, also if it did not change. */
            updated: number;
            /** @description Rows whose contact was enrolled. */
            enrolled: number;
            /** @description Rows with an error. Nothing of them was stored. */
            failed: number;
            /** @description Why the import failed. */
            error: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            finishedAt: string | null;
        };
        /** ImportEvent */
        ImportEvent: {
            /**
             * Format: uuid
             * @description The same whenever the event is read or sent again.
             */
            id: string;
            /** @enum {string} */
            type: "import.finished";
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            timestamp: string;
            /** Format: uuid */
            teamId: string;
            /** @description The number of the event among those of the team, in their order. There may be gaps. */
            sequence: number;
            data: components["schemas"]["Import"];
        };
        /** ImportPage */
        ImportPage: {
            items: components["schemas"]["Import"][];
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** ImportRefusal */
        ImportRefusal: {
            /** @description Describes the fault and names the field. */
            error: string;
            /**
             * Format: uuid
             * @description Of the failed import.
             */
            importId?: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
        };
        /** ImportResult */
        ImportResult: {
            /** @description Counts data rows from 1. */
            row: number;
            /**
             * @description Of the contact, unless it was erased since.
             * @example +14155552671
             */
            phoneNumber?: string;
            /** Format: uuid */
            contactId?: string;
            /**
             * Format: uuid
             * @description Of the enrollment that the import made.
             */
            enrollmentId?: string;
            /** @description Why the contact, which is stored, was not enrolled in the campaign that the import or the row names. */
            notEnrolled?: string;
            error?: string;
        };
        /** ImportStarted */
        ImportStarted: {
            /** Format: uuid */
            importId: string;
        };
        /** InvalidImport */
        InvalidImport: {
            /** @description Describes the fault and names the field. */
            error: string;
            /**
             * Format: uuid
             * @description Of the failed import.
             */
            importId?: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
            /** @description All that is wrong with the request, one by one. */
            errors: components["schemas"]["Problem"][];
        };
        /** InvalidRequest */
        InvalidRequest: {
            /** @description Describes the fault and names the field. */
            error: string;
            /** @description The id of the request, as in `X-Request-Id` and the logs. A replay repeats the first one. */
            requestId: string;
            /** @description All that is wrong with the request, one by one. */
            errors: components["schemas"]["Problem"][];
        };
        /** ListedCall */
        ListedCall: {
            /** Format: uuid */
            callRequestId: string;
            /**
             * Format: uuid
             * @description The contact that is called.
             */
            contactId: string;
            /**
             * Format: uuid
             * @description The voice agent that talks.
             */
            agentId: string;
            /**
             * Format: uuid
             * @description The enrollment that dials the call; null if the call was triggered.
             */
            enrollmentId: string | null;
            /**
             * Format: date-time
             * @description When the call was accepted; lists are in this order.
             * @example 2026-11-20T14:00:00.000Z
             */
            acceptedAt: string;
            /**
             * @description The state of the call: `scheduled` (waits for its time), `queued` (is due and waits to be dialed), `dialing` (claimed by a worker, which dials it once), `in_progress` (accepted by the carrier and not ended), `dial_unknown` (perhaps dialed; never dialed again), `completed` (answered and ended), `no_answer` (dialed and not answered), `busy` (dialed, and the line was busy), `voicemail` (answered by a voicemail), `failed` (claimed, and the dial or the call failed), `blocked` (refused by a guardrail and not dialed), `expired` (not dialed before it expired), `canceled` (canceled by the team, or its contact was erased, and not dialed).
             * @enum {string}
             */
            status: "scheduled" | "queued" | "dialing" | "in_progress" | "dial_unknown" | "completed" | "no_answer" | "busy" | "voicemail" | "failed" | "blocked" | "expired" | "canceled";
            /** @description The code of why the call ended without a conversation, or is in `dial_unknown`. */
            reason: string | null;
            /**
             * Format: date-time
             * @description The instant at which the call is or was due.
             * @example 2026-11-20T14:00:00.000Z
             */
            runsAt: string;
            /**
             * Format: date-time
             * @description When the call expires if it is not dialed before.
             * @example 2026-11-20T14:00:00.000Z
             */
            expiresAt: string;
            /**
             * @description The number to call; after the erasure of its contact, `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description The number that the call was dialed from; null before the dial.
             * @example +14155552671
             */
            callerId: string | null;
            /**
             * Format: date-time
             * @description When the call was answered, if the carrier reports it.
             * @example 2026-11-20T14:00:00.000Z
             */
            answeredAt: string | null;
            /**
             * Format: date-time
             * @description When the call ended, dialed or not.
             * @example 2026-11-20T14:00:00.000Z
             */
            endedAt: string | null;
            /** @description Seconds talked, if the carrier reports them. */
            durationSeconds: number | null;
            /** @description The rendered template; null before the dial. */
            firstMessage: string | null;
            result: components["schemas"]["CallResult"];
            /** @description Placeholders of the templates without a value. */
            unknownPlaceholders: string[];
        };
        /** ListedCallPage */
        ListedCallPage: {
            items: components["schemas"]["ListedCall"][];
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** NumbersAdded */
        NumbersAdded: {
            /** @description The numbers that were not on the list before. */
            added: number;
            /** @description Items that are not valid numbers; all others are on the list. */
            rejected: components["schemas"]["RejectedNumber"][];
        };
        /** OptedOutContact */
        OptedOutContact: {
            /**
             * Format: uuid
             * @description Null where the team has no contact of the number.
             */
            contactId: string | null;
            /**
             * @description The number that was added to the Do Not Call list; after the erasure of its contact, `erased:` and a hash.
             * @example +14155552671
             */
            phoneNumber: string;
            name: string | null;
            email: string | null;
            companyName: string | null;
            companyWebsite: string | null;
            timezone: string | null;
            customProperties: {
                [key: string]: unknown;
            } | null;
            /** @description Of the entry on the list. */
            reason: string | null;
        };
        /** OwnKey */
        OwnKey: {
            /** Format: uuid */
            teamId: string;
            teamName: string;
            keyName: string;
            /** @description What the key may do. */
            scopes: ("calls" | "contacts" | "enrollments" | "campaigns" | "suppressions" | "webhooks" | "imports" | "read")[];
            limits: components["schemas"]["OwnLimits"];
        };
        /** OwnLimits */
        OwnLimits: {
            /** @description Requests a second with this key; null is no limit. */
            apiRequestsPerSecond: number | null;
            /** @description Calls in a calendar month, UTC. Null: no limit, also for the other limits. */
            monthlyCallLimit: number | null;
            /** @description Processed calls to one number in rolling 24 hours. */
            numberDailyLimit: number | null;
            /** @description Processed calls to one number in rolling 7 days. */
            numberWeeklyLimit: number | null;
            /** @description Processed calls to one number in rolling 30 days. */
            numberMonthlyLimit: number | null;
            /** @description Active calls at a time. Further due calls wait until one has ended. */
            maxConcurrentCalls: number | null;
            /** @description Calls of this month that count; null without a limit. */
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
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** Problem */
        Problem: {
            /** @description The field, query parameter or header, with the way to it: `definition.steps[1].key`; empty for the request as a whole. */
            path: string;
            /** @description A sentence that names the path as well. */
            message: string;
        };
        /** RejectedNumber */
        RejectedNumber: {
            /** @description The item as it was sent, truncated; JSON if it is not a string. */
            phoneNumber: string;
            /** @description Why the item is not a valid number; names it, such as `phoneNumbers[3]`. */
            error: string;
        };
        /** ReplayEvents */
        ReplayEvents: {
            /**
             * @description The events after this sequence are sent; 0: all that are kept.
             * @example 4711
             */
            after: number;
            /**
             * @description The last sequence; absent: the newest.
             * @example 4720
             */
            until?: number;
        };
        /** ReplayedEvents */
        ReplayedEvents: {
            /** @description Deliveries that are due now. */
            deliveries: number;
            /** @description Where the next replay begins, after 10000 events; null: every event was looked at. */
            nextAfter: number | null;
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
            /** @description Of `step` and `dial`: the key. */
            step?: string;
            /** @description Of `dial`: counts the calls of the enrollment. */
            seq?: number;
            /** @description Of `dial`: whether the result of a call requested it. */
            callback?: boolean;
            /**
             * Format: uuid
             * @description Of `dial`, `call` and `result`.
             */
            callRequestId?: string;
            /**
             * Format: uuid
             * @description Of `version`: the one that it was moved to.
             */
            versionId?: string;
            /** @description Of `result`: whether it reaches the goal of its step. */
            goal?: boolean;
            /** @description Of `result`. */
            optOut?: boolean;
            /**
             * Format: date-time
             * @description Of `result`: when a callback was requested for.
             * @example 2026-11-20T14:00:00.000Z
             */
            callbackAt?: string | null;
            /** @description Of `call`: the status of the call; of `ended`: the status of the enrollment. */
            status?: string;
            /**
             * @description Of `deferred` and `held`.
             * @enum {string}
             */
            waitingFor?: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "paused" | "pacing" | "concurrency" | "caller_id" | "carrier" | "in_call" | "result" | "outcome";
            /**
             * Format: date-time
             * @description Of `deferred` and `held`: the next attempt as known then.
             * @example 2026-11-20T14:00:00.000Z
             */
            until?: string | null;
            /**
             * @description Of `ended`.
             * @enum {string}
             */
            endReason?: "goal" | "reached" | "no_response" | "suppressed" | "manual" | "contact_deleted" | "lifetime" | "archived" | "caps" | "not_dialable";
        };
        /** TriggerCall */
        TriggerCall: {
            /**
             * @description Number to call, preferably in E.164; the national form needs the team’s default country.
             * @example +14155552671
             */
            phoneNumber: string;
            /**
             * @description Full name of the contact.
             * @example Ada Lovelace
             */
            fullName?: string | null;
            /** @description Alias of `fullName`, which wins where both are sent. */
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
             * @description IANA time zone of the contact, which decides the calling hours. Without it, the contact’s stored zone applies, else the agent’s.
             * @example America/New_York
             */
            timezone?: string | null;
            /**
             * @description Caller ID: an active, outbound-enabled number of the team. `numberPoolId` takes precedence.
             * @example +14155550100
             */
            fromPhoneNumber?: string | null;
            /** @description Not needed. Where it is sent, it must be the team of the API key. */
            teamId?: (string | null) | string;
            /** @description Pool to pick the caller ID from; it takes precedence over every other source. */
            numberPoolId?: (string | null) | string;
        } & {
            [key: string]: unknown;
        };
        /** UpdateWebhookEndpoint */
        UpdateWebhookEndpoint: {
            /**
             * @description Where events are sent: an `https://` URL that does not lead into a private network.
             * @example https://example.com/outdial
             */
            url?: string;
            /**
             * @description The types of events that it gets; null for all.
             * @example [
             *       "call.ended",
             *       "call.result"
             *     ]
             */
            types?: ("call.scheduled" | "call.started" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "import.finished")[] | null;
            /**
             * @description A text of your own.
             * @example CRM
             */
            description?: string | null;
            /** @description A disabled endpoint gets no events. Enabling it sends the deliveries that were pending. */
            disabled?: boolean;
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
            /** @description The windows of local time in which the agent may dial, by the weekday on which they start; null is any time. */
            callingHours: {
                monday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. If `end` is before `start`, the window crosses midnight.
                     * @example 17:00
                     */
                    end: string;
                }[];
                tuesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. If `end` is before `start`, the window crosses midnight.
                     * @example 17:00
                     */
                    end: string;
                }[];
                wednesday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. If `end` is before `start`, the window crosses midnight.
                     * @example 17:00
                     */
                    end: string;
                }[];
                thursday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. If `end` is before `start`, the window crosses midnight.
                     * @example 17:00
                     */
                    end: string;
                }[];
                friday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. If `end` is before `start`, the window crosses midnight.
                     * @example 17:00
                     */
                    end: string;
                }[];
                saturday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. If `end` is before `start`, the window crosses midnight.
                     * @example 17:00
                     */
                    end: string;
                }[];
                sunday?: {
                    /** @example 09:00 */
                    start: string;
                    /**
                     * @description The first minute after the window. If `end` is before `start`, the window crosses midnight.
                     * @example 17:00
                     */
                    end: string;
                }[];
            } | null;
            /** @description Local dates on which no window starts, and into which none reaches. */
            closedDates: string[];
            /** @example +14155552671 */
            outboundPhoneNumber: string | null;
            /** Format: uuid */
            numberPoolId: string | null;
            carrier: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
        };
        /** VoiceAgentPage */
        VoiceAgentPage: {
            items: components["schemas"]["VoiceAgent"][];
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** WebhookDelivery */
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpointId: string;
            /**
             * Format: uuid
             * @description The `id` of the event, and the `webhook-id` of its requests.
             */
            eventId: string;
            /** @description Of the event; 0 for a test. */
            sequence: number;
            /**
             * @description Of the event.
             * @enum {string}
             */
            type: "call.scheduled" | "call.started" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "import.finished" | "webhook.test";
            /**
             * @description `pending`: an attempt is due at `nextAttemptAt`, or under way. `failed`: Outdial makes no further attempt unless a request retries or replays it.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /**
             * Format: date-time
             * @description Null unless it is pending.
             * @example 2026-11-20T14:00:00.000Z
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            lastAttemptAt: string | null;
            /** @description The status of the last answer. */
            responseCode: number | null;
            /** @description The first 1,024 bytes of the last answer. */
            answer: string | null;
            /** @description Why the last attempt had no answer: `timeout`, `unreachable`, `tls`, `reset`, `broken_answer`, `address_not_allowed`, `stopped`, `removed` or `internal`. `stopped`: the worker stopped. `removed`: the event is no longer kept. */
            error: string | null;
            /** @description Of the last attempt. */
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
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** WebhookEndpoint */
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description The types of events that it gets; null for all. */
            types: ("call.scheduled" | "call.started" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "import.finished")[] | null;
            description: string | null;
            disabled: boolean;
            /**
             * @description Why it is disabled: by the team, by its answer 410, or because all attempts of five days failed.
             * @enum {string|null}
             */
            disabledReason: "team" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description The first failed attempt since the last success.
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
            /** @description The `cursor` of the next page; null on the last one. A page may hold fewer items than `limit`. */
            nextCursor: string | null;
        };
        /** WebhookEndpointWithSecret */
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description The types of events that it gets; null for all. */
            types: ("call.scheduled" | "call.started" | "call.ended" | "call.unknown" | "call.result" | "enrollment.created" | "enrollment.ended" | "contact.opted_out" | "campaign.paused" | "campaign.resumed" | "import.finished")[] | null;
            description: string | null;
            disabled: boolean;
            /**
             * @description Why it is disabled: by the team, by its answer 410, or because all attempts of five days failed.
             * @enum {string|null}
             */
            disabledReason: "team" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description The first failed attempt since the last success.
             * @example 2026-11-20T14:00:00.000Z
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T14:00:00.000Z
             */
            createdAt: string;
            /** @description What its events are signed with; shown this once. */
            secret: string;
        };
        /**
         * WhyNot
         * @description Why it is not dialed now, decided at the read; null where it is dialed next, moves on, or has ended.
         */
        WhyNot: {
            /** @enum {string} */
            rule: "COUNTRY_NOT_ALLOWED" | "NOT_WHITELISTED" | "PLAN_LIMIT" | "NUMBER_LIMIT_DAILY" | "NUMBER_LIMIT_WEEKLY" | "NUMBER_LIMIT_MONTHLY" | "DO_NOT_CALL" | "RECENTLY_CALLED" | "ALREADY_SCHEDULED" | "after" | "retry" | "callback" | "hours" | "caps" | "number_busy" | "paused" | "pacing" | "concurrency" | "caller_id" | "carrier" | "in_call" | "result" | "outcome";
            /** @description What the rule goes by; its keys depend on the rule. */
            evidence: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The next instant at which it is dialed if nothing changes; null where only a change, a call or a report helps.
             * @example 2026-11-20T14:00:00.000Z
             */
            retryAt: string | null;
        } | null;
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
            query?: never;
            header?: {
                /**
                 * @description A text of your own, quoted or bare. For 24 hours the same key with the same request returns the first answer again, and does nothing; with another request it is refused. Successes and refusals by a guardrail are kept.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The voice agent. */
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
            query?: never;
            header?: never;
            path: {
                /** @description The voice agent. */
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
            /** @description What the trigger would do now. */
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
                /** @description Only calls to this number, in any spelling. Calls of an erased contact are found, too. */
                phoneNumber?: string;
                /** @description Only calls of this voice agent. */
                agentId?: string;
                /** @description Only calls that this campaign dials. */
                campaignId?: string;
                /** @description Only calls to this contact. */
                contactId?: string;
                /** @description Only calls accepted at this instant or later. */
                acceptedFrom?: string;
                /** @description Only calls accepted before this instant. */
                acceptedTo?: string;
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
                /** @description Only calls to this number, in any spelling. Calls of an erased contact are found, too. */
                phoneNumber?: string;
                /** @description Only calls of this voice agent. */
                agentId?: string;
                /** @description Only calls that this campaign dials. */
                campaignId?: string;
                /** @description Only calls to this contact. */
                contactId?: string;
                /** @description Only calls accepted at this instant or later. */
                acceptedFrom?: string;
                /** @description Only calls accepted before this instant. */
                acceptedTo?: string;
                /** @description `csv` (the default) or `ndjson`. */
                format?: "csv" | "ndjson";
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
                /** @description The `callRequestId` that the trigger returned. */
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
                /** @description The `callRequestId` that the trigger returned. */
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
    reportCallResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `callRequestId` that the trigger returned. */
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
                /** @description The contact of this number, in any spelling. */
                phoneNumber?: string;
                /** @description Only contacts with this e-mail address, as it is stored. */
                email?: string;
                /** @description Only contacts that were created or changed at this instant or later. */
                updatedSince?: string;
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
                 * @description A text of your own, quoted or bare. For 24 hours the same key with the same request returns the first answer again, and does nothing; with another request it is refused. Successes and refusals by a guardrail are kept.
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
                 * @description A text of your own, quoted or bare. For 24 hours the same key with the same request returns the first answer again, and does nothing; with another request it is refused. Successes and refusals by a guardrail are kept.
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
                /** @description The contact of this number, in any spelling. */
                phoneNumber?: string;
                /** @description Only contacts with this e-mail address, as it is stored. */
                email?: string;
                /** @description Only contacts that were created or changed at this instant or later. */
                updatedSince?: string;
                /** @description `csv` (the default) or `ndjson`. */
                format?: "csv" | "ndjson";
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
                /** @description The contact. */
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
                /** @description The contact. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is erased. */
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
                /** @description The contact. */
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
    exportContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact. */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person’s data. */
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
                status?: "staging" | "running" | "finished" | "canceled" | "failed";
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
                /** @description Active campaign to enroll the contacts in, unless a row has a `campaignId`. */
                campaignId?: string;
                /** @description `current` (the default), `draft` or the id of a version of the campaign. */
                version?: string;
                /** @description `upsert` (the default) updates contacts that the team has; with `create`, their rows are errors. */
                mode?: "create" | "upsert";
            };
            header?: {
                /**
                 * @description A text of your own, quoted or bare. For 24 hours the same key with the same request returns the first answer again, and does nothing; with another request it is refused. Successes and refusals by a guardrail are kept.
                 * @example order-4711-reminder-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["ContactFields"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description The file is stored; the worker processes it. */
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
                /** @description The import. */
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
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getImportResults: {
        parameters: {
            query?: {
                /** @description Whether to return only rows with an error. */
                failed?: boolean;
            };
            header?: never;
            path: {
                /** @description The import. */
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
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import. */
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
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    listEnrollments: {
        parameters: {
            query?: {
                /** @description Only of this contact. */
                contactId?: string;
                /** @description Only in this campaign. */
                campaignId?: string;
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollments; none is an empty list. */
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
                 * @description A text of your own, quoted or bare. For 24 hours the same key with the same request returns the first answer again, and does nothing; with another request it is refused. Successes and refusals by a guardrail are kept.
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
                /** @description The enrollment. */
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
                /** @description The enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, paused. */
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
                /** @description The enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, active. */
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
                /** @description The enrollment. */
                enrollmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The enrollment, exited. */
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
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
    getCampaignByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign. */
                campaignId: string;
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
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events with a higher `sequence`; 0 begins with the oldest that is kept. */
                after?: number;
                /** @description Only events of these types, with commas between them. */
                types?: string;
                /** @description How many items at most. */
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
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
            /** @description The numbers are on the list, except the rejected ones. */
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
    removeFromDoNotCallByKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The number, in E.164. */
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
    listVoiceAgentsByKey: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
    listPhoneNumbersByKey: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
            /** @description The endpoint, changed. */
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
            /** @description The delivery of the test. */
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
                /** @description Only deliveries in this state. */
                status?: "pending" | "delivered" | "failed";
                /** @description How many items at most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
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
            /** @description The deliveries are due. */
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
            /** @description The delivery, pending. */
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
}
