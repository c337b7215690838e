// `node clickhouse-server.ts <folder> <port>`: serves the engine on that folder until it is killed, and prints its address when it is there.

import { serveClickhouse } from './clickhouse-over-http.ts'

const [, , directory = '', port = '0'] = process.argv
const { url } = await serveClickhouse(directory, Number(port))
process.stdout.write(`${url}\n`)
