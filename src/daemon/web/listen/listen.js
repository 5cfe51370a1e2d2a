import { requestJson, followOtherTabs, isSignedIn, SESSION_ENDED, SignedOut, signIn, signOut } from '../api.js'
import { createBookAudio } from './book-audio.js'
import { createBookmarks } from './bookmarks.js'
import { createChapterList } from './chapter-list.js'
import { listenToKeys } from './keyboard.js'
import { createSleepTimer } from './sleep-timer.js'
import { formatDuration, formatSpokenDuration } from './format-duration.js'
import { createWaveform } from './waveform.js'

const SKIP_SECONDS = 30
/** After this time in a chapter, "previous" goes to the start of the chapter. */
const RESTART_SECONDS = 5
const SPEED = { min: 0.5, max: 3, step: 0.1, key: 'phlix.listening.speed' }
const SLEEP_KEYS = ['', '15', '30', 'chapter']
/** The address of this page is renewed after this time; its signature expires after six hours. */
const RENEW_MILLISECONDS = 60 * 60 * 1000

const byId = (id) => document.getElementById(id)
const [, bookId] = /^\/api\/v1\/audiobooks\/([^/]+)\/read$/.exec(location.pathname) ?? []

/** The book as described by the server; undefined while none is open. */
let book
/** The index of the current chapter. */
let chapter = 0
let isDragging = false

const audio = createBookAudio(byId('audio'), {
  renew: async () => (await describe()).audiobook.parts,
  onTime: update,
  onState: showState,
  onSound: () => bookmarks.hear(),
  onPause: () => void bookmarks.save(),
  onEnd: () => void bookmarks.save(),
  onProblem: (text) => say(text, 'problem'),
})
const waveform = createWaveform(byId('waveform'))
const chapters = createChapterList(byId('chapters'), (index) => {
  goTo(startOf(index))
  void audio.play()
})
const bookmarks = createBookmarks({
  bookId,
  place: () => (book === undefined ? null : placeAt(audio.position())),
  isPlaying: audio.isPlaying,
  onProblem(error) {
    if (error instanceof SignedOut) return leave(SESSION_ENDED)
    if (error !== null) say('Your place could not be saved; it is tried again.', 'said')
  },
})
const sleep = createSleepTimer({
  isPlaying: audio.isPlaying,
  secondsToChapterEnd: () => (endOf(chapter) - audio.position()) / audio.speed,
  pause: audio.pause,
  onChange(text) {
    byId('sleep-left').textContent = text
    if (text === '') byId('sleep').value = ''
  },
})

const startOf = (index) => book.chapters[index].start_ms / 1000
const endOf = (index) => (index + 1 < book.chapters.length ? startOf(index + 1) : book.duration_ms / 1000)

function chapterAt(seconds) {
  const later = book.chapters.findIndex(({ start_ms: start }) => start / 1000 > seconds + 0.05)
  return later === -1 ? book.chapters.length - 1 : Math.max(0, later - 1)
}

function placeAt(seconds) {
  const index = chapterAt(seconds)
  return { index, offsetMs: Math.max(0, Math.round((seconds - startOf(index)) * 1000)), seconds }
}

/** The range that the time line shows, in seconds of the book. */
function span() {
  const isChapter = document.querySelector('[name=span]:checked').value === 'chapter'
  return isChapter ? [startOf(chapter), endOf(chapter)] : [0, book.duration_ms / 1000]
}

/** Shows the position; called several times a second. */
function update() {
  if (book === undefined) return
  const at = audio.position()
  const now = chapterAt(at)
  if (now !== chapter && audio.isPlaying() && sleep.passChapter(now)) say('Good night.', 'said')
  chapter = now
  chapters.update(chapter, at)
  byId('now').textContent = book.chapters[chapter].title
  byId('previous').disabled = chapter === 0 && at < RESTART_SECONDS
  byId('next').disabled = chapter === book.chapters.length - 1
  const [from, to] = span()
  if (!isDragging) showTimeline(at, from, to)
}

function showTimeline(at, from, to) {
  const seek = byId('seek')
  seek.min = String(Math.floor(from))
  seek.max = String(Math.ceil(to))
  seek.value = String(at)
  seek.setAttribute(
    'aria-valuetext',
    `${formatSpokenDuration(at - from)} of ${formatSpokenDuration(to - from)}, ${book.chapters[chapter].title}`,
  )
  const marks = book.chapters.map(({ start_ms: start }) => start / 1000)
  waveform.show({ from, to, at, total: book.duration_ms / 1000, marks })
  byId('elapsed').textContent = formatDuration(at - from)
  byId('remaining').textContent = `−${formatDuration((to - at) / audio.speed)}`
}

