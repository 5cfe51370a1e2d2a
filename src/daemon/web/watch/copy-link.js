/**
 * Copies a text. Browsers give pages the clipboard only with TLS or on localhost; otherwise the text is selected and copied as a user would.
 * @param {HTMLElement} place where a field may be shown for a moment: the rest of the page is inert while a dialog is open
 * @returns {Promise<boolean>} whether it is in the clipboard
 */
export async function copyText(text, place) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text, place)
  }
}

function copySelection(text, place) {
  const focused = document.activeElement
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  field.className = 'unseen'
  place.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } finally {
    field.remove()
    focused?.focus()
  }
}
