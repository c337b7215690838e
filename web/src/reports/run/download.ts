// Takes a file that the server makes and hands it to the browser under the name that the server gave it.
import { http } from '../../data/http.ts'
import { nameOf } from './file-name.ts'

export async function downloadFile(path: string, body: object): Promise<void> {
  const answer = await http.open('POST', path, body, { isEndless: true })
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = nameOf(answer.headers.get('content-disposition')) ?? 'report'
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
