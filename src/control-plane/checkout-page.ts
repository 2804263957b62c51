import { z } from 'zod';
import { escapeHtml } from '../http/docs-page.ts';
import { HttpError } from '../http/errors.ts';
import { problems } from '../http/problems.ts';
import { route } from '../http/route.ts';
import type { CheckoutSession } from '../model/checkout.ts';
import type { OpenCheckouts } from '../stores/relational/port.ts';
import { allPlans } from '../model/plans.ts';
import { sessionNotFound } from './checkout.ts';
import { smallPage } from './small-page.ts';

/** `GET /checkout/{session_id}`: where a buyer is sent to; whoever knows the id may read it. */
export function checkoutPageRoute(checkouts: Pick<OpenCheckouts, 'find'>) {
  return route({
    method: 'GET',
    path: '/checkout/{session_id}',
    operation_id: 'get_checkout_page',
    summary: 'The page of a checkout session, for people',
    description: 'In shadow mode it shows what the plan will cost, and takes no payment.',
    access: 'public',
    product: null,
    credits: 0,
    cache: 'none',
    produces: 'text/html',
    errors: [sessionNotFound, problems.dependency_unavailable],
    params: { session_id: z.string().meta({ examples: ['cs_01JD7Z3M2QK8V6T4R9W5X1Y0AG'] }) },
    response: z.string(),
    handle: async ({ params: { session_id } }) => {
      const session = await checkouts.find(session_id);
      if (session === null) throw new HttpError(sessionNotFound);
      return page(session);
    },
  });
}

const words = {
  open: 'The service counts usage and takes no payment yet. This page shows what the plan will cost.',
  complete: 'This checkout is complete.',
  expired: 'This checkout has ended, and nothing came of it.',
} as const;

function page(session: CheckoutSession): string {
  const { plan_id, quantity, interval, currency, list_amount_cents, status } = session;
  const plan = allPlans.find(({ id }) => id === plan_id)?.name ?? plan_id;
  const price = new Intl.NumberFormat('en', { style: 'currency', currency }).format(list_amount_cents / 100);
  const back = status === 'complete' ? session.success_url : session.cancel_url;
  return smallPage(`Checkout: ${plan}`, [
    `<p><strong>Nothing is charged.</strong> ${words[status]}</p>`,
    `<dl><dt>Plan</dt><dd>${escapeHtml(plan)}</dd><dt>Seats</dt><dd>${quantity}</dd>`,
    `<dt>List price</dt><dd>${escapeHtml(price)} a ${interval}</dd></dl>`,
    `<p><a href="${escapeHtml(back)}" rel="noreferrer">Back to ${escapeHtml(new URL(back).host)}</a></p>`,
  ]);
}
