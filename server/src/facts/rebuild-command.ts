// `npm run facts:rebuild`: asks for a rebuild and says how far it is until it is done.

import type { Postgres } from '../postgres/client.ts'
import { rebuildFacts } from './rebuild-request.ts'

const SAY_MS = 2000

export async function rebuildCommand(postgres: Postgres, say: (line: string) => void): Promise<void> {
  const began = performance.now()
  let saidAt = 0
  say('facts are being rebuilt from the record; reports go on meanwhile')
  await rebuildFacts(postgres, 'command', ({ state, done, total }) => {
    if (state !== 'running' || total === 0 || performance.now() - saidAt < SAY_MS) return
    saidAt = performance.now()
    say(`${Math.floor((done / total) * 100)} %  (${done} of ${total} players and spends)`)
  })
  say(`done in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}
