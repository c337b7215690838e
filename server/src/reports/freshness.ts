// How current the data of reports is: what has changed in the record and is not yet in the facts, told apart by what it touches.
import type { Language } from '@tributary/contract/entities/user'
import type { ReportNotification } from '@tributary/contract/reports/general'
import type { Postgres } from '../postgres/client.ts'

/** Changes younger than this are on their way and nobody's concern. */
const PATIENCE = '3 seconds'

type Flag = keyof ReportNotification

/** What a change of each kind sets in motion. Kinds are those of the outbox. */
const FLAGS: Readonly<Record<string, Flag>> = {
  player: 'update_report_data',
  currency: 'update_report_data',
  offer: 'update_base_line',
  payment_model: 'update_base_line',
  link: 'update_base_line',
  spend: 'update_spend',
  partner: 'update_report_data',
}

/** A rebuild writes all facts anew. */
const EVERY_FLAG: readonly Flag[] = ['update_base_line', 'update_report_data', 'update_spend']

const SENTENCES: Readonly<Record<Language, Readonly<Record<Flag, string>>>> = {
  en: {
    update_base_line: 'Baseline data is being updated',
    update_report_data: 'Deposit data is being updated',
    update_spend: 'Agent spend data is being updated',
  },
  ru: {
    update_base_line: 'Данные базлайна обновляются',
    update_report_data: 'Данные депозитов обновляются',
    update_spend: 'Данные расходов агентов обновляются',
  },
}

export async function readNotification(postgres: Postgres, language: Language): Promise<ReportNotification> {
  const { rows } = await postgres.pool.query<{ kind: string }>(
    `select distinct kind from outbox where created_at < now() - $1::interval
    union select 'everything' from facts_rebuild where state in ('waiting', 'running')`,
    [PATIENCE],
  )
  const flags = new Set(rows.flatMap(({ kind }) => (kind === 'everything' ? EVERY_FLAG : (FLAGS[kind] ?? []))))
  const say = (flag: Flag): string => (flags.has(flag) ? SENTENCES[language][flag] : '')
  return {
    update_base_line: say('update_base_line'),
    update_report_data: say('update_report_data'),
    update_spend: say('update_spend'),
  }
}
