// Chooses the language of the screens and of the server's messages; `onChosen` may load again what the server has said in the old one.
import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { LANGUAGES } from '@tributary/contract/language'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, currentLanguage } from '../i18n/language.ts'

/** Each language is named in itself. */
const NAMES = { en: 'English', ru: 'Русский' } as const

export function LanguageMenu({ onChosen }: { onChosen?: (() => void) | undefined }) {
  const { t } = useTranslation()
  const current = currentLanguage()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={`${t(($) => $.frame.language)}: ${current.toUpperCase()}`} fz={12} fw={600}>
          {current.toUpperCase()}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={language === current ? <IconCheck size={15} aria-hidden /> : null}
            onClick={() => void chooseLanguage(language).then(onChosen)}
          >
            {NAMES[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
