import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { BullBoardModule, type BullBoardModuleOptions } from '@bull-board/nestjs';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { BULL_BOARD_INSTANCE, type BullBoardInstance } from '@bull-board/nestjs';
import { type Queue } from 'bullmq';
import { AuditService } from '../../audit/audit.service.js';
import { Config } from '../../config/config.js';
import { CallQueue } from '../../queue/call-queue.js';
import { QueueModule } from '../../queue/queue.module.js';
import { OperationsAccessModule } from '../access/operations-access.module.js';
import { OperationsAccess } from '../access/operations-access.service.js';
import { auditChanges, handBodyOn, requireOperationsAccess, whileRedisAnswers } from './board-middleware.js';
import { callOf, jobData, jobName, type ShownJob } from './job-labels.js';

const SYSTEM_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, monospace';

/** The board is an Express application of its own. By default, it would send `X-Powered-By`. */
class NamelessAdapter extends ExpressAdapter {
  constructor() {
    super();
    this.app.disable('x-powered-by');
  }
}

/**
 * Bull Board at `/admin/queues`. In come requests of operators; out go the queues as BullMQ has them.
 * No tables: it reads and changes jobs in Redis, and
 * each change is in the audit log. Only the API process imports it.
 */
@Module({
  imports: [
    QueueModule,
    BullBoardModule.forRootAsync({
      imports: [OperationsAccessModule, QueueModule],
      inject: [OperationsAccess, CallQueue, AuditService, Config],
      useFactory: (
        access: OperationsAccess,
        queue: CallQueue,
        audit: AuditService,
        { bullBoardReadOnly }: Config,
      ): BullBoardModuleOptions => ({
        route: '/admin/queues',
        adapter: NamelessAdapter,
        middleware: [
          requireOperationsAccess(access),
          whileRedisAnswers(queue),
          handBodyOn,
          auditChanges(audit, bullBoardReadOnly),
        ],
        boardOptions: {
          uiConfig: {
            boardTitle: 'Outdial queue',
            hideDocsLink: true,
            miscLinks: [{ text: 'Platform', url: '/platform' }],
            theme: {
              light: { 'font-sans': SYSTEM_FONT, 'font-mono': MONOSPACE },
              dark: { 'font-sans': SYSTEM_FONT, 'font-mono': MONOSPACE },
            },
          },
        },
      }),
    }),
  ],
})
export class BoardModule implements OnModuleInit {
  constructor(
    @Inject(BULL_BOARD_INSTANCE) private readonly board: BullBoardInstance,
    private readonly queue: CallQueue,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    for (const [index, queue] of this.queue.queues.entries()) this.show(queue, index === 0);
  }

  private show(queue: Queue, due: boolean): void {
    const adapter = new BullMQAdapter(queue, {
      readOnlyMode: this.config.bullBoardReadOnly,
      displayName: due ? 'Calls' : `Calls: ${queue.name}`,
      description: due
        ? 'Wake-ups of calls. The truth about a call is its record.'
        : 'Wake-ups of due calls. They wait because their carrier has a calls-per-second limit.',
      externalJobUrl: (job) => callOf(job),
    });
    adapter.setFormatter('name', (job: ShownJob) => jobName(job));
    adapter.setFormatter('data', jobData);
    this.board.addQueue(adapter);
  }
}
