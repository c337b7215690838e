// Copies a text and says so. Works on plain http too, where the clipboard API is absent.
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

export function CopyButton({ value, label }: { value: string; label?: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  // Follows the clock: the tick goes back to the copy sign.
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const words = isCopied ? t(($) => $.actions.copied) : (label ?? t(($) => $.actions.copy))
  return (
    <Tooltip label={words}>
      <ActionIcon size="sm" aria-label={words} onClick={() => void copyText(value).then(setCopied)}>
        {isCopied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** True when the text is in the clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
