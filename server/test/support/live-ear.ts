// One open screen of a test: the events that it received from GET events, as on the wire.
import type { SignedIn } from './sign-in.ts'

export interface Ear {
  /** 'topic payload' of each event, in order, without the initial version. */
  readonly heard: string[]
  /** The received bytes. */
  text(): string
  /** Resolves when the server has closed the stream. */
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
