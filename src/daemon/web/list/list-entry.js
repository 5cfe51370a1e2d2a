const TINTS = 6

const TICKS_PER_SECOND = 10_000_000

/** What the facts of an entry begin with. Films, and songs with their artist, need no word. */
const KINDS = { series: 'Series', season: 'Season', audiobook: 'Audiobook', book: 'Book', image: 'Photo' }

/**
 * An entry of the list: poster, title and facts. Names come from files. They are set as text, so that markup in them is not interpreted.
 * @param {object} item a row of a list
 * @param {() => void} open
 */
export function listEntry(item, open) {
  const entry = document.createElement('li')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'film'
  button.dataset['id'] = item.id
  const title = titleOf(item)
  const poster = part('poster', initialOf(title))
  poster.classList.add(`tint-${tintOf(title)}`)
  poster.setAttribute('aria-hidden', 'true')
  if (item.poster_url) poster.append(posterImage(item.poster_url))
  button.append(poster, part('title', title), part('facts', factsOf(item)), part('facts watched-state', ''))
  button.addEventListener('click', open)
  entry.append(button)
  showWatched(entry, watchedOf(item))
  return entry
}

/**
 * What an entry says about the viewer: a bar over the poster for what was begun, and words.
 * @typedef {{share: number, secondsLeft: number | undefined, isWatched: boolean}} Watched `share`: 0 to 1
 * @param {HTMLLIElement} entry
 * @param {Watched} watched
 */
export function showWatched(entry, { share, secondsLeft, isWatched }) {
  const poster = entry.querySelector('.poster')
  poster.querySelector('.watched-bar')?.remove()
  const isBegun = share > 0 && share < 1
  if (isBegun) {
    const bar = part('watched-bar', '')
    bar.style.setProperty('--share', String(share))
    poster.append(bar)
  }
  entry.querySelector('.watched-state').textContent = watchedText({ isBegun, secondsLeft, isWatched })
}

function watchedText({ isBegun, secondsLeft, isWatched }) {
  if (isBegun && secondsLeft !== undefined) return `${Math.max(1, Math.round(secondsLeft / 60))} min left`
  if (isWatched) return 'Watched'
  return ''
}

/** @returns {Watched} of a row of a list, or of the list of what can be continued */
function watchedOf({ user_data: own, position_ticks: positionTicks, duration_ticks: durationTicks }) {
  const [position, duration] = [own?.position_ticks ?? positionTicks ?? 0, own?.duration_ticks ?? durationTicks]
  const hasPlace = position > 0 && duration > 0
  const ofPlace = hasPlace ? position / duration : 0
  return {
    // Of a series: the watched episodes.
    share: hasPlace ? ofPlace : (own?.unwatched_episodes ?? null) === null ? 0 : own.progress_percent / 100,
    secondsLeft: hasPlace ? (duration - position) / TICKS_PER_SECOND : undefined,
    isWatched: own?.watched ?? false,
  }
}

/** @returns {string} the title of an episode, the name of everything else */
export const titleOf = (item) => (item.type === 'episode' ? (item.episode_title ?? item.name) : item.name)

/** The initial stays visible if the picture does not load. */
function posterImage(url) {
  const image = document.createElement('img')
  image.loading = 'lazy'
  image.alt = ''
  image.addEventListener('error', () => image.remove())
  image.src = url
  return image
}

function part(className, text) {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}

const initialOf = (name) => [...name.replace(/^[^\p{L}\p{N}]+/u, '')][0]?.toUpperCase() ?? '·'

function tintOf(name) {
  let sum = 0
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)) % 65_521
  return sum % TINTS
}

function factsOf({ type, year, runtime, duration, artist, season_number: season, episode_number: episode }) {
  const number = episode === null ? undefined : season === null ? `Episode ${episode}` : `S${season} E${episode}`
  const length = runtime > 0 ? `${runtime} min` : duration > 0 ? `${duration} s` : undefined
  const facts = [
    KINDS[type],
    type === 'episode' ? number : undefined,
    type === 'audio' ? artist : undefined,
    year,
    length,
  ]
  return facts.filter((fact) => fact !== null && fact !== undefined).join(' · ')
}
