// The live tail of a log: new rows appear on the first page as they arrive; while paused, their number is shown.
import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useIsFetching } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '../../data/live.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import classes from './live-tail.module.css'
import type { ListControl } from './use-list-state.ts'

interface LiveTailProps {
  name: EntityName
  topic: 'click' | 'postback'
  list: ListControl
}

/** Collects the events of this time into one request. */
const GATHER_MS = 700

/** A switch that follows new rows, with the number of those that are not shown. */
export function LiveTail({ name, topic, list }: LiveTailProps) {
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

  return (
    <>
      {!isFollowing && arrived.size > 0 ? (
        <Button variant="light" onClick={show}>
          {t(($) => $.traffic.live.arrived, { count: arrived.size })}
        </Button>
      ) : null}
      <Button
        variant="default"
        aria-pressed={isRunning}
        leftSection={isRunning ? <IconPlayerPause size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
        onClick={() => {
          setRunning(!isRunning)
          if (!isRunning) show()
        }}
      >
        {isFollowing ? <span className={classes.dot} aria-hidden /> : null}
        {isRunning ? t(($) => $.traffic.live.pause) : t(($) => $.traffic.live.resume)}
      </Button>
    </>
  )
}
