import { useLayoutEffect } from 'preact/hooks'
import { decorateCard, type OpenedItem } from './open-item.ts'

/** Adds the button of watch groups, which another part of the page makes, for each item anew. */
export function useDecoration(entry: { current: HTMLElement | null }, item: OpenedItem | undefined): void {
  useLayoutEffect(() => {
    const { current: element } = entry
    if (element === null || item === undefined) return undefined
    const before = element.childElementCount
    decorateCard(element, item)
    const added = [...element.children].slice(before)
    return () => {
      for (const one of added) one.remove()
    }
  }, [item?.id])
}
