// Mails users that their password, second factor or email was changed, in case somebody else did it. Triggers store the notices,
// whatever makes the change (0125-account-notices.sql).
import { LANGUAGES, type Language } from '@tributary/contract/language'
import { sql } from 'kysely'
import { z } from 'zod'
import { mailer } from '../integrations/mail.ts'
import type { Services } from '../services.ts'
import { defineJob } from './registry.ts'

type AccountChange = 'password' | 'second_factor' | 'email'

interface Notice {
  id: number
  email: string
  change: AccountChange
  at: Date
  full_name: string
  language: string | null
}

const AT_ONCE = 100

export const sendAccountNotices = defineJob({
  name: 'send-account-notices',
  isSending: true,
  schema: z.object({}),
  schedule: '* * * * *',
  isSingle: true,
  async handle(_data, { services, signal }) {
    await giveUpOld(services)
    // A notice that cannot be sent stays and must not delay the others.
    for (let after = 0; ; ) {
      const notices = await readNotices(services, after)
      for (const notice of notices) {
        if (signal.aborted) return
        await sendNotice(notice, services)
      }
      const last = notices.at(-1)
      if (last === undefined || notices.length < AT_ONCE) return
      after = last.id
    }
  },
})

/** Deletes and logs notices that could not be sent for a day. */
async function giveUpOld({ postgres: { db }, log }: Services): Promise<void> {
  const { rows } = await sql<{ user_id: number; change: AccountChange }>`
    delete from account_notice where at < now() - interval '1 day' returning user_id, change`.execute(db)
  for (const given of rows) log.error(given, 'a notice of an account was never taken and is given up')
}

async function readNotices({ postgres: { db } }: Services, after: number): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    select notice.id, notice.email, notice.change, notice.at, "user".full_name, "user".language
    from account_notice as notice join "user" on "user".id = notice.user_id
    where notice.id > ${after} order by notice.id limit ${AT_ONCE}`.execute(db)
  return rows
}

async function sendNotice({ id, email, change, at, full_name, language }: Notice, services: Services): Promise<void> {
  const letter = LETTERS[LANGUAGES.find((known) => known === language) ?? 'en']
  const { subject, text } = letter(full_name, change, momentOf(at))
  try {
    await mailer.of(services).send({ to: email, subject, text })
  } catch (error) {
    services.log.warn({ err: error, notice: id }, 'a notice of an account was not taken')
    return
  }
  await sql`delete from account_notice where id = ${id}`.execute(services.postgres.db)
}

const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const WHAT: Record<Language, Record<AccountChange, string>> = {
  en: {
    password: 'Your password was changed',
    second_factor: 'Your second factor was reset',
    email: 'The email of your account was changed',
  },
  ru: {
    password: 'изменён пароль',
    second_factor: 'сброшен второй фактор входа',
    email: 'изменён адрес почты',
  },
}

const LETTERS: Record<
  Language,
  (name: string, change: AccountChange, at: string) => { subject: string; text: string }
> = {
  en: (name, change, at) => ({
    subject: `Tributary: ${WHAT.en[change]}`,
    text: `Hello ${name},\n\n${WHAT.en[change]} (${at}).\n\nIf neither you nor your administrator did it, tell your administrator at once.\n`,
  }),
  ru: (name, change, at) => ({
    subject: `Tributary: ${WHAT.ru[change]}`,
    text: `Здравствуйте, ${name}!\n\nВ вашей учётной записи ${WHAT.ru[change]} (${at}).\n\nЕсли это сделали не вы и не ваш администратор, сразу же сообщите администратору.\n`,
  }),
}