function showState() {
  const isPlaying = audio.isPlaying()
  byId('play').toggleAttribute('data-playing', isPlaying)
  byId('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play')
  byId('speed').textContent = `${Number(audio.speed.toFixed(2))}×`
  if ('mediaSession' in navigator) navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused'
}

function goTo(seconds) {
  const end = book.duration_ms / 1000
  audio.seek(Math.min(Math.max(0, seconds), Math.max(0, end - 0.2)))
  bookmarks.move()
  chapter = chapterAt(audio.position())
  sleep.follow(chapter)
  update()
}

const skip = (seconds) => goTo(audio.position() + seconds)
const toggle = () => (audio.isPlaying() ? audio.pause() : void audio.play())
const next = () => chapter + 1 < book.chapters.length && goTo(startOf(chapter + 1))

function previous() {
  const isLate = audio.position() - startOf(chapter) > RESTART_SECONDS
  goTo(startOf(isLate ? chapter : Math.max(0, chapter - 1)))
}

function setSpeed(rate) {
  audio.speed = Math.min(SPEED.max, Math.max(SPEED.min, Math.round(rate * 100) / 100))
  localStorage.setItem(SPEED.key, String(audio.speed))
  showState()
  update()
}

function setSleep(value) {
  byId('sleep').value = value
  sleep.set(value, chapter)
}

function setVolume(level) {
  audio.volume = Math.min(1, Math.max(0, level))
  say(`Volume ${Math.round(audio.volume * 100)} %`, 'said')
}

/** @param place the live region: screen readers read `problem` immediately, and `said` after the current text. */
function say(text, place) {
  byId(place).textContent = text
}

/** Reads the book, its files and the position. Also renews the address of this page, so that it can be reloaded. */
async function describe() {
  const reply = await requestJson(`/api/v1/audiobooks/${bookId}/read`)
  history.replaceState(null, '', reply.audiobook.read_url)
  return reply
}

async function open() {
  byId('sign-in').hidden = isSignedIn()
  for (const id of ['book', 'sign-out', 'show-keys']) byId(id).hidden = true
  if (!isSignedIn()) return byId('username').focus()
  try {
    const { audiobook, progress } = await describe()
    show(audiobook, progress)
    await waveform.load(bookId).catch(() => {})
  } catch (error) {
    if (error instanceof SignedOut) return leave(SESSION_ENDED)
    say(error.message, 'problem')
  }
}

function show(audiobook, progress) {
  book = audiobook
  for (const id of ['book', 'sign-out', 'show-keys']) byId(id).hidden = false
  say('', 'problem')
  showFacts()
  chapters.show(book.chapters)
  // A finished book starts at its beginning.
  const isUnderWay = progress !== null && progress.percent_complete < 100
  const seconds = isUnderWay ? progress.book_position_ms / 1000 : 0
  chapter = chapterAt(seconds)
  audio.open(book.parts, seconds)
  bookmarks.begin(seconds)
  setSpeed(Number(localStorage.getItem(SPEED.key)) || 1)
  if (isUnderWay) say(`You were at ${formatDuration(seconds)} of ${formatDuration(book.duration_ms / 1000)}.`, 'said')
  byId('play').focus()
}

function showFacts() {
  document.title = `${book.name} · Phlix`
  byId('title').textContent = book.name
  byId('people').textContent = [book.author, book.narrator === '' ? '' : `read by ${book.narrator}`, book.series ?? '']
    .filter((text) => text !== '')
    .join(' · ')
  byId('chapter-count').textContent = String(book.chapters.length)
  byId('cover-title').textContent = book.name
  byId('cover-author').textContent = book.author
  const picture = byId('cover-picture')
  picture.hidden = true
  if (book.cover_url !== null) picture.src = book.cover_url
  registerMediaKeys()
}

