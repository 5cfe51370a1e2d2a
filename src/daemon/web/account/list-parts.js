/** Elements of the lists of an account. Names come from clients. They are set as text, so that markup in them is not interpreted. */

export function entry(title, facts, ...actions) {
  const item = document.createElement('li')
  const text = document.createElement('div')
  text.append(span('title', title), span('facts', facts))
  item.append(text, ...actions)
  return item
}

export function button(label, description) {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'quiet'
  element.textContent = label
  element.setAttribute('aria-label', description)
  return element
}

export const readableTime = (text) =>
  new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

function span(className, text) {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}
