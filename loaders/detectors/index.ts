import type { Detector } from './detector.ts';
import { activeRecord } from './active-record.ts';
import { actix } from './actix.ts';
import { aspnet } from './aspnet.ts';
import { axum } from './axum.ts';
import { chi } from './chi.ts';
import { django } from './django.ts';
import { djangoModels } from './django-models.ts';
import { drizzle } from './drizzle.ts';
import { echo } from './echo.ts';
import { eloquent } from './eloquent.ts';
import { entityFramework } from './entity-framework.ts';
import { express } from './express.ts';
import { fastapi } from './fastapi.ts';
import { fastify } from './fastify.ts';
import { flask } from './flask.ts';
import { gin } from './gin.ts';
import { gorm } from './gorm.ts';
import { graphql } from './graphql.ts';
import { ecmascriptRequests, goRequests, javaRequests, pythonRequests } from './http-clients.ts';
import { jaxRs } from './jax-rs.ts';
import { jpa } from './jpa.ts';
import { jsonSchema } from './json-schema.ts';
import { koa } from './koa.ts';
import { laravel } from './laravel.ts';
import { mongoose } from './mongoose.ts';
import { nestjs } from './nestjs.ts';
import { netHttp } from './net-http.ts';
import { next } from './next.ts';
import { openapi } from './openapi.ts';
import { prisma } from './prisma.ts';
import { protobuf } from './protobuf.ts';
import { pydantic } from './pydantic.ts';
import { rails } from './rails.ts';
import { sequelize } from './sequelize.ts';
import { spring } from './spring.ts';
import { sqlDdl } from './sql-ddl.ts';
import { sqlalchemy } from './sqlalchemy.ts';
import { typeorm } from './typeorm.ts';

/** Every detector of endpoints and data models; where two find the same, the first counts. */
export const detectors: readonly Detector[] = [
  nestjs,
  next,
  fastify,
  koa,
  express,
  fastapi,
  flask,
  django,
  spring,
  jaxRs,
  gin,
  echo,
  chi,
  netHttp,
  rails,
  laravel,
  aspnet,
  axum,
  actix,
  openapi,
  prisma,
  typeorm,
  sequelize,
  mongoose,
  drizzle,
  sqlalchemy,
  djangoModels,
  pydantic,
  jpa,
  gorm,
  activeRecord,
  eloquent,
  entityFramework,
  protobuf,
  graphql,
  sqlDdl,
  jsonSchema,
  ecmascriptRequests,
  pythonRequests,
  goRequests,
  javaRequests,
];

const byId = new Map(detectors.map((detector) => [detector.id, detector]));

/** The detector with this id, as detections name it. */
export function detectorById(id: string): Detector | null {
  return byId.get(id) ?? null;
}

const formats = detectors.filter(({ files }) => files !== undefined);
const byLanguage = new Map<string, Detector[]>();
for (const detector of detectors)
  if (!detector.files)
    for (const language of detector.languages)
      byLanguage.set(language, [...(byLanguage.get(language) ?? []), detector]);

/** The detectors of a file's language, and of files that have such a path. */
export function detectorsFor(language: string | null, path: string): Detector[] {
  const placed = formats.filter(({ files }) => files?.test(path));
  return [...placed, ...((language !== null && byLanguage.get(language)) || [])];
}

/** Whether a file that is no source file is read for what it declares. */
export function isSchema(path: string): boolean {
  return formats.some(({ languages, files }) => languages.length === 0 && files?.test(path));
}
