// A process that sends one invoice to the CRM, to be killed by a test. Arguments: URL of PostgreSQL, secret, id of the invoice.
import { sendInvoice } from '../../src/integrations/crm/send-invoice.ts'
import { createLog } from '../../src/lib/log.ts'
import { connectPostgres } from '../../src/postgres/client.ts'
import { checkTarget, resolveTarget } from '../../src/tracker/postbacks/target-guard.ts'

const [url = '', secret = '', id = '0'] = process.argv.slice(2)
const postgres = connectPostgres(url, createLog('fatal'))
const options = { guard: { check: checkTarget, resolve: resolveTarget }, allowsPrivateTargets: true, pauseMs: 5 }
await sendInvoice({ postgres, config: { secret } }, Number(id), options, new AbortController().signal)
process.exit(0)
