import {
  requestJson,
  currentUser,
  followOtherTabs,
  isSignedIn,
  SESSION_ENDED,
  SignedOut,
  signIn,
  signOut,
} from './api.js'
import { closeOnBack } from './close-on-back.js'
import { createAccount } from './account/account.js'
import { createProfiles } from './account/profiles.js'
import { createShareDialog } from './share/share-dialog.js'
import { createSignInByCode } from './account/sign-in-by-code.js'
import { createDownloadMenu } from './download/download-menu.js'
import { language, texts } from './app/messages/language.ts'
import { createViews } from './app/mount.tsx'
import { addressesOfPhoto } from './photos/photo-addresses.js'
import { createPhotoViewer } from './photos/photo-viewer.js'
import { createRegistration } from './registration.js'
import { createLinkOffer } from './link-offer.js'
import { createSingleSignOn } from './single-sign-on.js'
import { allowedRungs } from './player/allowed-qualities.js'
import { createFilmPlayer } from './player/film-player.js'
import { createNextItem } from './player/next-item.js'
import { createProgressReports } from './player/progress-report.js'
import { createResumeChoice } from './player/resume-choice.js'
import { askWhetherAllowed, OUTSIDE_HOURS } from './player/still-allowed.js'
import { createBrowseMode } from './watch/browse-mode.js'
import { createNewItems } from './watch/new-items.ts'
import { createRemoteControl, ONLY_HOST } from './watch/remote-control.js'
import { createWatchTogether } from './watch/watch-together.js'

/** What a watch group plays. */
const QUEUED_TYPES = new Set(['movie', 'episode', 'video', 'audio'])

const NOTHING_OPEN = 'No film is in the player yet.'

const byId = (id) => document.getElementById(id)
const [signInForm, films, searchForm, query, dialog] = ['sign-in', 'films', 'search', 'query', 'player'].map(byId)

const player = createFilmPlayer(dialog, {
  onFacts: (facts) => maySave && downloads.offer(opened, allowedRungs(facts)),
})
const { video } = player

/** The item in the player; undefined while it is closed. */
let opened
const resumeChoice = createResumeChoice({ frame: byId('resume'), resume: byId('resume-go'), restart: byId('restart') })
const reports = createProgressReports(video, {
  onProgress: (place) => views.showProgress(place),
  onStored: () => views.refresh(),
  onRefused(error) {
    if (error instanceof SignedOut) leave(SESSION_ENDED)
    if (error.code === OUTSIDE_HOURS) stopPlayback(error.message)
  },
})
const downloads = createDownloadMenu({
  select: byId('download'),
  progress: byId('download-progress'),
  link: byId('download-save'),
})

const watchTogether = createWatchTogether(video, {
  openMedia: (id) => openPlayer({ id, name: '' }, { isHeld: true }),
  onGroup: showGroup,
  onSignedOut: () => leave(SESSION_ENDED),
})

const browseMode = createBrowseMode(
  { bar: byId('choosing'), text: byId('choosing-text'), back: byId('choosing-back'), open: byId('watch-choose') },
  { dialog, groupName: watchTogether.name, onBack: showPlayer },
)

const nextItem = createNextItem(byId('next'), { open: openPlayer, ask: askAndOpen, group: watchTogether })

const remoteControl = createRemoteControl(video, {
  isSignedIn,
  itemId: () => opened?.id,
  open: openRemotely,
  play: async () => (resumeChoice.isAsking() ? resumeChoice.resume() : video.play()),
  next: nextItem.play,
  close: () => dialog.close(),
  group: watchTogether,
  onSignedOut: () => leave(SESSION_ENDED),
  onAccessChanged: () => void showChangedAccess(),
  onScanProgress: () => newItems.note(),
  onLibraryChanged: () => newItems.noteEnd(),
})

