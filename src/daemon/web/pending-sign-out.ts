const TEXT =
  'The server cannot be reached, so it does not know yet that you have signed out. You are signed out here when the server can be reached: open this page again then. Until then, do not leave this browser to somebody else.'

/** Shows, on every page of a server or a hub, that a sign-out has not reached the server. */
export function showPendingSignOut(isPending: boolean): void {
  document.getElementById('pending-sign-out')?.remove()
  if (!isPending) return
  const notice = document.createElement('p')
  notice.id = 'pending-sign-out'
  notice.className = 'problem pending-sign-out'
  notice.role = 'alert'
  notice.textContent = TEXT
  document.querySelector('main')?.before(notice)
}
