/** What a checkout of this plan is made with. */
export const checkoutOf = (plan_id: string) =>
  ({
    plan_id,
    quantity: 1,
    interval: 'month',
    success_url: 'https://acme.example/done',
    cancel_url: 'https://acme.example/',
    client_reference_id: null,
    metadata: {},
    createdBy: 'mem_ann',
    amountTotalCents: 0,
    listAmountCents: 4_900,
    lifetimeMs: 60_000,
  }) as const;