const views = createViews(
  { frame: byId('views'), musicFrame: byId('now-playing'), form: searchForm, query },
  { open, decorate: offerToQueue, giveToGroup, showPhotos, onSignedOut: () => leave(SESSION_ENDED) },
)
const photoViewer = createPhotoViewer(byId('photo'), currentUser, texts.photoViewer)
byId('photo').lang = language
const newItems = createNewItems(() => views.renew())
/** Whether the profile in use may save files; the server refuses it otherwise. */
let maySave = true

const registration = createRegistration(byId('register'), {
  onSignedIn: () => {
    show()
    query.focus()
  },
  onSignInWanted: () => {
    signInForm.hidden = false
    byId('username').focus()
    void singleSignOn.offer()
  },
})

const linkOffer = createLinkOffer(byId('link-offer'), {
  onAccepted: (subject) => singleSignOn.startLink(subject),
})
const singleSignOn = createSingleSignOn({
  button: byId('single-sign-on'),
  problem: byId('sign-in-problem'),
  passwordParts: signInForm.querySelectorAll('label, [type=submit]'),
  onUnknownPerson: (person) => linkOffer.remember(person),
})
const signInByCode = createSignInByCode(byId('by-code'), {
  onSignedIn: () => {
    show()
    query.focus()
  },
  onCancel: show,
})

const account = createAccount(byId('account'), {
  onSignedOut: () => leave(SESSION_ENDED),
  onDeleted: () => leave('Your account is deleted.'),
  onPinWanted: () => void profiles.openPin(),
})
const profiles = createProfiles(byId('profiles'), {
  opener: byId('profile-open'),
  // A profile for a child cannot change the account.
  onCurrent: ({ is_restricted: isRestricted, can_download: mayDownload }) => {
    byId('account-open').hidden = isRestricted
    byId('share-open').hidden = isRestricted
    maySave = mayDownload
  },
  onSignedOut: () => leave(SESSION_ENDED),
})
const shareDialog = createShareDialog(byId('share'), { onSignedOut: () => leave(SESSION_ENDED) })

function show() {
  const signedIn = isSignedIn()
  const isRegistering = !signedIn && registration.begin()
  if (signedIn || isRegistering) signInByCode.stop()
  signInForm.hidden = signedIn || isRegistering || signInByCode.isActive()
  byId('invitation').hidden = signedIn || linkedGroup() === undefined
  for (const part of [films, searchForm, byId('sign-out'), byId('profile-open'), byId('groups-open')])
    part.hidden = !signedIn
  if (!signedIn) byId('account-open').hidden = true
  if (signedIn) {
    views.show()
    void guarded(() => profiles.show())
    joinLinkedGroup()
    remoteControl.start()
  } else if (!signInForm.hidden) {
    void singleSignOn.offer()
    byId('username').focus({ preventScroll: true })
    void offerFirstAccount()
  }
}

/** On a server without an account nobody could sign in. Whoever has tried reads first why the sign-in failed. */
async function offerFirstAccount() {
  const isUntried = () => byId('sign-in-problem').textContent === ''
  const isShown = await registration.beginFirst(() => !isSignedIn() && !signInForm.hidden && isUntried())
  if (isShown) signInForm.hidden = true
}

/** Shows the failures of what a card or the page does. */
async function guarded(work) {
  try {
    byId('list-problem').textContent = ''
    await work()
  } catch (error) {
    if (error instanceof SignedOut) return leave(SESSION_ENDED)
    byId('list-problem').textContent = error.message
  }
}

function offerToQueue(entry, item) {
  if (!QUEUED_TYPES.has(item.type)) return
  entry.append(browseMode.queueButton(item, () => watchTogether.enqueue(item)))
}

function giveToGroup(item) {
  const isGiven = watchTogether.isInGroup()
  if (isGiven) void watchTogether.select(item)
  return isGiven
}

async function open(item, items) {
  if (item.type === 'audiobook') return guarded(() => listen(item))
  if (item.type === 'book') return guarded(() => saveBook(item))
  if (item.type === 'image') return openPhoto(item, items)
  // The whole group gets the film, if this member may select it.
  if (giveToGroup(item)) return undefined
  return askAndOpen(item)
}

