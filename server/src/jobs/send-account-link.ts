// Mails a link that opens an account once. The job creates the link when it runs, so that the queue holds no secret.
import { LANGUAGES, type Language } from '@tributary/contract/language'
import { z } from 'zod'
import {
  INVITATION_DAYS,
  LINK_PURPOSES,
  type LinkPurpose,
  makeAccountLink,
  RESTORE_MINUTES,
} from '../access/account-link.ts'
import { mailer } from '../integrations/mail.ts'
import { defineJob } from './registry.ts'

export const sendAccountLink = defineJob({
  name: 'send-account-link',
  isSending: true,
  schema: z.object({ user: z.int(), purpose: z.enum(LINK_PURPOSES), language: z.enum(LANGUAGES) }),
  retry: { limit: 5, delaySeconds: 5, backoff: true, maxDelaySeconds: 300 },
  concurrency: 4,
  async handle({ user, purpose, language }, { services }) {
    const { db } = services.postgres
    const person = await db
      .selectFrom('user')
      .select(['email', 'full_name'])
      .where('id', '=', user)
      .where('enabled', '=', true)
      .executeTakeFirst()
    // The account was disabled meanwhile.
    if (person === undefined) return
    const token = await makeAccountLink(db, user, purpose)
    const link = `${services.config.publicUrl}/auth/recovery-password/${token}`
    const { subject, text } = LETTERS[purpose][language]
    await mailer.of(services).send({ to: person.email, subject, text: text(person.full_name, link) })
  },
})

interface Letter {
  subject: string
  text: (name: string, link: string) => string
}

const LETTERS: Record<LinkPurpose, Record<Language, Letter>> = {
  restore: {
    en: {
      subject: 'Tributary: set a new password',
      text: (name, link) =>
        `Hello ${name},\n\nopen this link to set a new password. It works once, for ${RESTORE_MINUTES} minutes:\n\n${link}\n\nIf you did not ask for it, do nothing: your password stays as it is.\n`,
    },
    ru: {
      subject: 'Tributary: новый пароль',
      text: (name, link) =>
        `Здравствуйте, ${name}!\n\nЧтобы задать новый пароль, откройте ссылку. Она сработает один раз и действует ${RESTORE_MINUTES} минут:\n\n${link}\n\nЕсли вы её не запрашивали, ничего не делайте: пароль останется прежним.\n`,
    },
  },
  invitation: {
    en: {
      subject: 'Your account in Tributary',
      text: (name, link) =>
        `Hello ${name},\n\nan account was made for you. Open this link to choose your password; it works once, for ${INVITATION_DAYS} days:\n\n${link}\n\nYou will also need an authenticator app on your phone.\n`,
    },
    ru: {
      subject: 'Ваша учётная запись в Tributary',
      text: (name, link) =>
        `Здравствуйте, ${name}!\n\nДля вас создана учётная запись. Откройте ссылку, чтобы задать пароль; она сработает один раз и действует ${INVITATION_DAYS} дней:\n\n${link}\n\nДля входа понадобится приложение-аутентификатор на телефоне.\n`,
    },
  },
}
