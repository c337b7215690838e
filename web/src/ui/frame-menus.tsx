// The menus of colour scheme and language.
import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { LANGUAGES } from '@tributary/contract/language'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, currentLanguage } from '../i18n/language.ts'

const SCHEMES = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const satisfies Record<
  MantineColorScheme,
  unknown
>

/** Selects the colour scheme (light, dark, or the system's), stored on this device. */
export function ThemeMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = SCHEMES[colorScheme]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t(($) => $.frame.theme)}>
          <Current size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['light', 'dark', 'auto'] as const).map((scheme) => {
          const Icon = SCHEMES[scheme]
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={16} stroke={1.7} aria-hidden />}
              rightSection={scheme === colorScheme ? <IconCheck size={15} aria-hidden /> : null}
              onClick={() => setColorScheme(scheme)}
            >
              {t(($) => $.frame.themes[scheme])}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

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
