// The spreadsheets that are read for partners: those of active memberships, else the partner's own. A file is read once for a partner.

import { type QueryExecutorProvider, sql } from 'kysely'

export interface AssignedFile {
  readonly partner: number
  readonly group: number | null
  /** Google's id, or the address of the file. */
  readonly file: string
}

const FILES = sql<AssignedFile>`
  select distinct on (p.id, file) p.id as partner, m.partner_group_id as "group", file
  from partner p left join partner_partner_group m on m.partner_id = p.id and m.active
    cross join lateral (select trim(coalesce(nullif(trim(m.spend_spreadsheet_id), ''), p.spend_spreadsheet_id)) as file) f
  where p.active and file <> ''
  order by p.id, file, m.id`

export const readAssignedFiles = async (db: QueryExecutorProvider): Promise<AssignedFile[]> =>
  (await FILES.execute(db)).rows
