/** Elements of the lists of an account. Names come from clients. They are set as text, so that markup in them is not interpreted. */

const CONFIRMATION_MILLISECONDS = 5000

/** Creates a list item with a title, a line of facts, and elements for its actions. */
export function createListEntry(title, facts, ...actions) {
  const item = document.createElement('li')
  const text = document.createElement('div')
  text.append(span('title', title), span('facts', facts))
  item.append(text, ...actions)
  return item
}

/** Creates a button; `description` is its name for screen readers. */
export function createButton(label, description) {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'quiet'
  element.textContent = label
  element.setAttribute('aria-label', description)
  return element
}

/**
 * Creates a button for an action that cannot be undone: the first click asks for confirmation, and a second click within five seconds confirms.
 * @param {{label: string, description: string, question: string}} names `question` replaces the label after the first click
 * @param {() => void} onConfirmed
 */
export function createConfirmedButton({ label, description, question }, onConfirmed) {
  const element = createButton(label, description)
  let timer
  const ask = (isAsking) => {
    clearTimeout(timer)
    element.dataset['asking'] = String(isAsking)
    element.textContent = isAsking ? `${question}?` : label
    element.setAttribute('aria-label', isAsking ? `${question}: ${description}?` : description)
  }
  element.addEventListener('click', () => {
    const isConfirmed = element.dataset['asking'] === 'true'
    ask(!isConfirmed)
    if (isConfirmed) onConfirmed()
    else timer = setTimeout(() => ask(false), CONFIRMATION_MILLISECONDS)
  })
  element.addEventListener('blur', () => ask(false))
  return element
}

export const formatTime = (text) =>
  new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

function span(className, text) {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}
