// One product for the whole run; its address and the first admin's credentials reach the tests by the environment.
import { startProduct } from './product.ts'

export default async function setUp(): Promise<() => Promise<void>> {
  const product = await startProduct()
  process.env.E2E_BASE_URL = product.baseUrl
  process.env.E2E_EMAIL = product.credentials.email
  process.env.E2E_PASSWORD = product.credentials.password
  process.env.E2E_TOTP_SECRET = product.credentials.totpSecret
  return product.stop
}
