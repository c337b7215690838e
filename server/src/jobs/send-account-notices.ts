// Tells people by mail that their password, their second factor or their address was changed: whoever did not do it learns of it. What is to be
// told is kept by the record itself, whatever changes it (0125-account-notices.sql).
import { LANGUAGES, type Language } from '@tributary/contract/language'
import { sql } from 'kysely'
import { z } from 'zod'
import { mailer } from '../integrations/mail.ts'
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
  schema: z.object({}),
  schedule: '* * * * *',
  isSingle: true,
  async handle(_data, { services, signal }) {
    const { db } = services.postgres
    // An address that does not take it is not asked for ever.
    await sql`delete from account_notice where at < now() - interval '1 day'`.execute(db)
    const { rows } =
      await sql<Notice>`select notice.id, notice.email, notice.change, notice.at, "user".full_name, "user".language
      from account_notice as notice join "user" on "user".id = notice.user_id order by notice.id limit ${AT_ONCE}`.execute(
        db,
      )
    for (const { id, email, change, at, full_name, language } of rows) {
      if (signal.aborted) return
      const { subject, text } = LETTERS[LANGUAGES.find((known) => known === language) ?? 'en'](
        full_name,
        change,
        momentOf(at),
      )
      try {
        await mailer.of(services).send({ to: email, subject, text })
      } catch (error) {
        services.log.warn({ err: error, notice: id }, 'a notice of an account was not taken')
        continue
      }
      await sql`delete from account_notice where id = ${id}`.execute(db)
    }
  },
})

const momentOf = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const WHAT: Record<Language, Record<AccountChange, string>> = {
  en: {
    password: 'your password was changed',
    second_factor: 'your second factor was reset',
    email: 'the email of your account was changed',
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
