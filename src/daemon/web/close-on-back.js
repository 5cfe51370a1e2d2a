/**
 * The browser's Back closes the dialog that was opened last, and leaves the page only when none is open. An open dialog is an entry of the history,
 * whose state has the number of open dialogs in `depth`; the rest of the state belongs to the page below.
 * @param {HTMLDialogElement[]} dialogs
 */
export function closeOnBack(dialogs) {
  /** The open ones, the last one opened at the end. @type {HTMLDialogElement[]} */
  let open = []
  /** Whether this module goes back itself, because a dialog was closed in another way. */
  let isGoingBack = false

  const depth = () => history.state?.depth ?? 0

  function fillHistory() {
    if (open.length > depth()) history.pushState({ ...history.state, depth: open.length }, '')
  }

  function update() {
    open = [
      ...open.filter((dialog) => dialog.open),
      ...dialogs.filter((dialog) => dialog.open && !open.includes(dialog)),
    ]
    // The entry that is being left is still the present one.
    if (isGoingBack) return
    fillHistory()
    if (open.length < depth()) {
      isGoingBack = true
      history.go(open.length - depth())
    }
  }

  addEventListener('popstate', () => {
    const isOwn = isGoingBack
    isGoingBack = false
    // A dialog was opened while the page went back.
    if (isOwn) return fillHistory()
    while (open.length > depth()) open.pop().close()
  })

  const observer = new MutationObserver(update)
  for (const dialog of dialogs) observer.observe(dialog, { attributeFilter: ['open'] })
}
