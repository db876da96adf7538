import { Injectable } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { CallQueue } from '../../queue/call-queue.js';
import { type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { queuesPage } from './queues.view.js';

/** The jobs that wake calls. */
@Injectable()
export class QueuesPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly queue: CallQueue,
  ) {}

  async page(request: PageRequest): Promise<PageElement> {
    const [frame, queues] = await Promise.all([this.frames.of(request), this.queue.queueStates()]);
    return queuesPage(frame, queues);
  }
}
