const LARGE_PIXELS = 2000

/**
 * A gallery of photos: small pictures, and one that fills the window.
 * @param {{list: HTMLElement, dialog: HTMLDialogElement}} parts
 * @param {() => Promise<unknown>} checkLink rejects with the reason if the link has ended
 */
export function createGallery({ list, dialog }, checkLink) {
  const [picture, title, save, problem] = ['picture', 'title', 'save', 'problem'].map((name) =>
    dialog.querySelector(`#photo-${name}`),
  )
  /** @type {{title: string, picture_url: string, download_url: string | null}[]} */
  let photos = []
  let shown = 0

  function show(index) {
    shown = (index + photos.length) % photos.length
    const photo = photos[shown]
    problem.textContent = ''
    picture.hidden = false
    picture.src = `${photo.picture_url}?size=${LARGE_PIXELS}`
    picture.alt = photo.title
    title.textContent = `${photo.title} (${shown + 1} of ${photos.length})`
    save.hidden = photo.download_url === null
    if (photo.download_url !== null) save.href = photo.download_url
    if (!dialog.open) dialog.showModal()
  }

  async function tellReason() {
    const wanted = shown
    picture.hidden = true
    let reason = 'This photo cannot be shown.'
    try {
      await checkLink()
    } catch (error) {
      reason = error.message
    }
    if (dialog.open && shown === wanted) problem.textContent = reason
  }

  function entryOf(photo, index) {
    const entry = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'photo'
    button.setAttribute('aria-label', `Photo ${index + 1}: ${photo.title}`)
    const image = document.createElement('img')
    image.loading = 'lazy'
    image.alt = ''
    image.src = `${photo.picture_url}?size=400`
    button.append(image)
    button.addEventListener('click', () => show(index))
    entry.append(button)
    return entry
  }

  dialog.querySelector('#photo-before').addEventListener('click', () => show(shown - 1))
  dialog.querySelector('#photo-after').addEventListener('click', () => show(shown + 1))
  dialog.querySelector('#photo-close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowLeft') show(shown - 1)
    if (key === 'ArrowRight') show(shown + 1)
  })
  picture.addEventListener('error', () => void tellReason())
  dialog.addEventListener('close', () => picture.removeAttribute('src'))

  return {
    offer(wanted) {
      photos = wanted
      list.replaceChildren(...photos.map(entryOf))
    },
  }
}
