// A call changes selected rows for a minute at most. While it comes on and leaves some, it is sent again: whoever asked has asked for all of them.
import type { BulkAnswer } from '@tributary/contract/selection'

/** `send` is told how many rows earlier calls have changed. The outcome is of all calls. */
export async function goOn(send: (before: number) => Promise<BulkAnswer>): Promise<BulkAnswer> {
  let told = await send(0)
  for (let last = told; last.left > 0 && last.changed > 0; ) {
    last = await send(told.changed)
    // What an earlier call has changed or left as it was is so already for the next; what was refused is refused again.
    told = { ...last, changed: told.changed + last.changed, unchanged: told.unchanged, absent: told.absent }
  }
  return told
}
