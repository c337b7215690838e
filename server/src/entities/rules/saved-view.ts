// Saved views: only their owner changes or deletes them; one view per owner and list is the default.

import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { writeAudit } from '../engine/audit/entry.ts'
import { type Change, type EntityRules, isChanging, isCreating } from '../engine/model/entity-rules.ts'
import { lockSnapshot } from '../engine/read/snapshot.ts'
import { updateRow } from '../engine/save/write.ts'

/** Characters of a view as JSON, far above what any list needs. */
const STATE_LIMIT = 200_000

export const savedViewRules: EntityRules = {
  async prepare(change) {
    const { values, context } = change
    if (isCreating(change)) values.user = context.userId
    else refuseForeign(change)
    if (JSON.stringify(values.state ?? null).length > STATE_LIMIT) change.refuse('state', 'too_long')
    if (values.is_default === true && (isCreating(change) || isChanging(change, 'is_default')))
      await releaseDefault(change)
  },
  async prepareRemoval(change) {
    refuseForeign(change)
  },
}

/** Colleagues see a shared view, but only its owner changes it. */
function refuseForeign({ before, context }: Change): void {
  if (before?.user !== context.userId) throw new AppError('forbidden')
}

async function releaseDefault(change: Change): Promise<void> {
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
