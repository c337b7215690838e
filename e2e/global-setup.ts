// Starts one product and a mail server for the whole run; passes its URL and the first admin's credentials by the environment.
import { startMailBox } from './mail-box.ts'
import { startProduct } from './product.ts'

export default async function setUp(): Promise<() => Promise<void>> {
  const box = await startMailBox()
  const product = await startProduct({ smtpUrl: box.url })
  process.env.E2E_BASE_URL = product.baseUrl
  process.env.E2E_EMAIL = product.credentials.email
  process.env.E2E_PASSWORD = product.credentials.password
  process.env.E2E_TOTP_SECRET = product.credentials.totpSecret
  process.env.E2E_MAIL_DIR = box.directory
  return async () => {
    await product.stop()
    await box.stop()
  }
}
