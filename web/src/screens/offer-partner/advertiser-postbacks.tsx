// Below the postback URLs of a partner offer: URLs to copy, and a tester of events.

import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { rowsOf } from '../../entities/form/form-change.ts'
import type { ChildRow, FormRow } from '../../entities/form/form-row.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { EventTester } from '../../entities/testers/event-tester.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import classes from './offer-partner-form.module.css'

const TEMPLATE_EVENTS = ['reg', 'dep', 'bet'] as const
export type TemplateEvent = (typeof TEMPLATE_EVENTS)[number]

const WITHOUT_MONEY: ReadonlySet<string> = new Set(['sum', 'currency', 'transaction_id'])
/** Parameters that only a registration has. */
const ONLY_AT_FIRST: ReadonlySet<string> = new Set(['promocode', 'country'])

/**
 * A postback URL for advertisers: one event, with only the parameters of that event. `url` has every parameter:
 * `…?click_id={click_id}&event={event}&…`.
 */
export function eventTemplate(url: string, event: TemplateEvent): string {
  const [address = '', query = ''] = url.split('?')
  const left = event === 'reg' ? WITHOUT_MONEY : ONLY_AT_FIRST
  const parameters = query
    .split('&')
    .map((parameter) => parameter.split('=')[0] ?? '')
    .filter((name) => name !== '' && !left.has(name))
    .map((name) => (name === 'event' ? `event=${event}` : `${name}={${name}}`))
  return `${address}?${parameters.join('&')}`
}

const usable = (rows: unknown): ChildRow[] =>
  rowsOf(rows).filter(({ url, _status }) => typeof url === 'string' && url !== '' && _status !== 'deleted')

/** A URL for each kind of event, for each postback URL among `rows`. */
export function PostbackTemplates({ rows }: { rows: unknown }) {
  const { t } = useTranslation()
  return (
    <>
      <p className={classes.text}>{t(($) => $.nouns.postbacks.text)}</p>
      {usable(rows).map((postback) => (
        <Templates key={postback.id} postback={postback} />
      ))}
    </>
  )
}

function FormTemplates({ row }: SectionProps) {
  const { t } = useTranslation()
  const rows = useWatch<FormRow>({ name: 'postbacks' })
  if (row === null) return <p className={classes.text}>{t(($) => $.nouns.postbacks.later)}</p>
  if (usable(rows).length === 0) return null
  return (
    <section className={classes.below}>
      <h3 className={classes.title}>{t(($) => $.nouns.postbacks.title)}</h3>
      <PostbackTemplates rows={rows} />
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
      <p className={classes.kind}>{kind + title}</p>
      {TEMPLATE_EVENTS.map((event) => {
        const word = t(($) => $.nouns.postbacks.events[event])
        return (
          <div key={event} className={classes.template}>
            <span className={classes.event}>{word}</span>
            <CopyField value={eventTemplate(String(postback.url), event)} label={word} whole />
          </div>
        )
      })}
    </div>
  )
}

export function AdvertiserPostbacks({ row }: SectionProps) {
  const isStaff = useProfile().role.kind !== 'PARTNER'
  return (
    <>
      <FormTemplates row={row} />
      {row !== null && isStaff ? <EventTester id={Number(row.id)} /> : null}
    </>
  )
}
