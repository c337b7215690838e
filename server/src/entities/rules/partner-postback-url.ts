// Postback URLs of partners: a signed one is shown with its signing key.

import { signingKey } from '../../tracker/postbacks/signature.ts'
import type { EntityRules } from '../engine/model/entity-rules.ts'

export const partnerPostbackUrlRules: EntityRules = {
  async derive(_db, rows, { engines }) {
    for (const row of rows) {
      row.signing_key = row.signed === true ? signingKey(engines.config.secret, Number(row.id)) : null
    }
  },
}
