// The focus follows what has happened as soon as that is drawn, but is never taken from whoever has gone on meanwhile.

/** Parts of the page that are still on their way are waited for so often. */
const TRIES = 30

/** Acts after `ms`, and again until `act` says that it could, unless the focus has moved on since it was at `from`. */
export function unlessMoved(act: () => boolean, ms: number, from = document.activeElement, tries = TRIES): void {
  setTimeout(() => {
    const now = document.activeElement
    // A button that is switched off or goes away loses the focus to nobody.
    if (now !== from && now !== document.body) return
    if (!act() && tries > 1) unlessMoved(act, ms, from, tries - 1)
  }, ms)
}
