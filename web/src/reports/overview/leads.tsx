// Where a record leads on to: the records that it refers to, and screens that tell more about it.
import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useCan } from '../../data/profile.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import { recordPath } from '../../entities/field/row-link.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { useLabels } from '../../i18n/labels.ts'
import classes from './overview.module.css'
import { type Lead, referenceIn } from './overview-slots.ts'

/** Makes leads of the references of a record; null if a reference is empty. */
export function useLeadTo(name: EntityName, record: SectionProps['row']): (field: EntityName) => Lead | null {
  const labels = useLabels()
  const can = useCan()
  return (field) => {
    const to = record === null ? null : referenceIn(record, field)
    const path = to && can(entityOf(field).access.view) ? recordPath(field, to.id) : null
    return to && { label: labels.field(name, field), title: to.title, to: path }
  }
}

export function Leads({ leads, label }: { leads: readonly (Lead | null)[]; label: string }) {
  return (
    <nav className={classes.leads} aria-label={label}>
      {leads.map((lead) => {
        if (lead === null) return null
        const content = (
          <>
            <span className={classes.quiet}>{lead.label}</span>
            <span className={classes.leadTitle}>{lead.title}</span>
          </>
        )
        return lead.to === null ? (
          <span key={lead.label} className={classes.lead}>
            {content}
          </span>
        ) : (
          <Link
            key={lead.label}
            to={lead.to}
            {...(lead.search && { search: lead.search })}
            className={classes.lead ?? ''}
          >
            {content}
          </Link>
        )
      })}
    </nav>
  )
}