/** Registers the keys of lock screens and keyboards. */
function registerMediaKeys() {
  if (!('mediaSession' in navigator)) return
  const { mediaSession } = navigator
  const artwork = book.cover_url === null ? [] : [{ src: new URL(book.cover_url, location.href).href }]
  mediaSession.metadata = new MediaMetadata({ title: book.name, artist: book.author, artwork })
  const actions = {
    play: () => void audio.play(),
    pause: audio.pause,
    seekbackward: () => skip(-SKIP_SECONDS),
    seekforward: () => skip(SKIP_SECONDS),
    previoustrack: previous,
    nexttrack: next,
  }
  for (const [name, action] of Object.entries(actions)) mediaSession.setActionHandler(name, action)
}

/** Signs out and removes the book, so that the next user does not see it. */
function leave(reason) {
  book = undefined
  audio.close()
  bookmarks.begin(0)
  setSleep('')
  signOut()
  say(reason, 'problem')
  void open()
}

async function submitSignIn(event) {
  event.preventDefault()
  const button = byId('sign-in').querySelector('button')
  button.disabled = true
  say('', 'problem')
  try {
    await signIn(byId('username').value, byId('password').value)
    byId('sign-in').reset()
    await open()
  } catch (error) {
    say(error.message, 'problem')
  } finally {
    button.disabled = false
  }
}

/** The second of the book at a pointer. */
function secondsUnder(event) {
  const { left, width } = byId('timeline').getBoundingClientRect()
  const [from, to] = span()
  return from + Math.min(1, Math.max(0, (event.clientX - left) / width)) * (to - from)
}

function showHint(event) {
  if (book === undefined) return
  const seconds = secondsUnder(event)
  const [from, to] = span()
  const hint = byId('hint')
  hint.hidden = false
  hint.textContent = `${formatDuration(seconds - from)} · ${book.chapters[chapterAt(seconds)].title}`
  byId('timeline').style.setProperty('--at', `${((seconds - from) / (to - from)) * 100}%`)
}

const clicks = {
  play: toggle,
  back: () => skip(-SKIP_SECONDS),
  forward: () => skip(SKIP_SECONDS),
  previous,
  next,
  slower: () => setSpeed(audio.speed - SPEED.step),
  faster: () => setSpeed(audio.speed + SPEED.step),
  'sign-out': () => void bookmarks.save().then(() => leave('')),
  'show-keys': () => byId('keys').showModal(),
  'hide-keys': () => byId('keys').close(),
}
for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener('click', action)

byId('sign-in').addEventListener('submit', (event) => void submitSignIn(event))
byId('sleep').addEventListener('change', (event) => setSleep(event.target.value))
byId('cover-picture').addEventListener('load', (event) => (event.target.hidden = false))
for (const radio of document.querySelectorAll('[name=span]')) radio.addEventListener('change', update)

const seek = byId('seek')
seek.addEventListener('input', () => {
  isDragging = true
  const [from, to] = span()
  showTimeline(Number(seek.value), from, to)
})
seek.addEventListener('change', () => {
  isDragging = false
  goTo(Number(seek.value))
})
byId('timeline').addEventListener('pointermove', showHint)
byId('timeline').addEventListener('pointerleave', () => (byId('hint').hidden = true))

const whenOpen = (action) => () => {
  if (book !== undefined) action()
}
listenToKeys({
  ' ': whenOpen(toggle),
  k: whenOpen(toggle),
  ArrowLeft: whenOpen(() => skip(-SKIP_SECONDS)),
  ArrowRight: whenOpen(() => skip(SKIP_SECONDS)),
  'Shift+ArrowLeft': whenOpen(previous),
  'Shift+ArrowRight': whenOpen(next),
  p: whenOpen(previous),
  n: whenOpen(next),
  ArrowUp: whenOpen(() => setVolume(audio.volume + 0.05)),
  ArrowDown: whenOpen(() => setVolume(audio.volume - 0.05)),
  '[': whenOpen(() => setSpeed(audio.speed - SPEED.step)),
  ']': whenOpen(() => setSpeed(audio.speed + SPEED.step)),
  '\\': whenOpen(() => setSpeed(1)),
  s: whenOpen(() => setSleep(SLEEP_KEYS[(SLEEP_KEYS.indexOf(sleep.choice) + 1) % SLEEP_KEYS.length])),
  '?': () => byId('keys').showModal(),
})

setInterval(() => {
  if (book !== undefined) describe().catch(() => {})
}, RENEW_MILLISECONDS)

followOtherTabs({
  onSignedIn: () => void open(),
  onSignedOut: () => leave('You have signed out in another tab.'),
  onOtherAccount: () => location.reload(),
})
void open()
