const TINTS = 6

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
  button.append(poster, part('title', title), part('facts', factsOf(item)))
  button.addEventListener('click', open)
  entry.append(button)
  return entry
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
