// The record loses a parse between any two of its statements, as by kill -9: the tab is whole or absent, and the next parse makes it once.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CellValue, type GoogleSheetsServer, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { parseFile } from '../../src/integrations/sheets/parse-file.ts'
import { keyOfCell } from '../../src/integrations/sheets/place-cells.ts'
import { MODULES } from '../../src/modules.ts'
import type { Postgres } from '../../src/postgres/client.ts'
import type { Server } from '../../src/server.ts'
import { checkTarget, resolveTarget } from '../../src/tracker/postbacks/target-guard.ts'
import { done } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { signIn } from '../support/sign-in.ts'
import { files, MONTH, makeSheet, type Sheet, spends } from './sheets-bench.ts'

let google: GoogleSheetsServer
let server: Server
let sheet: Sheet

beforeAll(async () => {
  google = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  const admin = await signIn(server, 'ADMIN')
  sheet = await makeSheet({ admin })
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
})

type Query = (...given: unknown[]) => Promise<unknown>

/** A record whose connections end at one statement of a parse: before it arrives, or after it, when its answer is lost. */
function losing(postgres: Postgres, at: number, arrives: boolean): { postgres: Postgres; statements(): number } {
  let statements = 0
  const losingClient = <C extends object>(client: C): C =>
    new Proxy(client, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name)
        if (typeof own !== 'function') return own
        const method = own.bind(target) as Query
        if (name !== 'query') return method
        return async (...given: unknown[]) => {
          const isLost = statements++ === at
          if (!isLost) return method(...given)
          const { rows } = (await method('select pg_backend_pid() as pid')) as { rows: { pid: number }[] }
          if (arrives) await method(...given)
          await postgres.pool.query('select pg_terminate_backend($1, 10_000)', [rows[0]?.pid])
          throw new Error('the connection is lost')
        }
      },
    })
  return {
    postgres: { ...postgres, withClient: (run) => postgres.withClient((client) => run(losingClient(client))) },
    statements: () => statements,
  }
}

async function parse(postgres: Postgres) {
  const task = { partner: sheet.ground.net.partner.id, group: null, file: sheet.file, months: [MONTH] }
  const more = { trigger: 'manual', startedBy: null, takesRemovals: true, requestId: 'test' } as const
  const options = {
    guard: { check: checkTarget, resolve: resolveTarget },
    allowsPrivateTargets: true,
    currency: sheet.ground.net.currency.id,
    judge: async (cells: readonly { cell: Parameters<typeof keyOfCell>[0] }[]) =>
      new Map(cells.map(({ cell }) => [keyOfCell(cell), { offerPartner: sheet.ground.link.id }])),
    isPatient: false,
    onStep: () => undefined,
  }
  const signal = new AbortController().signal
  const services = { ...server.services, postgres }
  sharedSheets.fill(services, createSharedSheets({ readsPerMinute: 1e6, pauseMs: 1 }))
  return parseFile(services, { ...task, ...more }, options, signal)
}

/** Sums, entries of the audit log and lines of the log of parses: what one parse writes together. */
async function read(): Promise<{ sums: string[]; entries: number; logs: number }> {
  const { rows } = await server.services.postgres.pool.query<{ entries: number; logs: number }>(
    `select (select count(*)::int from audit_log where entity = 'partner_spend') as entries,
      (select count(*)::int from google_parse_result) as logs`,
  )
  return { sums: await spends({ server }, sheet), entries: rows[0]?.entries ?? -1, logs: rows[0]?.logs ?? -1 }
}

test('a connection lost between any two statements of a tab leaves the whole tab or nothing, and the next parse takes it once [MON-08]', async () => {
  const { postgres } = server.services
  // Each sheet changes a sum, blanks one and adds one.
  const sheets: [CellValue[], string[]][] = [
    [
      [10, 20, '', 40],
      ['1 10.00 sheet', '2 20.00 sheet', '4 40.00 sheet'],
    ],
    [
      [11, '', 30, 40],
      ['1 11.00 sheet', '3 30.00 sheet', '4 40.00 sheet'],
    ],
  ]
  sheet.serveDays(...(sheets[1]?.[0] ?? []))
  await parse(postgres)
  const outcomes = new Set<string>()
  let point = 0
  for (let isOver = false; !isOver; point++)
    for (const arrives of [false, true]) {
      const [cells, sums] = sheets[(point * 2 + (arrives ? 1 : 0)) % 2] ?? [[], []]
      sheet.serveDays(...cells)
      const before = await read()
      const lost = losing(postgres, point, arrives)
      const end = await parse(lost.postgres).then(
        () => 'done',
        () => 'lost',
      )
      isOver = lost.statements() <= point
      const after = await read()
      const whole = { sums, entries: before.entries + 3, logs: before.logs + 1 }
      const isWhole = after.logs > before.logs
      outcomes.add(`${end} ${isWhole ? 'whole' : 'nothing'}`)
      expect(after, `statement ${point}, ${arrives ? 'answered' : 'sent'}`).toEqual(isWhole ? whole : before)
      await parse(postgres)
      expect(await read()).toEqual({ ...whole, logs: after.logs + 1 })
      await parse(postgres)
      expect(await read()).toEqual({ ...whole, logs: after.logs + 2 })
    }
  // The locks, the transaction with its four kinds of statements, the log and the commit.
  expect(point).toBeGreaterThan(9)
  expect(outcomes).toEqual(new Set(['lost nothing', 'lost whole', 'done whole']))
}, 60_000)
