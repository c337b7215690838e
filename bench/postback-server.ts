// Starts the tracker with its own PostgreSQL for postbacks of one partner offer.

import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { startServer } from '../server/src/server.ts'
import { trackerModule } from '../server/src/tracker/module.ts'

const UUID = 'aaaaaaaa-0000-4000-8000-000000000001'

const NETWORK = `
  insert into currency (title, value) values ('Euro', 'EUR');
  insert into country (title, code, currency_id) values ('Ukraine', 'UA', 1);
  insert into traffic_source (title) values ('Source');
  insert into advertiser (title, default_domain, default_currency_id) values ('Advertiser', 'https://advertiser.example', 1);
  insert into advertiser_country (advertiser_id, country_id) values (1, 1);
  insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost, state) values ('Offer', 1, 1, 1, 1, 50, 'approved');
  insert into partner (title, state) values ('Partner', 'approved');
  insert into partner_stream (partner_id, title) values (1, 'stream');
  insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id, state)
    values (1, 1, 1, 1, 'bench-site', 1, 'approved');
  insert into offer_partner_postback (offer_partner_id, uuid, kind) values (1, '${UUID}', 'main')`

const config = loadConfig(process.env)
const log = createLog(config.logLevel)
const server = await startServer(config, log, { modules: [trackerModule] })
await server.services.postgres.pool.query(NETWORK)
console.log(`ready ${server.url.replace('localhost', '127.0.0.1')}/postback/${UUID}`)
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
