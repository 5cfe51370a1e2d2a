/** Lists of the page. All texts are inserted as text: names of servers come from strangers. */

/**
 * Replaces the rows of a list.
 * @param {HTMLElement} list
 * @param {{name: string, more: string, actions?: {label: string, run: () => Promise<void>}[]}[]} rows
 * @param {(work: () => Promise<void>) => Promise<void>} attempt shows the error of an action
 */
export function showRows(list, rows, attempt) {
  list.replaceChildren(...rows.map((row) => rowElement(row, attempt)))
}

function rowElement({ name, more, actions = [] }, attempt) {
  const row = document.createElement('li')
  row.append(textElement('span', 'name', name), textElement('span', 'more', more))
  for (const { label, run } of actions) {
    const button = textElement('button', 'quiet', label)
    button.type = 'button'
    button.setAttribute('aria-label', `${label}: ${name}`)
    button.addEventListener('click', () => attempt(run))
    row.append(button)
  }
  return row
}

function textElement(tag, className, text) {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}
