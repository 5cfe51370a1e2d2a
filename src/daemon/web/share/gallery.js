const LARGE_PIXELS = 2000

/**
 * A gallery of photos: small pictures, and one that fills the window.
 * @param {{list: HTMLElement, dialog: HTMLDialogElement}} parts
 */
export function createGallery({ list, dialog }) {
  const [picture, title, save] = ['picture', 'title', 'save'].map((name) => dialog.querySelector(`#photo-${name}`))
  /** @type {{title: string, picture_url: string, download_url: string | null}[]} */
  let photos = []
  let shown = 0

  function show(index) {
    shown = (index + photos.length) % photos.length
    const photo = photos[shown]
    picture.src = `${photo.picture_url}?size=${LARGE_PIXELS}`
    picture.alt = photo.title
    title.textContent = `${photo.title} (${shown + 1} of ${photos.length})`
    save.hidden = photo.download_url === null
    if (photo.download_url !== null) save.href = photo.download_url
    if (!dialog.open) dialog.showModal()
  }

  function entryOf(photo, index) {
    const entry = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'photo'
    const image = document.createElement('img')
    image.loading = 'lazy'
    image.alt = photo.title
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
  dialog.addEventListener('close', () => picture.removeAttribute('src'))

  return {
    offer(wanted) {
      photos = wanted
      list.replaceChildren(...photos.map(entryOf))
    },
  }
}
