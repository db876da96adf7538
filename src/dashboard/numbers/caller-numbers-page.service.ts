import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { invalid, type Problem, problemsOf } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { validateBody } from '../../http/validation.js';
import { CreateNumberPool, UpdateNumberPool } from '../../phone-numbers/number-pool.dto.js';
import { NumberPoolsService } from '../../phone-numbers/number-pools.service.js';
import { CreatePhoneNumber, UpdatePhoneNumber } from '../../phone-numbers/phone-number.dto.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { errorsOfRefusal, fieldErrors, type FieldErrors, problemsOfRefusal } from '../frame/form-errors.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type SentFields } from '../frame/sent-fields.js';
import { callerNumbersPage, FLAGS_FIELD } from './caller-numbers.view.js';
import { type PoolBefore, poolFormPage, type TypedPool } from './pool-form.view.js';

const NUMBERS_A_PAGE = 25;
const POOLS_A_PAGE = 20;
/** The most numbers that a form lists to tick. */
const MOST_TICKED = 100;

const LABELS = { phoneNumber: 'The number', name: 'Name', phoneNumbers: 'Numbers' };

interface ShownPool {
  pool: { id: string; name: string } | null;
  typed: TypedPool;
  before: PoolBefore | null;
  errors?: FieldErrors;
}

/** The numbers that a team calls from, and pools of them. */
@Injectable()
export class CallerNumbersPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly numbers: PhoneNumbersService,
    private readonly pools: NumberPoolsService,
  ) {}

  async page(
    request: PageRequest,
    teamId: string,
    refused: { phoneNumber: string; error: string } | null = null,
  ): Promise<PageElement> {
    const frame = await this.frames.of(request);
    const numbers = await this.numbers.list(teamId, listPage(NUMBERS_A_PAGE, request.parameter('cursor')));
    const pools = await this.pools.list(teamId, listPage(POOLS_A_PAGE, request.parameter('pools')));
    return callerNumbersPage({ frame, numbers, pools, refused });
  }

  /** Adds a number. @returns the page if it is refused; null: it is added. */
  async add(request: PageRequest, teamId: string, phoneNumber: string): Promise<RefusedPage | null> {
    try {
      const read = validateBody(CreatePhoneNumber, { phoneNumber });
      if (!read.ok) throw invalid(...problemsOf(read));
      await this.numbers.create(teamId, read.value);
      return null;
    } catch (error) {
      const text = Object.values(errorsOfRefusal(error, LABELS)).join('; ');
      return new RefusedPage(await this.page(request, teamId, { phoneNumber, error: text }));
    }
  }

  /** Sets the two switches of a number. @throws AppError `NOT_FOUND` for the number. */
  async change(teamId: string, id: string, sent: SentFields): Promise<void> {
    const flags = sent.all(FLAGS_FIELD);
    const read = validateBody(UpdatePhoneNumber, {
      active: flags.includes('active'),
      outboundEnabled: flags.includes('outboundEnabled'),
    });
    if (!read.ok) throw invalid(...problemsOf(read));
    await this.numbers.update(teamId, id, read.value);
  }

  newPool(request: PageRequest, teamId: string): Promise<PageElement> {
    return this.form(request, teamId, { pool: null, typed: { name: '', phoneNumbers: [] }, before: null });
  }

  /** @throws AppError `NOT_FOUND` for the pool. */
  async pool(request: PageRequest, teamId: string, id: string): Promise<PageElement> {
    const pool = await this.pools.get(teamId, id);
    const before = { name: pool.name, digest: digestOf(pool.phoneNumbers) };
    return this.form(request, teamId, { pool, typed: pool, before });
  }

  /** @returns the form if it is refused; null: the pool is created. */
  async createPool(request: PageRequest, teamId: string, sent: SentFields): Promise<RefusedPage | null> {
    const typed = typedIn(sent);
    try {
      const read = validateBody(CreateNumberPool, { ...typed });
      if (!read.ok) throw invalid(...problemsOf(read));
      await this.pools.create(teamId, read.value);
      return null;
    } catch (error) {
      return this.refused(request, teamId, { pool: null, typed, before: null }, error);
    }
  }

  /**
   * Changes what was changed in the form.
   *
   * @returns the form if it is refused; null: the pool is changed. @throws AppError `NOT_FOUND` for the pool.
   */
  async savePool(
    request: PageRequest,
    teamId: string,
    id: string,
    sent: SentFields,
  ): Promise<RefusedPage | null> {
    const pool = await this.pools.get(teamId, id);
    const typed = typedIn(sent);
    const before = { name: sent.text('before.name'), digest: sent.text('before.phoneNumbers') };
    const isSameName = typed.name === before.name;
    const areSame = digestOf(typed.phoneNumbers) === before.digest;
    try {
      const read = validateBody(UpdateNumberPool, {
        ...(!isSameName && { name: typed.name }),
        ...(!areSame && { phoneNumbers: typed.phoneNumbers }),
      });
      if (!read.ok) throw invalid(...problemsOf(read));
      await this.pools.update(teamId, id, read.value);
      return null;
    } catch (error) {
      return this.refused(request, teamId, { pool, typed, before }, error);
    }
  }

  private async refused(
    request: PageRequest,
    teamId: string,
    shown: ShownPool,
    error: unknown,
  ): Promise<RefusedPage> {
    const errors = poolErrors(problemsOfRefusal(error), shown.typed);
    return new RefusedPage(await this.form(request, teamId, { ...shown, errors }));
  }

  private async form(request: PageRequest, teamId: string, shown: ShownPool): Promise<PageElement> {
    const [frame, { items, nextCursor }] = await Promise.all([
      this.frames.of(request),
      this.numbers.list(teamId, listPage(MOST_TICKED, null)),
    ]);
    const numbers = items.map(({ phoneNumber, active, outboundEnabled }) => ({
      phoneNumber,
      usable: active && outboundEnabled,
    }));
    return poolFormPage({ errors: {}, ...shown, frame, numbers: nextCursor === null ? numbers : null });
  }
}

/** Ticked numbers are values of their own; typed ones are lines of one value. */
function typedIn(sent: SentFields): TypedPool {
  const phoneNumbers = sent
    .all('phoneNumbers')
    .flatMap((text) => text.split(/[\n,;]+/))
    .map((number) => number.trim())
    .filter((number) => number !== '');
  return { name: sent.text('name'), phoneNumbers };
}

/** A message about an item of the list says which number it is. */
function poolErrors(problems: readonly Problem[], { phoneNumbers }: TypedPool): FieldErrors {
  const faults = problems.flatMap(({ message }) => {
    const [, index, fault = ''] = /^phoneNumbers\[(\d+)\] (.*)$/.exec(message) ?? [];
    return index === undefined ? [] : `“${(phoneNumbers[Number(index)] ?? '').slice(0, 40)}” ${fault}`;
  });
  if (faults.length > 0) return { phoneNumbers: faults.slice(0, 10).join('; ') };
  return fieldErrors(problems, LABELS);
}

const digestOf = (numbers: readonly string[]): string =>
  createHash('sha256')
    .update([...numbers].sort().join(' '))
    .digest('base64url')
    .slice(0, 16);
