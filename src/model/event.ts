import { z } from 'zod';
import type { Evidence, MetricId } from './due-diligence.ts';
import type { EdgeType, GraphEdge } from './graph.ts';

/** What is told of an organization. */
export const eventTypeSchema = z
  .enum([
    'repository.loaded',
    'repository.failed',
    'grade.changed',
    'findings.appeared',
    'findings.gone',
    'edges.changed',
    'report.succeeded',
    'report.failed',
    'api_key.used_from_new_place',
    'quota.near',
    'plan.changed',
    'webhook_endpoint.disabled',
  ])
  .meta({ id: 'EventType' });
export type EventType = z.infer<typeof eventTypeSchema>;

/** Findings of one metric that a load has and the one before had not, or the other way round. */
interface FindingsData {
  repository: string;
  run_id: string;
  metric: MetricId;
  /** So many at least where it is not `complete`. */
  total: number;
  complete: boolean;
  /** The first of them. */
  findings: Pick<Evidence, 'path' | 'line' | 'note'>[];
}

/** Edges inside a repository that one of two loads has and the other has not. */
export interface EdgeList {
  total: number;
  by_type: Partial<Record<EdgeType, number>>;
  /** The first ten of each type. */
  edges: Pick<GraphEdge, 'type' | 'from' | 'to'>[];
}

/** What a load changed of the edges inside its repository. */
export interface EdgeChanges {
  appeared: EdgeList;
  gone: EdgeList;
}

/** What each of them says. */
export interface EventData {
  'repository.loaded': { repository: string; commit: string | null; run_id: string | null; grade: string | null };
  'repository.failed': { repository: string; commit: string | null; run_id: string; error: string };
  'grade.changed': { repository: string; run_id: string; from: string; to: string };
  'findings.appeared': FindingsData;
  'findings.gone': FindingsData;
  'edges.changed': EdgeChanges & {
    repository: string;
    run_id: string;
    /** Commits of the load before and of this one; null where there is none. */
    from: string | null;
    to: string | null;
  };
  'report.succeeded': { report_id: string; type: string; format: string };
  'report.failed': { report_id: string; type: string; format: string; code: string };
  'api_key.used_from_new_place': {
    key_id: string;
    prefix: string;
    member_id: string;
    network: string;
    program: string;
  };
  'quota.near': {
    /** YYYY-MM, UTC. */
    period: string;
    plan_id: string;
    /** 80 or 100: so much of the included credits at least. */
    percent: number;
    credits_used: number;
    included_credits: number;
  };
  'plan.changed': { from: string; to: string };
  'webhook_endpoint.disabled': { endpoint_id: string; url: string; reason: 'gone' | 'failing' };
}

/** What tells of members: for owners and admins. */
export const adminEvents: readonly EventType[] = ['api_key.used_from_new_place'];
