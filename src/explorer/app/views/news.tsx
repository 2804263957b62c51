import type { ComponentChildren } from 'preact';
import type { VisitAnswer } from '../../../control-plane/visits.ts';
import type { EventData, EventType } from '../../../model/event.ts';
import type { Api } from '../api.ts';
import { hrefOfPlace } from '../code/address.ts';
import { Answered } from '../components/answered.tsx';
import { Empty } from '../components/empty.tsx';
import { Grade } from '../components/grade.tsx';
import { Table } from '../components/table.tsx';
import type { Column } from '../components/table.tsx';
import { format } from '../format.ts';
import { hrefOf } from '../router.ts';
import { useAsked } from '../use-answer.ts';
import { titleOf } from '../words.ts';
import type { ViewProps } from './index.ts';

type Told = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType];
type Event = Told & { id: string; sequence: number; subject: string; occurred_at: string };

interface News {
  visit: VisitAnswer;
  /** The newest first. */
  events: Event[];
}

/** What has happened since one's last visit, and before it; once it is seen, it is no longer new. */
export function NewsView({ api }: ViewProps) {
  const asked = useAsked(api, (signal) => newsOf(api, signal), 'news');
  return (
    <>
      <h1>News</h1>
      <Answered asked={asked} lines={12}>
        {({ visit: { last_visit_at: at, seen }, events }) => {
          const fresh = events.filter(({ sequence }) => sequence > seen);
          const earlier = events.filter(({ sequence }) => sequence <= seen);
          return (
            <>
              <p role="status">
                {fresh.length === 0 ? 'Nothing is new' : saysOf(fresh)}{' '}
                {at === null
                  ? 'in the last 90 days; you have not looked before.'
                  : `since your last visit, ${format.moment(at)}.`}
              </p>
              {fresh.length > 0 && <Events caption="New since your last visit" events={fresh} />}
              {earlier.length > 0 && (
                <>
                  <h2>Before</h2>
                  <Events caption="Before your last visit" events={earlier} />
                </>
              )}
              {events.length === 0 && (
                <Empty title="Nothing has happened yet">
                  <p>Loads of your repositories, grades that change, and findings that appear are told here.</p>
                </Empty>
              )}
            </>
          );
        }}
      </Answered>
    </>
  );
}

/** Reads all that is kept, and then says that it was seen. */
async function newsOf(api: Api, signal: AbortSignal): Promise<News> {
  const visit = await api.get<VisitAnswer>('/v1/visit', {}, signal);
  const events: Event[] = [];
  for (let isThereMore = true; isThereMore;) {
    const after = events.at(-1)?.sequence ?? 0;
    const page = await api.get<{ items: Event[]; has_more: boolean }>('/v1/events', { after, limit: 1_000 }, signal);
    events.push(...page.items);
    isThereMore = page.has_more;
  }
  const last = events.at(-1)?.sequence ?? visit.seen;
  if (!signal.aborted) await api.send('POST', '/v1/visit', { seen: last });
  return { visit, events: events.toReversed() };
}

/** `3 loads, 1 grade changed`. */
function saysOf(events: readonly Event[]): string {
  const count = (...types: EventType[]) => events.filter(({ type }) => types.includes(type)).length;
  const parts = [
    [count('repository.loaded'), 'repository loaded', 'repositories loaded'],
    [count('repository.failed'), 'load failed', 'loads failed'],
    [count('grade.changed'), 'grade changed', 'grades changed'],
    [count('findings.appeared'), 'kind of finding appeared', 'kinds of findings appeared'],
    [count('findings.gone'), 'kind of finding gone', 'kinds of findings gone'],
    [count('edges.changed'), 'graph changed', 'graphs changed'],
    [
      count(
        'report.succeeded',
        'report.failed',
        'quota.near',
        'plan.changed',
        'webhook_endpoint.disabled',
        'api_key.used_from_new_place',
      ),
      'other',
      'others',
    ],
  ] as const;
  return parts.flatMap(([number, one, many]) => (number === 0 ? [] : [format.count(number, one, many)])).join(', ');
}

function Events({ caption, events }: { caption: string; events: readonly Event[] }) {
  return (
    <div class="news">
      <Table caption={caption} columns={columns} rows={events} keyOf={({ id }) => id} />
    </div>
  );
}

const titles: Record<EventType, string> = {
  'repository.loaded': 'Loaded',
  'repository.failed': 'Load failed',
  'grade.changed': 'Grade changed',
  'findings.appeared': 'Findings appeared',
  'findings.gone': 'Findings gone',
  'edges.changed': 'Graph changed',
  'report.succeeded': 'Report made',
  'report.failed': 'Report failed',
  'quota.near': 'Credits nearly used',
  'plan.changed': 'Plan changed',
  'webhook_endpoint.disabled': 'Webhook disabled',
  'api_key.used_from_new_place': 'Key used from a new place',
};

const columns: Column<Event>[] = [
  {
    id: 'of',
    title: 'Subject',
    isHead: true,
    cell: ({ data, subject }) =>
      'repository' in data ? (
        <a href={hrefOf('repository', { repo: data.repository })}>
          <bdi>{data.repository}</bdi>
        </a>
      ) : (
        <code>{subject}</code>
      ),
  },
  { id: 'what', title: 'Event', cell: ({ type }) => <span class="nowrap">{titles[type] ?? type}</span> },
  { id: 'more', title: 'Details', cell: moreOf },
  {
    id: 'when',
    title: 'When',
    value: ({ occurred_at: at }) => at,
    cell: ({ occurred_at: at }) => <span class="nowrap">{format.moment(at)}</span>,
  },
];

function moreOf(event: Event): ComponentChildren {
  switch (event.type) {
    case 'repository.loaded':
      return event.data.grade !== null && <Grade grade={event.data.grade} />;
    case 'repository.failed':
      return <bdi>{event.data.error}</bdi>;
    case 'grade.changed':
      return (
        <span class="nowrap">
          <Grade grade={event.data.from} /> → <Grade grade={event.data.to} />
        </span>
      );
    case 'findings.appeared':
    case 'findings.gone':
      return <Findings data={event.data} isGone={event.type === 'findings.gone'} />;
    case 'edges.changed':
      return `${format.whole(event.data.appeared.total)} edges appeared, ${format.whole(event.data.gone.total)} gone`;
    case 'quota.near':
      return `${format.whole(event.data.credits_used)} of ${format.whole(event.data.included_credits)} in ${event.data.period}`;
    case 'plan.changed':
      return `${titleOf(event.data.from)} → ${titleOf(event.data.to)}`;
    case 'webhook_endpoint.disabled':
      return <bdi>{event.data.url}</bdi>;
    case 'api_key.used_from_new_place':
      return <bdi>{event.data.program}</bdi>;
    default:
      return titleOf(event.data.type);
  }
}

/** How many, of what, and where the first of them are; what is gone is nowhere any more. */
function Findings({ data, isGone }: { data: EventData['findings.appeared']; isGone: boolean }) {
  const { repository, metric, total, complete, findings } = data;
  return (
    <>
      {titleOf(metric.replace(/_count$/, ''))}: {format.whole(total)}
      {complete ? '' : ' at least'}
      {findings.slice(0, 3).map(({ path, line }, index) =>
        path === null ? null : (
          <span key={index}>
            {', '}
            {isGone ? (
              <code>{path}</code>
            ) : (
              <a href={hrefOfPlace(repository, path, line)}>
                <code>
                  {path}
                  {line === null ? '' : `:${line}`}
                </code>
              </a>
            )}
          </span>
        ),
      )}
    </>
  );
}