/** The viewer chooses where an item goes on that was begun earlier. Songs begin at their start. */
function askAndOpen(item) {
  return openPlayer(item, item.type === 'audio' ? {} : { chooseStart })
}

async function chooseStart(facts) {
  // A group begins with what is in the player.
  allowGroup('Choose first where the film begins.')
  const seconds = await resumeChoice.ask(facts)
  allowGroup(opened === undefined ? NOTHING_OPEN : '')
  if (seconds !== undefined) video.focus()
  return seconds
}

/** @param {string} reason why a group cannot begin now; empty if it can */
function allowGroup(reason) {
  const button = byId('watch-start')
  button.disabled = reason !== ''
  button.title = reason
  button.setAttribute('aria-description', reason)
}

function setOpened(item) {
  opened = item
  byId('share-open').disabled = item === undefined
  allowGroup(item === undefined ? NOTHING_OPEN : '')
}

/** @returns {Promise<boolean>} whether it is in the player; otherwise the page shows the reason */
async function openPlayer(item, options) {
  player.prepare(item.name)
  resumeChoice.hide()
  reports.end()
  showPlayer()
  let hasStarted = false
  await guarded(async () => {
    const detail = await requestJson(`/api/v1/media/${item.id}`)
    if (!dialog.open) return
    setOpened(detail.item)
    byId('player-title').textContent = opened.name
    void nextItem.offer(opened.id)
    reports.begin(opened)
    hasStarted = await player.start(opened, options)
  })
  return hasStarted
}

/** The keys of the player work at once: the focus is on the picture. */
function showPlayer() {
  browseMode.end()
  views.music.pause()
  if (dialog.open) return
  dialog.showModal()
  video.focus()
}

/** A group has the player, also before it has a film. */
function showGroup(group) {
  const isIn = group !== undefined
  const { activeElement: focused } = document
  const hadFocus = isIn ? [document.body, byId('watch-start')].includes(focused) : byId('watch').contains(focused)
  byId('watch-start').hidden = isIn
  byId('watch-choose').hidden = !watchTogether.mayControl()
  byId('watch-choose').textContent = group?.current_media_id == null ? 'Choose a film' : 'Choose another film'
  dialog.classList.toggle('in-group', isIn)
  if (isIn && !dialog.open && !browseMode.isActive()) {
    byId('player-title').textContent = 'Nothing selected yet'
    showPlayer()
  }
  if (!isIn) browseMode.end()
  if (!isIn && dialog.open && opened === undefined && byId('player-problem').textContent === '') dialog.close()
  // What had the focus is hidden now.
  if (hadFocus && dialog.open) video.focus()
  nextItem.show()
}

/** Plays what another device of the user has chosen. Rejects for an unknown item, and leaves the player as it is. */
async function openRemotely(id, positionMilliseconds) {
  const { item } = await requestJson(`/api/v1/media/${id}`)
  if (watchTogether.isInGroup()) {
    if (!watchTogether.mayControl()) throw new Error(ONLY_HOST)
    return watchTogether.select(item, positionMilliseconds)
  }
  return openPlayer(item, { chooseStart: async () => (positionMilliseconds ?? 0) / 1000 })
}

/** The link to a group has its id in the fragment, which browsers do not send. */
const linkedGroup = () => /^#watch=([0-9a-f-]{36})$/.exec(location.hash)?.[1]

function joinLinkedGroup() {
  const groupId = linkedGroup()
  if (!location.hash.startsWith('#watch=')) return
  // Once: after a reload the seat counts, which may be in another group by then.
  history.replaceState(null, '', location.pathname + location.search)
  if (groupId === undefined) byId('list-problem').textContent = 'This link to a group is not complete.'
  else watchTogether.join(groupId)
}

/** Books are read in an app of their format. */
async function saveBook({ id }) {
  const { book } = await requestJson(`/api/v1/books/${id}`)
  location.assign(book.download_url)
}

