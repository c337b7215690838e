// What still refers to a row that could not be deleted: by kind, the first of them as links.

import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { ErrorReply } from '@tributary/contract/error'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { editPath } from '../field/row-link.ts'
import classes from './reference-list.module.css'

export function ReferenceList({ references }: { references: NonNullable<ErrorReply['references']> }) {
  const labels = useLabels()
  const { t } = useTranslation()
  return (
    <div className={classes.groups}>
      {references.map(({ entity, items, total }) => {
        // The server names entities of the same registry.
        const name = entity as EntityName
        return (
          <section key={entity}>
            <h3 className={classes.head}>
              {labels.title(name)} <span className={classes.count}>{total}</span>
            </h3>
            <ul className={classes.list}>
              {items.map(({ id, title }) => {
                const path = editPath(name, id)
                return <li key={id}>{path === null ? title : <Link to={path}>{title}</Link>}</li>
              })}
              {total > items.length ? (
                <li className={classes.rest}>{t(($) => $.engine.moreReferences, { count: total - items.length })}</li>
              ) : null}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
