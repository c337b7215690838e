// Brings the screen and its words at the same time: nothing is shown untranslated.
import type { ComponentType } from 'react'
import { loadReportWords } from '../../i18n/report-words.ts'
import { fetchChart } from '../../reports/lazy-chart.ts'

export async function openDashboard(): Promise<{ default: ComponentType }> {
  fetchChart()
  const [part] = await Promise.all([import('./dashboard-screen.tsx'), loadReportWords()])
  return { default: part.DashboardScreen }
}
