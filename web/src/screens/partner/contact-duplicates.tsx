// Under a partner's contacts: which other partners have the same ones.
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import type { SectionProps } from '../../entities/form/form-parts.ts'
import classes from './partner-form.module.css'

type Found = AnswerOf<'partner_info_check_duplicate'>

interface Contact {
  readonly id: number
  readonly value: string
}

const contactsOf = (row: SectionProps['row']): Contact[] => (Array.isArray(row?.infos) ? (row.infos as Contact[]) : [])

export function ContactDuplicates({ row }: SectionProps) {
  const { t } = useTranslation()
  const contacts = contactsOf(row)
  const answers = useQueries({
    queries: contacts.map(({ id }) => ({
      queryKey: [...keys.entity('partner_info'), 'duplicates', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        http.get<Found>(`partner_info/${id}/check_duplicate`, { signal }),
    })),
  })
  if (contacts.length === 0 || answers.some(({ data }) => data === undefined)) return null
  const found = contacts.flatMap((contact, index) => {
    const answer = answers[index]?.data
    return answer !== undefined && answer.duplicates.length + answer.others > 0 ? [{ contact, answer }] : []
  })
  return (
    <section className={classes.below} aria-label={t(($) => $.links.duplicates)}>
      <h3 className={classes.title}>{t(($) => $.links.duplicates)}</h3>
      {found.length === 0 ? (
        <p className={classes.text}>{t(($) => $.links.noDuplicates)}</p>
      ) : (
        <ul className={classes.duplicates}>
          {found.map(({ contact, answer }) => (
            <Duplicate key={contact.id} contact={contact} answer={answer} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Duplicate({ contact, answer }: { contact: Contact; answer: Found }) {
  const { t } = useTranslation()
  return (
    <li>
      {t(($) => $.links.duplicateOf, { contact: contact.value })}{' '}
      {answer.duplicates.map(({ partner }, index) => (
        <span key={partner.id}>
          {index === 0 ? null : ', '}
          <Link to={`/partners/${partner.id}/edit`} className={classes.link ?? ''}>
            {partner.title}
          </Link>
        </span>
      ))}{' '}
      {answer.others === 0 ? null : t(($) => $.links.duplicatesHidden, { count: answer.others })}
    </li>
  )
}
