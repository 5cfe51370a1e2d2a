/** A link that saves the file of an entry; undefined if the share link does not allow it. */
export function saveLink({ title, download_url: address }) {
  if (address === null) return undefined
  const link = document.createElement('a')
  link.className = 'save'
  link.href = address
  link.download = ''
  link.textContent = 'Save'
  link.setAttribute('aria-label', `Save ${title}`)
  return link
}
