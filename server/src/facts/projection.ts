// Writes facts of players and spends, and maps, to ClickHouse from the current record. It is idempotent.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import type { Causes } from './cause.ts'
import { inSlices } from './loop.ts'
import { type MapName, writeMap } from './map-writer.ts'
import { createMonthChanges, type MonthChanges } from './months/month-changes.ts'
import { projectPlayer } from './players/player-projection.ts'
import { readPlayers } from './players/player-records.ts'
import { writePlayers } from './players/player-writer.ts'
import { type OnQualified, qualifyPlayers } from './players/qualification-marks.ts'
import { readSnapshot } from './snapshot.ts'
import { projectSpend, readSpends } from './spends/spend-records.ts'
import { writeSpends } from './spends/spend-writer.ts'
import type { RateTable } from './terms.ts'
import { readRates } from './terms-reader.ts'

/** How keys are projected. */
export interface ProjectOptions {
  /** An earlier attempt may have written some rows of these keys. */
  readonly isUncertain?: boolean
  /** Suffix of a rebuild's tables: everything is written to them instead. */
  readonly rebuildInto?: string
}

/** Writes facts from the record, key by key. */
export interface Projection {
  /** Writes the facts of these players and returns how many rows it wrote. It yields to other work in between. */
  players(ids: readonly number[], causes: Causes, options?: ProjectOptions): Promise<number>
  spends(ids: readonly number[], causes: Causes, options?: ProjectOptions): Promise<number>
  map(name: MapName, keys: readonly number[], options?: ProjectOptions): Promise<void>
  /** Reads the rates again. They are cached until the next call. */
  refreshRates(): Promise<void>
  /** While a rebuild fills the tables with this suffix, changes are written to both sets of tables. Undefined ends that. */
  mirrorInto(suffix: string | undefined): void
}

/** What a projection tells others of. */
export interface ProjectionOptions {
  readonly changes?: MonthChanges
  readonly onQualified?: OnQualified | undefined
  /** Tests interrupt a write here. */
  readonly onStep?: (step: 'read' | 'qualified' | 'written') => void
}

/** Writes the facts of players, spends and maps from one snapshot of the record each. Equal facts are not written. */
export function createProjection(
  postgres: Postgres,
  clickhouse: Clickhouse,
  options: ProjectionOptions = {},
): Projection {
  const { onQualified, onStep, changes = createMonthChanges(postgres) } = options
  let rates: RateTable | undefined
  let mirror: string | undefined

  const refreshRates = async (): Promise<void> => {
    rates = await readSnapshot(postgres, readRates)
  }
  const ratesNow = async (): Promise<RateTable> => {
    if (rates === undefined) await refreshRates()
    return rates ?? new Map()
  }

  return {
    refreshRates,
    mirrorInto(suffix) {
      mirror = suffix
    },
    async players(ids, causes, { isUncertain = false, rebuildInto } = {}) {
      if (ids.length === 0) return 0
      const table = await ratesNow()
      const { version, records, terms } = await readSnapshot(postgres, async (snapshot) => {
        return { version: snapshot.version, ...(await readPlayers(snapshot, ids, table)) }
      })
      onStep?.('read')
      const outcomes = await inSlices(records, (record) => ({ record, projection: projectPlayer(record, terms) }))
      await qualifyPlayers(postgres, outcomes, onQualified)
      onStep?.('qualified')
      const rowsOf = new Map(outcomes.map(({ record, projection }) => [record.id, projection]))
      const players = ids.map((id) => ({ id, rows: rowsOf.get(id) }))
      const into = rebuildInto === undefined ? {} : { rebuildInto }
      const count = await writePlayers(clickhouse, players, { version, causes, changes, isUncertain, ...into })
      if (mirror !== undefined && rebuildInto === undefined) {
        await writePlayers(clickhouse, players, { version, causes, changes, mirrorInto: mirror })
      }
      onStep?.('written')
      return count
    },
    async spends(ids, causes, { isUncertain = false, rebuildInto } = {}) {
      if (ids.length === 0) return 0
      const table = await ratesNow()
      const { version, rows } = await readSnapshot(postgres, async (snapshot) => {
        const { reportCurrencyId, agencyPercentages } = snapshot.setting
        const records = await readSpends(snapshot, ids)
        const projected = records.map((record) => projectSpend(record, agencyPercentages, { reportCurrencyId, table }))
        return { version: snapshot.version, rows: new Map(projected.map((row) => [row.spend_id, row])) }
      })
      const spends = ids.map((id) => ({ id, row: rows.get(id) }))
      const into = rebuildInto === undefined ? {} : { rebuildInto }
      const count = await writeSpends(clickhouse, spends, { version, causes, changes, isUncertain, ...into })
      if (mirror !== undefined && rebuildInto === undefined) {
        await writeSpends(clickhouse, spends, { version, causes, changes, mirrorInto: mirror })
      }
      return count
    },
    async map(name, keys, { rebuildInto } = {}) {
      if (keys.length === 0) return
      await readSnapshot(postgres, async (snapshot) => {
        await writeMap(snapshot, clickhouse, name, keys, rebuildInto)
        if (mirror !== undefined && rebuildInto === undefined) await writeMap(snapshot, clickhouse, name, keys, mirror)
      })
    },
  }
}
