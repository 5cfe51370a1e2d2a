import { formatDuration } from './format-duration.js'

/**
 * The chapters as buttons. Titles come from files. They are set as text, so that markup in them is not interpreted.
 * @param {HTMLOListElement} list
 * @param {(index: number) => void} onChoose
 */
export function createChapterList(list, onChoose) {
  let chapters = []
  let buttons = []
  let current = -1

  function show(newChapters) {
    chapters = newChapters
    current = -1
    buttons = chapters.map(createChapterButton)
    list.replaceChildren(
      ...buttons.map((button) => {
        const item = document.createElement('li')
        item.append(button)
        return item
      }),
    )
  }

  function createChapterButton({ index, title, duration_ms: length }) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'chapter'
    button.append(
      part('chapter-number', String(index + 1)),
      part('chapter-title', title),
      part('chapter-length', formatDuration(length / 1000)),
    )
    button.addEventListener('click', () => onChoose(index))
    return button
  }

  /** Marks the current chapter. */
  function update(index, seconds) {
    const { start_ms: start, duration_ms: length } = chapters[index]
    const done = length === 0 ? 0 : Math.min(1, (seconds * 1000 - start) / length)
    buttons[index].style.setProperty('--done', `${done * 100}%`)
    if (index === current) return
    current = index
    for (const [at, button] of buttons.entries()) {
      if (at === index) button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
      button.classList.toggle('is-heard', at < index)
    }
    // Scrolls the list, but not the page.
    const { offsetTop, offsetHeight } = buttons[index].parentElement
    const top = offsetTop - list.offsetTop
    if (top < list.scrollTop || top + offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 3
  }

  return { show, update }
}

function part(className, text) {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}
