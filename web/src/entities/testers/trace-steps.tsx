// The steps of a traced visit in order: link, checks, visitor, landing, macros, final URL and its redirects.

import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchOptions } from '../../data/lookup.ts'
import { currentWords } from '../../i18n/language.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { LinkField } from '../../ui/link-field.tsx'
import { idOf } from '../field/reference-id.ts'
import { labelOption } from '../field/row-text.ts'
import type { Trace } from './link-tester.tsx'
import classes from './trace-steps.module.css'

/** The reason of a rejection in words, or its name if it has none. */
export function useReason(): (reason: string) => string {
  useTranslation()
  const words: Readonly<Record<string, string>> = currentWords().links.reasons
  return (reason) => words[reason] ?? reason
}

type Tone = 'good' | 'bad' | 'plain'
const ICONS = { good: IconCircleCheck, bad: IconCircleX, plain: IconInfoCircle }

export function TraceSteps({ trace }: { trace: Trace }) {
  const { t } = useTranslation()
  const reasonOf = useReason()
  const { click } = trace
  return (
    <ol className={classes.steps} aria-live="polite">
      <Step tone="plain" title={t(($) => $.links.steps.opened)}>
        <code className={classes.url}>{trace.partner_link}</code>
      </Step>
      <Step
        tone={trace.reason === null ? 'good' : 'bad'}
        title={
          trace.reason === null
            ? t(($) => $.links.steps.accepted)
            : t(($) => $.links.steps.refused, { status: trace.status })
        }
      >
        {trace.reason === null ? t(($) => $.links.steps.acceptedText) : reasonOf(trace.reason)}
      </Step>
      {click === null ? null : <Visitor click={click} />}
      {click === null ? null : <Landing id={idOf(click.landing)} />}
      {trace.target === null ? null : (
        <>
          <Step tone={trace.missing.length === 0 ? 'good' : 'plain'} title={t(($) => $.links.steps.macros)}>
            <Macros filled={trace.filled} missing={trace.missing} />
          </Step>
          <Step tone="good" title={t(($) => $.links.steps.target, { status: trace.status })}>
            <LinkField value={trace.target} label={t(($) => $.links.steps.finalUrl)} />
          </Step>
        </>
      )}
      {trace.hops.map((hop) => (
        <Step
          key={hop.url}
          tone={hop.error === null && (hop.code ?? 500) < 400 ? 'good' : 'bad'}
          title={t(($) => $.links.steps.hop, { code: hop.code ?? '–', ms: hop.duration_ms })}
        >
          <code className={classes.url}>{hop.url}</code>
          {hop.error}
        </Step>
      ))}
    </ol>
  )
}

function Step({ tone, title, children }: { tone: Tone; title: string; children: ReactNode }) {
  const Icon = ICONS[tone]
  return (
    <li className={classes.step} data-tone={tone}>
      <Icon size={18} aria-hidden className={classes.icon} />
      <div className={classes.body}>
        <strong>{title}</strong>
        <div className={classes.detail}>{children}</div>
      </div>
    </li>
  )
}

function Visitor({ click }: { click: NonNullable<Trace['click']> }) {
  const { t } = useTranslation()
  const country = typeof click.ip_country === 'string' ? click.ip_country : t(($) => $.links.steps.unknownCountry)
  return (
    <Step tone="plain" title={t(($) => $.links.steps.visitor)}>
      {t(($) => $.links.steps.visitorText, { country, ip: String(click.ip) })}
      {click.bot === true ? ` ${t(($) => $.links.steps.isBot)}` : null}
    </Step>
  )
}

function Landing({ id }: { id: number | null }) {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ['entity', 'landing', 'lookup', 'of a trace', id],
    queryFn: ({ signal }) => fetchOptions('landing', id === null ? [] : [id], signal),
  })
  const option = data?.[0]
  return (
    <Step tone="plain" title={t(($) => $.links.steps.landing)}>
      {id === null
        ? t(($) => $.links.steps.noLanding)
        : option === undefined
          ? recordNumber(id)
          : labelOption('landing', option)}
    </Step>
  )
}

function Macros({ filled, missing }: Pick<Trace, 'filled' | 'missing'>) {
  const { t } = useTranslation()
  return (
    <>
      {filled.length === 0 ? null : (
        <p className={classes.macros}>
          {t(($) => $.links.steps.filled)}{' '}
          {filled.map((name) => (
            <code key={name}>{`{${name}}`}</code>
          ))}
        </p>
      )}
      {missing.length === 0 ? null : (
        <p className={classes.macros}>
          {t(($) => $.links.steps.empty)}{' '}
          {missing.map((name) => (
            <code key={name}>{`{${name}}`}</code>
          ))}
        </p>
      )}
    </>
  )
}
