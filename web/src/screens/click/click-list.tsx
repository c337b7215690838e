// The log of clicks: a link to rejections, and a link from a click to its trace.
import { Button } from '@mantine/core'
import { IconHandStop, IconRoute } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { RowView } from '../../entities/field/row-view.tsx'
import type { Row } from '../../entities/list/list-query.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { formatDay } from '../../lib/date-format.ts'
import classes from './click-list.module.css'

export const CLICK_LIST: ListSlots = { view: ClickPanel, tools: ClickTools, live: 'click' }

function ClickTools() {
  const { t } = useTranslation()
  return (
    <>
      <Button
        component={Link}
        to="/rejected-clicks"
        variant="default"
        leftSection={<IconHandStop size={15} aria-hidden />}
      >
        {t(($) => $.traffic.rejected)}
      </Button>
      <DeletedClicks />
    </>
  )
}

/** Says from which day on clicks can be listed. */
function DeletedClicks() {
  const { t } = useTranslation()
  const { clicks_kept_from: day } = useProfile()
  if (day === null) return null
  return <p className={classes.rule}>{t(($) => $.traffic.clicksDeleted, { day: formatDay(day) ?? day })}</p>
}

function ClickPanel({ row }: { row: Row }) {
  const { t } = useTranslation()
  return (
    <div className={classes.panel}>
      <div>
        <Button
          renderRoot={(props) => <Link to="/trace" search={{ id: String(row.id) }} {...props} />}
          variant="default"
          leftSection={<IconRoute size={15} aria-hidden />}
        >
          {t(($) => $.traffic.openTrace)}
        </Button>
      </div>
      <p className={classes.rule}>{t(($) => $.traffic.uniqueRule)}</p>
      <RowView name="click" row={row} />
    </div>
  )
}
