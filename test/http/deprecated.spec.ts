import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { notFound } from '../../src/http/app-error.js';
import { Deprecated } from '../../src/http/deprecated.decorator.js';
import { ErrorFilter } from '../../src/http/error.filter.js';
import { buildDocument } from '../../src/http/openapi/document.js';
import { documented } from '../../src/http/openapi/operation.js';

@Controller('things')
class ThingsController {
  @Get('old')
  @Deprecated({ since: '2027-01-31', until: '2027-07-31' })
  old(): object {
    return {};
  }

  @Get('gone')
  @Deprecated({ since: '2027-01-31', until: '2027-07-31' })
  gone(): object {
    throw notFound('Thing');
  }

  @Get('new')
  current(): object {
    return {};
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const HEADERS = { deprecation: '@1801353600', sunset: 'Sat, 31 Jul 2027 00:00:00 GMT' };

let app: NestExpressApplication;

beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(ThingsModule, { logger: false });
  app.useGlobalFilters(new ErrorFilter());
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

const get = (path: string) => supertest(app.getHttpServer()).get(`/things/${path}`);

test('a deprecated route has the dates of its deprecation and its end, also in an error', async () => {
  expect((await get('old').expect(200)).headers).toMatchObject(HEADERS);
  expect((await get('gone').expect(404)).headers).toMatchObject(HEADERS);
  const { headers } = await get('new').expect(200);
  expect([headers.deprecation, headers.sunset]).toEqual([undefined, undefined]);
});

test('the document marks it', () => {
  const operation = (id: string) => ({ id, summary: id, success: { description: 'Done.' } });
  const about = documented(
    ThingsController,
    { surface: 'public', tag: 'Things' },
    { old: operation('old'), gone: operation('gone'), current: operation('current') },
  );
  const info = { title: 'Things', version: '1.0.0', description: '' };
  const { paths } = buildDocument([about], { info, servers: [], tags: [], 'x-tagGroups': [] });
  const marked = Object.entries(paths).map(([path, item]) => [path, item.get?.deprecated]);
  expect(marked).toEqual([
    ['/things/old', true],
    ['/things/gone', true],
    ['/things/new', undefined],
  ]);
});
