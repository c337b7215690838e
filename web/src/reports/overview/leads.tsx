// Where a record leads on to: the records that it refers to, and screens that tell more about it.
import { Link } from '@tanstack/react-router'
import classes from './overview.module.css'
import type { Lead } from './overview-slots.ts'

export function Leads({ leads, label }: { leads: readonly (Lead | null)[]; label: string }) {
  return (
    <nav className={classes.leads} aria-label={label}>
      {leads.map((lead) =>
        lead === null ? null : (
          <Link
            key={lead.label}
            to={lead.to}
            {...(lead.search && { search: lead.search })}
            className={classes.lead ?? ''}
          >
            <span className={classes.quiet}>{lead.label}</span>
            <span className={classes.leadTitle}>{lead.title}</span>
          </Link>
        ),
      )}
    </nav>
  )
}
