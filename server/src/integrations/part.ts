// Third parties that the server speaks to, each opened once a process.
import type { Part } from '../services.ts'
import { createMailer, mailer } from './mail.ts'

export const mailPart: Part = {
  name: 'mail',
  roles: ['api', 'worker'],
  async start(services) {
    const mails = createMailer(services.config)
    mailer.fill(services, mails)
    return { stop: async () => mails.close() }
  },
}
