// The focus follows what has happened as soon as that is drawn, but is never taken from whoever has gone on meanwhile.

/** Acts after `ms`, unless the focus has moved on since it was at `from`. */
export function unlessMoved(act: () => void, ms: number, from = document.activeElement): void {
  setTimeout(() => {
    const now = document.activeElement
    // A button that is switched off or goes away loses the focus to nobody.
    if (now === from || now === document.body) act()
  }, ms)
}
