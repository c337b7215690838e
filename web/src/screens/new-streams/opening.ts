// Brings the screen and its words at the same time: nothing is shown untranslated.
import type { ComponentType } from 'react'
import { loadReportWords } from '../../i18n/report-words.ts'

export async function openNewStreams(): Promise<{ default: ComponentType }> {
  const [part] = await Promise.all([import('./new-streams-screen.tsx'), loadReportWords()])
  return { default: part.NewStreamsScreen }
}
