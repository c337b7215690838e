// The general report: what to count above, the filters beside, the rows below; any number opens what it is made of.
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFilter, IconLayoutSidebarLeftCollapse } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/report-words.ts'
import { loadPart } from '../../lib/lazy-part.ts'
import { ReportNoticeBar } from '../../reports/report-notice-bar.tsx'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { Page } from '../../ui/page.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { ColumnsButton } from './columns-button.tsx'
import classes from './general-report.module.css'
import { ReportBody } from './report-body.tsx'
import { ReportStatus } from './report-status.tsx'
import { ReportToolbar } from './report-toolbar.tsx'
import { useReport } from './use-report.ts'
import { type ReportControl, useReportState } from './use-report-state.ts'

const FilterPanel = lazy(() =>
  loadPart('filters', () => import('./filter-panel.tsx')).then((part) => ({ default: part.FilterPanel })),
)
const FilterDrawer = lazy(() =>
  loadPart('filters', () => import('./filter-drawer.tsx')).then((part) => ({ default: part.FilterDrawer })),
)

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const panelOpen = createStoredValue('report:filters_open', false, isBoolean)
const NARROW = '(width <= 860px)'

export function GeneralReportScreen() {
  const { t } = useTranslation()
  const role = useProfile().role.kind
  const words = useReportWords()
  const control = useReportState(role)
  const load = useReport(control.state)
  const [isPanelOpen, setPanelOpen] = useStoredValue(panelOpen)
  const isNarrow = useMediaQuery(NARROW, globalThis.matchMedia(NARROW).matches)
  const count = Object.keys(control.state.filters).length + control.state.conditions.length
  return (
    <Page
      fill
      title={t(($) => $.screens['general-report'].title)}
      subtitle={t(($) => $.screens['general-report'].subtitle)}
      actions={
        <>
          <ReportStatus state={control.state} load={load} />
          <ColumnsButton role={role} />
          <Button
            variant={isPanelOpen ? 'light' : 'default'}
            classNames={{ section: classes.actionIcon ?? '' }}
            leftSection={<IconFilter size={15} aria-hidden />}
            aria-label={words.filterPanel.show}
            aria-expanded={isPanelOpen}
            onClick={() => setPanelOpen(!isPanelOpen)}
          >
            <span className={classes.actionLabel}>{words.filterPanel.show}</span>
            {count > 0 ? <span className={classes.count}>{count}</span> : null}
          </Button>
        </>
      }
    >
      <ReportToolbar control={control} role={role} />
      <ActiveFilters control={control} onOpen={() => setPanelOpen(true)} />
      <ReportNoticeBar notice={load.notice} onReload={load.refetch} />
      <div className={classes.columns}>
        <FiltersAside control={control} isOpen={isPanelOpen} isNarrow={isNarrow} onClose={() => setPanelOpen(false)} />
        <ReportBody control={control} load={load} role={role} />
      </div>
    </Page>
  )
}

interface FiltersAsideProps {
  control: ReportControl
  isOpen: boolean
  isNarrow: boolean
  onClose: () => void
}

function FiltersAside({ control, isOpen, isNarrow, onClose }: FiltersAsideProps) {
  const words = useReportWords()
  const role = useProfile().role.kind
  if (!isOpen) return null
  if (isNarrow)
    return (
      <Suspense fallback={null}>
        <FilterDrawer control={control} role={role} onClose={onClose} />
      </Suspense>
    )
  return (
    <aside className={classes.aside} aria-label={words.filterPanel.title}>
      <div className={classes.asideHead}>
        {words.filterPanel.title}
        <Tooltip label={words.filterPanel.hide}>
          <ActionIcon size={26} aria-label={words.filterPanel.hide} onClick={onClose}>
            <IconLayoutSidebarLeftCollapse size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes.asideBody}>
        <Suspense fallback={null}>
          <FilterPanel control={control} role={role} />
        </Suspense>
      </div>
    </aside>
  )
}
