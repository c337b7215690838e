// Under a link's postback addresses: each of them ready for every event, to be copied as it is.
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { SectionProps } from '../../entities/form/form-parts.ts'
import type { ChildRow, FormRow } from '../../entities/form/form-row.ts'
import { useLabels } from '../../i18n/labels.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { eventTemplate, TEMPLATE_EVENTS } from './event-template.ts'
import classes from './offer-partner-form.module.css'

export function PostbackTemplates({ row }: SectionProps) {
  const { t } = useTranslation()
  const rows = useWatch<FormRow>({ name: 'postbacks' })
  const postbacks = (Array.isArray(rows) ? (rows as ChildRow[]) : []).filter(
    ({ url, _status }) => typeof url === 'string' && url !== '' && _status !== 'deleted',
  )
  if (row === null) return <p className={classes.text}>{t(($) => $.nouns.postbacks.later)}</p>
  if (postbacks.length === 0) return null
  return (
    <section className={classes.below}>
      <h3 className={classes.title}>{t(($) => $.nouns.postbacks.title)}</h3>
      <p className={classes.text}>{t(($) => $.nouns.postbacks.text)}</p>
      {postbacks.map((postback) => (
        <Templates key={postback.id} postback={postback} />
      ))}
    </section>
  )
}

function Templates({ postback }: { postback: ChildRow }) {
  const labels = useLabels()
  const { t } = useTranslation()
  const kind = labels.choice('offer_partner_postback', 'kind', String(postback.kind))
  const title = typeof postback.title === 'string' && postback.title !== '' ? ` · ${postback.title}` : ''
  return (
    <div className={classes.templates}>
      <h4 className={classes.kind}>{kind + title}</h4>
      {TEMPLATE_EVENTS.map((event) => {
        const word = t(($) => $.nouns.postbacks.events[event])
        return (
          <div key={event} className={classes.template}>
            <span className={classes.event}>{word}</span>
            <CopyField
              value={eventTemplate(String(postback.url), event)}
              label={t(($) => $.nouns.postbacks.copy, { event: word })}
              whole
            />
          </div>
        )
      })}
    </div>
  )
}
