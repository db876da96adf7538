import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { BullBoardModule, type BullBoardModuleOptions } from '@bull-board/nestjs';
import { getQueueToken } from '@nestjs/bullmq';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { BULL_BOARD_INSTANCE, type BullBoardInstance } from '@bull-board/nestjs';
import { type Queue } from 'bullmq';
import { Config } from '../../config/config.js';
import { CALL_PRODUCER, CallQueue } from '../../queue/call-queue.js';
import { QueueModule } from '../../queue/queue.module.js';
import { StaffAccessModule } from '../staff/staff-access.module.js';
import { StaffAccess } from '../staff/staff-access.service.js';
import { handBodyOn, staffOnly, whileRedisAnswers } from './board-middleware.js';
import { callOf, jobData, jobName, type ShownJob } from './job-words.js';

const SYSTEM_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, monospace';

/** Bull Board at `/admin/queues`: the queue as BullMQ has it, for staff. Only the API process imports it. */
@Module({
  imports: [
    QueueModule,
    BullBoardModule.forRootAsync({
      imports: [StaffAccessModule, QueueModule],
      inject: [StaffAccess, CallQueue],
      useFactory: (access: StaffAccess, queue: CallQueue): BullBoardModuleOptions => ({
        route: '/admin/queues',
        adapter: ExpressAdapter,
        middleware: [staffOnly(access), whileRedisAnswers(queue), handBodyOn],
        boardOptions: {
          uiConfig: {
            boardTitle: 'Outdial queue',
            hideDocsLink: true,
            miscLinks: [{ text: 'Operations', url: '/admin' }],
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
    @Inject(getQueueToken(CALL_PRODUCER)) private readonly queue: Queue,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    const adapter = new BullMQAdapter(this.queue, {
      readOnlyMode: this.config.bullBoardReadOnly,
      displayName: 'Calls',
      description: 'Wake-ups of calls. The truth about a call is its record.',
      externalJobUrl: (job) => callOf(job),
    });
    adapter.setFormatter('name', (job: ShownJob) => jobName(job));
    adapter.setFormatter('data', jobData);
    this.board.addQueue(adapter);
  }
}
