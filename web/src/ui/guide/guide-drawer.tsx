// The guide in a drawer: the page about a screen, the contents, and the search over all pages.
import { Button, Drawer, Loader, TextInput } from '@mantine/core'
import { IconArrowLeft, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n/language.ts'
import { FailedState } from '../states.tsx'
import classes from './guide.module.css'
import { GuideArticle } from './guide-article.tsx'
import { type GuidePage, type GuideTexts, guidePageOf, loadGuide, searchGuide } from './guide-pages.ts'

interface GuideDrawerProps {
  /** The path of the screen. */
  pathname: string
  isOpen: boolean
  onClose: () => void
}

export function GuideDrawer({ pathname, isOpen, onClose }: GuideDrawerProps) {
  const { t } = useTranslation()
  const language = currentLanguage()
  const guide = useQuery({
    queryKey: ['guide', language],
    queryFn: () => loadGuide(language),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Drawer position="right" size={520} opened={isOpen} onClose={onClose} title={t(($) => $.guide.title)}>
      {guide.data === undefined ? (
        guide.isError ? (
          <FailedState error={guide.error} onRetry={() => void guide.refetch()} />
        ) : (
          <Loader size="sm" />
        )
      ) : (
        <Guide key={pathname} texts={guide.data} start={guidePageOf(pathname)} />
      )}
    </Drawer>
  )
}

interface GuideProps {
  texts: GuideTexts
  start: GuidePage
}

/** Null shows the contents. */
function Guide({ texts, start }: GuideProps) {
  const { t } = useTranslation()
  const [page, setPage] = useState<GuidePage | null>(start)
  const [sought, setSought] = useState('')
  const top = useRef<HTMLDivElement>(null)
  // A page opens at its beginning.
  useEffect(() => {
    if (page !== null) top.current?.scrollIntoView()
  }, [page])
  const isSearching = sought.trim() !== ''
  const open = (next: GuidePage) => {
    setSought('')
    setPage(next)
  }
  return (
    <div ref={top} className={classes.guide}>
      <TextInput
        type="search"
        aria-label={t(($) => $.guide.search)}
        placeholder={t(($) => $.guide.search)}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      {page === null || isSearching ? (
        <PageList texts={texts} sought={sought} onOpen={open} />
      ) : (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.contents ?? ''}
            leftSection={<IconArrowLeft size={14} aria-hidden />}
            onClick={() => setPage(null)}
          >
            {t(($) => $.guide.contents)}
          </Button>
          <GuideArticle text={texts[page]} onPage={open} />
        </>
      )}
    </div>
  )
}

function PageList({ texts, sought, onOpen }: { texts: GuideTexts; sought: string; onOpen: (page: GuidePage) => void }) {
  const { t } = useTranslation()
  const found = searchGuide(texts, sought)
  if (found.length === 0) return <p className={classes.none}>{t(($) => $.guide.nothing, { query: sought.trim() })}</p>
  return (
    <ul className={classes.pages} aria-label={t(($) => $.guide.contents)}>
      {found.map(({ page, title, excerpt }) => (
        <li key={page}>
          <button type="button" className={classes.page} onClick={() => onOpen(page)}>
            {title}
            {excerpt === '' ? null : <span className={classes.excerpt}>{excerpt}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
