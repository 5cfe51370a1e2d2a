import type { ComponentChildren } from 'preact'
import { addressOf, type Place } from './place.ts'
import { goTo } from './router.ts'

type Props = {
  to: Place
  class?: string
  id?: string
  current?: boolean
  isTabStop?: boolean
  children: ComponentChildren
}

/** A link to a page of the app. With a modifier key the browser opens it in a tab, as any link. */
export function PlaceLink({ to, class: name, id, current = false, isTabStop = true, children }: Props) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(to)
  }
  return (
    <a
      href={addressOf(to)}
      dir="auto"
      class={name}
      data-id={id}
      aria-current={current ? 'page' : undefined}
      tabIndex={isTabStop ? undefined : -1}
      onClick={follow}
    >
      {children}
    </a>
  )
}
