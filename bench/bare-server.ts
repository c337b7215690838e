// The reference of the redirect bench: a bare node:http server that decides and stores nothing.

import { createServer } from 'node:http'

const LOCATION =
  'https://ua.advertiser.example/welcome?click_id=01a1fa27-c827-7000-9467-a2cb6b27b5bc&site_id=bench-site&sub_id=s1'

const server = createServer((_, response) => {
  response.writeHead(302, { Location: LOCATION, 'Cache-Control': 'no-store', 'Content-Length': 0 })
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`ready http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
})
