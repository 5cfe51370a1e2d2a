import { effect } from '@preact/signals'
import { HOME } from '../places/place.ts'
import { current, goTo } from '../places/router.ts'

/** Between the last letter and the search. */
const DELAY_MILLISECONDS = 150

/** Searches while somebody types. The first letter makes a page of the history, further ones replace it. */
export function followSearchField(form: HTMLFormElement, query: HTMLInputElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function search(): void {
    clearTimeout(timer)
    const words = query.value.trim()
    const { place } = current.value
    const replaces = place.page === 'search'
    if (replaces && place.words === words) return
    if (words !== '') goTo({ page: 'search', words }, { replaces })
    else if (replaces) goTo(HOME, { replaces })
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    search()
  })
  query.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, DELAY_MILLISECONDS)
  })
  // The browser's buttons lead to another search, or away from it.
  effect(() => {
    const { place } = current.value
    if (document.activeElement === query) return
    query.value = place.page === 'search' ? place.words : ''
  })
}
