import './lower-priority.js';
import { parentPort, workerData } from 'node:worker_threads';
import { Packs } from '../../compliance/packs/packs.service.js';
import { forecast } from '../../domain/campaigns/forecast/forecast.js';
import { madeUpEnrollments } from '../../domain/campaigns/forecast/made-up.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { useZoneData } from '../../domain/zones/time-zone.js';
import { ZoneData } from '../../domain/zones/zone-data.js';
import { type FromThread, type ThreadData, type ToThread } from './messages.js';
import { type ForecastRow } from './forecast.sql.js';
import { enrollmentOf } from './rows.js';

/*
 * The entry of the thread that plays one forecast, so that the event loop of the API is not blocked. It does
 * not use the database: the API sends it the enrollments, page by page.
 */

const { scene, contacts, law: of, zones } = workerData as ThreadData;
if (zones !== null) useZoneData(new ZoneData(zones));
const law = { ...of, packs: new PackIndex(new Packs(() => of.packs)) };
const enrollments = contacts === null ? [] : madeUpEnrollments(scene, contacts);

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'page':
      for (const [index, row] of (JSON.parse(message.rows) as ForecastRow[]).entries())
        enrollments.push(enrollmentOf(row, scene, law, message.erased?.[index]));
      return tell({ kind: 'taken' });
    case 'play':
      return tell({ kind: 'played', forecast: forecast(scene, enrollments) });
  }
});
