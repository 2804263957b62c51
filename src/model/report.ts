import type { UsageSum } from './usage.ts';
import { z } from 'zod';

export const reportStatusSchema = z
  .enum(['pending', 'running', 'succeeded', 'failed', 'expired'])
  .meta({ id: 'ReportStatus' });
export type ReportStatus = z.infer<typeof reportStatusSchema>;

export const reportFormatSchema = z.enum(['json', 'csv', 'csv_zip', 'markdown']).meta({
  id: 'ReportFormat',
  description: 'csv is one table of all sections, csv_zip a ZIP of one CSV file a section.',
});
export type ReportFormat = z.infer<typeof reportFormatSchema>;

/** What a member asks for. */
export interface ReportRequest {
  type: string;
  name: string | null;
  format: ReportFormat;
  parameters: Record<string, unknown>;
}

/** A report that was asked for, whatever became of it. */
export interface Report extends ReportRequest {
  id: string;
  organization_id: string;
  status: ReportStatus;
  /** 0 to 1. */
  progress: number;
  /** While it can be fetched, and afterwards. */
  result: { content_type: string; size_bytes: number; sha256: string } | null;
  error: { code: string; message: string } | null;
  /** Id of the member. */
  created_by: string;
  /** RFC 3339, UTC. */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  expires_at: string | null;
}

/** Calls and credits of one operation on one day. */
export type DailyUsage = UsageSum<'day' | 'product' | 'operation'>;
