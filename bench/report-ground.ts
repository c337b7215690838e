// Prepares benches of reports: titles of groups, and the month sums of past months.

import { createMonthSummer } from '../server/src/facts/months/month-sums.ts'
import type { Services } from '../server/src/services.ts'
import { COUNTRIES, OFFERS, PARTNERS, SOURCES } from './seed-facts.ts'

/** Computes month sums, as the worker does a minute after the last fact of a past month. */
export async function sumMonths({ postgres, clickhouse }: Services): Promise<void> {
  const months = createMonthSummer({ postgres, clickhouse }, 0)
  while (await months.sumOnce(Date.now()));
  // As it does ten minutes later with sums of facts that have been replaced, and ClickHouse by itself with their parts.
  await months.sweep(Date.now() + 3_600_000)
  await clickhouse.exec('optimize table link_month final', {}, { maxSeconds: 600 })
}

/** Titles for the groups of the made facts. */
export const DIRECTORY = `
  insert into currency (id, title, value) values (1, 'Euro', 'EUR');
  update setting set report_currency_id = 1;
  insert into country (title, code, currency_id) select 'Country ' || n, chr(65 + n / 26) || chr(65 + n % 26), 1 from generate_series(1, ${COUNTRIES}) n;
  insert into traffic_source (title) select 'Source ' || n from generate_series(1, ${SOURCES}) n;
  insert into advertiser (title, default_domain, default_currency_id) values ('Advertiser', 'https://advertiser.example', 1);
  insert into advertiser_country (advertiser_id, country_id) values (1, 1);
  insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost)
    select 'Offer ' || n, 1, 1, 1, 1, 50 from generate_series(1, ${OFFERS}) n;
  insert into partner (title) select 'Partner ' || n from generate_series(1, ${PARTNERS}) n;`
