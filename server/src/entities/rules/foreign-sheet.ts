// A spend sheet of a partner whom the caller does not see: its preview and its parse would tell what it holds.

import { spreadsheetIdOf } from '@tributary/contract/spreadsheet-id'
import { sql } from 'kysely'
import { type Change, isChanging } from '../engine/model/entity-rules.ts'
import { entityNamed } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'

/** True if spends of a partner out of the caller's scope are read from the spreadsheet; `text` is its ID or address. */
export async function isForeignSheet(
  db: Db,
  { holder, scopeOf }: Pick<RequestContext, 'holder' | 'scopeOf'>,
  text: string,
): Promise<boolean> {
  const id = spreadsheetIdOf(text)
  const scope = scopeOf(entityNamed('partner'), 't')
  if (id === null || scope === undefined || holder.role === 'ADMIN') return false
  const { rows } = await sql<{ file: string }>`
    select file from (
      select t.id, t.spend_spreadsheet_id as file from partner t
      union all select m.partner_id, m.spend_spreadsheet_id from partner_partner_group m
    ) assigned join partner t on t.id = assigned.id
    where position(${id} in file) > 0 and (${scope}) is not true`.execute(db)
  return rows.some(({ file }) => spreadsheetIdOf(file) === id)
}

/** Refuses such a spreadsheet for a partner or a membership. */
export async function rejectForeignSheet(change: Change): Promise<void> {
  const text = change.valueOf('spend_spreadsheet_id')
  if (typeof text !== 'string' || !isChanging(change, 'spend_spreadsheet_id')) return
  if (await isForeignSheet(change.db, change.context, text))
    change.reject('spend_spreadsheet_id', 'spreadsheet_foreign')
}
