// The settings of the installation: one row, on a page of its own [ENT-23].
import { SETTING_ID } from '@tributary/contract/entities/setting'
import type { FormParts } from '../../entities/form/form-parts.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import { currentWords } from '../../i18n/language.ts'
import { IntegrationsPanel } from './integrations-panel.tsx'

const PARTS: FormParts = {
  title: () => currentWords().screens.settings.title,
  below: { players: IntegrationsPanel },
}

export function SettingsScreen() {
  return <FormScreen name="setting" id={SETTING_ID} parts={PARTS} />
}
