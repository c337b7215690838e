// Hands an answer that is a file to the browser, under the name that the server gives it.
const FALLBACK = 'report.xlsx'

export async function saveAnswer(answer: Response): Promise<void> {
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = nameOf(answer.headers.get('content-disposition')) ?? FALLBACK
  link.click()
  URL.revokeObjectURL(url)
}

function nameOf(disposition: string | null): string | null {
  const match = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '')
  return match?.[1] === undefined ? null : decodeURIComponent(match[1])
}
