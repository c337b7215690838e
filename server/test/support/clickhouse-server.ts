// `node clickhouse-server.ts <folder> <port>`: serves the engine on the folder until it is killed, and prints its URL when it listens.

import { serveClickhouse } from './clickhouse-over-http.ts'

const [, , directory = '', port = '0'] = process.argv
const { url } = await serveClickhouse(directory, Number(port))
process.stdout.write(`${url}\n`)
