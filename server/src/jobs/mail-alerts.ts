// Mails a user's alerts of the day that are not dismissed, with permissions and rows as at the time of sending. Without alerts nothing is sent.
import { isAllowed } from '@tributary/contract/access'
import type { Alert } from '@tributary/contract/calls/alert'
import { alertList } from '@tributary/contract/calls/alert'
import type { Language } from '@tributary/contract/language'
import { z } from 'zod'
import { loadRecipient } from '../access/recipient.ts'
import { findAlerts } from '../alerts/find-alerts.ts'
import { alertTitle, countAlerts, readAlerts } from '../alerts/read-alerts.ts'
import { mailer } from '../integrations/mail.ts'
import type { Services } from '../services.ts'
import { defineJob } from './registry.ts'

const TIMEOUT_SECONDS = 300
/** A mail lists this many alerts of each kind; the dashboard shows more. */
const MAILED = 10

export const mailAlerts = defineJob({
  name: 'mail-alerts',
  isSending: true,
  schema: z.strictObject({ user: z.int().positive(), due: z.iso.datetime() }),
  retry: { limit: 3, delaySeconds: 60, backoff: true, maxDelaySeconds: 900 },
  timeoutSeconds: TIMEOUT_SECONDS,
  async handle({ user, due }, { services, signal }) {
    await mailAlertsTo(user, new Date(due), services, signal)
  },
})

/** Returns the number of mailed alerts. A mail of the same day that was sent already is not sent again. */
export async function mailAlertsTo(user: number, due: Date, services: Services, signal: AbortSignal): Promise<number> {
  const { postgres, config } = services
  const { rows } = await postgres.pool.query(
    'select from alert_mail where user_id = $1 and coalesce(sent_at < $2, true)',
    [user, due],
  )
  const recipient = rows.length === 0 ? undefined : await loadRecipient(postgres, user)
  if (recipient === undefined || !isAllowed(alertList.access, recipient)) return 0
  const { language, role, scope } = recipient
  const { alerts: found } = await findAlerts(
    { role, language, partners: scope.partners, groupFilter: null },
    services,
    signal,
  )
  const { open: alerts } = await readAlerts(recipient, found, services)
  if (alerts.length === 0) return 0
  const { subject, text } = writeAlertMail(alerts, language, config.publicUrl)
  await mailer.of(services).send({ to: recipient.email, subject, text })
  await postgres.pool.query('update alert_mail set sent_at = now() where user_id = $1', [user])
  return alerts.length
}

const LETTERS: Readonly<
  Record<Language, { subject: (count: number) => string; more: (count: number) => string; end: string }>
> = {
  en: {
    subject: (count) => `Tributary: alerts of today (${count})`,
    more: (count) => `and ${count} more`,
    end: 'They are on the dashboard. There you can also stop this mail:',
  },
  ru: {
    subject: (count) => `Tributary: оповещения на сегодня (${count})`,
    more: (count) => `и ещё ${count}`,
    end: 'Все они — на дашборде. Там же можно отключить это письмо:',
  },
}

/** The mail: each kind with its number, and the first alerts of it. */
export function writeAlertMail(
  alerts: readonly Alert[],
  language: Language,
  publicUrl: string,
): { subject: string; text: string } {
  const letter = LETTERS[language]
  const blocks = [...Map.groupBy(alerts, ({ alert }) => alert)].map(([name, own]) =>
    [
      `${alertTitle(language, name)} (${countAlerts(own)})`,
      ...own.slice(0, MAILED).map(({ title, message, address }) => `– ${title}: ${message}\n  ${publicUrl}${address}`),
      ...(own.length > MAILED ? [`– ${letter.more(countAlerts(own.slice(MAILED)))}`] : []),
    ].join('\n'),
  )
  return {
    subject: letter.subject(countAlerts(alerts)),
    text: `${[...blocks, `${letter.end}\n${publicUrl}/dashboard`].join('\n\n')}\n`,
  }
}
