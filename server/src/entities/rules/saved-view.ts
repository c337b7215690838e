// Rules of saved views: only the owner changes or deletes a view, and one view per owner and list is the default.

import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { writeAudit } from '../engine/audit/entry.ts'
import { type Change, type EntityRules, isChanging, isCreating } from '../engine/model/entity-rules.ts'
import { lockSnapshot } from '../engine/read/snapshot.ts'
import { updateRow } from '../engine/save/write.ts'

/** Maximum number of characters of a view as JSON; lists need far fewer. */
const STATE_MAX_CHARS = 200_000

export const savedViewRules: EntityRules = {
  async prepare(change) {
    const { values, context } = change
    if (isCreating(change)) values.user = context.userId
    else rejectOtherOwners(change)
    if (JSON.stringify(values.state ?? null).length > STATE_MAX_CHARS) change.reject('state', 'too_long')
    if (values.is_default === true && (isCreating(change) || isChanging(change, 'is_default')))
      await unsetDefault(change)
  },
  async prepareRemoval(change) {
    rejectOtherOwners(change)
  },
}

/** Colleagues see a shared view, but only its owner changes it. */
function rejectOtherOwners({ before, context }: Change): void {
  if (before?.user !== context.userId) throw new AppError('forbidden')
}

async function unsetDefault(change: Change): Promise<void> {
  const { db, context, entity } = change
  const statement = sql<{ id: number }>`select id from saved_view
    where user_id = ${context.userId} and list = ${change.valueOf('list')} and is_default`
  for (const { id } of (await statement.execute(db)).rows) {
    const before = await lockSnapshot(db, context, entity, id)
    if (before === undefined) continue
    await updateRow(db, entity, id, { is_default: false })
    const after = { ...before, is_default: false, version: (before.version ?? 0) + 1 }
    await writeAudit(db, context, { action: 'update', entity, id, before, after })
  }
}
