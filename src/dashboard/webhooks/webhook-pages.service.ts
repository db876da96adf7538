import { Injectable } from '@nestjs/common';
import {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
} from '../../events/webhooks/webhook-endpoint.dto.js';
import { ReplayEvents, type ReplayedEvents } from '../../events/webhooks/replay.dto.js';
import { WebhookDeliveriesService } from '../../events/webhooks/webhook-deliveries.service.js';
import { WebhookEndpointsService } from '../../events/webhooks/webhook-endpoints.service.js';
import { problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { errorsOfRefusal, fieldErrors, type FieldErrors } from '../frame/form-errors.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';
import { ENDPOINT_LABELS, NEW_ENDPOINT, type TypedEndpoint } from './endpoint-form.view.js';
import { endpointPage } from './endpoint.view.js';
import { RANGE_LABELS, type TypedRange, type TypedReplay } from './replay-form.view.js';
import { webhooksPage } from './webhooks.view.js';

/** A team has at most 20 endpoints. */
const LISTED = 100;
const DELIVERIES_A_PAGE = 50;

/** A team's webhook endpoints, and one of them with its deliveries. */
@Injectable()
export class WebhookPagesService {
  constructor(
    private readonly frames: PageFrame,
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  async list(request: PageRequest, teamId: string): Promise<PageElement> {
    return this.listed(request, teamId, { typed: NEW_ENDPOINT, errors: {}, created: null });
  }

  /** Adds an endpoint. The page that answers is the only one that shows its secret. */
  async create(
    request: PageRequest,
    teamId: string,
    typed: TypedEndpoint,
  ): Promise<PageElement | RefusedPage> {
    const read = validateBody(CreateWebhookEndpoint, bodyOf(typed), { nulls: 'keep' });
    const made = await this.tried(typed, read.ok ? {} : fieldErrors(problemsOf(read), ENDPOINT_LABELS), () =>
      this.endpoints.create(teamId, bodyOf(typed)),
    );
    if ('errors' in made)
      return new RefusedPage(
        await this.listed(request, teamId, { typed, errors: made.errors, created: null }),
      );
    return this.listed(request, teamId, { typed: NEW_ENDPOINT, errors: {}, created: made.value });
  }

  /** @throws AppError `NOT_FOUND`. */
  async page(request: PageRequest, teamId: string, id: string): Promise<PageElement | RefusedPage> {
    const endpoint = await this.endpoints.get(teamId, id);
    const { frame, page } = await this.shown(request, teamId, endpoint, { errors: {} });
    return answerOf(frame, page);
  }

  /** @returns null: it is changed. @throws AppError `NOT_FOUND`. */
  async change(
    request: PageRequest,
    teamId: string,
    id: string,
    typed: TypedEndpoint,
  ): Promise<RefusedPage | null> {
    const endpoint = await this.endpoints.get(teamId, id);
    const read = validateBody(UpdateWebhookEndpoint, bodyOf(typed), { nulls: 'keep' });
    const changed = await this.tried(
      typed,
      read.ok ? {} : fieldErrors(problemsOf(read), ENDPOINT_LABELS),
      () => this.endpoints.update(teamId, id, bodyOf(typed)),
    );
    if (!('errors' in changed)) return null;
    const { page } = await this.shown(request, teamId, endpoint, { typed, errors: changed.errors });
    return new RefusedPage(page);
  }

  /** @throws AppError `NOT_FOUND`. */
  async setDisabled(teamId: string, id: string, disabled: boolean): Promise<void> {
    await this.endpoints.update(teamId, id, { disabled } as UpdateWebhookEndpoint);
  }

  /** The page that answers is the only one that shows the new secret. @throws AppError `NOT_FOUND`. */
  async rotate(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const { secret, ...endpoint } = await this.endpoints.rotateSecret(teamId, id);
    const rotated = { ...endpoint, secret };
    return (await this.shown(request, teamId, endpoint, { errors: {}, rotated })).page;
  }

  /** @throws AppError `NOT_FOUND`. */
  remove(teamId: string, id: string): Promise<void> {
    return this.endpoints.remove(teamId, id);
  }

  /** @returns the id of the delivery. @throws AppError `NOT_FOUND`; `CONFLICT` for an endpoint that is disabled. */
  async test(teamId: string, id: string): Promise<string> {
    return (await this.deliveries.test(teamId, id)).id;
  }

  /**
   * Sends kept events again, or says what is wrong with the range.
   *
   * @returns what was done; or the page with the form again. @throws AppError `NOT_FOUND`.
   */
  async replay(
    request: PageRequest,
    teamId: string,
    id: string,
    range: TypedRange,
  ): Promise<ReplayedEvents | RefusedPage> {
    const endpoint = await this.endpoints.get(teamId, id);
    const refused = async (errors: FieldErrors) =>
      new RefusedPage(
        (await this.shown(request, teamId, endpoint, { errors: {}, replay: { range, errors } })).page,
      );
    if (range.after.trim() === '')
      return refused({ after: 'Enter the number of an event, or 0 for all kept events.' });
    const read = validateBody(ReplayEvents, rangeOf(range), { nulls: 'keep' });
    if (!read.ok) return refused(fieldErrors(problemsOf(read), RANGE_LABELS));
    try {
      return await this.deliveries.replay(teamId, id, read.value);
    } catch (error) {
      return refused(errorsOfRefusal(error, RANGE_LABELS));
    }
  }

  /** Makes a change that has no faults of its own, and returns why it was refused. */
  private async tried<T>(
    { url, which, types }: TypedEndpoint,
    found: FieldErrors,
    work: () => Promise<T>,
  ): Promise<{ value: T } | { errors: FieldErrors }> {
    const errors = { ...found };
    if (url.trim() === '') errors.url = 'Enter the URL to which events are sent.';
    if (which === 'some' && types.length === 0)
      errors.types = 'Tick at least one event, or choose all events.';
    if (Object.keys(errors).length > 0) return { errors };
    try {
      return { value: await work() };
    } catch (error) {
      const refused = errorsOfRefusal(error, ENDPOINT_LABELS);
      return {
        errors: Object.keys(refused).every((name) => name === '')
          ? { url: Object.values(refused)[0] ?? '' }
          : refused,
      };
    }
  }

  private async listed(
    request: PageRequest,
    teamId: string,
    form: { typed: TypedEndpoint; errors: FieldErrors; created: WebhookEndpointWithSecret | null },
  ): Promise<PageElement> {
    const [frame, { items: endpoints }] = await Promise.all([
      this.frames.of(request),
      this.endpoints.list(teamId, listPage(LISTED, null)),
    ]);
    return webhooksPage(frame, { endpoints, ...form });
  }

  private async shown(
    request: PageRequest,
    teamId: string,
    endpoint: WebhookEndpointView,
    form: {
      typed?: TypedEndpoint;
      errors: FieldErrors;
      rotated?: WebhookEndpointWithSecret;
      replay?: TypedReplay;
    },
  ) {
    const read = await this.frames.tolerant(request);
    const status = request.parameter('status');
    const [frame, deliveries] = await readOrRefuse(read, null, () => {
      const filters: Record<string, string> = status === null ? {} : { status };
      const page = listPage(DELIVERIES_A_PAGE, request.parameter('cursor'), filters);
      return this.deliveries.list(teamId, endpoint.id, page);
    });
    const { typed = typedOf(endpoint), errors, rotated = null } = form;
    const replay = form.replay ?? {
      range: { after: request.parameter('after') ?? '', until: request.parameter('until') ?? '' },
      errors: {},
    };
    const page = endpointPage(frame, { endpoint, deliveries, status, typed, errors, rotated, replay });
    return { frame, page };
  }
}

function typedOf({ url, description, types }: WebhookEndpointView): TypedEndpoint {
  return {
    url,
    description: description ?? '',
    which: types === null ? 'all' : 'some',
    types: types ?? NEW_ENDPOINT.types,
  };
}

/** The range as the API takes it. What is no whole number is left to be refused by the API's rule. */
function rangeOf({ after, until }: TypedRange) {
  const numberOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text);
  return { after: numberOf(after), ...(until.trim() !== '' && { until: numberOf(until) }) };
}

function bodyOf({ url, description, which, types }: TypedEndpoint) {
  return {
    url: url.trim(),
    description: description.trim() || null,
    types: which === 'all' ? null : [...types],
  };
}
