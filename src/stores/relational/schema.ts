import type { ColumnType, Generated } from 'kysely';
import type { KeyEnvironment, Origin, Role, Scope, UsageEvent } from '../../model/account.ts';
import type { ReportRequest, ReportStatus } from '../../model/report.ts';
import type { CliPairing, CliRole, CliSession } from '../../model/cli.ts';
import type { BillingRecord } from '../../model/billing.ts';
import type { Change } from '../../model/change.ts';
import type { CheckoutSession } from '../../model/checkout.ts';
import type { Measurements } from '../../model/due-diligence.ts';
import type { EvaluationOutcome } from '../../model/evaluation-outcome.ts';
import type { EventType } from '../../model/event.ts';
import type { Listing } from '../../model/listing.ts';
import type { EvaluationRun } from '../../model/evaluation-run.ts';
import type { MintRun } from '../../model/mint-run.ts';
import type { RepositoryInfo } from '../../model/snapshot.ts';
import type { Difficulty, TaskInstance } from '../../model/task-instance.ts';
import type { PipelineRun } from './port.ts';

/** Read as RFC 3339 in UTC (see database.ts); the server's clock fills it in where nothing is given. */
type Timestamp = ColumnType<string, string | undefined, string>;
type NullableTimestamp = ColumnType<string | null, string | null | undefined, string | null>;

