// The reference of the lists under load: bare node:http and pg, which answer a page of 20 and its total by two prepared statements.
// `node bare-list-server.ts DATABASE_URL`: `/offer`, and `/player` of one partner.

import { createServer } from 'node:http'
import { Pool } from 'pg'

const PARTNER = 1
const CONNECTIONS = 10

const LISTS: Record<string, { page: string; count: string; values: readonly unknown[] }> = {
  '/offer': {
    page: 'select * from offer order by active desc, id desc limit 20',
    count: 'select count(*) from offer',
    values: [],
  },
  '/player': {
    page: 'select * from player where partner_id = $1 order by registered_at desc, id desc limit 20',
    count: 'select count(*) from player where partner_id = $1',
    values: [PARTNER],
  },
}

const pool = new Pool({ connectionString: process.argv[2], max: CONNECTIONS })

async function answer(path: string): Promise<string> {
  const list = LISTS[path]
  if (list === undefined) throw new Error(`there is no list ${path}`)
  const values = [...list.values]
  const [page, count] = await Promise.all([
    pool.query({ name: `page ${path}`, text: list.page, values }),
    pool.query({ name: `count ${path}`, text: list.count, values }),
  ])
  return JSON.stringify({ items: page.rows, total: Number(count.rows[0]?.count) })
}

const server = createServer((request, response) => {
  answer(request.url ?? '').then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`ready http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
})
