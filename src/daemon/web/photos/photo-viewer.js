import { createSlideshow } from './slideshow.js'

/** @typedef {{pictureUrl: string, saveUrl: string | null, title?: string}} Addresses */
/**
 * Photos in their order, of which not all need to be known.
 * @typedef {{count: number, titleAt: (index: number) => string, addressesAt: (index: number) => Promise<Addresses>}} Photos
 */
/** @typedef {{before: string, after: string, close: string, save: string, slideshow: string, stopSlideshow: string, numbered: (title: string, number: number, count: number) => string, notShown: string}} Words */

/** @type {Words} */
const ENGLISH = {
  before: 'Back',
  after: 'Next',
  close: 'Close',
  save: 'Save',
  slideshow: 'Slideshow',
  stopSlideshow: 'Stop the slideshow',
  numbered: (title, number, count) => `${title} (${number} of ${count})`,
  notShown: 'This photo cannot be shown.',
}

/**
 * A dialog with one photo that fills the window. Arrows lead to the photos beside it, Home and End to the first and last one, p begins and stops a
 * slideshow.
 * @param {HTMLDialogElement} dialog
 * @param {() => Promise<unknown>} checkAccess rejects with the reason if photos cannot be seen any more
 * @param {Words} [words]
 */
export function createPhotoViewer(dialog, checkAccess, words = ENGLISH) {
  const part = (name) => dialog.querySelector(`#photo-${name}`)
  const [picture, title, save, problem] = ['picture', 'title', 'save', 'problem'].map(part)
  const [before, after, close] = ['before', 'after', 'close'].map(part)
  /** @type {Photos} */
  let photos = { count: 0, titleAt: () => '', addressesAt: () => Promise.reject(new Error(words.notShown)) }
  let shown = 0
  /** Counts what was asked for: a reply for an earlier photo is dropped. */
  let request = 0
  let onClosed = () => {}
  const slideshow = createSlideshow(
    part('slideshow'),
    { start: words.slideshow, stop: words.stopSlideshow },
    () => void show(shown + 1),
  )
  for (const [button, text] of [
    [before, words.before],
    [after, words.after],
    [close, words.close],
    [save, words.save],
  ])
    button.textContent = text

  function showTitle(text) {
    title.textContent = photos.count === 1 ? text : words.numbered(text, shown + 1, photos.count)
  }

  async function show(index) {
    shown = (index + photos.count) % photos.count
    const mine = (request += 1)
    const isMine = () => mine === request && dialog.open
    problem.textContent = ''
    showTitle(photos.titleAt(shown))
    for (const button of [before, after, part('slideshow')]) button.hidden = photos.count === 1
    save.hidden = true
    picture.hidden = true
    picture.removeAttribute('src')
    if (!dialog.open) dialog.showModal()
    try {
      const { pictureUrl, saveUrl, title: name = photos.titleAt(shown) } = await photos.addressesAt(shown)
      if (!isMine()) return
      showTitle(name)
      picture.hidden = false
      picture.alt = name
      picture.src = pictureUrl
      save.hidden = saveUrl === null
      if (saveUrl !== null) save.href = saveUrl
    } catch (error) {
      if (isMine()) tell(error.message)
    }
  }

  function tell(reason) {
    problem.textContent = reason
    slideshow.wait()
  }

  async function tellReason() {
    const mine = request
    picture.hidden = true
    let reason = words.notShown
    try {
      await checkAccess()
    } catch (error) {
      reason = error.message
    }
    if (dialog.open && mine === request) tell(reason)
  }

  const keys = {
    ArrowLeft: () => show(shown - 1),
    ArrowRight: () => show(shown + 1),
    Home: () => show(0),
    End: () => show(photos.count - 1),
    p: slideshow.toggle,
  }

  before.addEventListener('click', () => void show(shown - 1))
  after.addEventListener('click', () => void show(shown + 1))
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', (event) => {
    const { key, ctrlKey, altKey, metaKey } = event
    if (ctrlKey || altKey || metaKey || !Object.hasOwn(keys, key)) return
    event.preventDefault()
    void keys[key]()
  })
  picture.addEventListener('load', slideshow.wait)
  picture.addEventListener('error', () => dialog.open && void tellReason())
  dialog.addEventListener('close', () => {
    slideshow.stop()
    picture.removeAttribute('src')
    onClosed(shown)
  })

  return {
    /**
     * @param {Photos} wanted
     * @param {number} index
     * @param {(index: number) => void} [whenClosed] gets the photo that was shown last
     */
    show(wanted, index, whenClosed = () => {}) {
      photos = wanted
      onClosed = whenClosed
      void show(index)
    },
    close: () => dialog.close(),
  }
}
