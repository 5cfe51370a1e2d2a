import { useLayoutEffect, useRef } from 'preact/hooks'
import { spotOf, type Spot } from './router.ts'

/** A long list needs some frames until it has its height, and its rows may have to be asked for. */
const MAX_FRAMES = 120

/** After these the person decides what is seen. */
const INTENTIONS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Puts a page where it was left once it has its content: the same scroll position, and the focus on the same card. A new page begins at its
 * top with the focus on its heading, unless something has the focus that is still there.
 * @param entry the number of the page in the history
 * @param isReady whether the page has its content
 */
export function useSpot(entry: number, isReady: boolean): void {
  const placed = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (!isReady || placed.current === entry) return undefined
    placed.current = entry
    const spot = spotOf(entry)
    if (spot !== undefined) return restore(spot)
    scrollTo(0, 0)
    if (isFocusLost()) heading()?.focus({ preventScroll: true })
    return undefined
  }, [entry, isReady])
}

/** @returns a function that gives up */
function restore({ scrollTop, focusedId }: Spot): () => void {
  const intended = new AbortController()
  for (const type of INTENTIONS) addEventListener(type, () => intended.abort(), { signal: intended.signal })
  let frames = 0
  const attempt = (): void => {
    if (intended.signal.aborted) return
    scrollTo(0, scrollTop)
    const hasFocus = focusedId === '' ? focusHeading() : focusCard(focusedId)
    frames += 1
    if ((hasFocus && Math.abs(scrollY - scrollTop) < 1) || frames > MAX_FRAMES) {
      if (!hasFocus) focusHeading()
      return intended.abort()
    }
    requestAnimationFrame(attempt)
  }
  attempt()
  return () => intended.abort()
}

function focusCard(id: string): boolean {
  const card = document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
  card?.focus({ preventScroll: true })
  return card !== null
}

/** @returns true, because a page without a heading has nothing to wait for */
function focusHeading(): true {
  if (isFocusLost()) heading()?.focus({ preventScroll: true })
  return true
}

const heading = (): HTMLElement | null => document.getElementById('list-heading')

/** What had the focus belonged to the page before. */
function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
