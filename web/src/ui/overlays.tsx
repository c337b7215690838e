// The places where dialogs and corner messages appear.
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { setOverlaysReady } from './overlay-host.ts'

export function Overlays() {
  // Tells those who wait that what they show will be seen.
  useEffect(() => {
    setOverlaysReady(true)
    return () => setOverlaysReady(false)
  }, [])
  return (
    <ModalsProvider>
      <Notifications position="bottom-right" limit={4} />
    </ModalsProvider>
  )
}
