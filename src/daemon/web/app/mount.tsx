import { render } from 'preact'
import { connectMusic, music } from './cards/music-control.ts'
import { setPageActions, type PageActions } from './cards/open-item.ts'
import { forgetPlayed, notePlayed } from './cards/own-progress.ts'
import { forgetReplies, listenToSignOut, markStale } from './data/replies.ts'
import { forgetLists, renewLists } from './grid/kept-pages.ts'
import { language } from './messages/language.ts'
import { followSearchField } from './search/search-field.ts'
import { forgetPlaces, startRouter } from './places/router.ts'
import { App } from './shell/app.tsx'

type Parts = { frame: HTMLElement; musicFrame: HTMLElement; form: HTMLFormElement; query: HTMLInputElement }

/**
 * The views of the page: start page, lists, search and titles. What plays, and the dialogs of the account, belong to the page around them.
 * @param parts.frame where the views are drawn
 * @param parts.musicFrame where songs are played, below the views
 */
export function createViews(
  { frame, musicFrame, form, query }: Parts,
  page: PageActions & { onSignedOut: () => void },
) {
  let version = 0
  let isShown = false
  setPageActions(page)
  listenToSignOut(page.onSignedOut)
  connectMusic({ frame: musicFrame, onProgress: notePlayed, onSignedOut: page.onSignedOut })
  for (const part of [frame, musicFrame]) part.lang = language
  startRouter()
  followSearchField(form, query)

  function loadAnew(): void {
    markStale()
    version += 1
    render(<App version={version} />, frame)
  }

  return {
    /** Shows what the account sees now, at the address of the page. */
    show() {
      isShown = true
      forgetLists()
      forgetPlayed()
      loadAnew()
    },
    music,
    /** Shows where the viewer is in an item, before the server says it. */
    showProgress: notePlayed,
    /** Another item was played. Long lists stay as they are: their cards know what was played. */
    refresh() {
      if (isShown) loadAnew()
    },
    /** Libraries have other items. What is on the page stays there until its replacement has arrived. */
    renew() {
      if (!isShown) return
      renewLists()
      loadAnew()
    },
    /** Nobody is signed in. */
    clear() {
      isShown = false
      render(null, frame)
      forgetReplies()
      forgetLists()
      forgetPlayed()
      forgetPlaces()
      query.value = ''
    },
  }
}
