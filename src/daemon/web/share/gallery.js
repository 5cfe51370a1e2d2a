import { createPhotoViewer } from '../photos/photo-viewer.js'

const LARGE_PIXELS = 2000

/**
 * A gallery of photos: small pictures, and a viewer for one.
 * @param {{list: HTMLElement, dialog: HTMLDialogElement}} parts
 * @param {() => Promise<unknown>} checkLink rejects with the reason if the link has ended
 */
export function createGallery({ list, dialog }, checkLink) {
  const viewer = createPhotoViewer(dialog, checkLink)

  function entryOf({ title, picture_url: pictureUrl }, index, open) {
    const entry = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'photo'
    button.setAttribute('aria-label', `Photo ${index + 1}: ${title}`)
    const image = document.createElement('img')
    image.loading = 'lazy'
    image.alt = ''
    image.src = `${pictureUrl}?size=400`
    button.append(image)
    button.addEventListener('click', open)
    entry.append(button)
    return entry
  }

  return {
    /** @param {{title: string, picture_url: string, download_url: string | null}[]} wanted */
    offer(wanted) {
      const photos = {
        count: wanted.length,
        titleAt: (index) => wanted[index].title,
        async addressesAt(index) {
          const { picture_url: pictureUrl, download_url: saveUrl } = wanted[index]
          return { pictureUrl: `${pictureUrl}?size=${LARGE_PIXELS}`, saveUrl }
        },
      }
      list.replaceChildren(...wanted.map((photo, index) => entryOf(photo, index, () => viewer.show(photos, index))))
    },
  }
}
