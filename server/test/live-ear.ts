// One open screen of a test: what it has heard on GET events, as the wire carries it.
import type { SignedIn } from './sign-in.ts'

export interface Ear {
  /** 'topic payload' of each message, in order; the version of the start is left out. */
  readonly heard: string[]
  /** The bytes as they came. */
  text(): string
  /** Resolves when the server has let it go. */
  readonly ended: Promise<void>
  leave(): void
}

export async function listen(who: SignedIn, topics?: string): Promise<Ear> {
  const control = new AbortController()
  const answer = await who.open(`events${topics === undefined ? '' : `?topics=${topics}`}`, control.signal)
  if (answer.status !== 200 || answer.body === null) throw new Error(`events was answered ${answer.status}`)
  const heard: string[] = []
  let text = ''
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const bytes of body) {
      const part = decoder.decode(bytes, { stream: true })
      text += part
      const blocks = (rest + part).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, topic, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
        if (topic !== undefined && topic !== 'version') heard.push(`${topic} ${data}`)
      }
    }
  }
  const ended = read(answer.body).catch(() => undefined)
  return { heard, text: () => text, ended, leave: () => control.abort() }
}
