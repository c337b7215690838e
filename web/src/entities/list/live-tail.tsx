// The live tail of a log: new rows appear on the first page as they arrive; while paused, their number is shown.
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useIsFetching } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '../../data/live.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './live-tail.module.css'
import type { ListControl } from './use-list-state.ts'

export type LiveTopic = 'click' | 'postback'

interface LiveTailProps {
  name: EntityName
  topic: LiveTopic
  list: ListControl
  /** Shows an icon alone, and beside it the number of new rows. */
  isSmall: boolean
}

/** Collects the events of this time into one request. */
const GATHER_MS = 700

/** A switch that follows new rows, with the number of those that are not shown. */
export function LiveTail({ name, topic, list, isSmall }: LiveTailProps) {
  const { t } = useTranslation()
  const [isRunning, setRunning] = useState(true)
  const [arrived, setArrived] = useState<ReadonlySet<string | number>>(new Set())
  const isAsking = useIsFetching({ queryKey: [...keys.entity(name), 'list'] }) > 0
  // Rows must not move while the user looks at a later page or another order.
  const isFollowing = isRunning && list.query.page === 1
  const show = () => {
    setArrived(new Set())
    void queryClient.invalidateQueries({ queryKey: [...keys.entity(name), 'list'] })
  }
  useLive(
    topic,
    ({ ids }) => setArrived((before) => new Set([...before, ...ids])),
    () => isFollowing && show(),
  )

  // One request answers all events of a moment, and it waits for the previous request.
  useEffect(() => {
    if (!isFollowing || arrived.size === 0 || isAsking) return
    const timer = setTimeout(() => {
      setArrived(new Set())
      void queryClient.invalidateQueries({ queryKey: [...keys.entity(name), 'list'] })
    }, GATHER_MS)
    return () => clearTimeout(timer)
  }, [isFollowing, arrived, isAsking, name])

  const toggle = () => {
    setRunning(!isRunning)
    if (!isRunning) show()
  }
  const label = isRunning ? t(($) => $.traffic.live.pause) : t(($) => $.traffic.live.resume)
  const Icon = isRunning ? IconPlayerPause : IconPlayerPlay
  const arrivedLabel = t(($) => $.traffic.live.arrived, { count: arrived.size })
  return (
    <>
      {!isFollowing && arrived.size > 0 ? (
        <Button variant="light" {...(isSmall && { 'aria-label': arrivedLabel, px: 8 })} onClick={show}>
          {isSmall ? `+${arrived.size}` : arrivedLabel}
        </Button>
      ) : null}
      {isSmall ? (
        <IconButton
          label={label}
          icon={Icon}
          size={30}
          variant={isRunning ? 'default' : 'light'}
          aria-pressed={isRunning}
          onClick={toggle}
        />
      ) : (
        <Button
          variant="default"
          aria-pressed={isRunning}
          leftSection={<Icon size={15} aria-hidden />}
          onClick={toggle}
        >
          {isFollowing ? <span className={classes.dot} aria-hidden /> : null}
          {label}
        </Button>
      )}
    </>
  )
}
