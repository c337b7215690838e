// Bars in place of lines that load.
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export function LoadingLines({ count }: { count: number }) {
  const { t } = useTranslation()
  return (
    <div role="status" aria-busy aria-label={t(($) => $.frame.loading)}>
      {Array.from({ length: count }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike.
        <Skeleton key={line} height={14} my={16} radius="xl" />
      ))}
    </div>
  )
}
