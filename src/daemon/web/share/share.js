import { closeOnBack } from '../close-on-back.js'
import { formatDuration } from '../listen/format-duration.js'
import { createGallery } from './gallery.js'
import { callAsGuest } from './guest-api.js'
import { createGuestFilm } from './guest-film.js'
import { watchLink } from './link-watch.js'
import { saveLink } from './save-link.js'
import { createSongs } from './songs.js'

const byId = (id) => document.getElementById(id)
const form = byId('open')

/** The id of the link, which the server returns when the link is opened. */
let shareId
const addressOf = (id) => `/s/${shareId}/items/${id}`

const film = createGuestFilm(byId('player'), addressOf)
const gallery = createGallery({ list: byId('photos'), dialog: byId('photo') }, () => callAsGuest(`/s/${shareId}`))
const songs = createSongs({ list: byId('songs'), bar: byId('song-bar'), audio: byId('audio') }, addressOf)
watchLink(
  [film.video, byId('audio')],
  () => `/s/${shareId}/state`,
  (reason) => {
    film.end(reason)
    songs.end(reason)
    byId('shared').hidden = true
    say(reason)
  },
)
closeOnBack(['player', 'photo'].map(byId))

/** The token is in the fragment, which browsers do not send with requests of pages. */
async function open(password = null) {
  say('')
  try {
    const token = location.hash.slice(1)
    if (token === '') throw new Error('This address is incomplete. Check that all of it was copied.')
    const { id } = await callAsGuest('/s/open', { token, password })
    shareId = id
    form.hidden = true
    show(await callAsGuest(`/s/${id}`))
  } catch (error) {
    const needsPassword = error.code === 'share_password_required' || error.code === 'share_password_wrong'
    if (needsPassword) askPassword(error.code === 'share_password_wrong' ? error.message : '')
    else if (form.hidden) say(error.message)
    else byId('open-problem').textContent = error.message
  }
}

function askPassword(problem) {
  form.hidden = false
  byId('open-problem').textContent = problem
  const input = byId('password')
  input.value = ''
  input.focus()
}

function say(text) {
  byId('problem').textContent = text
}

/** Names come from files. They are set as text, so that markup in them is not interpreted. */
function show({ title, items, expires_at: end }) {
  document.title = title ?? 'Shared with you'
  byId('title').textContent = title ?? 'Shared with you'
  byId('facts').textContent =
    `Until ${new Date(end).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}`
  const of = (kind) => items.filter((item) => item.kind === kind)
  byId('films').replaceChildren(...of('video').map(filmEntry))
  songs.offer(of('audio'))
  gallery.offer(of('photo'))
  byId('shared').hidden = false
  if (items.length === 0) say('Nothing of it is there any more.')
}

function filmEntry(item) {
  const entry = document.createElement('li')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'film'
  const poster = document.createElement('span')
  poster.className = 'poster'
  const image = document.createElement('img')
  image.alt = ''
  image.loading = 'lazy'
  image.addEventListener('error', () => image.remove())
  image.src = `${item.picture_url}?size=400`
  poster.append(image)
  button.append(poster, span('title', item.title), span('facts', factsOf(item)))
  button.addEventListener('click', () => void film.play(item))
  entry.append(...[button, saveLink(item)].filter((part) => part !== undefined))
  return entry
}

function factsOf({ season_number: season, episode_number: episode, year, duration_seconds: seconds }) {
  const number = season === null || episode === null ? null : `Season ${season}, episode ${episode}`
  return [number, year, seconds === null ? null : formatDuration(seconds)].filter((fact) => fact !== null).join(' · ')
}

function span(className, text) {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void open(byId('password').value)
})
addEventListener('hashchange', () => location.reload())
await open()
