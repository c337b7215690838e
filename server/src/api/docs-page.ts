// Renders the page at /api/docs: every operation of the OpenAPI document as HTML without scripts or other files.

import { setImmediate } from 'node:timers/promises'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
h2{margin-top:2rem}summary{cursor:pointer}code,pre{font-family:ui-monospace,monospace;font-size:13px}
pre{overflow:auto;padding:.75rem;border:1px solid #8886;border-radius:6px}b{display:inline-block;min-width:4.5rem}`

interface Operation {
  tags?: string[]
  security?: unknown[]
  parameters?: unknown
  requestBody?: unknown
  responses?: unknown
}

/** Renders the page, one group of operations at a time, so that other requests are not delayed. */
export async function renderDocs(document: object): Promise<string> {
  const { paths = {}, info } = document as {
    paths?: Record<string, Record<string, Operation>>
    info?: { title: string }
  }
  const title = `${info?.title ?? ''} API`
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => (methods[method] === undefined ? [] : [{ path, method, operation: methods[method] }])),
  )
  const groups = Map.groupBy(operations, ({ operation }) => String(operation.tags?.[0] ?? 'other'))
  const sections: string[] = []
  for (const [name, list] of groups) {
    sections.push(`<h2>${toHtml(name)}</h2>${list.map(renderOperation).join('')}`)
    await setImmediate()
  }
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${toHtml(title)}</title><style>${STYLE}</style><h1>${toHtml(title)}</h1>
<p>OpenAPI 3.1: <a href="/api/docs/json">/api/docs/json</a></p>${sections.join('')}</html>`
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const isPublic = operation.security?.length === 0
  const { parameters, requestBody, responses } = operation
  const shown = JSON.stringify({ parameters, requestBody, responses }, null, 2)
  const head = `<b>${method.toUpperCase()}</b> <code>${toHtml(path)}</code>${isPublic ? ' · without a token' : ''}`
  return `<details><summary>${head}</summary><pre>${toHtml(shown)}</pre></details>`
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const toHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
