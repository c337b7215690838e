// Reads a page of the guide: the small part of Markdown that its pages use. A page that uses more fails a test.

interface Words {
  readonly kind: 'text' | 'strong' | 'em'
  readonly text: string
}
interface PageLink {
  readonly kind: 'link'
  readonly text: string
  readonly to: string
}
export type Inline = Words | PageLink

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly kind: 'list'; readonly isNumbered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'picture'; readonly name: string; readonly text: string }

export interface GuideText {
  readonly title: string
  readonly blocks: readonly Block[]
}

const INLINE = /\*\*(.+?)\*\*|\*(.+?)\*|\[(.+?)\]\((.+?)\)/g
const PICTURE = /^!\[(.+)\]\((.+)\.webp\)$/
const ITEM = /^(?:- |\d+\. )(.*)$/

function readInline(text: string): Inline[] {
  const parts: Inline[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, strong, em, label, to] = match
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) })
    if (label !== undefined && to !== undefined) parts.push({ kind: 'link', text: label, to })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else parts.push({ kind: 'em', text: em ?? '' })
    at = match.index + whole.length
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  return parts
}

function readBlock(lines: readonly string[]): Block[] {
  const [first = '', ...rest] = lines
  if (first.startsWith('## ')) {
    const heading: Block = { kind: 'heading', text: first.slice(3) }
    return rest.length === 0 ? [heading] : [heading, ...readBlock(rest)]
  }
  const [, text, name] = PICTURE.exec(first) ?? []
  if (text !== undefined && name !== undefined) return [{ kind: 'picture', name, text }]
  if (!ITEM.test(first)) return [{ kind: 'paragraph', content: readInline(lines.join(' ')) }]
  const items = lines.map((line) => readInline(ITEM.exec(line)?.[1] ?? line))
  return [{ kind: 'list', isNumbered: /^\d/.test(first), items }]
}

/** The title and blocks of a page. */
export function readGuide(markdown: string): GuideText {
  const [head = '', ...parts] = markdown.trim().split(/\n{2,}/)
  return { title: head.replace(/^# /, ''), blocks: parts.flatMap((part) => readBlock(part.split('\n'))) }
}

/** The words of a page without marks, for searching. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[(.+?)\]\(.+?\)/g, '$1')
    .replaceAll(/^(?:- |\d+\. )/gm, '')
    .replaceAll(/[*#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
