import { requestJson, SignedOut, signInAgain } from '../api.js'

const SHARES = '/api/v1/me/shares'
const DAY_MILLISECONDS = 86_400_000

/**
 * The dialog that makes a link to an item for people without an account.
 * @param {HTMLDialogElement} dialog
 * @param {{onSignedOut: () => void}} listeners
 */
export function createShareDialog(dialog, { onSignedOut }) {
  const part = (id) => dialog.querySelector(`#${id}`)
  const [form, problem, made, link, copy] = ['form', 'problem', 'made', 'link', 'copy'].map((id) => part(`share-${id}`))
  const ownPassword = part('share-own-password')
  const field = (name) => form.elements.namedItem(name)
  /** @type {{id: string, name: string} | undefined} */
  let shared

  function wanted() {
    const [password, uses] = [field('password').value, field('uses').value]
    return {
      item_id: shared.id,
      expires_at: new Date(Date.now() + Number(field('days').value) * DAY_MILLISECONDS).toISOString(),
      password: password === '' ? null : password,
      max_uses: uses === '' ? null : Number(uses),
      allow_download: field('download').checked,
    }
  }

  async function make() {
    problem.textContent = ''
    made.hidden = true
    try {
      if (!ownPassword.hidden) await signInAgain(field('own-password').value)
      const { url } = await requestJson(SHARES, wanted())
      link.textContent = url
      copy.textContent = 'Copy'
      made.hidden = false
      askOwnPassword(false)
    } catch (error) {
      if (error instanceof SignedOut) return leave()
      if (error.code === 'recent_sign_in_required') return askOwnPassword(true)
      problem.textContent = error.message
    }
  }

  /** A link outlives the session, so a sign-in of long ago is not enough. */
  function askOwnPassword(isAsked) {
    ownPassword.hidden = !isAsked
    const input = field('own-password')
    input.required = isAsked
    input.value = ''
    if (isAsked) input.focus()
  }

  /** Pages without TLS have no clipboard: the text is selected instead. */
  async function copyLink() {
    try {
      await navigator.clipboard.writeText(link.textContent)
      copy.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(link)
      copy.textContent = 'Selected'
    }
  }

  function leave() {
    dialog.close()
    onSignedOut()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void make()
  })
  copy.addEventListener('click', () => void copyLink())
  part('share-close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    form.reset()
    link.textContent = ''
    made.hidden = true
    problem.textContent = ''
    askOwnPassword(false)
  })

  return {
    open(item) {
      shared = item
      part('share-title').textContent = `Share “${item.name}”`
      if (!dialog.open) dialog.showModal()
    },
    close: () => dialog.close(),
  }
}