/** The tables that migrations/ makes. */
export interface Schema {
  organization: {
    id: string;
    slug: string;
    name: string;
    created_at: Timestamp;
    checkout_hosts: string[] | null;
    default_role: ColumnType<CliRole, CliRole | undefined, CliRole>;
    default_key_days: number | null;
  };
  member: {
    id: string;
    organization_id: string;
    name: string;
    role: Role;
    subject: string | null;
    created_at: Timestamp;
    removed_at: NullableTimestamp;
  };
  api_key: {
    id: string;
    organization_id: string;
    member_id: string;
    prefix: string;
    digest: Uint8Array;
    created_at: Timestamp;
    expires_at: NullableTimestamp;
    revoked_at: NullableTimestamp;
    last_used_at: NullableTimestamp;
    name: string | null;
    /** Null: that of its member. */
    role: Role | null;
    /** Which pepper the digest is under. */
    pepper_id: string | null;
    /** What it may be used for; null: whatever its role allows. */
    products: string[] | null;
    repositories: string[] | null;
    scopes: Scope[] | null;
    rate_limit_per_minute: number | null;
    places_since: NullableTimestamp;
  };
  api_key_place: {
    organization_id: string;
    key_id: string;
    digest: Uint8Array;
    first_seen_at: Timestamp;
    last_seen_on: ColumnType<string, string | undefined, string>;
  };
  audit_log: {
    id: string;
    organization_id: string;
    member_id: string | null;
    key_id: string | null;
    action: string;
    subject: string;
    details: ColumnType<Record<string, unknown>, string, never>;
    via: Origin['via'];
    address: string | null;
    user_agent: string | null;
    occurred_at: Timestamp;
  };
  idempotency_key: {
    organization_id: string;
    key: string;
    fingerprint: Uint8Array;
    method: string;
    route: string;
    status: number;
    headers: ColumnType<Record<string, string>, string, string>;
    body: string;
    request_id: string;
    created_at: Timestamp;
    expires_at: ColumnType<string, string, string>;
  };
  snapshot: {
    repository: string;
    generation: string;
    info: ColumnType<RepositoryInfo, string, string>;
    content_id: string;
    size_bytes: number;
    loaded_at: Timestamp;
  };
  pipeline_run: {
    id: string;
    repository: string;
    commit: string | null;
    committed_at: NullableTimestamp;
    analyzer_version: string;
    status: PipelineRun['status'];
    error: string | null;
    measurements: ColumnType<Measurements | null, string | undefined, string>;
    grade: ColumnType<string | null, string | null | undefined, string | null>;
    started_at: Timestamp;
    completed_at: NullableTimestamp;
  };
  snapshot_chunk: { content_id: string; seq: number; repository: string; bytes: Uint8Array };
  task_instance: {
    instance_id: string;
    repo: string;
    language: string;
    difficulty: Difficulty;
    created_at: Timestamp;
    usable: Generated<boolean>;
    body: ColumnType<TaskInstance, string, string>;
  };
  event: {
    organization_id: string;
    sequence: number;
    id: string;
    type: EventType;
    subject: string;
    tells_of: string | null;
    data: ColumnType<Record<string, unknown>, string, string>;
    occurred_at: Timestamp;
  };
  quota_notice: { organization_id: string; period: string; plan_id: string; percent: number };
  event_head: { organization_id: string; last: number };
  waitlist_entry: {
    id: string;
    product: string;
    email: string;
    created_at: Timestamp;
    confirmed_at: NullableTimestamp;
    mail: 'confirm' | 'known' | 'released' | null;
    mail_due_at: Timestamp;
    attempts: Generated<number>;
    mails: Generated<number>;
    mailed_at: NullableTimestamp;
  };
  webhook_endpoint: {
    id: string;
    organization_id: string;
    url: string;
    description: string | null;
    types: EventType[] | null;
    secret_version: Generated<number>;
    previous_secret_until: NullableTimestamp;
    disabled_at: NullableTimestamp;
    disabled_reason: 'requested' | 'gone' | 'failing' | null;
    last_success_at: NullableTimestamp;
    created_at: Timestamp;
    leased_until: Timestamp;
    lease: Generated<number>;
  };
  webhook_delivery: {
    id: string;
    organization_id: string;
    endpoint_id: string;
    event_id: string;
    status: Generated<'pending' | 'succeeded' | 'failed'>;
    attempts: Generated<number>;
    created_at: Timestamp;
    requested_at: Timestamp;
    due_at: Timestamp;
    attempted_at: NullableTimestamp;
    response_status: number | null;
    error: string | null;
  };
  source: {
    id: string;
    organization_id: string;
    address: string;
    place: string;
    ref: string;
    every_seconds: number;
    trusted: boolean;
    created_at: Timestamp;
    due_at: Timestamp;
    tried_at: NullableTimestamp;
    checked_at: NullableTimestamp;
    repository_name: string | null;
    commit: string | null;
    error: string | null;
    listing: ColumnType<Listing | null, string | null | undefined, never>;
    listed_by: string | null;
    forge_id: string | null;
    load_as: string | null;
    gone_at: NullableTimestamp;
  };
  source_delivery: { source_id: string; organization_id: string; delivery_id: string; received_at: Timestamp };
  measured_change: {
    organization_id: string;
    repository_name: string;
    base: string;
    head: string;
    analyzer: string;
    asked_at: Timestamp;
    ended_at: NullableTimestamp;
    change: ColumnType<Change | null, string | null | undefined, string | null>;
    error: string | null;
  };
  mint_run: { run_id: string; repo: string; completed_at: Timestamp; body: ColumnType<MintRun, string, string> };
  repository: {
    key: string;
    organization_id: string;
    name: string;
    full_name: string | null;
    shared: Generated<boolean>;
    created_at: Timestamp;
  };
  evaluation_run: {
    organization_id: string;
    shared: Generated<boolean>;
    run_id: string;
    model: string;
    ended_at: Timestamp;
    body: ColumnType<EvaluationRun, string, string>;
  };
  evaluation_outcome: {
    organization_id: string;
    run_id: string;
    model: string;
    instance_id: string;
    language: string;
    difficulty: string;
    committed_at: Timestamp;
    evaluated_at: Timestamp;
    status: string;
    uncontrolled: boolean;
    input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
    body: ColumnType<EvaluationOutcome, string, string>;
  };
  evaluation_attempt: {
    organization_id: string;
    run_id: string;
    model: string;
    instance_id: string;
    answer: Buffer;
    log: Buffer | null;
    trajectory: Buffer | null;
  };
  usage_ledger: Required<UsageEvent> & { period: string };
  usage_rollup: {
    period: string;
    organization_id: string;
    day: string;
    member_id: string;
    product: string;
    operation: string;
    class: UsageEvent['class'];
    environment: KeyEnvironment;
    calls: number;
    credits: number;
  };
  report: Omit<ReportRequest, 'parameters'> & {
    id: string;
    organization_id: string;
    parameters: ColumnType<Record<string, unknown>, string, never>;
    status: ColumnType<ReportStatus, undefined, ReportStatus>;
    progress: Generated<number>;
    created_by: string;
    created_at: Timestamp;
    started_at: NullableTimestamp;
    completed_at: NullableTimestamp;
    expires_at: NullableTimestamp;
    leased_until: Timestamp;
    attempt: Generated<number>;
    content: Uint8Array | null;
    content_type: string | null;
    size_bytes: number | null;
    sha256: string | null;
    error_code: string | null;
    error_message: string | null;
  };
  used_owner_jwt: { digest: Uint8Array; organization_id: string; expires_at: ColumnType<string, string, never> };
  cli_pairing: {
    id: string;
    organization_id: string;
    member_id: string;
    /** The API key that asked for it, if one did. */
    key_id: string | null;
    /** Null when it can no longer be claimed. */
    selector: string | null;
    secret_digest: Uint8Array;
    status: Generated<CliPairing['status']>;
    wrong_secrets: Generated<number>;
    device_name: string | null;
    role: CliRole;
    /** Of the member that it makes; null: it lets a command line in. */
    invited_name: string | null;
    created_at: Timestamp;
    expires_at: ColumnType<string, string, never>;
  };
  cli_session: {
    id: string;
    organization_id: string;
    member_id: string;
    api_key_id: string;
    pairing_id: string;
    device_name: string | null;
    client: ColumnType<CliSession['client'], string | null, never>;
    created_at: Timestamp;
  };
  checkout_session: {
    id: string;
    organization_id: string;
    status: Generated<CheckoutSession['status']>;
    payment_status: Generated<CheckoutSession['payment_status']>;
    plan_id: string;
    quantity: number;
    interval: CheckoutSession['interval'];
    currency: CheckoutSession['currency'];
    amount_total_cents: number;
    list_amount_cents: number;
    success_url: string;
    cancel_url: string;
    client_reference_id: string | null;
    metadata: ColumnType<Record<string, string>, string, never>;
    provider: string | null;
    created_by: string;
    created_at: Timestamp;
    expires_at: ColumnType<string, string, never>;
    completed_at: NullableTimestamp;
  };
  webhook_inbox: {
    provider: string;
    event_id: string;
    type: string;
    body: Uint8Array;
    received_at: Timestamp;
    due_at: Timestamp;
    attempts: Generated<number>;
    processed_at: NullableTimestamp;
    outcome: 'applied' | 'ignored' | 'failed' | null;
    organization_id: string | null;
  };
  billing_record: BillingRecord & { organization_id: string | null; event_rank: number; event_id: string };
  usage_event: {
    organization_id: string;
    source: string;
    id: string;
    event_id: string;
    type: string;
    subject: string | null;
    time: string;
    datacontenttype: string | null;
    attributes: ColumnType<Record<string, string | number | boolean>, string | undefined, string>;
    data: unknown;
    member_id: string;
    key_id: string;
    received_at: Timestamp;
  };
  usage_event_rollup: { organization_id: string; day: string; member_id: string; events: number };
  saved_view: {
    id: string;
    organization_id: string;
    member_id: string;
    name: string;
    place: string;
    shared: boolean;
    created_at: Timestamp;
  };
  badge: {
    id: string;
    organization_id: string;
    repository_name: string;
    digest: Uint8Array;
    created_by: string;
    created_at: Timestamp;
  };
  member_visit: { member_id: string; organization_id: string; seen: number; visited_at: Timestamp };
  schema_migration: { name: string; applied_at: Generated<string> };
}
