// One page of the guide.
import { Fragment } from 'react'
import { currentLanguage } from '../../i18n/language.ts'
import classes from './guide.module.css'
import { GUIDE_PAGES, type GuidePage } from './guide-pages.ts'
import { pictureOf } from './guide-pictures.ts'
import { type Block, type Inline, readGuide } from './guide-text.ts'

interface GuideArticleProps {
  text: string
  onPage: (page: GuidePage) => void
}

export function GuideArticle({ text, onPage }: GuideArticleProps) {
  const { title, blocks } = readGuide(text)
  return (
    <article className={classes.article}>
      <h2 className={classes.title}>{title}</h2>
      {blocks.map((block) => (
        <BlockView key={JSON.stringify(block)} block={block} onPage={onPage} />
      ))}
    </article>
  )
}

function BlockView({ block, onPage }: { block: Block; onPage: (page: GuidePage) => void }) {
  if (block.kind === 'heading') return <h3 className={classes.heading}>{block.text}</h3>
  if (block.kind === 'picture')
    return (
      <img className={classes.picture} src={pictureOf(currentLanguage(), block.name)} alt={block.text} loading="lazy" />
    )
  if (block.kind === 'paragraph')
    return (
      <p>
        <InlineView content={block.content} onPage={onPage} />
      </p>
    )
  const items = block.items.map((content) => (
    <li key={JSON.stringify(content)}>
      <InlineView content={content} onPage={onPage} />
    </li>
  ))
  return block.isNumbered ? <ol>{items}</ol> : <ul>{items}</ul>
}

function InlineView({ content, onPage }: { content: readonly Inline[]; onPage: (page: GuidePage) => void }) {
  return content.map((part) => {
    const key = JSON.stringify(part)
    if (part.kind === 'strong') return <strong key={key}>{part.text}</strong>
    if (part.kind === 'em') return <em key={key}>{part.text}</em>
    if (part.kind !== 'link') return <Fragment key={key}>{part.text}</Fragment>
    const page = GUIDE_PAGES.find((name) => part.to === `${name}.md`)
    if (page === undefined) return <Fragment key={key}>{part.text}</Fragment>
    return (
      <button key={key} type="button" className={classes.link} onClick={() => onPage(page)}>
        {part.text}
      </button>
    )
  })
}
