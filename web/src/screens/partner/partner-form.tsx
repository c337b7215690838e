// The form of a partner: managers, a tester of postback URLs, and a check of contacts for duplicates.

import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { BillingPanel } from '../../entities/billing/billing-panel.tsx'
import { entityOf } from '../../entities/field/field-at.ts'
import { rowsOf } from '../../entities/form/form-change.ts'
import { type FormRow, isNewChild } from '../../entities/form/form-row.ts'
import { type FormSlots, MANAGERS, type SectionProps } from '../../entities/form/form-slots.ts'
import { NewRowButton } from '../../entities/form/new-row-button.tsx'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { PostbackTester, type TestedAddress } from '../../entities/testers/postback-tester.tsx'
import classes from './partner-form.module.css'

type DuplicateContacts = AnswerOf<'partner_info_check_duplicate'>

interface Contact {
  readonly id: number
  readonly value: string
}

const contactsOf = (row: SectionProps['row']): Contact[] => (Array.isArray(row?.infos) ? (row.infos as Contact[]) : [])

/** Below a partner's contacts: other partners with the same contacts. */
function ContactDuplicates({ row }: SectionProps) {
  const { t } = useTranslation()
  const contacts = contactsOf(row)
  const answers = useQueries({
    queries: contacts.map(({ id }) => ({
      queryKey: [...keys.entity('partner_info'), 'duplicates', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        http.get<DuplicateContacts>(`partner_info/${id}/check_duplicate`, { signal }),
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

function Duplicate({ contact, answer }: { contact: Contact; answer: DuplicateContacts }) {
  const { t } = useTranslation()
  return (
    <li>
      {t(($) => $.links.duplicateOf, { contact: contact.value })}{' '}
      {answer.duplicates.map(({ partner }, index) => (
        <span key={partner.id}>
          {index === 0 ? null : ', '}
          <Link to={`/partners/${partner.id}`} className={classes.link ?? ''}>
            {partner.title}
          </Link>
        </span>
      ))}{' '}
      {answer.others === 0 ? null : t(($) => $.links.duplicatesHidden, { count: answer.others })}
    </li>
  )
}

const addressesOf = (value: unknown): TestedAddress[] =>
  rowsOf(value)
    .filter(({ url, _status }) => typeof url === 'string' && url.trim() !== '' && _status !== 'deleted')
    .map((row) => ({
      key: row._key,
      id: isNewChild(row) ? null : Number(row.id),
      url: String(row.url),
      method: typeof row.method === 'string' ? row.method : 'GET',
    }))

/** Below a partner's postback URLs: tests any of them, with unsaved values. */
function AddressTester({ row }: SectionProps) {
  const can = useCan()
  const addresses = addressesOf(useWatch<FormRow>({ name: 'postback_urls' }))
  if (row === null || !can(entityOf('partner_postback_url').access.edit)) return null
  return <PostbackTester id={Number(row.id)} addresses={addresses} />
}

/** The list of partners: a new partner is unapproved. */
export const PARTNER_LIST: ListSlots = { form: { fields: { state: { initial: 'unapproved' } } } }

function NewPartnerOffer({ row }: SectionProps) {
  return row === null ? null : <NewRowButton name="offer_partner" given={{ partner: Number(row.id) }} />
}

function Billing({ row }: SectionProps) {
  return row === null ? null : <BillingPanel partner={Number(row.id)} />
}

export const PARTNER_FORM: FormSlots = {
  fields: {
    'partner_partner_groups.managers.user': MANAGERS,
    payment_details: { hint: (words) => words.partner.paymentNote },
  },
  actions: NewPartnerOffer,
  above: { billing: Billing },
  below: { postback_urls: AddressTester, contacts: ContactDuplicates },
}
