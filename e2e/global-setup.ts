// Starts one product and a mail server for the whole run; passes its URL and an admin for each file by the environment.
import { makeAdmins } from './admins.ts'
import { startMailBox } from './mail-box.ts'
import { startProduct } from './product.ts'
import { makeTodaysClicks } from './todays-clicks.ts'

export default async function setUp(): Promise<() => Promise<void>> {
  const box = await startMailBox()
  const product = await startProduct({ smtpUrl: box.url })
  process.env.E2E_BASE_URL = product.baseUrl
  process.env.E2E_MAIL_DIR = box.directory
  const stop = async () => {
    await product.stop()
    await box.stop()
  }
  try {
    const token = await makeAdmins(product)
    await makeTodaysClicks(product, token)
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
