// Sends postbacks of new players, one after another on each connection: postback-load.ts <url> <connections> <seconds>.
// Prints the number of answers with status 200 and the seconds.

import { Agent, request } from 'node:http'

const [address = '', connections = '1', seconds = '1'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const began = performance.now()
const until = began + Number(seconds) * 1000
let [sent, taken] = [0, 0]

function send(): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${address}?event=reg&site_id=bench-site&player_id=${process.pid}-${++sent}`,
      { agent },
      (answer) => {
        if (answer.statusCode === 200) taken++
        answer.resume().on('end', resolve)
      },
    )
    call.on('error', reject).end()
  })
}

async function repeat(): Promise<void> {
  while (performance.now() < until) await send()
}

await Promise.all(Array.from({ length: Number(connections) }, repeat))
console.log(JSON.stringify({ sent, taken, seconds: (performance.now() - began) / 1000 }))
agent.destroy()
