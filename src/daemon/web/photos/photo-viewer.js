/**
 * A dialog with one photo that fills the window.
 * @typedef {{title: string, addresses: () => Promise<{pictureUrl: string, saveUrl: string | null}>}} Photo
 * @param {HTMLDialogElement} dialog
 * @param {() => Promise<void>} checkAccess rejects with the reason if photos cannot be seen any more
 * @returns {{show: (photos: Photo[], index: number) => void, close: () => void}}
 */
export function createPhotoViewer(dialog, checkAccess) {
  const [picture, title, save, problem, before, after, close] = [
    'picture',
    'title',
    'save',
    'problem',
    'before',
    'after',
    'close',
  ].map((name) => dialog.querySelector(`#photo-${name}`))
  /** @type {Photo[]} */
  let photos = []
  let shown = 0

  async function show(index) {
    shown = (index + photos.length) % photos.length
    const photo = photos[shown]
    problem.textContent = ''
    title.textContent = photos.length === 1 ? photo.title : `${photo.title} (${shown + 1} of ${photos.length})`
    for (const button of [before, after]) button.hidden = photos.length === 1
    save.hidden = true
    picture.hidden = true
    picture.removeAttribute('src')
    if (!dialog.open) dialog.showModal()
    try {
      const { pictureUrl, saveUrl } = await photo.addresses()
      if (photo !== photos[shown] || !dialog.open) return
      picture.hidden = false
      picture.alt = photo.title
      picture.src = pictureUrl
      save.hidden = saveUrl === null
      if (saveUrl !== null) save.href = saveUrl
    } catch (error) {
      if (photo === photos[shown]) problem.textContent = error.message
    }
  }

  async function tellReason() {
    const photo = photos[shown]
    picture.hidden = true
    let reason = 'This photo cannot be shown.'
    try {
      await checkAccess()
    } catch (error) {
      reason = error.message
    }
    if (dialog.open && photo === photos[shown]) problem.textContent = reason
  }

  before.addEventListener('click', () => void show(shown - 1))
  after.addEventListener('click', () => void show(shown + 1))
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowLeft') void show(shown - 1)
    if (key === 'ArrowRight') void show(shown + 1)
  })
  picture.addEventListener('error', () => dialog.open && void tellReason())
  dialog.addEventListener('close', () => picture.removeAttribute('src'))

  return {
    show(wanted, index) {
      photos = wanted
      void show(index)
    },
    close: () => dialog.close(),
  }
}