function openPhoto(item, items) {
  const photos = items.filter(({ type }) => type === 'image')
  const source = {
    count: photos.length,
    titleAt: (index) => photos[index].name,
    idAt: async (index) => photos[index].id,
  }
  showPhotos(source, photos.indexOf(item))
}

function showPhotos({ count, titleAt, idAt }, index, onClosed) {
  const addressesAt = async (wanted) => addressesOf(await idAt(wanted))
  photoViewer.show({ count, titleAt, addressesAt }, index, onClosed)
}

async function addressesOf(id) {
  const photo = await addressesOfPhoto(id)
  return { ...photo, saveUrl: maySave ? photo.saveUrl : null }
}

/** Audiobooks are played on a separate page. */
async function listen({ id }) {
  const { audiobook } = await requestJson(`/api/v1/audiobooks/${id}`)
  location.assign(audiobook.read_url)
}

/** The page may show or play what the account may no longer see. What is buffered would play on. */
async function showChangedAccess() {
  const id = opened?.id
  const { reason, facts } = id === undefined ? {} : await askWhetherAllowed(id)
  if (reason !== undefined && opened?.id === id) stopPlayback(reason)
  if (facts !== undefined && opened?.id === id) player.adapt(facts)
  await stopHiddenMusic()
  views.show()
  await guarded(() => profiles.show())
  byId('list-problem').textContent = 'What you may see and play has changed. The list is up to date.'
}

async function stopHiddenMusic() {
  const id = views.music.itemId()
  const { reason } = id === undefined ? {} : await askWhetherAllowed(id)
  if (reason !== undefined && views.music.itemId() === id) views.music.stop(reason)
}

function stopPlayback(reason) {
  reports.end()
  resumeChoice.hide()
  player.stop()
  player.showProblem(reason)
}

function leave(reason) {
  reports.leave()
  views.music.leave()
  signOut()
  linkOffer.forget()
  singleSignOn.forget()
  remoteControl.stop()
  newItems.stop()
  watchTogether.end()
  browseMode.end()
  dialog.close()
  shareDialog.close()
  account.close()
  profiles.close()
  photoViewer.close()
  views.clear()
  byId('sign-in-problem').textContent = reason
  show()
}

async function submitSignIn() {
  const button = signInForm.querySelector('button')
  button.disabled = true
  byId('sign-in-problem').textContent = ''
  try {
    await signIn(byId('username').value, byId('password').value)
    signInForm.reset()
    show()
    query.focus()
    await linkOffer.show()
  } catch (error) {
    byId('sign-in-problem').textContent = error.message
  } finally {
    button.disabled = false
  }
}

signInForm.addEventListener('submit', (event) => {
  event.preventDefault()
  void submitSignIn()
})

byId('account-open').addEventListener('click', () => account.open())
byId('by-code-begin').addEventListener('click', () => {
  signInForm.hidden = true
  void signInByCode.begin()
})
byId('sign-out').addEventListener('click', () => leave(''))
byId('player-close').addEventListener('click', () => dialog.close())
byId('share-open').addEventListener('click', () => shareDialog.open(opened))
byId('watch-start').addEventListener('click', () => watchTogether.begin(opened))
dialog.addEventListener('close', () => {
  // The group goes on while its host looks for another film.
  if (browseMode.isActive()) return
  setOpened(undefined)
  downloads.hide()
  resumeChoice.hide()
  reports.end()
  player.stop()
  void nextItem.offer(undefined)
  if (watchTogether.isInGroup()) watchTogether.close()
})

closeOnBack(['player', 'photo', 'account', 'profiles', 'groups', 'new-group', 'share'].map(byId))
addEventListener('hashchange', show)
followOtherTabs({
  onSignedIn: show,
  onSignedOut: () => leave('You have signed out in another tab.'),
  onOtherAccount: () => location.reload(),
})
const failure = await singleSignOn.complete()
show()
if (failure !== '') byId(isSignedIn() ? 'list-problem' : 'sign-in-problem').textContent = failure
