import { requestJson } from '../api.js'
import { DAY_NAMES, limitSentences, ownZone, scheduleText } from './limit-words.js'
import { createButton, createListEntry } from './list-parts.js'

const PROFILES = '/api/v1/profiles'

/**
 * What a profile may watch, in words, and the times at which it may.
 * @param {HTMLElement} panel
 * @param {HTMLTemplateElement} template the form of a time
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>, mayChange: boolean}} needs
 */
export function createProfileLimits(panel, template, { guarded, mayChange }) {
  const [words, times] = [document.createElement('p'), document.createElement('ul')]
  words.className = 'facts'
  times.className = 'account-list'
  /** @type {HTMLFormElement} */
  const form = template.content.firstElementChild.cloneNode(true)
  const { start, end, password } = form.elements
  const boxes = form.querySelector('.days')
  for (const [value, name] of DAY_NAMES) boxes.append(dayBox(value, name))
  let profile
  /** The id of the time that is being changed; undefined for a new one. */
  let changedId

  const address = (id) => `${PROFILES}/${profile.id}/schedules${id === undefined ? '' : `/${id}`}`
  const proof = () => (password.value === '' ? {} : { password: password.value })

  async function load() {
    const [{ schedules }, { stream_limits: streams }, { libraries }] = await Promise.all([
      requestJson(address()),
      requestJson(`${PROFILES}/${profile.id}/stream-limits`),
      requestJson('/api/v1/libraries'),
    ])
    const sentences = limitSentences(profile, { streams, libraries })
    const ofTime = schedules.length === 0 ? ['At any time.'] : ['Only at these times:']
    words.textContent = [
      ...(sentences.length === 0 ? ['Everything that the account may.'] : sentences),
      ...ofTime,
    ].join(' ')
    times.replaceChildren(...schedules.map(timeEntry))
  }

  function timeEntry(schedule) {
    const text = scheduleText(schedule)
    if (!mayChange) return createListEntry(text, '')
    const change = createButton('Change', `Change ${text}`)
    change.addEventListener('click', () => edit(schedule))
    const remove = createButton('Remove', `Remove ${text}`)
    remove.addEventListener('click', () => save(() => requestJson(address(schedule.id), proof(), { method: 'DELETE' })))
    return createListEntry(text, '', change, remove)
  }

  function edit({ id, start_time: from, end_time: to, days_of_week: days }) {
    changedId = id
    ;[start.value, end.value] = [from, to]
    for (const box of boxes.querySelectorAll('input')) box.checked = days.includes(box.value)
    form.querySelector('[type=submit]').textContent = 'Save this time'
    start.focus()
  }

  function clear() {
    changedId = undefined
    form.reset()
    form.querySelector('[type=submit]').textContent = 'Add this time'
  }

  function save(work) {
    void guarded(async () => {
      try {
        await work()
      } catch (error) {
        if (error.code !== 'profile.proof_required') throw error
        password.closest('label').hidden = false
        password.focus()
        return
      }
      clear()
      await load()
    })
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const days = [...boxes.querySelectorAll('input:checked')].map(({ value }) => value)
    const fields = { start_time: start.value, end_time: end.value, days_of_week: days, time_zone: ownZone() }
    const options = changedId === undefined ? {} : { method: 'PUT' }
    save(() => requestJson(address(changedId), { name: 'Times', ...fields, ...proof() }, options))
  })

  return {
    /** @param {object} shown a profile */
    async show(shown) {
      profile = shown
      clear()
      panel.replaceChildren(words, times, ...(mayChange ? [form] : []))
      await load()
      panel.hidden = false
    },
  }
}

function dayBox(value, name) {
  const label = document.createElement('label')
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', name: 'day', value })
  box.defaultChecked = true
  label.append(box, ` ${name}`)
  return label
}
