// Whether postbacks, mails and invoices wait. A restored copy must not repeat what the original sends, until an admin allows it in Settings.

import type { Pool } from 'pg'

/** True on a restored copy until an ADMIN allows it to send postbacks, mails and invoices. */
export async function isSendingHeld(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ held: boolean }>('select sending_held as held from setting')
  return rows[0]?.held === true
}
