import { currentUser } from './api.js'

/** Another person may use the tab afterwards. */
const REMEMBERED_MILLISECONDS = 60_000

/**
 * The offer to link the account that has just signed in with a password to the person who came from the OpenID provider without an account. It
 * names the person, because somebody else may have signed in.
 * @param {HTMLElement} card
 * @param {{onAccepted: (subject: string) => Promise<void>}} listeners gets the provider's id of the person
 */
export function createLinkOffer(card, { onAccepted }) {
  const part = (id) => card.querySelector(`#${id}`)
  const [text, problem, accept, decline] = ['link-offer-text', 'link-offer-problem', 'link-accept', 'link-decline'].map(
    part,
  )

  /** @type {{subject: string, username: string | null, email: string | null, provider: string, rememberedAt: number} | undefined} */
  let newcomer
  /** The id of the person in the offer that is shown. */
  let offered

  function forget() {
    newcomer = undefined
    offered = undefined
    card.hidden = true
  }

  decline.addEventListener('click', forget)
  accept.addEventListener('click', () => {
    accept.disabled = true
    problem.textContent = ''
    onAccepted(offered)
      .catch((error) => (problem.textContent = error.message))
      .finally(() => (accept.disabled = false))
  })

  return {
    /** @param {{subject: string, username: string | null, email: string | null, provider: string}} person who has no account */
    remember(person) {
      newcomer = { ...person, rememberedAt: Date.now() }
    },
    /** Shows the offer to the account that is signed in, if somebody came from the provider within the last minute. */
    async show() {
      const person = newcomer
      forget()
      if (person === undefined || Date.now() - person.rememberedAt > REMEMBERED_MILLISECONDS) return
      const { username } = await currentUser()
      offered = person.subject
      text.textContent = `${describe(person)} has just signed in at ${person.provider}. If that is you, link this person to your account ${username}: you can then sign in there. You may have to sign in at ${person.provider} again.`
      card.hidden = false
      accept.focus()
    },
    /** Cancels the offer, because the account is signed out. */
    forget,
  }
}

function describe({ subject, username, email }) {
  if (username === null) return email ?? subject
  return email === null ? username : `${username} (${email})`
}
