import { requestJson, currentProfile, SignedOut, switchProfile } from '../api.js'
import { createButton, createListEntry } from './list-parts.js'
import { createProfileLimits } from './profile-limits.js'

/** The pictures that a profile can have, by their names on the server. */
const PICTURES = {
  bear: '🐻',
  cat: '🐱',
  dog: '🐶',
  fox: '🦊',
  frog: '🐸',
  owl: '🦉',
  panda: '🐼',
  robot: '🤖',
  rocket: '🚀',
  star: '⭐',
}

/**
 * The dialog in which people say who watches, enter a PIN, and make profiles.
 * @param {HTMLDialogElement} dialog
 * @param {{opener: HTMLButtonElement, onCurrent: (profile: {is_restricted: boolean, can_download: boolean}) => void, onSignedOut: () => void}} needs
 */
export function createProfiles(dialog, { opener, onCurrent, onSignedOut }) {
  const part = (id) => dialog.querySelector(`#${id}`)
  const [problem, choices, proof, maker, own, managed] = [
    'profiles-problem',
    'profile-choices',
    'profile-proof',
    'new-profile',
    'own-pin',
    'managed-profiles',
  ].map(part)
  /** The profile whose PIN is entered. */
  let wanted
  let current
  const ownLimits = createProfileLimits(part('own-limits'), part('time-form'), { guarded, mayChange: false })

  /** Shows the failures of all actions of the dialog. */
  async function guarded(work) {
    problem.textContent = ''
    try {
      await work()
    } catch (error) {
      if (!(error instanceof SignedOut)) {
        problem.textContent = error.message
        problem.scrollIntoView({ block: 'nearest' })
        return
      }
      dialog.close()
      onSignedOut()
    }
  }

  async function load() {
    const { profiles } = await requestJson('/api/v1/profiles')
    choices.replaceChildren(...profiles.map(choiceOf))
    managed.replaceChildren(...profiles.filter(({ is_main: isMain }) => !isMain).map(managedOf))
    choices.querySelector('button')?.focus()
    if (current?.is_restricted) await ownLimits.show(profiles.find(({ is_active: isActive }) => isActive))
  }

  function choiceOf(profile) {
    const item = document.createElement('li')
    const choice = createButton(profile.name, labelOf(profile))
    choice.className = 'profile-choice'
    choice.dataset['id'] = profile.id
    if (profile.is_active) choice.setAttribute('aria-current', 'true')
    const picture = document.createElement('span')
    picture.className = 'profile-picture'
    picture.setAttribute('aria-hidden', 'true')
    // Drawn by the style sheet: a letter beside the name would not be part of the name that is said.
    picture.dataset['picture'] = pictureOf(profile)
    choice.prepend(picture)
    choice.addEventListener('click', () => void guarded(() => choose(profile)))
    item.append(choice)
    return item
  }

  function managedOf(profile) {
    const remove = createButton('Delete', `Delete ${profile.name}`)
    remove.disabled = profile.is_active
    remove.addEventListener('click', () => {
      if (!confirm(`Delete ${profile.name} with everything it has watched?`)) return
      void guarded(async () => {
        await requestJson(`/api/v1/profiles/${profile.id}`, undefined, { method: 'DELETE' })
        await load()
      })
    })
    const panel = Object.assign(document.createElement('div'), { className: 'profile-limits', hidden: true })
    const limits = createProfileLimits(panel, part('time-form'), { guarded, mayChange: true })
    const show = createButton('Limits', `Limits and times of ${profile.name}`)
    show.setAttribute('aria-expanded', 'false')
    show.addEventListener('click', () => {
      const isShown = !panel.hidden
      show.setAttribute('aria-expanded', String(!isShown))
      if (isShown) panel.hidden = true
      else void guarded(() => limits.show(profile))
    })
    return createListEntry(profile.name, factsOf(profile), show, remove, panel)
  }

  /** The server knows whether a PIN or the password is needed, and refuses without one. */
  async function choose(profile) {
    if (profile.is_active) return dialog.close()
    try {
      await enter(profile, {})
    } catch (error) {
      if (error.code !== 'profile.proof_required') throw error
      askForProof(profile)
    }
  }

  function askForProof(profile) {
    wanted = profile
    proof.reset()
    part('proof-title').textContent = profile.has_pin ? `PIN of ${profile.name}` : 'Password of the account'
    part('proof-pin').hidden = !profile.has_pin
    part('proof-password').hidden = profile.has_pin
    part('proof-other').hidden = !profile.has_pin
    proof.hidden = false
    proof.querySelector('label:not([hidden]) input').focus()
  }

  async function enter(profile, given) {
    await switchProfile(profile.id, given)
    // Everything that the page has loaded belongs to the former profile.
    // At the start page: what one profile has opened or searched for is not for the next.
    location.assign('/')
  }

  proof.addEventListener('submit', (event) => {
    event.preventDefault()
    const [pin, password] = [proof.elements.pin.value, proof.elements.password.value]
    const given = part('proof-pin').hidden ? { password } : { pin }
    void guarded(async () => {
      try {
        await enter(wanted, given)
      } finally {
        proof.elements.pin.value = ''
      }
    })
  })
  part('proof-other').addEventListener('click', () => {
    part('proof-pin').hidden = true
    part('proof-password').hidden = false
    part('proof-other').hidden = true
    part('proof-title').textContent = 'Password of the account'
    proof.elements.password.focus()
  })
  part('proof-cancel').addEventListener('click', () => (proof.hidden = true))

  maker.addEventListener('submit', (event) => {
    event.preventDefault()
    const { name, kids, age, picture } = maker.elements
    const limit = kids.checked ? { max_age: Number(age.value) } : {}
    const avatar = picture.value === '' ? null : picture.value
    void guarded(async () => {
      const body = { name: name.value, is_kids: kids.checked, avatar, ...limit }
      const { message } = await requestJson('/api/v1/profiles', body)
      maker.reset()
      showAge()
      await load()
      part('profiles-result').textContent = message
    })
  })
  const showAge = () => (part('new-profile-age').hidden = !maker.elements.kids.checked)
  maker.elements.kids.addEventListener('change', showAge)

  own.addEventListener('submit', (event) => {
    event.preventDefault()
    const { pin, password } = own.elements
    void guarded(async () => {
      const given = password.value === '' ? {} : { password: password.value }
      try {
        const { message } = await requestJson(`/api/v1/profiles/${current.id}/pin`, { pin: pin.value, ...given })
        own.reset()
        part('own-pin-password').hidden = true
        await load()
        part('profiles-result').textContent = message
      } catch (error) {
        if (error.code !== 'profile.proof_required') throw error
        part('own-pin-password').hidden = false
        password.focus()
      }
    })
  })

  part('profiles-close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    proof.hidden = true
    part('profiles-result').textContent = ''
    problem.textContent = ''
  })
  async function open() {
    if (!dialog.open) dialog.showModal()
    await guarded(load)
  }

  opener.addEventListener('click', () => void open())
  for (const [name, sign] of Object.entries(PICTURES))
    maker.elements.picture.append(new Option(`${sign} ${name}`, name))
  showAge()

  return {
    /** Shows who watches. */
    async show() {
      const profile = await currentProfile()
      current = profile
      opener.textContent = profile.name
      opener.setAttribute('aria-label', `Profile: ${profile.name}. Change who watches`)
      part('manage-profiles').hidden = profile.is_restricted
      onCurrent(profile)
    },
    /** Opens the dialog at the PIN of the profile in use. */
    async openPin() {
      await open()
      own.elements.pin.focus()
      own.scrollIntoView({ block: 'nearest' })
    },
    close: () => dialog.close(),
  }
}

function labelOf({ name, is_kids: isKids, has_pin: hasPin, is_active: isActive }) {
  const more = [isKids && 'for a child', hasPin && 'with a PIN', isActive && 'watches now'].filter(Boolean)
  return [name, ...more].join(', ')
}

function factsOf({ is_kids: isKids, max_age: maxAge, has_pin: hasPin }) {
  const facts = [isKids && 'for a child', maxAge !== null && `up to ${maxAge}`, hasPin && 'has a PIN'].filter(Boolean)
  return facts.join(', ')
}

function pictureOf({ name, avatar }) {
  return (Object.hasOwn(PICTURES, avatar ?? '') && PICTURES[avatar]) || [...name][0].toUpperCase()
}
