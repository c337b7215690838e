// Screens of routes, downloaded when first opened.
import type { ComponentType } from 'react'
import { type LazyComponent, lazyComponent } from '../lib/lazy-component.tsx'
import classes from './root.module.css'

/** The line at the top of the page that grows while a screen loads. */
export const ProgressLine = () => <div className={classes.progress} aria-hidden />

let isOpening = true

/** Called when the first screen of a visit is there. */
export function endOpening(): void {
  isOpening = false
}

/**
 * A screen of a route, with the words it needs. The router keeps the screen before until `preload` resolves. The first screen of a visit has
 * none before it: the frame appears as soon as the words are there, because titles need them, and the screen inside it when it is loaded.
 */
export function lazyScreen(
  name: string,
  load: () => Promise<ComponentType<object>>,
  loadWords: () => Promise<void> = () => Promise.resolve(),
): LazyComponent<object> {
  const screen = lazyComponent(name, async () => (await Promise.all([load(), loadWords()]))[0], <ProgressLine />)
  const preload = async (): Promise<void> => {
    const loading = screen.preload()
    if (!isOpening) return loading
    // The screen shows its failure itself, when it is rendered.
    loading.catch(() => undefined)
    await loadWords()
  }
  return Object.assign((props: object) => screen(props), { preload })
}
